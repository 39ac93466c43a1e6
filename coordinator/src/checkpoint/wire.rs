//! A checkpoint as a stream of messages: a header, then one for each shard.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use soko::{
    plan::{Search, Shard, Tally},
    rpc::v1::{self, checkpoint_entry::Entry},
};

use super::{BadCheckpoint, Checkpoint, DoneShard};
use crate::model::{ShardId, WorkerName};

/// Version of the stream and the file.
const FORMAT: u32 = 1;
/// The most shards of a checkpoint.
const MAX_SHARDS: u64 = 4_000_000;
/// The most parts of one remainder.
const MAX_PARTS: usize = soko::rpc::MAX_REMAINDER;
/// Longest name of a job, in characters.
const MAX_NAME: usize = 200;

/// The header alone: what a checkpoint is about.
pub fn header(checkpoint: &Checkpoint) -> v1::CheckpointEntry {
    entry(Entry::Header(v1::CheckpointHeader {
        format: FORMAT,
        name: checkpoint.name.clone(),
        search: Some((&checkpoint.search).into()),
        engine: checkpoint.engine.clone(),
        plan: Some(checkpoint.plan.into()),
        elapsed_ms: checkpoint.elapsed.as_millis() as u64,
        done: checkpoint.done.len() as u64,
        open: checkpoint.open.len() as u64,
    }))
}

fn entry(entry: Entry) -> v1::CheckpointEntry {
    v1::CheckpointEntry { entry: Some(entry) }
}

impl Checkpoint {
    /// The checkpoint as messages.
    pub fn entries(&self) -> impl Iterator<Item = v1::CheckpointEntry> + '_ {
        let size = self.search.size;
        let done = self.done.iter().map(move |(id, done)| {
            entry(Entry::Done(v1::DoneShard {
                shard: id.0,
                body: Some(done.body.to_wire(size)),
                tally: Some(done.tally.to_wire(size)),
                remainder: done.remainder.iter().map(|part| part.0).collect(),
                worker: done.worker.to_string(),
                core_ms: done.core_ms,
            }))
        });
        let open = self.open.iter().map(move |(id, body)| {
            entry(Entry::Open(v1::OpenShard {
                shard: id.0,
                body: Some(body.to_wire(size)),
            }))
        });
        std::iter::once(header(self)).chain(done).chain(open)
    }
}

/// Puts a checkpoint together from its messages.
#[derive(Debug, Default)]
pub struct Collector {
    checkpoint: Option<Checkpoint>,
    announced: (u64, u64),
}

impl Collector {
    /// Takes the next message.
    ///
    /// # Errors
    /// [`BadCheckpoint`].
    pub fn push(&mut self, wire: v1::CheckpointEntry) -> Result<(), BadCheckpoint> {
        let unreadable = |why: String| BadCheckpoint::Unreadable(why);
        let wire = wire
            .entry
            .ok_or_else(|| unreadable("an entry is empty".to_owned()))?;
        let Some(checkpoint) = &mut self.checkpoint else {
            let Entry::Header(header) = wire else {
                return Err(unreadable("it does not begin with a header".to_owned()));
            };
            self.announced = (header.done, header.open);
            self.checkpoint = Some(begin(&header)?);
            return Ok(());
        };
        let search = &checkpoint.search;
        let shard = |body: Option<v1::Shard>| {
            let body = body.ok_or_else(|| unreadable("a shard has no body".to_owned()))?;
            let body = Shard::from_wire(&body, search);
            body.map(Arc::new)
                .map_err(|error| unreadable(error.to_string()))
        };
        let (id, repeated) = match wire {
            Entry::Header(_) => return Err(unreadable("it has two headers".to_owned())),
            Entry::Open(open) => {
                let id = ShardId(open.shard);
                let body = shard(open.body)?;
                (id, checkpoint.open.insert(id, body).is_some())
            }
            Entry::Done(done) => {
                let id = ShardId(done.shard);
                if done.remainder.len() > MAX_PARTS {
                    return Err(unreadable(format!(
                        "shard {} has {} parts",
                        id.0,
                        done.remainder.len()
                    )));
                }
                let tally = done.tally.unwrap_or_default();
                let shard = DoneShard {
                    body: shard(done.body)?,
                    tally: Tally::from_wire(&tally, search)
                        .map_err(|error| unreadable(error.to_string()))?,
                    remainder: done.remainder.into_iter().map(ShardId).collect(),
                    worker: WorkerName::new(&done.worker)
                        .map_err(|error| unreadable(error.to_string()))?,
                    core_ms: done.core_ms,
                };
                (id, checkpoint.done.insert(id, shard).is_some())
            }
        };
        let known = (checkpoint.done.len() as u64, checkpoint.open.len() as u64);
        if repeated || known.0 > self.announced.0 || known.1 > self.announced.1 {
            return Err(unreadable(format!(
                "shard {} occurs twice or is one too many",
                id.0
            )));
        }
        Ok(())
    }

    /// The checkpoint, when all messages have come.
    ///
    /// # Errors
    /// [`BadCheckpoint::Incomplete`].
    pub fn finish(self) -> Result<Checkpoint, BadCheckpoint> {
        let incomplete = |why: String| BadCheckpoint::Incomplete(why);
        let checkpoint = self
            .checkpoint
            .ok_or_else(|| incomplete("there is nothing in it".to_owned()))?;
        let found = (checkpoint.done.len() as u64, checkpoint.open.len() as u64);
        if found != self.announced {
            return Err(incomplete(format!(
                "{} of {} done and {} of {} open shards are there",
                found.0, self.announced.0, found.1, self.announced.1
            )));
        }
        Ok(checkpoint)
    }
}

fn begin(header: &v1::CheckpointHeader) -> Result<Checkpoint, BadCheckpoint> {
    let unreadable = |why: String| BadCheckpoint::Unreadable(why);
    if header.format != FORMAT {
        return Err(unreadable(format!(
            "it has format {}, this program reads format {FORMAT}",
            header.format
        )));
    }
    if header.done.saturating_add(header.open) > MAX_SHARDS {
        return Err(unreadable(format!("it has more than {MAX_SHARDS} shards")));
    }
    let search = header.search.as_ref();
    let search = search.ok_or_else(|| unreadable("it has no search".to_owned()))?;
    let search = Search::try_from(search).map_err(|error| unreadable(error.to_string()))?;
    search
        .validate()
        .map_err(|error| unreadable(error.to_string()))?;
    Ok(Checkpoint {
        name: header.name.chars().take(MAX_NAME).collect(),
        search,
        engine: header.engine.clone(),
        plan: header.plan.map_or(0, u128::from),
        elapsed: Duration::from_millis(header.elapsed_ms),
        done: BTreeMap::new(),
        open: BTreeMap::new(),
    })
}
