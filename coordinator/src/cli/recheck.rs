//! `soko-coord records verify`: solve every level of the record table again.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use soko::rpc::v1;
use soko::text::counted;

use super::{
    CliError,
    client::ClientArgs,
    data,
    output::{Output, Show},
};
use crate::records::recheck;

#[derive(Debug, Args)]
pub(super) struct RecheckArgs {
    /// The table in this data directory, which no coordinator may be using,
    /// instead of a coordinator's.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Serialize)]
struct Rechecked {
    verified: bool,
    /// Rows, and levels in them.
    records: usize,
    levels: usize,
    wrong: Vec<Wrong>,
}

#[derive(Debug, Serialize)]
struct Wrong {
    rows: u32,
    cols: u32,
    problems: Vec<String>,
}

impl Show for Rechecked {
    fn text(&self) -> String {
        let mut lines: Vec<String> = self
            .wrong
            .iter()
            .flat_map(|it| {
                let board = format!("{}x{}", it.rows, it.cols);
                let problems = it.problems.iter();
                problems.map(move |problem| format!("{board}: {problem}"))
            })
            .collect();
        lines.push(format!(
            "{} with {} solved again; {} wrong",
            counted(self.records, "record"),
            counted(self.levels, "level"),
            self.wrong.len()
        ));
        lines.join("\n")
    }

    fn quiet(&self) -> String {
        self.wrong.len().to_string()
    }
}

pub(super) async fn run(args: RecheckArgs, output: Output) -> Result<u8, CliError> {
    let records = match args.data {
        Some(dir) => from_data(dir).await?,
        None => from_coordinator(&args.client).await?,
    };
    let checked = tokio::task::spawn_blocking(move || rechecked(&records)).await;
    let checked = checked.map_err(|_| CliError::internal("the solver panicked; this is a bug"))?;
    output.show(&checked)?;
    Ok(u8::from(!checked.verified))
}

fn rechecked(records: &[v1::Record]) -> Rechecked {
    let wrong = records.iter().filter_map(|record| {
        let problems = recheck(record);
        (!problems.is_empty()).then_some(Wrong {
            rows: record.rows,
            cols: record.cols,
            problems,
        })
    });
    let wrong: Vec<Wrong> = wrong.collect();
    let levels = |record: &v1::Record| usize::from(record.level.is_some()) + record.others.len();
    Rechecked {
        verified: wrong.is_empty(),
        records: records.len(),
        levels: records.iter().map(levels).sum(),
        wrong,
    }
}

async fn from_data(dir: PathBuf) -> Result<Vec<v1::Record>, CliError> {
    let records = data::open_existing(dir).await?.records();
    records.map_err(|error| CliError::data(&error))
}

/// The rows one by one: lists leave out the levels beside the records.
async fn from_coordinator(args: &ClientArgs) -> Result<Vec<v1::Record>, CliError> {
    let client = args.connect().await?;
    let mut table = client.records();
    let list = table.list_records(v1::ListRecordsRequest::default());
    let mut records = Vec::new();
    for row in client.call(list).await?.records {
        let request = v1::GetRecordRequest {
            rows: row.rows,
            cols: row.cols,
        };
        records.push(client.call(table.get_record(request)).await?);
    }
    Ok(records)
}
