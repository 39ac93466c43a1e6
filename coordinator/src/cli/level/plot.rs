//! `plot`.

use serde_json::json;
use soko::bounds::{RecordPoint, density_plot};
use soko::text::counted;

use super::picture_file::{PictureArgs, PictureFormat, write};
use super::raster::to_png;
use super::{Failure, Report};
use crate::cli::points::PointsArgs;

/// Arguments of `plot`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Where the picture goes.
    #[command(flatten)]
    pub picture: PictureArgs,
    /// The records to draw.
    #[command(flatten)]
    pub records: PointsArgs,
}

/// Draws n⁴/moves of the records over n, next to the construction.
///
/// # Errors
/// [`Failure`] if the file cannot be written.
pub(crate) fn run(args: &Args, records: &[RecordPoint]) -> Result<Report, Failure> {
    let scene = density_plot(records);
    let (format, path) = args.picture.target()?;
    let Some(path) = path else {
        return Ok(Report::svg(scene.to_svg()));
    };
    let bytes = match format {
        PictureFormat::Svg => scene.to_svg().into_bytes(),
        PictureFormat::Png => to_png(&scene)?,
        PictureFormat::Gif => {
            return Err(Failure::new(
                "usage",
                "the plot does not move",
                "write an .svg or .png file",
            ));
        }
    };
    write(path, &bytes)?;
    let shown = path.display().to_string();
    Ok(Report {
        text: format!("{} drawn into {shown}\n", counted(records.len(), "record")),
        json: json!({"file": shown, "records": records.len()}),
        quiet: format!("{shown}\n"),
        exit_code: 0,
    })
}
