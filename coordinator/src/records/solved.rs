//! Every level is solved by the coordinator before it can be a record.

use std::time::{SystemTime, UNIX_EPOCH};

use soko::{
    level::Level,
    plan::Search,
    records::Seed,
    rpc::v1,
    solve::{DEFAULT_MEMORY, SolveError, shortest_within},
};

use crate::{
    model::{JobId, ShardId},
    scheduler::Improvement,
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
    solve_within(level, DEFAULT_MEMORY)
}

/// Solves a level with the plain solver and so many bytes for its tables.
///
/// # Errors
/// [`NotALevel`].
pub fn solve_within(level: &Level, memory: u64) -> Result<v1::Level, NotALevel> {
    let solution = shortest_within(level, memory)?.ok_or(NotALevel::Unsolvable)?;
    Ok(v1::Level {
        xsb: level.to_xsb(),
        lurd: solution.lurd.to_string(),
        moves: solution.moves,
        pushes: solution.pushes,
        floor: level.floor() as u32,
        reachable_floor: level.reachable_floor().floor_count() as u32,
        shortest_solutions: solution.shortest_solutions.to_string(),
        source: String::new(),
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
        level: Some(solved),
        title: seed.title.clone().unwrap_or_default(),
        author: seed.author.clone().unwrap_or_default(),
        source: seed.source.clone(),
        ..v1::Record::default()
    })
}

/// The record that one of the best levels of a job's answer makes for its board.
/// A proven answer says that no level of this board has a longer shortest
/// solution.
pub fn found_level(
    search: &Search,
    level: v1::Level,
    result: &v1::JobResult,
    job: &str,
) -> v1::Record {
    let provenance = provenance(search, job, &result.engine);
    v1::Record {
        exact: result.proven,
        ..record(search, level, provenance)
    }
}

/// Solves a level that a running job found, and makes a record of it.
///
/// # Errors
/// [`NotALevel`].
pub fn improvement(
    job: JobId,
    shard: ShardId,
    improvement: &Improvement,
) -> Result<v1::Record, NotALevel> {
    let Improvement {
        search,
        level,
        parents,
        engine,
    } = improvement;
    let provenance = v1::Provenance {
        shard: shard.0,
        parents: parents.iter().map(Level::to_xsb).collect(),
        ..provenance(search, &job.to_string(), engine)
    };
    Ok(record(search, solve(level)?, provenance))
}

fn provenance(search: &Search, job: &str, engine: &str) -> v1::Provenance {
    v1::Provenance {
        job: job.to_owned(),
        mode: search.mode.name().to_owned(),
        seed: search.seed,
        engine: engine.to_owned(),
        unix_ms: unix_ms(),
        ..v1::Provenance::default()
    }
}

/// Milliseconds since 1970.
pub(super) fn unix_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64)
}

fn record(search: &Search, level: v1::Level, provenance: v1::Provenance) -> v1::Record {
    let (mode, job) = (search.mode.name(), &provenance.job);
    v1::Record {
        rows: u32::from(search.size.rows()),
        cols: u32::from(search.size.cols()),
        max_moves: level.moves,
        level: Some(level),
        source: format!("{mode} search of this cluster, job {job}"),
        job: job.clone(),
        provenance: Some(provenance),
        ..v1::Record::default()
    }
}
