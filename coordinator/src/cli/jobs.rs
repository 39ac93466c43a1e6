//! `soko-coord jobs`: list, follow and steer jobs.

use clap::{Args, Subcommand};
use soko::rpc::v1;
use soko_worker::program::whole;

use super::{
    CliError,
    client::{ClientArgs, request},
    explanation::{DeletedDocument, ExplanationDocument},
    follow::{follow, has_ended},
    lists::{JobDocument, JobList},
    output::Output,
    porting::{self, AuditArgs, ExportArgs, ImportArgs, SourceArgs},
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
    /// End a job; what it has is kept, and `jobs resume` goes on with it.
    Cancel(JobArg),
    /// Hand out no more shards of a running job; those that run end normally.
    Pause(JobArg),
    /// Go on with a paused or cancelled job from where it was.
    Resume(JobArg),
    /// Give the shards of a job that were given up another chance.
    Retry(JobArg),
    /// Say why a job, or one shard of it, is not running.
    Explain(ExplainArgs),
    /// Forget a job that has ended, with its results and its answer.
    Delete(JobArg),
    /// What a job has found so far, by goal and (in json) by shard.
    Ledger(SourceArgs),
    /// Compute some shards of a job again, here, and compare. Exit code 1 if
    /// any differs.
    Audit(AuditArgs),
    /// Write a job, done or half done, to one file.
    ExportCheckpoint(ExportArgs),
    /// File a job that goes on from such a file.
    ImportCheckpoint(ImportArgs),
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

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    job: JobArg,
    /// Only this shard.
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>)]
    shard: Option<u64>,
}

pub(super) async fn run(command: JobsCommand, output: Output) -> Result<u8, CliError> {
    match command {
        JobsCommand::List(args) => list(args, output).await,
        JobsCommand::Show(args) => show(args, output).await,
        JobsCommand::Watch(args) => watch(args, output).await,
        JobsCommand::Wait(args) => wait_for(args, output).await,
        JobsCommand::Result(args) => result(args, output).await,
        JobsCommand::Cancel(args) => steer(args, Steer::Cancel, output).await,
        JobsCommand::Pause(args) => steer(args, Steer::Pause, output).await,
        JobsCommand::Resume(args) => steer(args, Steer::Resume, output).await,
        JobsCommand::Retry(args) => steer(args, Steer::Retry, output).await,
        JobsCommand::Explain(args) => explain(args, output).await,
        JobsCommand::Delete(args) => delete(args, output).await,
        JobsCommand::Ledger(args) => porting::ledger(args, output).await,
        JobsCommand::Audit(args) => porting::audit(args, output).await,
        JobsCommand::ExportCheckpoint(args) => porting::export(args, output).await,
        JobsCommand::ImportCheckpoint(args) => porting::import(args, output).await,
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

/// What to do to a job.
#[derive(Debug, Clone, Copy)]
enum Steer {
    Cancel,
    Pause,
    Resume,
    Retry,
}

async fn steer(args: JobArg, what: Steer, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let request = request(&args.job);
    let job = match what {
        Steer::Cancel => client.call(jobs.cancel_job(request)).await?,
        Steer::Pause => client.call(jobs.pause_job(request)).await?,
        Steer::Resume => client.call(jobs.resume_job(request)).await?,
        Steer::Retry => client.call(jobs.retry_job(request)).await?,
    };
    output.show(&JobDocument::from(job))?;
    Ok(0)
}

async fn explain(args: ExplainArgs, output: Output) -> Result<u8, CliError> {
    let ExplainArgs { job, shard } = args;
    let client = job.client.connect().await?;
    let mut jobs = client.jobs();
    let request = v1::ExplainJobRequest {
        job: job.job,
        shard,
    };
    let reply = client.call(jobs.explain_job(request)).await?;
    output.show(&ExplanationDocument::from(reply))?;
    Ok(0)
}

async fn delete(args: JobArg, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let reply = client.call(jobs.delete_job(request(&args.job))).await?;
    output.show(&DeletedDocument { deleted: reply.job })?;
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
