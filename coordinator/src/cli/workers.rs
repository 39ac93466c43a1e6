//! `soko-coord workers`: the workers of the cluster.

use clap::{Args, Subcommand};
use soko::rpc::v1;

use super::{
    CliError,
    client::ClientArgs,
    lists::{WorkerDocument, WorkerList},
    output::Output,
};

/// What to do with workers.
#[derive(Debug, Subcommand)]
pub(super) enum WorkersCommand {
    /// All workers that are known.
    List(ListArgs),
    /// One worker.
    Show(WorkerArg),
    /// Ask a worker to finish what is running and leave.
    Drain(WorkerArg),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
pub(super) struct WorkerArg {
    /// Name of the worker.
    #[arg(value_name = "WORKER")]
    worker: String,
    #[command(flatten)]
    client: ClientArgs,
}

pub(super) async fn run(command: WorkersCommand, output: Output) -> Result<u8, CliError> {
    match command {
        WorkersCommand::List(args) => list(args, output).await,
        WorkersCommand::Show(args) => one(args, false, output).await,
        WorkersCommand::Drain(args) => one(args, true, output).await,
    }
}

async fn one(args: WorkerArg, drain: bool, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let request = v1::GetWorkerRequest {
        worker: args.worker,
    };
    let worker = if drain {
        client.call(jobs.drain_worker(request)).await?
    } else {
        client.call(jobs.get_worker(request)).await?
    };
    output.show(&WorkerDocument::from(worker))?;
    Ok(0)
}

async fn list(args: ListArgs, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let reply = client
        .call(jobs.list_workers(v1::ListWorkersRequest {}))
        .await?;
    output.show(&WorkerList::from(reply))?;
    Ok(0)
}
