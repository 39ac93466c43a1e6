//! Why a level was not solved.

use super::{Algorithm, Objective};

/// Why a level was not solved, though it may have a solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The search would need more memory than is allowed.
    #[error(
        "solving this level needs {needed} bytes for its {floor} reachable floor cells, and \
         {allowed} are allowed; allow more or fill cells that are not needed"
    )]
    Memory {
        /// Bytes needed, at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// Reachable floor cells.
        floor: usize,
    },
    /// The algorithm cannot find what was asked for.
    #[error("{algorithm} cannot minimise {objective}; use dijkstra, astar or auto")]
    Unsuited {
        /// The algorithm that was asked for.
        algorithm: Algorithm,
        /// The objective that was asked for.
        objective: Objective,
    },
}
