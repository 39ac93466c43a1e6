//! `soko-coord workers`: the workers of the cluster.

use clap::{Args, Subcommand};
use soko::rpc::v1;

use super::{CliError, client::ClientArgs, lists::WorkerList, output::Output};

/// What to do with workers.
#[derive(Debug, Subcommand)]
pub(super) enum WorkersCommand {
    /// All workers that are known.
    List(ListArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    client: ClientArgs,
}

pub(super) async fn run(command: WorkersCommand, output: Output) -> Result<u8, CliError> {
    let WorkersCommand::List(args) = command;
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let reply = client
        .call(jobs.list_workers(v1::ListWorkersRequest {}))
        .await?;
    output.show(&WorkerList::from(reply))?;
    Ok(0)
}
