//! `soko-coord invalidate`: take back results.

use clap::Args;
use serde::Serialize;
use soko::rpc::v1::{self, invalidate_request::What};
use soko::text::counted;

use super::{
    CliError,
    client::ClientArgs,
    output::{Output, Show},
};

/// Take back results of an engine version or of a worker.
///
/// Exactly these results, and what was split off them, count as never
/// computed; their shards are open again, and jobs that were done go on.
/// Levels in the record table stay, as lower bounds.
#[derive(Debug, Args)]
pub(super) struct InvalidateArgs {
    #[command(flatten)]
    what: WhatArgs,
    /// Only in this job [default: in all].
    #[arg(
        long,
        value_name = "JOB",
        default_value = "",
        hide_default_value = true
    )]
    job: String,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct WhatArgs {
    /// All results of this version of the engine.
    #[arg(long, value_name = "ENGINE")]
    engine_version: Option<String>,
    /// All results of this worker.
    #[arg(long, value_name = "WORKER")]
    worker: Option<String>,
}

#[derive(Debug, Serialize)]
struct Invalidated {
    jobs: Vec<String>,
}

impl Show for Invalidated {
    fn text(&self) -> String {
        format!(
            "looking through {}; `soko-coord jobs list` shows those that go on",
            counted(self.jobs.len(), "job")
        )
    }

    fn quiet(&self) -> String {
        self.jobs.len().to_string()
    }
}

pub(super) async fn run(args: InvalidateArgs, output: Output) -> Result<u8, CliError> {
    let WhatArgs {
        engine_version,
        worker,
    } = args.what;
    let what = engine_version
        .map(What::Engine)
        .or_else(|| worker.map(What::Worker));
    let client = args.client.connect().await?;
    let mut jobs = client.jobs();
    let request = v1::InvalidateRequest {
        what,
        job: args.job,
    };
    let reply = client.call(jobs.invalidate(request)).await?;
    output.show(&Invalidated { jobs: reply.jobs })?;
    Ok(0)
}
