//! Where the player has to start for the longest solution.

use crate::board::Cell;
use crate::level::Level;
use crate::search::score::distances;
use crate::solve::{DEFAULT_MEMORY, SolveError, table_bytes};

/// The level's board, box and goal with the player where the shortest solution
/// has the most moves, and those moves: the player of the level itself if none
/// is better, else the first in reading order. `None` if there is no solution
/// from anywhere.
///
/// # Errors
/// [`SolveError::Memory`] if the board is too large.
pub fn best_player(level: &Level) -> Result<Option<(Cell, u32)>, SolveError> {
    let floor = level.floor();
    let needed = table_bytes(floor as u64);
    if needed > DEFAULT_MEMORY {
        return Err(SolveError::Memory {
            needed,
            allowed: DEFAULT_MEMORY,
            floor,
        });
    }
    let distances = distances(level.board(), level.goal());
    let moves = |player: Cell| distances.get(player, level.box_cell());
    let own = moves(level.player()).map(|moves| (level.player(), moves));
    Ok(level
        .board()
        .floor_cells()
        .filter(|&player| player != level.box_cell())
        .filter_map(|player| Some((player, moves(player)?)))
        .fold(own, |best, found| match best {
            Some((_, moves)) if moves >= found.1 => best,
            _ => Some(found),
        }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve::shortest_moves;

    proptest! {
        /// The level is solved again from every place of the player.
        #[test]
        fn no_other_place_of_the_player_is_better(
            level in crate::solve::any_level_for_tests()
        ) {
            let moves = |player| {
                let parts = (level.board().clone(), level.box_cell(), level.goal());
                let moved = Level::new(parts.0, player, parts.1, parts.2).ok()?;
                shortest_moves(&moved).unwrap()
            };
            let most = level.board().floor_cells().filter_map(moves).max();
            let found = best_player(&level).unwrap();
            prop_assert_eq!(found.map(|(_, moves)| moves), most);
            if let Some((player, most)) = found {
                prop_assert_eq!(moves(player), Some(most));
                prop_assert!(player == level.player() || moves(level.player()) != Some(most));
            }
        }
    }

    #[test]
    fn case_14_too_large_a_board_is_refused() {
        let mut rows = vec!["-".repeat(256); 256];
        rows[0].replace_range(0..3, "@$.");
        let level: Level = rows.join("\n").parse().unwrap();
        assert!(matches!(
            best_player(&level),
            Err(SolveError::Memory { .. })
        ));
    }
}
