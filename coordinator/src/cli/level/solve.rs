//! `level solve`.

use std::fmt::Write as _;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Value, json};
use soko::level::format::Entry;
use soko::level::{Grid, Level, Lurd};
use soko::solve::{
    Algorithm, DeadKind, Objective, Optimum, Request, SolveError, Stretch, dead_squares, optimum,
    shortest_within,
};
use soko::text::counted;
use soko_worker::program::{time, whole};

use super::input::{AnyLevel, InputArgs, each};
use super::solve_boxes::several;
use super::{Failure, RULES, Report};

/// Arguments of `level solve`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = RULES)]
pub(crate) struct Args {
    /// Levels to solve.
    #[command(flatten)]
    pub input: InputArgs,
    /// What to minimise: moves (among these pushes), pushes (among these
    /// moves), or walks plus pushes times --push-cost (among these pushes).
    #[arg(long, value_enum, default_value_t)]
    pub objective: ObjectiveName,
    /// Cost of a push with --objective weighted; a move without a push costs 1.
    #[arg(long, value_name = "W", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub push_cost: u32,
    /// How to search. With one box all but beam find the same solution; with
    /// several there are auto, beam, astar and bfs.
    #[arg(long, value_enum, default_value_t)]
    pub algorithm: AlgorithmName,
    /// List up to N optimal solutions, in the order l u r d.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub all: Option<usize>,
    /// Show the squares from which the box never gets to the goal.
    #[arg(long)]
    pub dead: bool,
    /// Megabytes that the search may use.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = whole::<u64>)]
    pub memory: u64,
    /// Several boxes: end the search after this time.
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time)]
    pub timeout: Duration,
    /// Beam search: states kept of each layer of pushes.
    #[arg(long, value_name = "STATES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub width: u32,
    /// Beam search: rounds with noise after the first.
    #[arg(long, value_name = "ROUNDS", default_value_t = 3)]
    pub restarts: u32,
    /// Beam search: where the noise comes from.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>)]
    pub seed: u64,
}

/// Name of an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ObjectiveName {
    /// Fewest moves, among these fewest pushes.
    #[default]
    Moves,
    /// Fewest pushes, among these fewest moves.
    Pushes,
    /// Walks plus pushes times --push-cost, among these fewest pushes.
    Weighted,
}

/// Name of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum AlgorithmName {
    /// What suits the objective.
    #[default]
    Auto,
    /// Breadth-first search; moves. With several boxes all states, step by
    /// step.
    Bfs,
    /// Breadth-first search from both ends; moves.
    Bidirectional,
    /// 0-1 breadth-first search; pushes.
    ZeroOne,
    /// Dijkstra's algorithm; any objective.
    Dijkstra,
    /// A* with a table of push distances; any objective.
    Astar,
    /// Beam search: some solution, not proven to be the best.
    Beam,
}

impl Args {
    fn request(&self) -> Request {
        Request {
            objective: match self.objective {
                ObjectiveName::Moves => Objective::Moves,
                ObjectiveName::Pushes => Objective::Pushes,
                ObjectiveName::Weighted => Objective::Weighted(self.push_cost),
            },
            algorithm: match self.algorithm {
                AlgorithmName::Auto | AlgorithmName::Beam => Algorithm::Auto,
                AlgorithmName::Bfs => Algorithm::Bfs,
                AlgorithmName::Bidirectional => Algorithm::Bidirectional,
                AlgorithmName::ZeroOne => Algorithm::ZeroOne,
                AlgorithmName::Dijkstra => Algorithm::Dijkstra,
                AlgorithmName::Astar => Algorithm::AStar,
            },
            memory: self.memory.saturating_mul(1 << 20),
        }
    }
}

/// Solves every level of the file. Exit code 1 if one has no solution, 4 if the
/// search for one of several boxes ended without an answer.
///
/// # Errors
/// [`Failure`] on bad input, or if a level needs more memory than allowed.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    each(&args.input, |entry, level| match level {
        AnyLevel::One(level) if args.algorithm != AlgorithmName::Beam => one(args, entry, level),
        any => several(args, entry, &any.classic()),
    })
}

pub(crate) fn failure(error: &SolveError) -> Failure {
    let hint = match error {
        SolveError::Memory { needed, .. } => {
            format!("allow it with --memory {}", needed.div_ceil(1 << 20))
        }
        SolveError::Unsuited { .. } => "leave --algorithm at auto".to_owned(),
    };
    Failure::new("solve", error.to_string(), hint)
}

