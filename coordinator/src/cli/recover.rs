//! `soko-coord recover`: rebuild a damaged data directory.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use soko::text::counted;

use super::{
    CliError,
    data::DataArgs,
    output::{Output, Show},
};
use crate::store::{RecoverError, Recovered, StoreError, recover};

/// Rebuild a damaged data directory from an export.
///
/// The coordinator exports its data on a timer and at its end. What was
/// computed after the export is computed again; the damaged data is set aside
/// and not deleted.
#[derive(Debug, Args)]
pub(super) struct RecoverArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Go back to this export, even if the data is not damaged [default: the
    /// newest one that is whole].
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct RecoveredDocument {
    data: String,
    from: String,
    jobs: usize,
    lines: u64,
    set_aside: Option<String>,
}

impl Show for RecoveredDocument {
    fn text(&self) -> String {
        let aside = match &self.set_aside {
            Some(aside) => format!("\nthe damaged data is in {aside}"),
            None => String::new(),
        };
        format!(
            "rebuilt {} from {}: {}{aside}",
            self.data,
            self.from,
            counted(self.jobs, "job")
        )
    }

    fn quiet(&self) -> String {
        self.from.clone()
    }
}

pub(super) fn run(args: &RecoverArgs, output: Output) -> Result<u8, CliError> {
    let dir = args.data.dir()?;
    let recovered = recover(&dir, args.from.as_deref()).map_err(|error| refused(&error))?;
    let Recovered {
        from,
        lines,
        jobs,
        set_aside,
    } = recovered;
    output.show(&RecoveredDocument {
        data: dir.display().to_string(),
        from: from.display().to_string(),
        jobs,
        lines,
        set_aside: set_aside.map(|path| path.display().to_string()),
    })?;
    Ok(0)
}

fn refused(error: &RecoverError) -> CliError {
    match error {
        RecoverError::Store(error @ StoreError::InUse(_)) => CliError::data(error),
        _ => CliError::bad_input(
            error.to_string(),
            "--data names the directory, --from another export",
        ),
    }
}
