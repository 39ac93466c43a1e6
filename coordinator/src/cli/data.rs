//! Where the data is.

use std::path::PathBuf;

use clap::Args;
use directories::ProjectDirs;

use super::CliError;
use crate::store::{Catalog, StoreError};

/// Where the data is.
#[derive(Debug, Clone, Args)]
pub(super) struct DataArgs {
    /// Directory of the data [default: one per user, which is printed].
    #[arg(long, env = "SOKO_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
}

impl DataArgs {
    /// The directory.
    pub(super) fn dir(&self) -> Result<PathBuf, CliError> {
        let named = self.data.clone();
        let default = || ProjectDirs::from("", "", "soko").map(|it| it.data_dir().to_owned());
        named.or_else(default).ok_or_else(|| {
            CliError::usage(
                "this user has no home directory",
                "name a directory with --data",
            )
        })
    }
}

/// Opens the data in a directory.
pub(super) async fn open(dir: PathBuf) -> Result<Catalog, CliError> {
    let opened = tokio::task::spawn_blocking(move || Catalog::open(&dir)).await;
    let opened =
        opened.map_err(|error| CliError::internal(format!("cannot open the data: {error}")))?;
    opened.map_err(|error| CliError::data(&error))
}

/// Opens the data that a coordinator has left in a directory. Unlike
/// [`open`] it makes none where there is none.
pub(super) async fn open_existing(dir: PathBuf) -> Result<Catalog, CliError> {
    if !Catalog::is_in(&dir) {
        return Err(CliError::bad_input(
            format!("there is no data of a coordinator in {}", dir.display()),
            "name the --data directory of a coordinator, or ask one with --coordinator",
        ));
    }
    open(dir).await
}

impl CliError {
    /// The data directory cannot be used.
    pub(super) fn data(error: &StoreError) -> Self {
        let (code, hint) = match error {
            StoreError::InUse(_) => (
                "data_in_use",
                "`soko-coord submit` gives the job to that one; --data names another directory",
            ),
            StoreError::Damaged { .. } | StoreError::BadRow { .. } => (
                "data_damaged",
                "nothing was changed; --data names another directory",
            ),
            StoreError::Newer { .. } => ("data_newer", "--data names another directory"),
            StoreError::Io { .. } | StoreError::Closed => {
                ("data_unusable", "--data names another directory")
            }
        };
        Self {
            code,
            message: error.to_string(),
            hint: hint.to_owned(),
            exit: 2,
        }
    }
}
