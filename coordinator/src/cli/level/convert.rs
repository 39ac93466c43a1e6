//! `level convert`.

use clap::ValueEnum;
use serde_json::json;
use soko::level::format::{Collection, Dialect, WriteOptions, write_slc, write_sok, write_xsb};

use super::input::{FormatName, InputArgs};
use super::{Failure, Report};

/// Arguments of `level convert`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Levels to convert.
    #[command(flatten)]
    pub input: InputArgs,
    /// Format to write.
    #[arg(long, value_enum, default_value_t = FormatName::Xsb, value_name = "FORMAT")]
    pub to: FormatName,
    /// Alphabet to write; not for .slc.
    #[arg(long, default_value_t)]
    pub to_dialect: Dialect,
    /// Character for floor: '-', '_' or ' '.
    #[arg(long, value_name = "CHAR", allow_hyphen_values = true)]
    pub floor: Option<char>,
    /// Write run lengths: 3#4-.
    #[arg(long)]
    pub rle: bool,
    /// Write each board on one line, rows separated by |.
    #[arg(long)]
    pub one_line: bool,
    /// What to do with a ring of wall around the board.
    #[arg(long, value_enum, default_value_t)]
    pub frame: Frame,
    /// Also take boards without player, box and goal.
    #[arg(long)]
    pub bare: bool,
}

/// What to do with a ring of wall around the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Frame {
    /// Leave it as it is.
    #[default]
    Keep,
    /// Put one around every board that has none; other programs need it.
    Add,
    /// Remove it where there is one.
    Strip,
}

/// Reads levels and writes them anew; any number of boxes.
///
/// # Errors
/// [`Failure`] on bad input, or if the format cannot hold a board.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let mut collection = args.input.collection(args.bare)?;
    for entry in &mut collection.entries {
        entry.grid = match args.frame {
            Frame::Add if !entry.grid.has_frame() => entry.grid.with_frame(),
            Frame::Strip => entry.grid.without_frame(),
            _ => continue,
        };
    }
    let text = written(args, &collection)?;
    let json = json!({
        "format": format!("{:?}", args.to).to_lowercase(),
        "levels": collection.entries.len(),
        "text": text,
        "notes": collection.notes.iter().map(|note| json!({"line": note.line, "text": note.text})).collect::<Vec<_>>(),
    });
    Ok(Report {
        quiet: text.clone(),
        text,
        json,
        exit_code: 0,
    })
}

fn written(args: &Args, collection: &Collection) -> Result<String, Failure> {
    let options = WriteOptions {
        dialect: args.to_dialect,
        floor: args.floor,
        run_lengths: args.rle,
        one_line: args.one_line,
    };
    let text = match args.to {
        FormatName::Xsb => write_xsb(collection, &options),
        FormatName::Sok => write_sok(collection, &options),
        FormatName::Slc if options == WriteOptions::default() => Ok(write_slc(collection)),
        FormatName::Slc => {
            return Err(Failure::new(
                "usage",
                ".slc has one way to write a board",
                "leave out --to-dialect, --floor, --rle and --one-line",
            ));
        }
    };
    text.map_err(|error| {
        Failure::new(
            "write",
            error.to_string(),
            "choose another --to-dialect or --floor",
        )
    })
}
