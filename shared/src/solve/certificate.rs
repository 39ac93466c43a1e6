//! A proof that a level needs so many moves, checked without a search.
//!
//! The certificate is a number for every state (player, box), its distance, or
//! nothing for a state that is not solvable. It is right when three *local*
//! conditions hold, each of which looks at one state and its successors:
//!
//! 1. a state with the box on the goal has distance 0;
//! 2. no state has a distance more than one above a successor's, and a state
//!    without a distance has no successor with one (so no solution is shorter
//!    than the distance of its start: it falls by at most one a move and ends
//!    at 0);
//! 3. a state with a distance above 0 has a successor one below (so there is a
//!    solution of that length).
//!
//! The checker shares no code with the solvers: it has its own rules of the
//! game.

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Cell, DIRS, Dir},
    level::Level,
};

/// Most states of a certificate.
pub const MAX_STATES: usize = 50_000_000;

/// A table of distances that proves the length of a shortest solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The level as XSB rows.
    pub xsb: String,
    /// Fewest moves; none = the level has no solution.
    pub optimum: Option<u32>,
    /// By box, then player, both in reading order of the floor cells: the
    /// distance in moves; none = not solvable, or player and box on one cell.
    pub distances: Vec<Option<u32>>,
}

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// It has no level, or not one.
    #[error("its level cannot be read: {0}")]
    Level(String),
    /// The table does not fit the level.
    #[error("its table has {found} entries, the level has {states} states")]
    Length {
        /// Entries of the table.
        found: usize,
        /// States of the level.
        states: usize,
    },
    /// A condition fails at a state.
    #[error("player {player:?}, box {box_cell:?} (row, column from 0): {what}")]
    State {
        /// Row and column of the player.
        player: (u16, u16),
        /// Row and column of the box.
        box_cell: (u16, u16),
        /// What is wrong there.
        what: &'static str,
    },
    /// The start has another distance than is claimed.
    #[error("the start has distance {found:?}, not {claimed:?}")]
    Start {
        /// Distance of the start.
        found: Option<u32>,
        /// What the certificate claims.
        claimed: Option<u32>,
    },
    /// The level has too many states.
    #[error("the level has {0} states; a certificate takes at most {MAX_STATES}")]
    TooLarge(usize),
}

/// The states after a move from (player, box), by the rules of the game.
fn successors(board: &Board, player: Cell, box_cell: Cell) -> impl Iterator<Item = (Cell, Cell)> {
    DIRS.into_iter().filter_map(move |dir: Dir| {
        let to = board.floor_step(player, dir)?;
        if to == box_cell {
            return Some((to, board.floor_step(box_cell, dir)?));
        }
        Some((to, box_cell))
    })
}

/// The states of a layout, numbered by box, then player.
struct States {
    cells: Vec<Cell>,
    /// Place of each cell of the board among the floor cells.
    places: Vec<usize>,
}

impl States {
    fn new(board: &Board) -> Result<Self, CertificateError> {
        let cells: Vec<Cell> = board.floor_cells().collect();
        let states = cells.len() * cells.len();
        if states > MAX_STATES {
            return Err(CertificateError::TooLarge(states));
        }
        let mut places = vec![0; board.size().area()];
        for (place, cell) in cells.iter().enumerate() {
            places[cell.index()] = place;
        }
        Ok(Self { cells, places })
    }

    fn len(&self) -> usize {
        self.cells.len() * self.cells.len()
    }

    fn index(&self, player: Cell, box_cell: Cell) -> usize {
        self.places[box_cell.index()] * self.cells.len() + self.places[player.index()]
    }

    /// Player and box of each state, in order; also those on one cell.
    fn all(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        let cells = || self.cells.iter().copied();
        cells().flat_map(move |box_cell| cells().map(move |player| (player, box_cell)))
    }
}

impl Certificate {
    /// The certificate of a level.
    ///
    /// # Errors
    /// [`CertificateError::TooLarge`].
    pub fn of(level: &Level) -> Result<Self, CertificateError> {
        let board = level.board();
        let states = States::new(board)?;
        // The moves turned round: of each state, those that lead to it.
        let moves = || {
            let going = states
                .all()
                .filter(|&(player, box_cell)| player != box_cell && box_cell != level.goal());
            going.flat_map(|(player, box_cell)| {
                let from = states.index(player, box_cell);
                successors(board, player, box_cell).map(move |to| (from, to))
            })
        };
        let mut ends = vec![0_u32; states.len() + 1];
        for (_, (player, box_cell)) in moves() {
            ends[states.index(player, box_cell) + 1] += 1;
        }
        for index in 1..ends.len() {
            ends[index] += ends[index - 1];
        }
        let starts = ends.clone();
        let mut before = vec![0_u32; starts[states.len()] as usize];
        for (from, (player, box_cell)) in moves() {
            let end = &mut ends[states.index(player, box_cell)];
            before[*end as usize] = from as u32;
            *end += 1;
        }
        let mut distances = vec![None; states.len()];
        let mut queue = Vec::new();
        for player in board.floor_cells().filter(|&cell| cell != level.goal()) {
            let done = states.index(player, level.goal());
            distances[done] = Some(0);
            queue.push(done);
        }
        let mut next = 0;
        while next < queue.len() {
            let to = queue[next];
            next += 1;
            for &from in &before[starts[to] as usize..starts[to + 1] as usize] {
                let from = from as usize;
                if distances[from].is_none() {
                    distances[from] = distances[to].map(|moves: u32| moves + 1);
                    queue.push(from);
                }
            }
        }
        Ok(Self {
            xsb: level.to_xsb(),
            optimum: distances[states.index(level.player(), level.box_cell())],
            distances,
        })
    }

