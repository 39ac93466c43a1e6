//! Talking to a coordinator.

use std::{future::Future, time::Duration};

use clap::Args;
use soko::rpc::{
    Access, Link, error_chain,
    v1::{self, job_service_client::JobServiceClient, record_service_client::RecordServiceClient},
};
use soko_worker::AccessArgs;
use tonic::{Response, Status, transport::Endpoint};

use super::CliError;

/// How long an answer may take. Those of a coordinator that writes to a slow
/// disk take a while.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Which coordinator to talk to.
#[derive(Debug, Clone, Args)]
pub(super) struct ClientArgs {
    /// Address of the coordinator.
    #[arg(
        long,
        env = "SOKO_COORDINATOR",
        value_name = "URL",
        default_value = "http://127.0.0.1:50051"
    )]
    coordinator: String,
    #[command(flatten)]
    access: AccessArgs,
}

impl ClientArgs {
    /// Connects.
    pub(super) async fn connect(&self) -> Result<Client, CliError> {
        Client::connect(&self.coordinator, self.access.load()?).await
    }
}

/// A connection to a coordinator.
#[derive(Debug, Clone)]
pub(super) struct Client {
    url: String,
    link: Link,
}

impl Client {
    /// Connects to the coordinator at `url`.
    pub(super) async fn connect(url: &str, access: Access) -> Result<Self, CliError> {
        let endpoint: Endpoint = soko::rpc::endpoint(url, access.tls.clone())?;
        let channel = endpoint.connect().await;
        let channel = channel.map_err(|it| CliError::unreachable(url, &error_chain(&it)))?;
        Ok(Self {
            url: url.to_owned(),
            link: access.connection(channel),
        })
    }

    /// The connection, for services that are not ours.
    pub(super) fn link(&self) -> Link {
        self.link.clone()
    }

    pub(super) fn jobs(&self) -> JobServiceClient<Link> {
        JobServiceClient::new(self.link())
    }

    pub(super) fn records(&self) -> RecordServiceClient<Link> {
        RecordServiceClient::new(self.link())
    }

    /// Waits for the answer to a call, but not for ever.
    pub(super) async fn call<T>(
        &self,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, CliError> {
        match tokio::time::timeout(TIMEOUT, call).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(self.error(&status)),
            Err(_) => Err(self.error(&Status::deadline_exceeded("no answer within 30 s"))),
        }
    }

    /// What a failed call means for the command.
    pub(super) fn error(&self, status: &Status) -> CliError {
        CliError::call(&self.url, status)
    }

    /// The job with this id or the start of an id.
    pub(super) async fn job(&self, job: &str) -> Result<v1::Job, CliError> {
        let mut jobs = self.jobs();
        self.call(jobs.get_job(request(job))).await
    }

    /// The answer of a job that has ended.
    pub(super) async fn result(&self, job: &str) -> Result<v1::JobResult, CliError> {
        let mut jobs = self.jobs();
        self.call(jobs.get_job_result(request(job))).await
    }
}

/// Names a job.
pub(super) fn request(job: &str) -> v1::GetJobRequest {
    v1::GetJobRequest {
        job: job.to_owned(),
    }
}