fn one(args: &Args, entry: &Entry, level: &Level) -> Result<Report, Failure> {
    let request = args.request();
    let found = optimum(level, &request).map_err(|error| failure(&error))?;
    let mut json = json!({
        "title": entry.name(),
        "solvable": found.is_some(),
        "moves": null, "pushes": null, "lurd": null, "shortest_solutions": null,
        "floor": level.floor(),
        "reachable_floor": level.reachable_floor().floor_count(),
        "rows": level.size().rows(),
        "cols": level.size().cols(),
        "counts_for": level.bounding_box().size.to_string(),
        "states": null,
        "objective": request.objective.to_string(),
    });
    let mut text = String::new();
    if let Some(name) = entry.name() {
        let _ = writeln!(text, "{name}");
    }
    if args.dead {
        let dead = dead_squares(level);
        json["dead_squares"] = dead
            .iter()
            .map(|&(cell, kind)| {
                let size = level.size();
                let kind = match kind {
                    DeadKind::Corner => "corner",
                    DeadKind::Wall => "wall",
                };
                json!({"row": size.row(cell) + 1, "col": size.col(cell) + 1, "kind": kind})
            })
            .collect();
        text.push_str(&drawn_dead(level));
    }
    let Some(found) = found else {
        text.push_str("unsolvable: the box cannot be brought to the goal\n");
        return Ok(Report {
            text,
            json,
            quiet: "unsolvable\n".to_owned(),
            exit_code: 1,
        });
    };
    fill(&mut json, &mut text, args, level, &found)?;
    Ok(Report {
        text,
        json,
        quiet: format!("{}\n", found.moves),
        exit_code: 0,
    })
}

fn fill(
    json: &mut Value,
    text: &mut String,
    args: &Args,
    level: &Level,
    found: &Optimum,
) -> Result<(), Failure> {
    let request = args.request();
    // The count of move-optimal solutions belongs to every answer.
    let shortest_solutions = if request.objective == Objective::Moves {
        Some(found.solutions.clone())
    } else {
        let shortest = shortest_within(level, request.memory).map_err(|error| failure(&error))?;
        shortest.map(|solution| solution.shortest_solutions)
    };
    let shortest_solutions = shortest_solutions.map(|count| count.to_string());
    let stretches = found.stretches();
    json["moves"] = found.moves.into();
    json["pushes"] = found.pushes.into();
    json["lurd"] = found.lurd.to_string().into();
    json["shortest_solutions"] = shortest_solutions.clone().into();
    json["optimal_solutions"] = found.solutions.to_string().into();
    json["states"] = found.states.into();
    json["algorithm"] = found.algorithm.to_string().into();
    json["stretches"] = stretches
        .iter()
        .map(|part| json!({"start": part.start, "moves": part.len, "forced": part.forced}))
        .collect();
    let _ = writeln!(
        text,
        "{}, {}, least in {}",
        counted(found.moves, "move"),
        counted(found.pushes, "push"),
        request.objective
    );
    let _ = writeln!(
        text,
        "solutions with fewest moves: {}",
        shortest_solutions.unwrap_or_default()
    );
    if request.objective != Objective::Moves {
        let _ = writeln!(text, "optimal solutions: {}", found.solutions);
    }
    let _ = writeln!(
        text,
        "floor: {}, {} within reach; counts for {}",
        counted(level.floor(), "cell"),
        level.reachable_floor().floor_count(),
        level.bounding_box().size
    );
    let _ = writeln!(
        text,
        "{}, {}",
        counted(found.states, "state"),
        found.algorithm
    );
    let _ = writeln!(text, "{}", found.lurd);
    if stretches.iter().any(|part| !part.forced) {
        let _ = writeln!(text, "forced moves plain, free ones in []:");
        let _ = writeln!(text, "{}", marked(&found.lurd, &stretches));
    }
    if let Some(limit) = args.all {
        let all = found.all(limit);
        let _ = writeln!(text, "the first {} of {}:", all.len(), found.solutions);
        for lurd in &all {
            let _ = writeln!(text, "{lurd}  ({})", counted(lurd.pushes(), "push"));
        }
        json["solutions"] = all
            .iter()
            .map(|lurd| json!({"lurd": lurd.to_string(), "pushes": lurd.pushes()}))
            .collect();
    }
    Ok(())
}

/// The moves with the free stretches in brackets.
fn marked(lurd: &Lurd, stretches: &[Stretch]) -> String {
    let mut text = String::with_capacity(lurd.len() + 2 * stretches.len());
    for part in stretches {
        let moves = &lurd.moves()[part.start..part.start + part.len];
        let letters = moves.iter().map(|step| step.letter());
        if part.forced {
            text.extend(letters);
        } else {
            text.push('[');
            text.extend(letters);
            text.push(']');
        }
    }
    text
}

/// The board with dead corners as `x` and other dead squares as `w`.
fn drawn_dead(level: &Level) -> String {
    let size = level.size();
    let dead = dead_squares(level);
    let cols = usize::from(size.cols());
    let mut letters: Vec<char> = Grid::from(level)
        .tiles()
        .iter()
        .map(|tile| tile.xsb())
        .collect();
    for (cell, kind) in dead {
        if letters[cell.index()] == '-' {
            letters[cell.index()] = match kind {
                DeadKind::Corner => 'x',
                DeadKind::Wall => 'w',
            };
        }
    }
    let rows = letters
        .chunks(cols)
        .map(|row| row.iter().collect::<String>());
    let rows: Vec<String> = rows.collect();
    format!(
        "dead squares, x in a corner, w along a wall:\n{}\n",
        rows.join("\n")
    )
}
