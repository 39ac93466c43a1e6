//! A solution that is wound forwards and back.

use soko::level::{ClassicLevel, Lurd, Position, Step};

/// The moves of a solution, and how many of them are made.
#[derive(Debug)]
pub(crate) struct Tape<'a> {
    moves: &'a Lurd,
    position: Position<'a>,
    made: Vec<Step>,
    pushed: usize,
}

impl<'a> Tape<'a> {
    /// At the start; the moves must be possible.
    pub(crate) fn new(level: &'a ClassicLevel, moves: &'a Lurd) -> Self {
        Self {
            moves,
            position: Position::new(level),
            made: Vec::new(),
            pushed: 0,
        }
    }

    /// The level.
    pub(crate) const fn level(&self) -> &'a ClassicLevel {
        self.position.level()
    }

    /// Where player and boxes are.
    pub(crate) const fn position(&self) -> &Position<'a> {
        &self.position
    }

    /// Number of all moves.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Number of moves made.
    pub(crate) const fn at(&self) -> usize {
        self.made.len()
    }

    /// Pushes made, and all.
    pub(crate) fn pushes(&self) -> (usize, usize) {
        (self.pushed, self.moves.pushes())
    }

    /// Makes the next move; `false` at the end.
    pub(crate) fn forward(&mut self) -> bool {
        let next = self.moves.moves().get(self.made.len());
        let Some(made) = next.and_then(|step| self.position.step(step.dir)) else {
            return false;
        };
        self.pushed += usize::from(made.step.push);
        self.made.push(made);
        true
    }

    /// Takes the last move back; `false` at the start.
    pub(crate) fn back(&mut self) -> bool {
        let Some(last) = self.made.pop() else {
            return false;
        };
        self.pushed -= usize::from(last.step.push);
        self.position.undo(last);
        true
    }

    /// Winds to after so many moves.
    pub(crate) fn go_to(&mut self, moves: usize) {
        while self.at() > moves && self.back() {}
        while self.at() < moves && self.forward() {}
    }

    /// Winds on to after the next push, or to the end.
    pub(crate) fn jump_to_next_push(&mut self) {
        let pushed = self.pushed;
        while self.pushed == pushed && self.forward() {}
    }

    /// Winds back to after the push before the last one, or to the start.
    pub(crate) fn jump_to_push_before(&mut self) {
        let pushed = self.pushed;
        while self.pushed == pushed && self.back() {}
        while self.made.last().is_some_and(|last| !last.step.push) && self.back() {}
    }

    /// The moves that are left, at most so many of them, and how many more.
    pub(crate) fn rest(&self, letters: usize) -> String {
        let rest = &self.moves.moves()[self.made.len()..];
        if rest.len() <= letters {
            return rest.iter().map(|step| step.letter()).collect();
        }
        let more = |shown: usize| format!("… {} more", rest.len() - shown);
        let shown = letters.saturating_sub(more(0).chars().count());
        let mut text: String = rest[..shown].iter().map(|step| step.letter()).collect();
        text.push_str(&more(shown));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winding_forwards_and_back() {
        let level: ClassicLevel = "@$-.\n-$-.\n".parse().unwrap();
        let moves: Lurd = "RRlldRR".parse().unwrap();
        let mut tape = Tape::new(&level, &moves);
        let start = tape.position().grid();
        tape.jump_to_next_push();
        assert_eq!((tape.at(), tape.pushes()), (1, (1, 4)));
        tape.go_to(3);
        assert_eq!(tape.rest(10), "ldRR");
        tape.jump_to_next_push();
        assert_eq!((tape.at(), tape.pushes().0), (6, 3));
        tape.jump_to_push_before();
        assert_eq!((tape.at(), tape.pushes().0), (2, 2));
        tape.go_to(usize::MAX);
        assert!(tape.position().is_solved());
        assert_eq!((tape.at(), tape.len(), tape.rest(9)), (7, 7, String::new()));
        assert!(!tape.forward());
        tape.go_to(0);
        assert_eq!((tape.position().grid(), tape.pushes().0), (start, 0));
        assert!(!tape.back());
        tape.jump_to_push_before();
        assert_eq!(tape.at(), 0);
    }

    #[test]
    fn a_long_rest_is_shortened() {
        let level: ClassicLevel = format!("@{}$.\n", "-".repeat(50)).parse().unwrap();
        let moves: Lurd = "50rR".parse().unwrap();
        let rest = Tape::new(&level, &moves).rest(20);
        assert_eq!(rest, "rrrrrrrrrrr… 40 more");
    }
}
