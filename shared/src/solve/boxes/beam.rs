//! Beam search: of each layer of pushes only the best states are kept.

use super::ground::{Ground, Spot};
use super::request::{BeamOptions, Effort, Order, Unfinished};
use super::route::Board;
use super::scratch::Scratch;
use super::states::{States, vector_bytes};
use crate::level::Lurd;
use crate::search::random::Random;

/// What the search came to.
#[derive(Debug, Default)]
pub(super) struct Beam {
    /// The best solution that was seen.
    pub found: Option<Found>,
    /// Whether no state was ever left out: if nothing was found, there is no
    /// solution.
    pub complete: bool,
    /// Why it ended early, if it did.
    pub unfinished: Option<Unfinished>,
    /// States kept, in all rounds.
    pub states: u64,
    /// Most bytes that the states of a round took.
    pub bytes: u64,
}

/// A solution.
#[derive(Debug)]
pub(super) struct Found {
    pub moves: u32,
    pub pushes: u32,
    pub lurd: Lurd,
}

impl Found {
    const fn value(&self, order: Order) -> (u32, u32) {
        match order {
            Order::Moves => (self.moves, self.pushes),
            Order::Pushes => (self.pushes, self.moves),
        }
    }
}

/// One round without noise, then restarts with more and more of it, each of
/// which looks only for something better.
pub(super) fn search(
    ground: &Ground,
    order: Order,
    options: BeamOptions,
    effort: &Effort<'_>,
) -> Beam {
    let mut beam = Beam::default();
    for round in 0..=options.restarts {
        let mut random = Random::for_shard(options.seed, round.into());
        // A pushed box counts 16.
        let noise = u64::from(round) * 8;
        let mut layers = Layers::new(ground, order, options.width.max(1), effort);
        layers.run(&mut beam.found, |score| {
            score + random.word().checked_rem(noise).unwrap_or(0) as i64
        });
        beam.states += layers.states.len() as u64;
        beam.bytes = beam.bytes.max(layers.bytes(false));
        beam.unfinished = layers.unfinished;
        if !layers.cut && beam.unfinished.is_none() {
            beam.complete = true;
            break;
        }
        if beam.unfinished == Some(Unfinished::Stopped) {
            break;
        }
    }
    beam
}

/// A state of the next layer, before the best are chosen.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: i64,
    parent: u32,
    moves: u32,
    /// Number of the push of its parent.
    push: u32,
    /// Where the box was, and the player is.
    from: Spot,
    left: u32,
}

struct Layers<'a> {
    ground: &'a Ground,
    order: Order,
    width: usize,
    effort: &'a Effort<'a>,
    /// Boxes and the region of the player, of all layers: what was kept once
    /// is not kept again.
    states: States,
    parents: Vec<u32>,
    moves: Vec<u32>,
    /// Where the player is exactly.
    players: Vec<u16>,
    /// Whether a state was left out.
    cut: bool,
    unfinished: Option<Unfinished>,
}

impl<'a> Layers<'a> {
    fn new(ground: &'a Ground, order: Order, width: usize, effort: &'a Effort<'a>) -> Self {
        Self {
            states: States::new(ground.boxes.len()),
            parents: Vec::new(),
            moves: Vec::new(),
            players: Vec::new(),
            cut: false,
            unfinished: None,
            ground,
            order,
            width,
            effort,
        }
    }

