//! `level render`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use clap::ValueEnum;
use serde_json::json;
use soko::level::{ClassicLevel, Lurd};
use soko::picture::{HeatOf, LevelPicture, level_picture};
use soko::text::counted;
use soko_worker::program::whole;

use super::gif::{Film, write_film};
use super::input::{AnyLevel, InputArgs, MovesArgs};
use super::picture_file::{PictureArgs, PictureFormat, cannot_write, write};
use super::raster::to_png;
use super::shown::shown_moves;
use super::{Failure, Report};

/// What the pictures show.
const LEGEND: &str = "\
Walls are dark, goals are green rings, boxes are brown squares (green on a goal),
the player is a blue dot. The way of the box goes from blue to red; of several
boxes each has its own colour. A number at a cell is the length of the walk that
comes before the box is pushed from there: 17·2 are two of 17 moves, 17+14 one of
17 and one of 14, 5×≤17 are five of at most 17.";

/// Arguments of `level render`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = LEGEND)]
pub(crate) struct Args {
    /// The level; of a file with several, the one that --level names.
    #[command(flatten)]
    pub input: InputArgs,
    /// Where the picture goes.
    #[command(flatten)]
    pub picture: PictureArgs,
    /// The moves to draw; without any the level is solved.
    #[command(flatten)]
    pub moves: MovesArgs,
    /// Draw the level alone.
    #[arg(long, conflicts_with_all = ["lurd", "lurd_file", "heat", "labels"])]
    pub no_solution: bool,
    /// Colour the floor by how often it is visited.
    #[arg(long, value_enum, value_name = "WHOSE")]
    pub heat: Option<HeatName>,
    /// Label walks of at least so many moves; without it those at least half as
    /// long as the longest.
    #[arg(long, value_name = "MOVES", value_parser = whole::<usize>)]
    pub labels: Option<usize>,
    /// Side of a cell in pixels.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(2..=200))]
    pub cell: Option<u32>,
    /// Name below the board, instead of that of the level.
    #[arg(long, value_name = "TEXT", conflicts_with = "no_caption")]
    pub title: Option<String>,
    /// Nothing below the board.
    #[arg(long)]
    pub no_caption: bool,
    /// GIF: milliseconds for each frame.
    #[arg(long, value_name = "MS", default_value_t = 80, value_parser = clap::value_parser!(u32).range(20..=60_000))]
    pub delay: u32,
    /// GIF: the most frames; with more moves than that, walks are shown in
    /// longer steps.
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub frames: u32,
}

/// Whose visits a heat map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeatName {
    /// Visits of the player.
    Player,
    /// Visits of the boxes.
    Boxes,
}

impl From<HeatName> for HeatOf {
    fn from(name: HeatName) -> Self {
        match name {
            HeatName::Player => Self::Player,
            HeatName::Boxes => Self::Boxes,
        }
    }
}

/// Draws a level and its solution.
///
/// # Errors
/// [`Failure`] on bad input, if the level is not solved, or if the file cannot
/// be written.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let (format, path) = args.picture.target()?;
    let entry = args.input.single()?;
    let any = AnyLevel::of(&entry)?;
    let level = any.classic();
    let lurd = if args.no_solution {
        None
    } else {
        Some(shown_moves(&any, &entry, &args.moves)?)
    };
    if format == PictureFormat::Gif
        && let Some(path) = path
    {
        let lurd = lurd.unwrap_or_default();
        let frames = film(args, path, &level, &lurd)?;
        return Ok(drawn(path, &level, Some(&lurd), Some(frames)));
    }
    // A picture of pixels has only the letters of its own font.
    let name = entry.name();
    let name = name.filter(|name| name.is_ascii() || format == PictureFormat::Svg);
    let caption = caption(args.title.as_deref().or(name), lurd.as_ref());
    let scene = level_picture(&LevelPicture {
        level: &level,
        solution: lurd.as_ref(),
        heat: args.heat.map(HeatOf::from),
        label_from: args.labels,
        cell: args.cell,
        caption: caption.as_deref().filter(|_| !args.no_caption),
        legend: !args.no_caption,
    });
    let Some(path) = path else {
        return Ok(Report::svg(scene.to_svg()));
    };
    if format == PictureFormat::Svg {
        write(path, scene.to_svg().as_bytes())?;
    } else {
        write(path, &to_png(&scene)?)?;
    }
    Ok(drawn(path, &level, lurd.as_ref(), None))
}

fn caption(name: Option<&str>, lurd: Option<&Lurd>) -> Option<String> {
    let numbers = lurd.map(|lurd| {
        let (moves, pushes) = (lurd.len(), lurd.pushes());
        format!("{}, {}", counted(moves, "move"), counted(pushes, "push"))
    });
    match (name, numbers) {
        (Some(name), Some(numbers)) => Some(format!("{name}: {numbers}")),
        (Some(name), None) => Some(name.to_owned()),
        (None, numbers) => numbers,
    }
}

fn film(args: &Args, path: &Path, level: &ClassicLevel, lurd: &Lurd) -> Result<usize, Failure> {
    let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
    let mut out = BufWriter::new(file);
    let film = Film {
        cell: args.cell,
        delay: (args.delay / 10).try_into().unwrap_or(u16::MAX),
        frames: args.frames as usize,
    };
    let frames = write_film(&mut out, level, lurd, film)?;
    out.flush().map_err(|error| cannot_write(path, &error))?;
    Ok(frames)
}

fn drawn(path: &Path, level: &ClassicLevel, lurd: Option<&Lurd>, frames: Option<usize>) -> Report {
    let shown = path.display().to_string();
    let size = level.size();
    let text = frames.map_or_else(
        || format!("{size} drawn into {shown}\n"),
        |frames| format!("{size} drawn into {shown}, {}\n", counted(frames, "frame")),
    );
    Report {
        text,
        json: json!({
            "file": shown,
            "rows": size.rows(),
            "cols": size.cols(),
            "moves": lurd.map(Lurd::len),
            "pushes": lurd.map(Lurd::pushes),
            "frames": frames,
        }),
        quiet: format!("{shown}\n"),
        exit_code: 0,
    }
}
