//! Every level is solved by the coordinator before it can be a record.

use soko::{
    level::Level,
    plan::Search,
    records::Seed,
    rpc::v1,
    solve::{SolveError, shortest},
};

/// Why a level cannot be a record.
#[derive(Debug, thiserror::Error)]
pub enum NotALevel {
    /// It has no solution.
    #[error("the level has no solution")]
    Unsolvable,
    /// It is too large to be solved here.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Solves a level with the plain solver.
///
/// # Errors
/// [`NotALevel`].
pub fn solve(level: &Level) -> Result<v1::Level, NotALevel> {
    let solution = shortest(level)?.ok_or(NotALevel::Unsolvable)?;
    Ok(v1::Level {
        xsb: level.to_xsb(),
        lurd: solution.lurd.to_string(),
        moves: solution.moves,
        pushes: solution.pushes,
        floor: level.floor() as u32,
        reachable_floor: level.reachable_floor().floor_count() as u32,
        shortest_solutions: solution.shortest_solutions.to_string(),
    })
}

/// The record that a known level makes, for the square around the bounding box
/// of its reachable floor.
///
/// # Errors
/// [`NotALevel`].
pub fn seed_level(seed: &Seed) -> Result<v1::Record, NotALevel> {
    let level = seed.level.cropped().ok_or(NotALevel::Unsolvable)?.squared();
    let solved = solve(&level)?;
    Ok(v1::Record {
        rows: u32::from(level.size().rows()),
        cols: u32::from(level.size().cols()),
        max_moves: solved.moves,
        exact: false,
        level: Some(solved),
        title: seed.title.clone().unwrap_or_default(),
        author: seed.author.clone().unwrap_or_default(),
        source: seed.source.clone(),
        job: String::new(),
    })
}

/// The record that the answer of a job makes for its board. `proven` says that
/// no level of this board has a longer shortest solution.
pub fn proven_level(search: &Search, level: v1::Level, proven: bool, job: &str) -> v1::Record {
    let mode = search.mode.name();
    v1::Record {
        rows: u32::from(search.size.rows()),
        cols: u32::from(search.size.cols()),
        max_moves: level.moves,
        exact: proven,
        level: Some(level),
        title: String::new(),
        author: String::new(),
        source: format!("{mode} search of this cluster, job {job}"),
        job: job.to_owned(),
    }
}
