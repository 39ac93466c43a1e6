//! `soko-coord records`: the best known level of each board size.

use clap::{Args, Subcommand};
use soko::rpc::v1;

use super::{
    CliError,
    board::BoardArgs,
    client::ClientArgs,
    lists::{RecordDocument, RecordList},
    output::Output,
};

/// What to show of the record table.
#[derive(Debug, Subcommand)]
pub(super) enum RecordsCommand {
    /// The best known level of each board size.
    List(ListArgs),
    /// The best known level of one board size, with its solution.
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Only square boards.
    #[arg(long)]
    square: bool,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    client: ClientArgs,
}

pub(super) async fn run(command: RecordsCommand, output: Output) -> Result<u8, CliError> {
    match command {
        RecordsCommand::List(args) => list(args, output).await,
        RecordsCommand::Show(args) => show(args, output).await,
    }
}

async fn list(args: ListArgs, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut records = client.records();
    let request = v1::ListRecordsRequest {
        square_only: args.square,
    };
    let reply = client.call(records.list_records(request)).await?;
    output.show(&RecordList::from(reply))?;
    Ok(0)
}

async fn show(args: ShowArgs, output: Output) -> Result<u8, CliError> {
    let size = args.board.size()?;
    let client = args.client.connect().await?;
    let mut records = client.records();
    let request = v1::GetRecordRequest {
        rows: size.rows().into(),
        cols: size.cols().into(),
    };
    let record = client.call(records.get_record(request)).await?;
    output.show(&RecordDocument::from(record))?;
    Ok(0)
}
