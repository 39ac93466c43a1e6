//! Workers that do not behave.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context;
use clap::{Args, ValueEnum};
use rand::{Rng, seq::SliceRandom};
use soko::{
    plan::{self, Control, Outcome, Search, SearchError, Shard, Tally},
    rpc::v1::{self, work_service_client::WorkServiceClient},
};
use soko_worker::{Config, Engine};
use tokio_util::sync::CancellationToken;

/// How a worker misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Kind {
    /// Reports fewer sets than it found, and shorter levels. No two lie alike:
    /// a lie that two workers tell is not found by asking two.
    Liar,
    /// Says that a shard is done after half of it. All do so alike, so there is
    /// one name for all.
    Sloth,
    /// Beats, but its computations never end.
    Hanged,
    /// Sends each result three times, late and out of order.
    Echo,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Liar, Self::Sloth, Self::Hanged, Self::Echo];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Liar => "liar",
            Self::Sloth => "sloth",
            Self::Hanged => "hanged",
            Self::Echo => "echo",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RogueArgs {
    #[arg(long, value_enum)]
    kind: Kind,
    #[arg(long)]
    coordinator: String,
    #[arg(long)]
    id: String,
}

pub(crate) fn start(args: RogueArgs) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let compute = match args.kind {
            Kind::Liar => lie,
            Kind::Sloth => skip,
            Kind::Hanged => hang,
            Kind::Echo => return echo(&args).await,
        };
        let config = Config {
            id: args.id,
            threads: 1,
            engine: Engine {
                compute,
                ..Engine::default()
            },
            ..Config::new(args.coordinator)
        };
        let ended = soko_worker::run(config, CancellationToken::new()).await;
        ended.map(|_| ()).context("the rogue ended")
    })
}

/// Reports fewer sets than it found.
fn lie(search: &Search, shard: &Shard, control: &Control) -> Result<Outcome, SearchError> {
    let mut outcome = plan::compute(search, shard, control)?;
    if let Tally::Growth(goals) = &mut outcome.tally {
        for tally in goals.values_mut() {
            for layer in &mut tally.layers {
                layer.sets = layer.sets.saturating_sub(1);
            }
            tally.digest = tally.digest.wrapping_add(u128::from(std::process::id()));
            tally.best = Default::default();
        }
    }
    Ok(outcome)
}

/// Drops what it did not get to.
fn skip(search: &Search, shard: &Shard, _: &Control) -> Result<Outcome, SearchError> {
    let lazy = Control::until(Some(std::time::Instant::now()));
    let outcome = plan::compute(search, shard, &lazy)?;
    Ok(Outcome {
        remainder: Vec::new(),
        ..outcome
    })
}

/// Never ends.
fn hang(_: &Search, _: &Shard, _: &Control) -> Result<Outcome, SearchError> {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

/// Computes honestly and is a nuisance on the network.
async fn echo(args: &RogueArgs) -> anyhow::Result<()> {
    let mut known: BTreeMap<String, v1::ShardResult> = BTreeMap::new();
    loop {
        if let Err(error) = echo_once(args, &mut known).await {
            eprintln!("echo: {error:#}");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn echo_once(
    args: &RogueArgs,
    known: &mut BTreeMap<String, v1::ShardResult>,
) -> anyhow::Result<()> {
    let mut client = WorkServiceClient::connect(args.coordinator.clone()).await?;
    let instance = uuid::Uuid::new_v4().to_string();
    client
        .register(v1::RegisterRequest {
            worker: args.id.clone(),
            instance: instance.clone(),
            engine: plan::ENGINE.to_owned(),
            threads: 1,
            held: vec![],
        })
        .await?;
    loop {
        let question = v1::LeaseRequest {
            request_id: uuid::Uuid::new_v4().to_string(),
            worker: args.id.clone(),
            instance: instance.clone(),
            slots: 2,
        };
        // The same question twice, as after a lost answer.
        client.lease(question.clone()).await?;
        let leases = client.lease(question).await?.into_inner().leases;
        for lease in &leases {
            let result = compute(lease)?;
            known.insert(result.request_id.clone(), result);
        }
        // Old results again, now and then.
        while known.len() > 6 {
            known.pop_first();
        }
        let mut results: Vec<v1::ShardResult> = Vec::new();
        for _ in 0..3 {
            results.extend(known.values().cloned());
        }
        results.shuffle(&mut rand::rng());
        let messages = results.into_iter().map(|result| v1::ReportRequest {
            worker: args.id.clone(),
            instance: instance.clone(),
            body: Some(v1::report_request::Body::Result(result)),
        });
        let late = Duration::from_millis(rand::rng().random_range(0..700));
        tokio::time::sleep(late).await;
        let messages: Vec<_> = messages.collect();
        let sent = messages.len();
        let replies = client.report(tokio_stream::iter(messages)).await?;
        let mut replies = replies.into_inner();
        for _ in 0..sent {
            if let Some(v1::ReportReply {
                body: Some(v1::report_reply::Body::Ack(ack)),
            }) = replies.message().await?
            {
                println!("{} {}", ack.status().as_str_name(), ack.request_id);
            }
        }
    }
}

fn compute(lease: &v1::Lease) -> anyhow::Result<v1::ShardResult> {
    let search = lease.search.as_ref().context("no search")?;
    let search = Search::try_from(search)?;
    let shard = lease.shard.as_ref().context("no shard")?;
    let shard = Shard::from_wire(shard, &search)?;
    let outcome = plan::compute(&search, &shard, &Control::new())?;
    Ok(v1::ShardResult {
        request_id: uuid::Uuid::new_v4().to_string(),
        key: lease.key.clone(),
        plan: lease.plan,
        engine: plan::ENGINE.to_owned(),
        outcome: Some(v1::shard_result::Outcome::Completed(
            outcome.to_wire(search.size),
        )),
        core_ms: 1,
    })
}
