//! `soko-coord submit`: file a job with a running coordinator.

use clap::Args;
use soko::{plan::Search, rpc::v1};

use super::{
    CliError,
    board::JobArgs,
    client::{Client, ClientArgs},
    document::ResultDocument,
    follow::follow,
    lists::JobDocument,
    output::Output,
    progress::Progress,
    text::state_name,
};

/// File a job with a running coordinator.
#[derive(Debug, Args)]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    client: ClientArgs,
    /// Follow the job and print its result. Ctrl-C ends the command, not the
    /// job.
    #[arg(long)]
    wait: bool,
}

pub(super) async fn run(args: SubmitArgs, output: Output) -> Result<u8, CliError> {
    let search = args.job.search()?;
    let client = args.client.connect().await?;
    let job = submit(&client, &args.job, &search, false).await?;
    if !args.wait {
        output.show(&JobDocument::from(job))?;
        return Ok(0);
    }
    output.note(&format!("job {}", job.job));
    wait_for_result(&client, &job.job, output).await
}

/// Files a job, or goes on with an interrupted one of an equal search.
pub(super) async fn submit(
    client: &Client,
    args: &JobArgs,
    search: &Search,
    resume_equal: bool,
) -> Result<v1::Job, CliError> {
    let request = v1::SubmitJobRequest {
        request_id: uuid::Uuid::new_v4().to_string(),
        search: Some(search.into()),
        name: args.name.clone(),
        priority: args.priority,
        resume_equal,
    };
    let mut jobs = client.jobs();
    client.call(jobs.submit_job(request)).await
}

/// Follows a job to its end with a progress bar and prints its result.
pub(super) async fn wait_for_result(
    client: &Client,
    job: &str,
    output: Output,
) -> Result<u8, CliError> {
    let ended = wait(client, job, output).await?;
    show_result(client, &ended, output).await
}

/// Follows a job to its end with a progress bar.
pub(super) async fn wait(client: &Client, job: &str, output: Output) -> Result<v1::Job, CliError> {
    let progress = Progress::new(output);
    follow(client, job, |job| {
        progress.update(job);
        Ok(())
    })
    .await
}

/// Prints the result of a job that has ended.
pub(super) async fn show_result(
    client: &Client,
    job: &v1::Job,
    output: Output,
) -> Result<u8, CliError> {
    if job.state() != v1::JobState::Done {
        return Err(not_done(job));
    }
    let document = ResultDocument::from(client.result(&job.job).await?);
    output.show(&document)?;
    Ok(document.exit_code())
}

/// The error of a job that ended, but not well.
pub(super) fn not_done(job: &v1::Job) -> CliError {
    let state = state_name(job.state());
    let reason = match job.reason.as_str() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    CliError::not_done(
        state,
        format!("job {} is {state}{reason}", job.job),
        "`soko-coord jobs show JOB` tells more; submit it again to compute it anew",
    )
}
