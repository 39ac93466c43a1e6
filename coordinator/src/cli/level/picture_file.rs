//! Pictures as files.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::Failure;

/// Where a picture goes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PictureArgs {
    /// File to write; without it an SVG document goes to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of the file; without it the end of its name decides.
    // Not `format`, which is the name of an argument of the whole program.
    #[arg(long = "format", value_enum, value_name = "FORMAT")]
    pub picture_format: Option<PictureFormat>,
}

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Vectors, as text.
    Svg,
    /// Pixels.
    Png,
    /// Pixels that move.
    Gif,
}

impl PictureArgs {
    /// The format, and the file if there is one.
    pub(crate) fn target(&self) -> Result<(PictureFormat, Option<&Path>), Failure> {
        let Some(path) = &self.out else {
            return match self.picture_format {
                None | Some(PictureFormat::Svg) => Ok((PictureFormat::Svg, None)),
                Some(_) => Err(Failure::new(
                    "usage",
                    "a picture of pixels needs a file",
                    "name it with --out FILE",
                )),
            };
        };
        let end = path.extension().and_then(|end| end.to_str());
        let by_name = end.and_then(|end| PictureFormat::from_str(end, true).ok());
        let format = self.picture_format.or(by_name).ok_or_else(|| {
            Failure::new(
                "usage",
                format!("{}: the name tells no picture format", path.display()),
                "end it in .svg, .png or .gif, or give --format",
            )
        })?;
        Ok((format, Some(path)))
    }
}

/// Why a file could not be written.
pub(crate) fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        "io",
        format!("cannot write {}: {error}", path.display()),
        "name a file in a folder that you may write to",
    )
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| cannot_write(path, &error))
}
