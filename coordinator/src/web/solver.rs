//! Levels of the editor, without starving the search.

use std::{sync::Arc, time::Instant};

use axum::http::StatusCode;
use serde::Serialize;
use soko::{
    level::{
        Level,
        format::{ReadOptions, read_xsb},
    },
    solve::{SolveError, shortest_within},
};

use super::error::WebError;
use crate::{
    metrics::{Counters, Solve},
    records::{NoTurn, SOLVER_MEMORY, Turns},
};

/// Largest request, in bytes.
pub(super) const MAX_REQUEST: usize = 64 << 10;
/// A level that was read, with its solution if there is one.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    title: Option<String>,
    xsb: String,
    rows: u16,
    cols: u16,
    floor: usize,
    reachable_floor: usize,
    /// Board size that the level counts for.
    counts_for: String,
    solvable: bool,
    moves: Option<u32>,
    pushes: Option<u32>,
    lurd: Option<String>,
    shortest_solutions: Option<String>,
    states: Option<u64>,
}

/// Solves levels, a few at a time.
#[derive(Debug, Clone)]
pub(super) struct Solver {
    turns: Turns,
    counters: Arc<Counters>,
}

impl Solver {
    pub(super) const fn new(turns: Turns, counters: Arc<Counters>) -> Self {
        Self { turns, counters }
    }

    /// Reads a level and solves it.
    pub(super) async fn solve(&self, text: String) -> Result<Solved, WebError> {
        let solved = self.solve_in_turn(text).await;
        self.counters.solve(match &solved {
            Ok(solved) if solved.solvable => Solve::Solved,
            Ok(_) => Solve::Unsolvable,
            Err(error) if error.status == StatusCode::SERVICE_UNAVAILABLE => Solve::Busy,
            Err(_) => Solve::Refused,
        });
        solved
    }

    async fn solve_in_turn(&self, text: String) -> Result<Solved, WebError> {
        let counters = Arc::clone(&self.counters);
        let solved = self.turns.take(move || {
            let began = Instant::now();
            let solved = read(&text).and_then(|(title, level)| solve(title, &level));
            counters.solve_time(began.elapsed());
            solved
        });
        solved.await.map_err(|error| match error {
            NoTurn::Busy => WebError::busy(&error.to_string()),
            NoTurn::TooSlow => refused(
                "too_slow",
                "the level was not solved in time",
                "`soko-coord level solve` has no such limit",
            ),
            NoTurn::Panicked => WebError::internal(error.to_string()),
        })?
    }
}

fn refused(code: &'static str, message: impl Into<String>, hint: &'static str) -> WebError {
    WebError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message, hint)
}

fn read(text: &str) -> Result<(Option<String>, Level), WebError> {
    let collection = read_xsb(text.as_bytes(), &ReadOptions::default())
        .map_err(|error| refused("format", error.to_string(), "use the letters # - @ $ . +"))?;
    match collection.entries.as_slice() {
        [] => Err(refused(
            "no_level",
            "there is no level in this text",
            "a level needs rows of # - @ $ . with player, box and goal",
        )),
        [entry] => {
            let level = Level::try_from(&entry.grid).map_err(|error| {
                refused("level", error.to_string(), "change the level and try again")
            })?;
            Ok((entry.name().map(str::to_owned), level))
        }
        entries => Err(refused(
            "several_levels",
            format!("the text holds {} levels", entries.len()),
            "keep one of them",
        )),
    }
}

fn solve(title: Option<String>, level: &Level) -> Result<Solved, WebError> {
    let solution = shortest_within(level, SOLVER_MEMORY).map_err(|error| match error {
        SolveError::Memory { .. } => refused(
            "too_large",
            format!(
                "the level has {} floor cells within reach, too many to be solved here",
                level.reachable_floor().floor_count()
            ),
            "`soko-coord level solve` has no such limit",
        ),
        error @ SolveError::Unsuited { .. } => WebError::internal(error.to_string()),
    })?;
    Ok(Solved {
        title,
        xsb: level.to_xsb(),
        rows: level.size().rows(),
        cols: level.size().cols(),
        floor: level.floor(),
        reachable_floor: level.reachable_floor().floor_count(),
        counts_for: level.bounding_box().size.to_string(),
        solvable: solution.is_some(),
        moves: solution.as_ref().map(|it| it.moves),
        pushes: solution.as_ref().map(|it| it.pushes),
        lurd: solution.as_ref().map(|it| it.lurd.to_string()),
        shortest_solutions: solution
            .as_ref()
            .map(|it| it.shortest_solutions.to_string()),
        states: solution.map(|it| it.states),
    })
}

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, time::Duration};

    use super::*;

    async fn answer(text: &str) -> Result<Solved, WebError> {
        let solver = Solver::new(Turns::default(), Arc::default());
        solver.solve(text.to_owned()).await
    }

    async fn code(text: &str) -> (Cow<'static, str>, String) {
        let error = answer(text).await.unwrap_err();
        assert_eq!(error.status, StatusCode::UNPROCESSABLE_ENTITY);
        (error.code, error.message)
    }

    #[tokio::test]
    async fn a_level_is_solved() {
        let solved = answer("--.\n#--\n-$@\n---").await.unwrap();
        assert!(solved.solvable);
        let lurd = solved.lurd.unwrap();
        assert_eq!(solved.moves.unwrap() as usize, lurd.len());
        let solved = answer("$-.\n@--").await.unwrap();
        assert!(!solved.solvable && solved.moves.is_none());
    }

    #[tokio::test]
    async fn what_is_no_level_is_refused_with_the_reason() {
        assert_eq!(code("").await.0, "no_level");
        let (name, message) = code("@$-.\n-$--").await;
        assert!(name == "level" && message.contains("2 boxes"), "{message}");
        assert_eq!(code("@$.\n\n@$.\n").await.0, "several_levels");
    }

    #[tokio::test]
    async fn a_board_too_large_is_refused_before_it_takes_memory() {
        let mut rows = vec!["-".repeat(100); 100];
        rows[0].replace_range(0..1, "@");
        rows[5].replace_range(5..6, "$");
        rows[9].replace_range(9..10, ".");
        assert_eq!(code(&rows.join("\n")).await.0, "too_large");
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_so() {
        let nobody = Turns::new(0, 1, Duration::from_millis(10));
        let solver = Solver::new(nobody, Arc::default());
        let error = solver.solve("@$.".to_owned()).await.unwrap_err();
        assert_eq!(error.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(error.code, "busy");
    }
}
