//! Messages to values. Everything a client sends is checked here.

use soko::{board::MAX_SIDE, plan::Search, rpc::v1};
use uuid::Uuid;

use super::ServiceError;
use crate::{
    model::{Doubt, Epoch, InstanceId, JobId, LeaseKey, RequestId, ShardId, WorkerName},
    records::{HandedIn, is_shown},
    scheduler::{Ask, Held, Progress, Registration, Submission},
};

/// Most leases in one message.
const MAX_LEASES: usize = 4096;
/// Most threads of one worker.
const MAX_THREADS: u32 = 4096;
/// Most shards asked for at once.
const MAX_SLOTS: u32 = 256;
/// Longest name of an engine, in bytes.
const MAX_ENGINE: usize = 100;
/// Longest name of a job, in characters.
const MAX_JOB_NAME: usize = 200;
/// Longest error text of a worker that is kept, in characters.
const MAX_FAILURE: usize = 500;
/// Longest text of a level that is handed in, in bytes.
const MAX_XSB: usize = 64 << 10;
/// Longest solution that is handed in, in bytes.
const MAX_LURD: usize = 1 << 20;
/// Longest name of an author, in characters.
const MAX_AUTHOR: usize = 100;
/// Longest note on a level, in characters.
const MAX_NOTE: usize = 500;
/// Most jobs in one list.
const MAX_JOBS: u32 = 1000;

fn invalid(field: &'static str, why: impl std::fmt::Display) -> ServiceError {
    ServiceError::Invalid {
        field,
        why: why.to_string(),
    }
}

fn at_most<T>(field: &'static str, list: &[T], limit: usize) -> Result<(), ServiceError> {
    if list.len() > limit {
        let why = format!("{} entries; at most {limit} are accepted", list.len());
        return Err(invalid(field, why));
    }
    Ok(())
}

pub(super) fn worker(text: &str) -> Result<WorkerName, ServiceError> {
    WorkerName::new(text).map_err(|error| invalid("worker", error))
}

pub(super) fn instance(text: &str) -> Result<InstanceId, ServiceError> {
    InstanceId::new(text).map_err(|error| invalid("instance", error))
}

pub(super) fn request_id(text: &str) -> Result<RequestId, ServiceError> {
    RequestId::new(text).map_err(|error| invalid("request_id", error))
}

pub(super) fn key(wire: Option<&v1::LeaseKey>) -> Result<LeaseKey, ServiceError> {
    let wire = wire.ok_or_else(|| invalid("key", "it is missing"))?;
    Ok(LeaseKey {
        job: wire
            .job
            .parse()
            .map_err(|error| invalid("key.job", error))?,
        shard: ShardId(wire.shard),
        epoch: Epoch(wire.epoch),
    })
}

pub(super) fn engine(text: String) -> Result<String, ServiceError> {
    if text.is_empty() || text.len() > MAX_ENGINE {
        return Err(invalid("engine", format!("1 to {MAX_ENGINE} bytes")));
    }
    Ok(text)
}

pub(super) fn registration(wire: v1::RegisterRequest) -> Result<Registration, ServiceError> {
    at_most("held", &wire.held, MAX_LEASES)?;
    if !(1..=MAX_THREADS).contains(&wire.threads) {
        return Err(invalid("threads", format!("1 to {MAX_THREADS}")));
    }
    let held = wire.held.iter().map(|held| {
        Ok(Held {
            key: key(held.key.as_ref())?,
            plan: held.plan.map_or(0, u128::from),
        })
    });
    Ok(Registration {
        worker: worker(&wire.worker)?,
        instance: instance(&wire.instance)?,
        threads: wire.threads,
        held: held.collect::<Result<_, ServiceError>>()?,
        engine: engine(wire.engine)?,
    })
}

pub(super) fn ask(wire: &v1::LeaseRequest) -> Result<Ask, ServiceError> {
    if !(1..=MAX_SLOTS).contains(&wire.slots) {
        return Err(invalid("slots", format!("1 to {MAX_SLOTS}")));
    }
    Ok(Ask {
        request: request_id(&wire.request_id)?,
        worker: worker(&wire.worker)?,
        instance: instance(&wire.instance)?,
        slots: wire.slots,
    })
}

