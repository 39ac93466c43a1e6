//! Arguments of the heuristic modes.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use soko::{
    board::Size,
    level::{
        Level,
        format::{self, ReadOptions},
    },
    plan::{Mode, Search, SearchError},
    search::{
        anneal, beam, genetic,
        hunt::{Hunt, MAX_BATCHES, MAX_ROUNDS, Method, evaluations_per_second},
        neighborhood,
    },
};
use soko_worker::program::{time, whole};

use super::{CliError, level::read_bytes};

/// A budget is cut into at least about this many batches, as long as each has
/// room for one run, so that a small one keeps several cores busy.
const FEWEST_BATCHES: u64 = 8;

/// A generation of an island that a small budget pays for has about this many children.
/// The first ones begin with nothing and cost ten times as much.
const FEWEST_CHILDREN: u64 = 40;

/// Islands of a genetic search, and its generations if a number of islands is
/// given instead of a budget.
const ISLANDS: u64 = 8;
const GENERATIONS: u32 = 10;

/// How many evaluations of annealing one of a beam search costs.
const BEAM_COST: u64 = 8;

/// Rounds of an annealing job that shares its levels.
const SHARED_ROUNDS: u32 = 8;

/// Rounds of a neighbourhood search; it ends before when nothing gets better.
const NEIGHBORHOOD_ROUNDS: u32 = 50;

/// What the heuristic modes are told.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(super) struct HuntArgs {
    /// Computing time of one core, such as 90s or 10m: decides how many batches
    /// of fixed size there are, by the same scale on every machine [heuristic
    /// modes; default: 1m].
    #[arg(long, value_name = "TIME", value_parser = time)]
    budget: Option<Duration>,
    /// How many batches there are, instead of a budget; of a genetic search, how
    /// many islands [heuristic modes].
    #[arg(long, value_name = "K", conflicts_with = "budget", value_parser = whole::<u64>)]
    batches: Option<u64>,
    /// Start from the levels of this file, or - for standard input, which may be
    /// smaller than the board; can be given several times [heuristic modes].
    #[arg(long, value_name = "FILE")]
    start: Vec<PathBuf>,
    /// Give the best levels so far to later batches: the batches are cut into
    /// rounds, each of which begins when the one before is over [anneal].
    #[arg(long)]
    share: bool,
    /// How many rounds there are at most; of a genetic search, generations
    /// [default: 1, with --share 8; of a neighborhood search 50].
    #[arg(long, value_name = "R")]
    rounds: Option<u32>,
    /// Set a parameter of the mode, such as run=500000; can be given several
    /// times. A name that does not exist lists those that do [heuristic modes].
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    params: Vec<(String, u64)>,
}

fn parameter(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let value = value
        .parse()
        .map_err(|_| format!("{value} is not a whole number"))?;
    Ok((name.to_owned(), value))
}

