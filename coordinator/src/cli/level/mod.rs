//! Commands on level files, without a server.
//!
//! Each command is one file with `Args` and `run(&Args)`. A run has no output
//! of its own: it returns a [`Report`] in all three renderings, or a
//! [`Failure`].

pub(crate) mod analyze;
pub(crate) mod bounds;
pub(crate) mod certify;
pub(crate) mod construct;
pub(crate) mod convert;
pub(crate) mod fit;
mod gif;
mod input;
pub(crate) mod normalize;
mod picture_file;
pub(crate) mod plot;
mod raster;
pub(crate) mod render;
pub(crate) mod replay;
mod report;
mod screen;
mod shown;
#[cfg(test)]
mod snapshots;
pub(crate) mod solve;
mod solve_boxes;
mod tape;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use clap::Subcommand;
pub(crate) use input::read_bytes;
pub(crate) use report::{Failure, Report};

/// The rules that all figures rest on.
pub(crate) const RULES: &str = "\
Rules: one box, one goal, one player. Each step of the player is one move; the
player pushes the box and never pulls it. Everything outside the board is wall.
The first time the box is on the goal ends the level. The player may start on
the goal ('+'), the box may not ('*'). With several boxes there are as many
goals, and the level ends the first time that every box is on a goal, whichever
it is; boxes may start on goals, but not all.";

/// Commands on level files; FILE is a path, or - for standard input.
#[derive(Debug, Subcommand)]
#[command(after_help = RULES)]
pub(crate) enum Command {
    /// Solve levels: fewest moves, fewest pushes or a weighted sum.
    Solve(solve::Args),
    /// Check a solution and measure it.
    Verify(verify::Args),
    /// Write a proof of a level's optimum that can be checked without a search,
    /// or check one.
    Certify(certify::Args),
    /// Show what a level's solution looks like and what single cells do to it.
    Analyze(analyze::Args),
    /// Draw a level and its solution, as SVG, PNG or an animated GIF.
    Render(render::Args),
    /// Watch a solution in the terminal, step by step.
    Replay(replay::Args),
    /// Read levels in one format and write them in another.
    Convert(convert::Args),
    /// Crop levels to the part that the player can reach and bring them into
    /// the form that is equal for all rotations and reflections.
    Normalize(normalize::Args),
    /// Make levels of another size: cut bands of rows and columns out of a level
    /// or double them, markers chosen anew.
    Fit(fit::Args),
}

/// Runs a command.
///
/// # Errors
/// [`Failure`] on bad input; it names the cause and the next step.
pub(crate) fn run(command: &Command) -> Result<Report, Failure> {
    match command {
        Command::Solve(args) => solve::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Certify(args) => certify::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Render(args) => render::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Normalize(args) => normalize::run(args),
        Command::Fit(args) => fit::run(args),
    }
}
