//! `bounds`.

use std::fmt::Write as _;

use clap::builder::RangedI64ValueParser;
use serde_json::{Value, json};
use soko::bounds::{BoundKind, RecordPoint, bounds, upper_bound_with_floor};
use soko::text::counted;
use soko_worker::program::whole;

use super::Report;
use crate::cli::points::PointsArgs;

/// Arguments of `bounds`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Side of the square board, from 3.
    #[arg(long, value_parser = RangedI64ValueParser::<u64>::new().range(1..=1_000_000_000))]
    pub n: u64,
    /// Also the upper bound for levels with this many floor cells.
    #[arg(long, value_name = "F", value_parser = whole::<u64>)]
    pub floor: Option<u64>,
    /// The records to compare with.
    #[command(flatten)]
    pub records: PointsArgs,
}

/// Shows all proven bounds for n next to the record, which the caller looks up
/// in the live table or in the levels that the project carries. Exit code 1 if
/// there is no level of this size.
pub(crate) fn run(args: &Args, records: &[RecordPoint]) -> Report {
    let n = args.n;
    let found = bounds(n);
    if found.is_empty() {
        return Report {
            text: format!("on a {n}×{n} board the box cannot be pushed: there is no level\n"),
            json: json!({"n": n, "bounds": [], "record": null}),
            quiet: "none\n".to_owned(),
            exit_code: 1,
        };
    }
    let density = |moves: f64| (n as f64).powi(4) / moves;
    let record = records.iter().find(|record| record.n == n);
    let mut text = format!("M({n}), the most moves that a shortest solution on {n}×{n} can have\n");
    let mut rows: Vec<Value> = Vec::new();
    for bound in &found {
        let (kind, sign) = match bound.kind {
            BoundKind::Lower => ("lower", "≥"),
            BoundKind::Upper => ("upper", "≤"),
        };
        let _ = writeln!(
            text,
            "{} {sign} {:<22} {}: {}",
            if bound.best { '*' } else { ' ' },
            bound.moves,
            bound.name,
            bound.formula
        );
        rows.push(json!({
            "kind": kind,
            "name": bound.name,
            "formula": bound.formula,
            "moves": bound.moves.to_string(),
            "best": bound.best,
            "reciprocal_density": density(bound.moves as f64),
        }));
    }
    match record {
        Some(record) => {
            let _ = writeln!(
                text,
                "record: {}{}, n⁴/moves {:.4}",
                counted(record.moves, "move"),
                if record.exact {
                    ", proven to be the most"
                } else {
                    ""
                },
                density(record.moves as f64)
            );
        }
        None => text.push_str("record: none of this size\n"),
    }
    let with_floor = args.floor.map(|floor| {
        let moves = upper_bound_with_floor(n, floor);
        let _ = writeln!(
            text,
            "with {floor} floor cells ≤ {moves}: min((F−1)², (n−2)(n−1)(F−1))"
        );
        json!({"floor": floor, "moves": moves.to_string()})
    });
    let _ = writeln!(text, "* the best of its side");
    let best_of = |kind| {
        let best = found.iter().find(|bound| bound.kind == kind && bound.best);
        best.map_or(0, |bound| bound.moves)
    };
    Report {
        quiet: format!(
            "{} {}\n",
            best_of(BoundKind::Lower),
            best_of(BoundKind::Upper)
        ),
        json: json!({
            "n": n,
            "bounds": rows,
            "with_floor": with_floor,
            "record": record.map(|record| json!({
                "moves": record.moves,
                "exact": record.exact,
                "reciprocal_density": density(record.moves as f64),
            })),
        }),
        text,
        exit_code: 0,
    }
}