pub(super) fn beat(wire: &v1::Beat) -> Result<Vec<Progress>, ServiceError> {
    at_most("running", &wire.running, MAX_LEASES)?;
    let running = wire.running.iter().map(|progress| {
        Ok(Progress {
            key: key(progress.key.as_ref())?,
            work: progress.work,
            fraction: progress.fraction,
            best_moves: progress.best_moves,
            accepted: progress.accepted,
            queued: progress.queued,
        })
    });
    running.collect()
}

pub(super) fn keys(wire: &[v1::LeaseKey]) -> Result<Vec<LeaseKey>, ServiceError> {
    at_most("keys", wire, MAX_LEASES)?;
    wire.iter().map(|wire| key(Some(wire))).collect()
}

pub(super) fn failure_text(text: &str) -> String {
    text.chars().take(MAX_FAILURE).collect()
}

/// An id that no job ever had.
pub(super) fn new_job_id() -> JobId {
    let (high, low) = Uuid::new_v4().as_u64_pair();
    JobId(high ^ low)
}

pub(super) fn submission(wire: v1::SubmitJobRequest) -> Result<Submission, ServiceError> {
    let search = wire.search.as_ref();
    let search = search.ok_or_else(|| invalid("search", "it is missing"))?;
    let search = Search::try_from(search)?;
    search.validate()?;
    if wire.name.chars().count() > MAX_JOB_NAME {
        return Err(invalid(
            "name",
            format!("at most {MAX_JOB_NAME} characters"),
        ));
    }
    if !wire.name.chars().all(is_shown) {
        return Err(invalid("name", "it has characters that are not shown"));
    }
    if !(-100..=100).contains(&wire.priority) {
        return Err(invalid("priority", "-100 to 100"));
    }
    Ok(Submission {
        id: new_job_id(),
        request: request_id(&wire.request_id)?,
        search,
        name: wire.name,
        priority: wire.priority,
        resume_equal: wire.resume_equal,
    })
}

pub(super) fn doubt(wire: Option<v1::invalidate_request::What>) -> Result<Doubt, ServiceError> {
    use v1::invalidate_request::What;
    match wire {
        None => Err(invalid("what", "an engine or a worker")),
        Some(What::Engine(name)) => engine(name).map(Doubt::Engine),
        Some(What::Worker(name)) => worker(&name).map(Doubt::Worker),
    }
}

pub(super) fn list_limit(limit: u32) -> Result<usize, ServiceError> {
    match limit {
        0 => Ok(100),
        1..=MAX_JOBS => Ok(limit as usize),
        _ => Err(invalid("limit", format!("0 to {MAX_JOBS}"))),
    }
}

pub(super) fn handed_in(wire: v1::SubmitRecordRequest) -> Result<HandedIn, ServiceError> {
    for (field, text, limit) in [("xsb", &wire.xsb, MAX_XSB), ("lurd", &wire.lurd, MAX_LURD)] {
        if text.len() > limit {
            let why = format!("{} bytes; at most {limit} are accepted", text.len());
            return Err(invalid(field, why));
        }
    }
    let n = match wire.n {
        0 => None,
        n => match u16::try_from(n) {
            Ok(n) if n <= MAX_SIDE => Some(n),
            _ => return Err(invalid("n", format!("1 to {MAX_SIDE}, or 0"))),
        },
    };
    Ok(HandedIn {
        xsb: wire.xsb,
        lurd: wire.lurd,
        n,
        author: one_line("author", &wire.author, MAX_AUTHOR)?,
        note: one_line("note", &wire.note, MAX_NOTE)?,
    })
}

/// A text that is shown to people: nothing in it does anything to a terminal.
fn one_line(field: &'static str, text: &str, limit: usize) -> Result<String, ServiceError> {
    if text.chars().count() > limit || !text.chars().all(is_shown) {
        let why = format!(
            "at most {limit} characters on one line, without control and invisible characters"
        );
        return Err(invalid(field, why));
    }
    Ok(text.trim().to_owned())
}
