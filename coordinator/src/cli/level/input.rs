//! Level files as arguments.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use soko::level::format::{self, Collection, Dialect, Entry, Format, MAX_BYTES, Pad, ReadOptions};
use soko::level::{ClassicLevel, Level, LevelError, Lurd, LurdError, Tile};
use soko_worker::program::whole;

use super::{Failure, Report};

/// Where levels come from and how they are read.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InputArgs {
    /// Level file, or - for standard input.
    pub file: PathBuf,
    /// Only this level of the file, from 1.
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>)]
    pub level: Option<usize>,
    /// Format of the file; without it .slc and .sok are recognised.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<FormatName>,
    /// Alphabet of the boards: xsb, ksc, leetcode, sokosolve, dangarfield or
    /// reasoning-gym. Never guessed.
    #[arg(long, default_value_t)]
    pub dialect: Dialect,
    /// What short rows of boards that are not closed are filled up with.
    #[arg(long, value_enum, default_value_t)]
    pub pad: PadName,
}

/// Name of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// XSB boards with text around them.
    Xsb,
    /// .sok, the text format of Sokoban YASC.
    Sok,
    /// .slc, XML.
    Slc,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Xsb => Self::Xsb,
            FormatName::Sok => Self::Sok,
            FormatName::Slc => Self::Slc,
        }
    }
}

/// Name of a way to fill up short rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum PadName {
    /// Refuse the board.
    #[default]
    Error,
    /// With floor.
    Floor,
    /// With wall.
    Wall,
}

impl From<PadName> for Pad {
    fn from(name: PadName) -> Self {
        match name {
            PadName::Error => Self::Error,
            PadName::Floor => Self::Floor,
            PadName::Wall => Self::Wall,
        }
    }
}

impl InputArgs {
    /// The only level of the file, or the one that --level names.
    pub(crate) fn single(&self) -> Result<Entry, Failure> {
        let mut entries = self.collection(false)?.entries;
        let count = entries.len();
        entries.pop().filter(|_| count == 1).ok_or_else(|| {
            Failure::new(
                "usage",
                format!("the file has {count} levels, and this takes one at a time"),
                "choose one with --level NUMBER",
            )
        })
    }

    /// Reads the file. `bare` also takes boards without player, box and goal.
    pub(crate) fn collection(&self, bare: bool) -> Result<Collection, Failure> {
        let bytes = read_bytes(&self.file)?;
        let options = ReadOptions {
            dialect: self.dialect,
            pad: self.pad.into(),
            bare,
        };
        let mut collection = format::read(&bytes, self.from.map(Format::from), &options)
            .map_err(|error| {
                Failure::new(
                    "format",
                    format!("{}: {error}", self.file.display()),
                    "correct the file, or name its alphabet with --dialect or its format with --from",
                )
            })?;
        if collection.entries.is_empty() {
            let seen = collection.notes.first();
            let seen = seen.map_or(String::new(), |note| {
                format!("; line {} was {}", note.line, note.text)
            });
            return Err(Failure::new(
                "no_level",
                format!("{}: no level in this file{seen}", self.file.display()),
                "a level needs rows of # - @ $ . with player, box and goal; other alphabets need --dialect",
            ));
        }
        if let Some(number) = self.level {
            let count = collection.entries.len();
            let index = number.checked_sub(1).filter(|&index| index < count);
            let Some(index) = index else {
                return Err(Failure::new(
                    "no_level",
                    format!("there is no level {number}"),
                    format!("the file has levels 1 to {count}"),
                ));
            };
            collection.entries = vec![collection.entries.swap_remove(index)];
        }
        Ok(collection)
    }
}

/// A level with the type that its number of boxes asks for.
#[derive(Debug, Clone)]
pub(crate) enum AnyLevel {
    /// One box; all tools take it.
    One(Level),
    /// Several boxes.
    Several(ClassicLevel),
}

impl AnyLevel {
    /// The level of an entry.
    pub(crate) fn of(entry: &Entry) -> Result<Self, Failure> {
        let read = if entry.grid.count(Tile::has_box) > 1 {
            ClassicLevel::try_from(&entry.grid).map(Self::Several)
        } else {
            Level::try_from(&entry.grid).map(Self::One)
        };
        read.map_err(|error| unfit(entry, &error))
    }

    /// The level for tools that do not care for the number of boxes.
    pub(crate) fn classic(&self) -> ClassicLevel {
        match self {
            Self::One(level) => level.into(),
            Self::Several(level) => level.clone(),
        }
    }
}

/// Reads the file and does something with each of its levels. If that fails
/// for one of several, its place in the list holds the failure, and the exit
/// code is that of bad input.
pub(crate) fn each(
    input: &InputArgs,
    run: impl Fn(&Entry, &AnyLevel) -> Result<Report, Failure>,
) -> Result<Report, Failure> {
    let entries = input.collection(false)?.entries;
    let done = |entry: &Entry| AnyLevel::of(entry).and_then(|level| run(entry, &level));
    if let [entry] = entries.as_slice() {
        return done(entry);
    }
    let reports = entries
        .iter()
        .map(|entry| done(entry).unwrap_or_else(|failure| failure.report(entry.name())));
    Ok(Report::join(reports.collect()))
}

/// As [`each`], for tools that only know levels with one box.
pub(crate) fn each_with_one_box(
    input: &InputArgs,
    run: impl Fn(&Entry, &Level) -> Result<Report, Failure>,
) -> Result<Report, Failure> {
    each(input, |entry, level| match level {
        AnyLevel::One(level) => run(entry, level),
        AnyLevel::Several(level) => {
            Err(unfit(entry, &LevelError::SeveralBoxes(level.boxes().len())))
        }
    })
}

fn unfit(entry: &Entry, error: &LevelError) -> Failure {
    let hint = if matches!(error, LevelError::SeveralBoxes(_)) {
        "levels with several boxes are for solve, verify, render, replay, convert and normalize"
    } else {
        "choose another level of the file with --level NUMBER, or change this one"
    };
    Failure::new(
        "level",
        format!("the level of line {}: {error}", entry.line),
        hint,
    )
}

/// Moves given with a level.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MovesArgs {
    /// The moves: l u r d, the case does not matter; 3r4U and 2(dR) are read.
    #[arg(
        long,
        value_name = "MOVES",
        conflicts_with = "lurd_file",
        allow_hyphen_values = true
    )]
    pub lurd: Option<String>,
    /// A file with the moves, or - for standard input. Without both, the
    /// solution saved with the level is taken.
    #[arg(long, value_name = "FILE")]
    pub lurd_file: Option<PathBuf>,
}

impl MovesArgs {
    /// The moves that were given, or else those saved with the level.
    pub(crate) fn moves(&self, entry: &Entry) -> Result<Option<Lurd>, Failure> {
        let text = match (&self.lurd, &self.lurd_file, entry.solutions.first()) {
            (Some(text), _, _) => text.clone(),
            (None, Some(file), _) => String::from_utf8_lossy(&read_bytes(file)?).into_owned(),
            (None, None, Some(saved)) => saved.clone(),
            (None, None, None) => return Ok(None),
        };
        text.parse().map(Some).map_err(|error: LurdError| {
            Failure::new(
                "lurd",
                error.to_string(),
                "write moves as l u r d, pushes as L U R D",
            )
        })
    }
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that too much is seen as such.
    let limit = MAX_BYTES as u64 + 1;
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        Failure::new(
            "io",
            format!("cannot read {}: {error}", path.display()),
            "give the path of a readable file, or - for standard input",
        )
    })?;
    Ok(bytes)
}
