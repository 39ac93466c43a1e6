//! Following a job to its end.

use std::time::{Duration, Instant};

use soko::rpc::{FailureClass, classify, v1};
use tokio::time::{sleep, timeout};

use super::{
    CliError,
    client::{Client, request},
};

/// How long a coordinator may be away while a job is followed: time for a
/// restart.
const PATIENCE: Duration = Duration::from_mins(1);
/// Pause between two attempts to reach it.
const PAUSE: Duration = Duration::from_millis(500);

/// Whether a job in this state goes on.
pub(super) fn has_ended(state: v1::JobState) -> bool {
    use v1::JobState as State;
    matches!(
        state,
        State::Done | State::Incomplete | State::Cancelled | State::Failed
    )
}

/// Follows a job until it has ended; `each` sees every change. Survives a
/// restart of the coordinator.
pub(super) async fn follow(
    client: &Client,
    job: &str,
    mut each: impl FnMut(&v1::Job) -> Result<(), CliError>,
) -> Result<v1::Job, CliError> {
    let mut heard = Instant::now();
    loop {
        let mut jobs = client.jobs();
        let status = match timeout(PATIENCE, jobs.watch_job(request(job))).await {
            Err(_) => tonic::Status::deadline_exceeded("no answer"),
            Ok(Err(status)) => status,
            Ok(Ok(changes)) => {
                let mut changes = changes.into_inner();
                loop {
                    match changes.message().await {
                        Ok(Some(change)) => {
                            heard = Instant::now();
                            each(&change)?;
                            if has_ended(change.state()) {
                                return Ok(change);
                            }
                        }
                        Ok(None) => break tonic::Status::unavailable("the stream was closed"),
                        Err(status) => break status,
                    }
                }
            }
        };
        let passing = classify(&status) == FailureClass::Unreachable;
        if !passing || heard.elapsed() > PATIENCE {
            return Err(client.error(&status));
        }
        tracing::debug!(%status, "the coordinator is away; trying again");
        sleep(PAUSE).await;
    }
}
