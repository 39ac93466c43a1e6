//! `level normalize`.

use std::fmt::Write as _;

use serde_json::json;
use soko::analysis::best_player;
use soko::level::Level;
use soko::level::format::Entry;

use super::input::{AnyLevel, InputArgs, each};
use super::solve::failure;
use super::{Failure, RULES, Report};

/// Arguments of `level normalize`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = RULES)]
pub(crate) struct Args {
    /// Levels to bring into normal form.
    #[command(flatten)]
    pub input: InputArgs,
    /// Only crop: no rotation, no reflection.
    #[arg(long)]
    pub crop_only: bool,
    /// List all different levels that are rotations or reflections of it.
    #[arg(long, conflicts_with = "crop_only")]
    pub expand: bool,
    /// First put the player where the shortest solution has the most moves;
    /// levels with one box.
    #[arg(long)]
    pub best_player: bool,
}

/// Brings every level of the file into the form that is equal for all levels
/// that differ only by a frame, cells out of reach, rotation or reflection.
/// Exit code 1 if box or goal of a level are out of reach.
///
/// # Errors
/// [`Failure`] on bad input.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    each(&args.input, |entry, level| {
        if args.best_player {
            Ok(one(args, entry, &with_best_player(level)?))
        } else {
            Ok(one(args, entry, level))
        }
    })
}

fn with_best_player(level: &AnyLevel) -> Result<AnyLevel, Failure> {
    let AnyLevel::One(level) = level else {
        return Err(Failure::new(
            "usage",
            "--best-player is for levels with one box",
            "leave it out",
        ));
    };
    let found = best_player(level).map_err(|error| failure(&error))?;
    let player = found.map_or(level.player(), |(player, _)| player);
    let moved = Level::new(
        level.board().clone(),
        player,
        level.box_cell(),
        level.goal(),
    );
    let moved = moved
        .map_err(|error| Failure::new("level", error.to_string(), "leave out --best-player"))?;
    Ok(AnyLevel::One(moved))
}

fn one(args: &Args, entry: &Entry, level: &AnyLevel) -> Report {
    let level = level.classic();
    let normal = if args.crop_only {
        level.cropped()
    } else {
        level.normalized()
    };
    let Some(normal) = normal else {
        return Report {
            text: "box or goal are out of the player's reach: no normal form\n".to_owned(),
            json: json!({"title": entry.name(), "xsb": null}),
            quiet: "unsolvable\n".to_owned(),
            exit_code: 1,
        };
    };
    let orbit = normal.orbit();
    let xsb = normal.to_string();
    let mut json = json!({
        "title": entry.name(),
        "xsb": xsb,
        "rows": normal.size().rows(),
        "cols": normal.size().cols(),
        "floor": normal.board().floor_count(),
        "orbit": orbit.len(),
        "layout_orbit": normal.board().orbit_size(),
    });
    let mut text = xsb.clone();
    if let Some(title) = &entry.title {
        let _ = writeln!(text, "Title: {title}");
    }
    if let Some(author) = &entry.author {
        let _ = writeln!(text, "Author: {author}");
    }
    if args.expand {
        let images: Vec<String> = orbit.iter().map(ToString::to_string).collect();
        text = images.join("\n");
        json["images"] = images.into();
    }
    Report {
        text,
        json,
        quiet: xsb,
        exit_code: 0,
    }
}
