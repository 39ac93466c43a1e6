//! `soko-coord health`: what a container's health check calls.

use clap::Args;
use serde::Serialize;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::{
    CliError,
    client::ClientArgs,
    output::{Output, Show},
};

/// Exit with 0 if the coordinator is well.
#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Serialize)]
struct HealthDocument {
    serving: bool,
}

impl Show for HealthDocument {
    fn text(&self) -> String {
        if self.serving { "ok" } else { "not serving" }.to_owned()
    }

    fn quiet(&self) -> String {
        self.text()
    }
}

pub(super) async fn run(args: HealthArgs, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let mut health = HealthClient::new(client.link());
    let reply = client
        .call(health.check(HealthCheckRequest::default()))
        .await?;
    let serving = reply.status() == ServingStatus::Serving;
    output.show(&HealthDocument { serving })?;
    Ok(u8::from(!serving))
}
