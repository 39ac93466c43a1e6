//! The records that plots and bounds are drawn next to.

use std::path::PathBuf;

use clap::Args;
use soko::{bounds::RecordPoint, records::best_squares, rpc::v1};
use soko_worker::AccessArgs;

use super::{CliError, client::Client, data};

/// Where the records come from: without either, the levels that the program
/// carries.
#[derive(Debug, Clone, Args)]
pub(crate) struct PointsArgs {
    /// Take the records of this coordinator instead of those that the program
    /// carries.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    coordinator: Option<String>,
    /// Take the records of this data directory, which no coordinator may be
    /// using.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArgs,
}

impl PointsArgs {
    /// The longest known level of each square board.
    pub(super) async fn points(&self) -> Result<Vec<RecordPoint>, CliError> {
        if let Some(url) = &self.coordinator {
            let client = Client::connect(url, self.access.load()?).await?;
            let mut records = client.records();
            let request = v1::ListRecordsRequest { square_only: true };
            let reply = client.call(records.list_records(request)).await?;
            return Ok(squares(&reply.records));
        }
        if let Some(dir) = &self.data {
            let records = data::open_existing(dir.clone()).await?.records();
            let records = records.map_err(|error| CliError::data(&error))?;
            return Ok(squares(&records));
        }
        Ok(best_squares())
    }
}

fn squares(records: &[v1::Record]) -> Vec<RecordPoint> {
    let squares = records.iter().filter(|record| record.rows == record.cols);
    squares
        .map(|record| RecordPoint {
            n: record.rows.into(),
            moves: record.max_moves.into(),
            exact: record.exact,
        })
        .collect()
}
