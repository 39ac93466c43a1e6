//! `soko-coord jobs`: list, follow and end jobs.

use clap::{Args, Subcommand};
use soko::rpc::v1;

use super::{
    CliError,
    client::{ClientArgs, request},
    follow::{follow, has_ended},
    lists::{JobDocument, JobList},
    output::Output,
    submit::{not_done, show_result, wait},
};

/// What to do with jobs.
#[derive(Debug, Subcommand)]
pub(super) enum JobsCommand {
    /// All jobs, newest first.
    List(ListArgs),
    /// One job.
    Show(JobArg),
    /// Print the job now and after every change, until it has ended. In json,
    /// one document per line.
    Watch(JobArg),
    /// Wait until the job has ended. The exit code tells how.
    Wait(JobArg),
    /// The result of a job that is done.
    Result(JobArg),
    /// End a job; what it has is kept.
    Cancel(JobArg),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// At most this many, up to 1000.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
pub(super) struct JobArg {
    /// Id of the job, or the start of it.
    #[arg(value_name = "JOB")]
    job: String,
    #[command(flatten)]
    client: ClientArgs,
}

pub(super) async fn run(command: JobsCommand, output: Output) -> Result<u8, CliError> {
    match command {
        JobsCommand::List(args) => list(args, output).await,
        JobsCommand::Show(args) => show(args, output).await,
        JobsCommand::Watch(args) => watch(args, output).await,
        JobsCommand::Wait(args) => wait_for(args, output).await,
        JobsCommand::Result(args) => result(args, output).await,
        JobsCommand::Cancel(args) => cancel(args, output).await,
    }
}

async fn list(args: ListArgs, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let request = v1::ListJobsRequest { limit: args.limit };
    let reply = client.call(jobs.list_jobs(request)).await?;
    output.show(&JobList::from(reply))?;
    Ok(0)
}

async fn show(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    output.show(&JobDocument::from(client.job(&args.job).await?))?;
    Ok(0)
}

async fn watch(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let print = |job: &v1::Job| output.show(&JobDocument::from(job.clone()));
    let ended = follow(&client, &args.job, print).await?;
    Ok(end_code(&ended))
}

async fn wait_for(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let ended = wait(&client, &args.job, output).await?;
    if ended.state() != v1::JobState::Done {
        return Err(not_done(&ended));
    }
    output.show(&JobDocument::from(ended))?;
    Ok(0)
}

async fn result(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let job = client.job(&args.job).await?;
    if !has_ended(job.state()) {
        return Err(CliError::bad_input(
            format!("job {} has no result yet", job.job),
            "`soko-coord jobs wait JOB` waits for its end",
        ));
    }
    show_result(&client, &job, output).await
}

async fn cancel(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let job = client.call(jobs.cancel_job(request(&args.job))).await?;
    output.show(&JobDocument::from(job))?;
    Ok(0)
}

/// Exit code for a job that has ended.
fn end_code(job: &v1::Job) -> u8 {
    if job.state() == v1::JobState::Done {
        0
    } else {
        4
    }
}
