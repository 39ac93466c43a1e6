//! What is asked and answered; the choice of a search.

use std::fmt;

use super::ground::Ground;
use super::{astar, beam, exhaustive};
use crate::level::{ClassicLevel, Lurd};
use crate::solve::replay;

/// What a solution is to be least in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// Moves; among these, pushes.
    #[default]
    Moves,
    /// Pushes, whatever the moves.
    Pushes,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
        })
    }
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Beam search for a solution, then A* for a better one or a proof that
    /// there is none.
    #[default]
    Auto,
    /// Beam search alone.
    Beam,
    /// A* alone.
    AStar,
    /// All states, step by step.
    Exhaustive,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Beam => "beam",
            Self::AStar => "astar",
            Self::Exhaustive => "bfs",
        })
    }
}

/// How wide and how often the beam search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeamOptions {
    /// States kept of each layer.
    pub width: usize,
    /// Rounds with noise after the first.
    pub restarts: u32,
    /// Where the noise comes from.
    pub seed: u64,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            width: 1000,
            restarts: 3,
            seed: 1,
        }
    }
}

/// What a search may use.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Bytes for states.
    pub memory: u64,
    /// Asked again and again; the search ends when it says yes.
    pub stop: &'a dyn Fn() -> bool,
}

impl fmt::Debug for Effort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effort")
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Effort<'_> {
    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }
}

/// Why a search ended before it was through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    /// The states took all the memory that was allowed.
    Memory,
    /// It was told to stop.
    Stopped,
    /// The beam search left states out and found nothing in the others.
    Beam,
}

/// What a search over all states came to.
#[derive(Debug)]
pub(super) struct Search {
    /// A best solution; `None` if there is none, or none cheaper than the one
    /// known before.
    pub found: Option<Lurd>,
    /// Why it ended early, if it did.
    pub unfinished: Option<Unfinished>,
    /// States that were kept.
    pub states: u64,
    /// Bytes that they took, about.
    pub bytes: u64,
}

/// What is known in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A solution, which was replayed.
    Solved {
        /// Its moves.
        lurd: Lurd,
        /// Whether none is better, which was proven.
        optimal: bool,
    },
    /// There is no solution, which was proven.
    Unsolvable,
    /// Neither.
    Unknown,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What is known.
    pub verdict: Verdict,
    /// The search that the answer comes from; never `Auto`.
    pub method: Method,
    /// Why a search ended early; also with a solution that is not proven to be
    /// the best.
    pub unfinished: Option<Unfinished>,
    /// States kept, by all searches together.
    pub states: u64,
    /// Most bytes that the states of one search took.
    pub bytes: u64,
}

/// Solves a level with any number of boxes. Equal requests get equal answers,
/// as long as they are not stopped.
pub fn solve_boxes(
    level: &ClassicLevel,
    order: Order,
    method: Method,
    beam_options: BeamOptions,
    effort: &Effort<'_>,
) -> Answer {
    let mut answer = Answer {
        verdict: Verdict::Unknown,
        method,
        unfinished: None,
        states: 0,
        bytes: 0,
    };
    if method == Method::Exhaustive {
        let found = exhaustive::search(level, order, effort);
        answer.count(found.states, found.bytes);
        answer.conclude(level, found.found, found.unfinished, true);
        return answer;
    }
    let Some(ground) = Ground::new(level) else {
        answer.verdict = Verdict::Unsolvable;
        return answer;
    };
    let mut known = None;
    if method != Method::AStar {
        answer.method = Method::Beam;
        let found = beam::search(&ground, order, beam_options, effort);
        answer.count(found.states, found.bytes);
        known = found
            .found
            .as_ref()
            .map(|found| (found.moves, found.pushes));
        let nothing_left_out = found.complete && known.is_none();
        let unfinished = found
            .unfinished
            .or((!nothing_left_out).then_some(Unfinished::Beam));
        let lurd = found.found.map(|found| found.lurd);
        answer.conclude(level, lurd, unfinished, false);
        let over =
            answer.verdict == Verdict::Unsolvable || answer.unfinished == Some(Unfinished::Stopped);
        if method == Method::Beam || over {
            return answer;
        }
    }
    let found = astar::search(&ground, order, known, effort);
    answer.count(found.states, found.bytes);
    if known.is_none() || found.found.is_some() {
        answer.method = Method::AStar;
        answer.conclude(level, found.found, found.unfinished, true);
    } else {
        answer.unfinished = found.unfinished;
        if let Verdict::Solved { optimal, .. } = &mut answer.verdict {
            *optimal = found.unfinished.is_none();
        }
    }
    answer
}

impl Answer {
    fn count(&mut self, states: u64, bytes: u64) {
        self.states += states;
        self.bytes = self.bytes.max(bytes);
    }

    /// Makes a verdict of what a search found. A solution counts only once it
    /// was replayed.
    fn conclude(
        &mut self,
        level: &ClassicLevel,
        found: Option<Lurd>,
        unfinished: Option<Unfinished>,
        optimal: bool,
    ) {
        self.unfinished = unfinished;
        self.verdict = match found {
            Some(lurd) => {
                let played = replay(level, &lurd);
                if played.is_solution() && played.lurd == lurd {
                    Verdict::Solved { lurd, optimal }
                } else {
                    // It cannot happen; if it does, nothing wrong is shown.
                    Verdict::Unknown
                }
            }
            None if unfinished.is_none() => Verdict::Unsolvable,
            None => Verdict::Unknown,
        };
    }
}
