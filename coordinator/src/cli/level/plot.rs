//! `plot`.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;
use soko::bounds::{RecordPoint, density_plot};

use super::raster::to_png;
use super::{Failure, Report};

/// Arguments of `plot`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// File to write; without it an SVG document goes to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of the file; without it the end of its name decides.
    #[arg(long, value_enum)]
    pub format: Option<PictureFormat>,
}

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Vectors, as text.
    Svg,
    /// Pixels.
    Png,
}

/// Draws n⁴/moves of the records over n, next to the construction.
///
/// # Errors
/// [`Failure`] if the file cannot be written.
pub(crate) fn run(args: &Args, records: &[RecordPoint]) -> Result<Report, Failure> {
    let scene = density_plot(records);
    let Some(path) = &args.out else {
        if args.format == Some(PictureFormat::Png) {
            return Err(Failure::new(
                "usage",
                "a PNG picture needs a file",
                "name it with --out FILE",
            ));
        }
        let svg = scene.to_svg();
        return Ok(Report {
            json: json!({"format": "svg", "svg": svg}),
            quiet: svg.clone(),
            text: svg,
            exit_code: 0,
        });
    };
    let is_png = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("png"));
    let format = args.format.unwrap_or(if is_png {
        PictureFormat::Png
    } else {
        PictureFormat::Svg
    });
    let bytes = match format {
        PictureFormat::Svg => scene.to_svg().into_bytes(),
        PictureFormat::Png => to_png(&scene)?,
    };
    std::fs::write(path, &bytes).map_err(|error| {
        Failure::new(
            "io",
            format!("cannot write {}: {error}", path.display()),
            "name a file in a folder that you may write to",
        )
    })?;
    let shown = path.display().to_string();
    Ok(Report {
        text: format!("{} records drawn into {shown}\n", records.len()),
        json: json!({"file": shown, "records": records.len()}),
        quiet: format!("{shown}\n"),
        exit_code: 0,
    })
}