impl HuntArgs {
    /// The first of these arguments that is there, if any is.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--budget", self.budget.is_some()),
            ("--batches", self.batches.is_some()),
            ("--start", !self.start.is_empty()),
            ("--share", self.share),
            ("--rounds", self.rounds.is_some()),
            ("--param", !self.params.is_empty()),
        ];
        let found = given.into_iter().find(|(_, given)| *given);
        found.map(|(name, _)| name)
    }

    /// The job of a heuristic mode.
    pub(super) fn search(&self, mode: Mode, size: Size, seed: u64) -> Result<Search, CliError> {
        let starts = self.starts(size)?;
        let hunt = match mode {
            Mode::Neighborhood => self.neighborhood(size, starts)?,
            Mode::Genetic => self.genetic(size, starts)?,
            Mode::Beam => self.beam(size, starts)?,
            _ => self.anneal(size, starts)?,
        };
        hunt.check_starts().map_err(SearchError::from)?;
        Ok(Search::hunt(size, seed, hunt))
    }

    fn anneal(&self, size: Size, starts: Vec<Level>) -> Result<Hunt, CliError> {
        let mut params = anneal::Params::for_size(size);
        let rounds = match (self.rounds, self.share) {
            (Some(rounds), _) => rounds,
            (None, true) => SHARED_ROUNDS,
            (None, false) => 1,
        };
        let total = self.evaluations(size)?;
        if let Some(total) = total {
            params.evaluations = params
                .evaluations
                .min((total / FEWEST_BATCHES).max(params.run))
                .min(share(total, rounds.into()));
        }
        self.set(|name, value| params.set(name, value))?;
        let batches = match total {
            // What does not fill a batch is left out, but something is done.
            Some(total) => (total / params.evaluations.max(1)).max(1),
            None => self.batches.unwrap_or(0),
        };
        Ok(Hunt {
            method: Method::Anneal(params),
            batches: fitting(batches.div_ceil(u64::from(rounds.max(1)))),
            rounds,
            starts,
        })
    }

    /// Batches are islands; the budget decides how many generations there are.
    fn genetic(&self, size: Size, starts: Vec<Level>) -> Result<Hunt, CliError> {
        let mut params = genetic::Params::for_size(size);
        let total = self.evaluations(size)?;
        let islands = self.batches.unwrap_or(ISLANDS).max(1);
        if let Some(total) = total {
            params.evaluations = params.evaluations.min(share(total, islands));
            params.polish = params
                .polish
                .min(share(params.evaluations, FEWEST_CHILDREN));
        }
        self.set(|name, value| params.set(name, value))?;
        let rounds = match (self.rounds, total) {
            (Some(rounds), _) => rounds,
            (None, Some(total)) => {
                let rounds = total / islands / params.evaluations.max(1);
                rounds.clamp(1, u64::from(MAX_ROUNDS)) as u32
            }
            (None, None) => GENERATIONS,
        };
        Ok(Hunt {
            method: Method::Genetic(params),
            batches: fitting(self.batches.unwrap_or(islands)),
            rounds,
            starts,
        })
    }

    fn beam(&self, size: Size, starts: Vec<Level>) -> Result<Hunt, CliError> {
        let mut params = beam::Params::for_size(size);
        self.set(|name, value| params.set(name, value))?;
        let batches = match self.evaluations(size)? {
            // Growing a set costs much more than scoring it.
            Some(total) => (total / BEAM_COST / params.evaluations.max(1)).max(1),
            None => self.batches.unwrap_or(0),
        };
        let rounds = self.rounds.unwrap_or(1);
        Ok(Hunt {
            method: Method::Beam(params),
            batches: fitting(batches.div_ceil(u64::from(rounds.max(1)))),
            rounds,
            starts,
        })
    }

    fn neighborhood(&self, size: Size, starts: Vec<Level>) -> Result<Hunt, CliError> {
        let given = [
            ("--budget", self.budget.is_some()),
            ("--batches", self.batches.is_some()),
            ("--share", self.share),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, given)| *given) {
            return Err(CliError::usage(
                format!(
                    "{name} has no place here: a neighborhood search covers all that it is told to"
                ),
                "limit it with --rounds, or switch families off with --param",
            ));
        }
        let mut params = neighborhood::Params::for_size(size);
        self.set(|name, value| params.set(name, value))?;
        Ok(Hunt {
            method: Method::Neighborhood(params),
            batches: 0,
            rounds: self.rounds.unwrap_or(NEIGHBORHOOD_ROUNDS),
            starts,
        })
    }

    /// Sets what was given with `--param`.
    fn set<E: std::fmt::Display>(
        &self,
        mut set: impl FnMut(&str, u64) -> Result<(), E>,
    ) -> Result<(), CliError> {
        for (name, value) in &self.params {
            set(name, *value).map_err(|error| {
                CliError::bad_input(error.to_string(), "--param takes NAME=VALUE")
            })?;
        }
        Ok(())
    }

    /// The evaluations that the budget pays for; `None` if the number of batches
    /// is given instead.
    fn evaluations(&self, size: Size) -> Result<Option<u64>, CliError> {
        if self.batches.is_some() {
            return Ok(None);
        }
        let budget = self.budget.unwrap_or(Duration::from_mins(1));
        let total = budget.as_secs_f64() * evaluations_per_second(size) as f64;
        if total < 1.0 {
            return Err(CliError::bad_input(
                "the budget pays for nothing",
                "give a time such as --budget 2m",
            ));
        }
        Ok(Some(total as u64))
    }

    fn starts(&self, size: Size) -> Result<Vec<Level>, CliError> {
        let mut starts = Vec::new();
        for file in &self.start {
            let bad = |why: String| {
                let name = file.display();
                CliError::bad_input(
                    format!("{name}: {why}"),
                    "`soko-coord level solve FILE` tells more about the levels of a file",
                )
            };
            let bytes = read_bytes(file)
                .map_err(|failure| CliError::bad_input(failure.message, failure.hint))?;
            let levels = format::read(&bytes, None, &ReadOptions::default());
            let levels = levels.map_err(|error| bad(error.to_string()))?.entries;
            if levels.is_empty() {
                return Err(bad("no level in this file".to_owned()));
            }
            for entry in levels {
                let of = |why: &dyn std::fmt::Display| {
                    bad(format!("the level of line {}: {why}", entry.line))
                };
                let level = Level::try_from(&entry.grid).map_err(|error| of(&error))?;
                starts.push(centred(&level, size).map_err(|why| of(&why))?);
            }
        }
        Ok(starts)
    }
}

/// A part of what a budget pays for; something is done in any case.
fn share(evaluations: u64, parts: u64) -> u64 {
    (evaluations / parts.max(1)).max(1)
}

/// A number of batches; one that is too large stays too large.
fn fitting(batches: u64) -> u32 {
    batches.min(MAX_BATCHES + 1) as u32
}

/// The part of a level that the player can reach, in the middle of a board.
fn centred(level: &Level, size: Size) -> Result<Level, String> {
    let level = level.cropped().ok_or("it has no solution")?;
    let from = level.size();
    let free = |board: u16, level: u16| board.saturating_sub(level) / 2;
    let (top, left) = (
        free(size.rows(), from.rows()),
        free(size.cols(), from.cols()),
    );
    let placed = level.placed(size, top, left);
    placed.ok_or_else(|| {
        format!(
            "it takes {from}, the board is only {size}; `soko-coord level fit` cuts levels to size"
        )
    })
}