    /// Layer by layer until one is empty, or nothing better than what was found
    /// can come.
    fn run(&mut self, best: &mut Option<Found>, mut disturbed: impl FnMut(i64) -> i64) {
        let mut scratch = Scratch::new(self.ground);
        let boxes: Vec<u16> = self.ground.boxes.iter().map(|&spot| spot as u16).collect();
        if scratch.left(&boxes).is_none() {
            return;
        }
        self.keep(&mut scratch, &boxes, self.ground.player, u32::MAX, 0);
        let mut layer = 0..1_u32;
        let mut pushes = 0;
        while !layer.is_empty() {
            pushes += 1;
            let mut candidates: Vec<Candidate> = Vec::new();
            // The boxes of all candidates, one state after the other.
            let mut after: Vec<u16> = Vec::new();
            for parent in layer.clone() {
                let (boxes, _) = self.states.get(parent);
                let player = Spot::from(self.players[parent as usize]);
                scratch.pushes(boxes, player, |push, boxes| {
                    let moves = self.moves[parent as usize] + push.moves;
                    let number = (after.len() / boxes.len()) as u32;
                    let hopeless = best.as_ref().is_some_and(|best| {
                        let at_best = Found {
                            moves: moves + push.left,
                            pushes: pushes + push.left,
                            lurd: Lurd::default(),
                        };
                        at_best.value(self.order) >= best.value(self.order)
                    });
                    // A bound that rests on a solution leaves no doubt: then
                    // the level has one.
                    if hopeless {
                        return;
                    }
                    after.extend_from_slice(boxes);
                    candidates.push(Candidate {
                        score: disturbed(self.score(boxes, push.left, moves)),
                        parent,
                        moves,
                        push: number,
                        from: push.from,
                        left: push.left,
                    });
                });
                if self.effort.is_stopped() {
                    self.unfinished = Some(Unfinished::Stopped);
                    return;
                }
                let waiting = vector_bytes(&candidates, None) + vector_bytes(&after, None);
                if self.bytes(true) + waiting > self.effort.memory {
                    self.unfinished = Some(Unfinished::Memory);
                    return;
                }
            }
            candidates.sort_by_key(|candidate| (candidate.score, candidate.push));
            let first = self.states.len() as u32;
            for candidate in &candidates {
                let boxes = self.ground.boxes.len();
                let boxes = &after[candidate.push as usize * boxes..][..boxes];
                if self.states.len() - first as usize >= self.width && candidate.left > 0 {
                    self.cut = true;
                    continue;
                }
                let Candidate {
                    parent,
                    moves,
                    from,
                    ..
                } = *candidate;
                let kept = self.keep(&mut scratch, boxes, from, parent, moves);
                if candidate.left == 0
                    && let Some(number) = kept
                {
                    let found = Found {
                        moves,
                        pushes,
                        lurd: self.route(number),
                    };
                    let better = best
                        .as_ref()
                        .is_none_or(|best| found.value(self.order) < best.value(self.order));
                    if better {
                        *best = Some(found);
                    }
                }
            }
            layer = first..self.states.len() as u32;
        }
    }

    /// The lower the better: 16 for each push that is left at least, less for
    /// boxes on goals; for fewest moves also the moves that were made.
    fn score(&self, boxes: &[u16], left: u32, moves: u32) -> i64 {
        let placed = boxes
            .iter()
            .filter(|&&spot| self.ground.is_goal(spot.into()));
        let moves = match self.order {
            Order::Moves => moves,
            Order::Pushes => 0,
        };
        i64::from(left) * 16 + i64::from(moves) - 4 * placed.count() as i64
    }

    /// Takes a state in, if it is new: its number.
    fn keep(
        &mut self,
        scratch: &mut Scratch<'_>,
        boxes: &[u16],
        player: Spot,
        parent: u32,
        moves: u32,
    ) -> Option<u32> {
        let region = scratch.lowest(boxes, player);
        let (number, new) = self.states.insert(boxes, region);
        if !new {
            return None;
        }
        self.parents.push(parent);
        self.moves.push(moves);
        self.players.push(player as u16);
        Some(number)
    }

    fn bytes(&self, room: bool) -> u64 {
        let more = room.then_some(self.width);
        self.states.bytes(room)
            + vector_bytes(&self.parents, more)
            + vector_bytes(&self.moves, more)
            + vector_bytes(&self.players, more)
    }

    fn route(&self, last: u32) -> Lurd {
        let mut numbers = vec![last];
        let mut number = last;
        while self.parents[number as usize] != u32::MAX {
            number = self.parents[number as usize];
            numbers.push(number);
        }
        let mut board = Board::new(self.ground);
        for &number in numbers.iter().rev() {
            board.push_to(self.states.get(number).0);
        }
        board.into_moves()
    }
}