    /// Checks the certificate and gives back the level with what is proved.
    ///
    /// # Errors
    /// [`CertificateError`] names the first condition that fails.
    pub fn check(&self) -> Result<(Level, Option<u32>), CertificateError> {
        let level = self.xsb.parse::<Level>();
        let level = level.map_err(|error| CertificateError::Level(error.to_string()))?;
        let board = level.board();
        let states = States::new(board)?;
        if self.distances.len() != states.len() {
            return Err(CertificateError::Length {
                found: self.distances.len(),
                states: states.len(),
            });
        }
        let size = board.size();
        for ((player, box_cell), &distance) in states.all().zip(&self.distances) {
            let wrong = |what| CertificateError::State {
                player: (size.row(player), size.col(player)),
                box_cell: (size.row(box_cell), size.col(box_cell)),
                what,
            };
            if player == box_cell {
                continue;
            }
            if box_cell == level.goal() {
                if distance != Some(0) {
                    return Err(wrong("the box is on the goal, the distance is not 0"));
                }
                continue;
            }
            let nearest = successors(board, player, box_cell)
                .filter_map(|(p, b)| self.distances[states.index(p, b)])
                .min();
            match (distance, nearest) {
                (None, Some(_)) => return Err(wrong("it has a solvable successor")),
                (Some(_), None) => return Err(wrong("no successor has a distance")),
                (Some(distance), Some(nearest)) if distance > nearest.saturating_add(1) => {
                    return Err(wrong("a successor is more than one move nearer"));
                }
                (Some(distance), Some(nearest)) if distance <= nearest => {
                    return Err(wrong("no successor is nearer"));
                }
                _ => {}
            }
        }
        let start = self.distances[states.index(level.player(), level.box_cell())];
        if start != self.optimum {
            return Err(CertificateError::Start {
                found: start,
                claimed: self.optimum,
            });
        }
        Ok((level, start))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        level::ClassicLevel,
        records::seeds,
        solve::{replay, shortest, shortest_moves},
    };

    #[test]
    fn certificates_of_known_levels_prove_what_the_solver_finds() {
        for seed in seeds().iter().filter(|seed| seed.level.floor() < 200) {
            let certificate = Certificate::of(&seed.level).unwrap();
            let (level, proved) = certificate.check().unwrap();
            assert_eq!(level, seed.level);
            let solution = shortest(&seed.level).unwrap().unwrap();
            assert_eq!(proved, Some(solution.moves));
            assert!(replay(ClassicLevel::from(&seed.level), &solution.lurd).is_solution());
        }
    }

    fn small() -> Certificate {
        let level = "@-#--\n-$---\n---#-\n----.\n".parse::<Level>().unwrap();
        Certificate::of(&level).unwrap()
    }

    proptest! {
        /// Whatever entry is changed to whatever, the checker notices.
        #[test]
        fn a_changed_entry_is_noticed(place: prop::sample::Index, change in prop::option::of(0u32..40)) {
            let mut certificate = small();
            let place = place.index(certificate.distances.len());
            let before = certificate.distances[place];
            certificate.distances[place] = change;
            let floor = (certificate.distances.len() as f64).sqrt() as usize;
            let on_one_cell = place / floor == place % floor;
            let same = change == before || on_one_cell;
            prop_assert_eq!(certificate.check().is_ok(), same);
        }
    }

    #[test]
    fn a_wrong_claim_or_length_is_noticed() {
        let good = small();
        assert_eq!(
            good.check().unwrap().1,
            shortest_moves(&good.check().unwrap().0).unwrap()
        );
        let claim = Certificate {
            optimum: Some(1),
            ..small()
        };
        assert!(matches!(claim.check(), Err(CertificateError::Start { .. })));
        let mut short = small();
        short.distances.pop();
        assert!(matches!(
            short.check(),
            Err(CertificateError::Length { .. })
        ));
        let none = Certificate {
            xsb: "@".to_owned(),
            ..small()
        };
        assert!(matches!(none.check(), Err(CertificateError::Level(_))));
    }

    #[test]
    fn a_level_without_a_solution_has_a_certificate_too() {
        let level = "@-$.-\n#####\n".parse::<Level>().unwrap();
        let solved = Certificate::of(&level).unwrap();
        assert_eq!(solved.check().unwrap().1, Some(2));
        let level = "$-@.-\n#####\n".parse::<Level>().unwrap();
        let stuck = Certificate::of(&level).unwrap();
        assert_eq!(stuck.check().unwrap().1, None);
    }
}
