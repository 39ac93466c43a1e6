//! `level solve` for levels with several boxes.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;
use soko::level::ClassicLevel;
use soko::level::format::Entry;
use soko::solve::boxes::{
    Answer, BeamOptions, Effort, Method, Order, Unfinished, Verdict, solve_boxes,
};
use soko::text::counted;

use super::solve::{AlgorithmName, Args, ObjectiveName};
use super::{Failure, Report};

/// Exit code of a search that ended without an answer.
const GAVE_UP: u8 = 4;

/// Solves a level within a time and a memory, in bytes.
pub(crate) fn solved_within(
    level: &ClassicLevel,
    order: Order,
    method: Method,
    beam: BeamOptions,
    (timeout, memory): (Duration, u64),
) -> Answer {
    let begun = Instant::now();
    let effort = Effort {
        memory,
        stop: &|| begun.elapsed() >= timeout,
    };
    solve_boxes(level, order, method, beam, &effort)
}

/// Solves one level of a file. Exit code 1 if it is proven to have no solution,
/// 4 if the search ended without an answer.
///
/// # Errors
/// [`Failure`] if what is asked for needs a level with one box.
pub(crate) fn several(args: &Args, entry: &Entry, level: &ClassicLevel) -> Result<Report, Failure> {
    let (order, method) = asked(args)?;
    let beam = BeamOptions {
        width: args.width as usize,
        restarts: args.restarts,
        seed: args.seed,
    };
    let limits = (args.timeout, args.memory.saturating_mul(1 << 20));
    let answer = solved_within(level, order, method, beam, limits);
    let mut text = String::new();
    if let Some(name) = entry.name() {
        let _ = writeln!(text, "{name}");
    }
    let reason = answer.unfinished.map(|reason| match reason {
        Unfinished::Memory => (
            "memory",
            format!("the {} MB of --memory are used up", args.memory),
        ),
        Unfinished::Stopped => (
            "timeout",
            format!(
                "the time of --timeout, {}, is over",
                humantime::format_duration(args.timeout)
            ),
        ),
        Unfinished::Beam => (
            "beam",
            "the beam search left states out that may lead to a solution".to_owned(),
        ),
    });
    let mut json = json!({
        "title": entry.name(),
        "solvable": null,
        "moves": null, "pushes": null, "lurd": null, "optimal": null,
        "boxes": level.boxes().len(),
        "floor": level.board().floor_count(),
        "reachable_floor": level.reachable_floor().floor_count(),
        "rows": level.size().rows(),
        "cols": level.size().cols(),
        "states": answer.states,
        "bytes": answer.bytes,
        "objective": order.to_string(),
        "algorithm": answer.method.to_string(),
        "unfinished": reason.as_ref().map(|(name, _)| *name),
    });
    let why = reason.map_or(String::new(), |(_, why)| why);
    let (quiet, exit_code) = match &answer.verdict {
        Verdict::Solved { lurd, optimal } => {
            json["solvable"] = true.into();
            json["moves"] = lurd.len().into();
            json["pushes"] = lurd.pushes().into();
            json["lurd"] = lurd.to_string().into();
            json["optimal"] = (*optimal).into();
            let standing = if *optimal {
                format!("least in {order}, proven")
            } else {
                format!("not proven to be the least in {order}: {why}")
            };
            let (moves, pushes) = (lurd.len(), lurd.pushes());
            let _ = writeln!(
                text,
                "{}, {}, {standing}",
                counted(moves, "move"),
                counted(pushes, "push")
            );
            let _ = writeln!(text, "{lurd}");
            let value = match order {
                Order::Moves => moves,
                Order::Pushes => pushes,
            };
            (value.to_string(), 0)
        }
        Verdict::Unsolvable => {
            json["solvable"] = false.into();
            text.push_str("unsolvable: the boxes cannot all be brought to goals\n");
            ("unsolvable".to_owned(), 1)
        }
        Verdict::Unknown => {
            let _ = writeln!(text, "not solved, though there may be a solution: {why}");
            let _ = writeln!(text, "hint: {}", next_step(&answer));
            ("unknown".to_owned(), GAVE_UP)
        }
    };
    let _ = writeln!(
        text,
        "{}, {}, {:.1} MB, {}",
        counted(level.boxes().len(), "box"),
        counted(answer.states, "state"),
        answer.bytes as f64 / f64::from(1 << 20),
        answer.method
    );
    Ok(Report {
        text,
        json,
        quiet: format!("{quiet}\n"),
        exit_code,
    })
}

fn next_step(answer: &Answer) -> &'static str {
    match answer.unfinished {
        Some(Unfinished::Memory) => "allow more with --memory, or try --algorithm beam",
        Some(Unfinished::Stopped) => "allow more with --timeout, or try --algorithm beam",
        _ => "try a larger --width, more --restarts or another --seed, or --algorithm astar",
    }
}

fn asked(args: &Args) -> Result<(Order, Method), Failure> {
    let one_box = |what: &str, hint: &str| {
        Failure::new("usage", format!("{what} is for levels with one box"), hint)
    };
    let order = match args.objective {
        ObjectiveName::Moves => Order::Moves,
        ObjectiveName::Pushes => Order::Pushes,
        ObjectiveName::Weighted => {
            return Err(one_box("--objective weighted", "choose moves or pushes"));
        }
    };
    let method = match args.algorithm {
        AlgorithmName::Auto => Method::Auto,
        AlgorithmName::Beam => Method::Beam,
        AlgorithmName::Astar => Method::AStar,
        AlgorithmName::Bfs => Method::Exhaustive,
        AlgorithmName::Bidirectional | AlgorithmName::ZeroOne | AlgorithmName::Dijkstra => {
            return Err(one_box(
                "this --algorithm",
                "choose auto, beam, astar or bfs",
            ));
        }
    };
    if args.all.is_some() || args.dead {
        return Err(one_box("--all or --dead", "leave it out"));
    }
    Ok((order, method))
}
