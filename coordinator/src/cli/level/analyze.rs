//! `level analyze`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use soko::analysis::{
    CellReport, Visits, best_player, cell_report, long_walks, push_groups, reciprocal_density,
    visits,
};
use soko::board::Cell;
use soko::bounds::upper_bound_with_floor;
use soko::level::format::Entry;
use soko::level::{Grid, Level};
use soko::solve::{Solution, shortest_within};
use soko::text::counted;
use soko_worker::program::whole;

use super::input::{InputArgs, each_with_one_box};
use super::solve::failure;
use super::{Failure, RULES, Report};

/// Boards of at most so many cells get the report on single cells unasked; it
/// solves the level once for each of them.
const CELLS_UNASKED: usize = 24 * 24;

/// Arguments of `level analyze`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = RULES)]
pub(crate) struct Args {
    /// Levels to look at.
    #[command(flatten)]
    pub input: InputArgs,
    /// Report on single cells also for boards of more than 576 cells.
    #[arg(long, conflicts_with = "no_cells")]
    pub cells: bool,
    /// No report on single cells.
    #[arg(long)]
    pub no_cells: bool,
    /// Megabytes that a search may use.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = whole::<u64>)]
    pub memory: u64,
}

/// Analyses every level of the file. Exit code 1 if one has no solution.
///
/// # Errors
/// [`Failure`] on bad input, or if a level needs more memory than allowed.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    each_with_one_box(&args.input, |entry, level| one(args, entry, level))
}

fn one(args: &Args, entry: &Entry, level: &Level) -> Result<Report, Failure> {
    let memory = args.memory.saturating_mul(1 << 20);
    let solution = shortest_within(level, memory).map_err(|error| failure(&error))?;
    let Some(solution) = solution else {
        return Ok(Report {
            text: "unsolvable: there is no solution to look at\n".to_owned(),
            json: json!({"title": entry.name(), "solvable": false, "floor": level.floor()}),
            quiet: "unsolvable\n".to_owned(),
            exit_code: 1,
        });
    };
    let wanted = args.cells || level.size().area() <= CELLS_UNASKED;
    let cells = if wanted && !args.no_cells {
        let report = cell_report(level, &solution.lurd).map_err(|error| failure(&error))?;
        let best = best_player(level).map_err(|error| failure(&error))?;
        Some((report, best))
    } else {
        None
    };
    let seen = visits(level, &solution.lurd);
    Ok(Report {
        text: text(entry, level, &solution, &seen, cells.as_ref()),
        json: json(entry, level, &solution, &seen, cells.as_ref()),
        quiet: format!("{}\n", solution.moves),
        exit_code: 0,
    })
}

/// What single cells do, and where the player has to start for the most moves.
type Cells = (CellReport, Option<(Cell, u32)>);

fn json(
    entry: &Entry,
    level: &Level,
    solution: &Solution,
    seen: &Visits,
    cells: Option<&Cells>,
) -> Value {
    let size = level.bounding_box().size;
    let place = |cell: Cell| {
        let (row, col) = (level.size().row(cell) + 1, level.size().col(cell) + 1);
        json!({"row": row, "col": col})
    };
    let rows = |visits: &[u32]| -> Value {
        let cols = usize::from(level.size().cols());
        visits.chunks(cols).collect()
    };
    let walks = long_walks(&solution.lurd).map(|walks| {
        json!({
            "loop_length": walks.loop_length,
            "substructures": walks.loops,
            "moves_per_push": rounded(walks.moves_per_push),
            "moves_per_substructure": rounded(walks.moves_per_loop),
            "pushes_per_substructure": rounded(walks.pushes_per_loop),
        })
    });
    let groups: Vec<Value> = push_groups(&solution.lurd)
        .iter()
        .map(|group| json!({"walk": group.walk, "pushes": group.pushes.to_string()}))
        .collect();
    let cells = cells.map(|(report, best)| {
        let places = |cells: &[Cell]| -> Value { cells.iter().map(|&cell| place(cell)).collect() };
        let better: Value = report
            .improvements
            .iter()
            .map(|flip| {
                let mut found = place(flip.cell);
                found["opens"] = flip.opens.into();
                found["moves"] = flip.moves.into();
                found
            })
            .collect();
        json!({
            "critical": places(&report.critical),
            "free": places(&report.free),
            "improvements": better,
            "best_player": best.map(|(cell, moves)| {
                let mut found = place(cell);
                found["moves"] = moves.into();
                found
            }),
        })
    });
    json!({
        "title": entry.name(),
        "solvable": true,
        "moves": solution.moves,
        "pushes": solution.pushes,
        "shortest_solutions": solution.shortest_solutions.to_string(),
        "rows": level.size().rows(),
        "cols": level.size().cols(),
        "counts_for": size.to_string(),
        "floor": level.floor(),
        "reachable_floor": level.reachable_floor().floor_count(),
        "reciprocal_density": rounded(reciprocal_density(size, solution.moves)),
        "moves_per_floor_squared": moves_per_floor_squared(level, solution),
        "upper_bound_with_floor": upper_bound(level).to_string(),
        "groups": groups,
        "long_walks": walks,
        "visits": {"player": rows(&seen.player), "box": rows(&seen.boxes)},
        "cells": cells,
    })
}

