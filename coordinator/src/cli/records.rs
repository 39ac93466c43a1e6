//! `soko-coord records`: the best known level of each board size.

use clap::{Args, Subcommand};
use soko::rpc::v1;

use super::{
    CliError,
    board::BoardArgs,
    client::ClientArgs,
    handing_in::{self, HandInArgs},
    lists::{RecordDocument, RecordHistory, RecordList},
    output::Output,
    recheck::{self, RecheckArgs},
};

/// What to do with the record table.
#[derive(Debug, Subcommand)]
pub(super) enum RecordsCommand {
    /// The best known level of each board size.
    List(ListArgs),
    /// The best known level of one board size, with its solution.
    Show(ShowArgs),
    /// How the record of a board size came about, oldest first.
    History(ShowArgs),
    /// Hand in a level as a candidate for the record table.
    ///
    /// The coordinator solves it again and believes no claim. Exit code 0 if it is
    /// the new record or kept beside it, 1 if it is no better or has no solution, 2
    /// if it is no level for the table.
    Submit(HandInArgs),
    /// Solve every level of the record table again.
    ///
    /// Reads and solves each level here, with the plain solver, and replays the
    /// stored solutions. Exit code 1 if something is not as the table says.
    Verify(RecheckArgs),
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
        RecordsCommand::History(args) => history(args, output).await,
        RecordsCommand::Submit(args) => handing_in::run(args, output).await,
        RecordsCommand::Verify(args) => recheck::run(args, output).await,
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

impl ShowArgs {
    fn request(&self) -> Result<v1::GetRecordRequest, CliError> {
        let size = self.board.size()?;
        Ok(v1::GetRecordRequest {
            rows: size.rows().into(),
            cols: size.cols().into(),
        })
    }
}

async fn history(args: ShowArgs, output: Output) -> Result<u8, CliError> {
    let request = args.request()?;
    let client = args.client.connect().await?;
    let mut records = client.records();
    let history = client.call(records.get_record_history(request)).await?;
    output.show(&RecordHistory::from(history))?;
    Ok(0)
}

async fn show(args: ShowArgs, output: Output) -> Result<u8, CliError> {
    let request = args.request()?;
    let client = args.client.connect().await?;
    let mut records = client.records();
    let record = client.call(records.get_record(request)).await?;
    output.show(&RecordDocument::from(record))?;
    Ok(0)
}