/// Three digits behind the point, as the published tables have them.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn moves_per_floor_squared(level: &Level, solution: &Solution) -> f64 {
    let floor = level.floor() as f64;
    f64::from(solution.moves) / (floor * floor)
}

/// Of the smallest square that holds the level.
fn upper_bound(level: &Level) -> u128 {
    let size = level.bounding_box().size;
    let side = size.rows().max(size.cols());
    upper_bound_with_floor(side.into(), level.floor() as u64)
}

fn text(
    entry: &Entry,
    level: &Level,
    solution: &Solution,
    seen: &Visits,
    cells: Option<&Cells>,
) -> String {
    let mut text = String::new();
    let size = level.bounding_box().size;
    if let Some(name) = entry.name() {
        let _ = writeln!(text, "{name}");
    }
    let _ = writeln!(
        text,
        "{}, {}, {}",
        counted(solution.moves, "move"),
        counted(solution.pushes, "push"),
        counted(&solution.shortest_solutions, "shortest solution")
    );
    let _ = writeln!(
        text,
        "floor {} ({} within reach), counts for {size}, area²/moves {:.3}, moves/floor² {:.6}, at most {}",
        level.floor(),
        level.reachable_floor().floor_count(),
        reciprocal_density(size, solution.moves),
        moves_per_floor_squared(level, solution),
        counted(upper_bound(level), "move")
    );
    if let Some(walks) = long_walks(&solution.lurd) {
        let _ = writeln!(
            text,
            "{} (substructures), loop length {}; moves/push {:.3}, moves/substructure {:.3}, pushes/substructure {:.3}",
            counted(walks.loops, "long walk"),
            walks.loop_length,
            walks.moves_per_push,
            walks.moves_per_loop,
            walks.pushes_per_loop
        );
    }
    let _ = writeln!(text, "walk, then pushes:");
    for group in push_groups(&solution.lurd) {
        let _ = writeln!(text, "{:>6} {}", group.walk, group.pushes);
    }
    let _ = writeln!(
        text,
        "visits of the player ({}), then of the box ({}), 0 to 9 by tenths of the most:",
        counted(seen.player_cells(), "cell"),
        counted(seen.box_cells(), "cell")
    );
    text.push_str(&heat(level, &seen.player));
    text.push('\n');
    text.push_str(&heat(level, &seen.boxes));
    if let Some((report, best)) = cells {
        let _ = writeln!(
            text,
            "{} (filled, the level has no solution): x; {} (opened, nothing changes): o",
            counted(report.critical.len(), "critical cell"),
            counted(report.free.len(), "free wall")
        );
        text.push_str(&drawn_cells(level, report));
        if report.improvements.is_empty() {
            let _ = writeln!(text, "no change of a single cell makes it longer");
        }
        if let Some((cell, moves)) = best.filter(|&(_, moves)| moves > solution.moves) {
            let _ = writeln!(
                text,
                "with the player at row {} column {}: {} (normalize --best-player)",
                level.size().row(cell) + 1,
                level.size().col(cell) + 1,
                counted(moves, "move")
            );
        }
        for flip in &report.improvements {
            let _ = writeln!(
                text,
                "{} row {} column {}: {}",
                if flip.opens { "opening" } else { "filling" },
                level.size().row(flip.cell) + 1,
                level.size().col(flip.cell) + 1,
                counted(flip.moves.unwrap_or_default(), "move")
            );
        }
    } else {
        let _ = writeln!(text, "no report on single cells; ask for it with --cells");
    }
    text
}

/// Rows of one letter for each cell.
fn drawn(level: &Level, letter: impl Fn(Cell, char) -> char) -> String {
    let size = level.size();
    let tiles = Grid::from(level);
    let letters: Vec<char> = size
        .cells()
        .zip(tiles.tiles())
        .map(|(cell, tile)| letter(cell, tile.xsb()))
        .collect();
    let rows = letters.chunks(usize::from(size.cols()));
    let mut text = String::new();
    for row in rows {
        text.extend(row);
        text.push('\n');
    }
    text
}

fn heat(level: &Level, visits: &[u32]) -> String {
    let most = u64::from(visits.iter().copied().max().unwrap_or(0).max(1));
    drawn(level, |cell, tile| match (tile, visits[cell.index()]) {
        ('#', _) => '#',
        (_, 0) => '-',
        (_, count) => {
            let tenth = u64::from(count) * 9 / most;
            char::from_digit(tenth as u32, 10).unwrap_or('9')
        }
    })
}

fn drawn_cells(level: &Level, report: &CellReport) -> String {
    drawn(level, |cell, tile| {
        if report.critical.contains(&cell) {
            'x'
        } else if report.free.contains(&cell) {
            'o'
        } else {
            tile
        }
    })
}
