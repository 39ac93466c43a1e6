//! One batch: its place in the hunt, and how it is computed.

use sha2::{Digest, Sha256};

use super::settings::check_sizes;
use super::{Hunt, HuntError, Island, Method, Tally};
use crate::board::Size;
use crate::level::Level;
use crate::search::anneal::{self, Progress};
use crate::search::random::Random;
use crate::search::{beam, genetic};

/// One batch of a hunt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Batch {
    /// Its round, from 0.
    pub round: u32,
    /// Its number in the round, from 0.
    pub index: u32,
    /// The levels that it starts from.
    pub starts: Vec<Level>,
}

/// Computes a batch. `control` is told of the progress every few milliseconds
/// and says whether to go on; `None` if it said no, since a batch that was cut
/// short is no result.
///
/// # Errors
/// [`HuntError`] if the hunt or a start cannot be used.
pub fn run(
    size: Size,
    hunt: &Hunt,
    seed: u64,
    batch: &Batch,
    control: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Option<Tally>, HuntError> {
    check_sizes(&batch.starts, size)?;
    let random = Random::for_shard(seed, u64::from(batch.round) << 32 | u64::from(batch.index));
    let mut tally = Tally {
        batches: 1,
        ..Tally::default()
    };
    match &hunt.method {
        Method::Neighborhood(_) => return Err(HuntError::NoBatches),
        Method::Anneal(params) => {
            let starts: Vec<anneal::Seed> = batch.starts.iter().map(anneal::Seed::from).collect();
            let yielded = anneal::run(size, params, random, &starts, control)?;
            if yielded.stopped {
                return Ok(None);
            }
            tally.evaluations = yielded.evaluations;
            tally.accepted = yielded.accepted;
            tally.runs = yielded.runs;
            for level in &yielded.best {
                tally.offer(level);
            }
        }
        Method::Genetic(params) => {
            let generation = genetic::run(size, params, random, &batch.starts, control);
            let Some(generation) = generation else {
                return Ok(None);
            };
            tally.evaluations = generation.evaluations;
            tally.accepted = generation.accepted;
            for level in &generation.levels {
                tally.offer(level);
            }
            if tally.moves > 0 {
                tally.runs.insert(tally.moves, 1);
            }
            let island = Island {
                round: batch.round,
                levels: generation.levels,
            };
            tally.islands.insert(batch.index, island);
        }
        Method::Beam(params) => {
            let Some(grown) = beam::run(size, params, random, control) else {
                return Ok(None);
            };
            tally.evaluations = grown.evaluations;
            tally.accepted = grown.accepted;
            tally.runs = grown.runs;
            for level in &grown.levels {
                tally.offer(level);
            }
        }
    }
    if tally.moves > 0 {
        tally.by_round.insert(batch.round, tally.moves);
    }
    tally.digest = digest(batch, &tally);
    Ok(Some(tally))
}

fn digest(batch: &Batch, tally: &Tally) -> u128 {
    let mut hash = Sha256::new();
    let mut number = |number: u64| hash.update(number.to_be_bytes());
    number(batch.round.into());
    number(batch.index.into());
    number(tally.evaluations);
    number(tally.accepted);
    for (&moves, &runs) in &tally.runs {
        number(moves.into());
        number(runs);
    }
    number(tally.moves.into());
    for found in &tally.found {
        hash.update(found.level.to_xsb());
    }
    let bytes: [u8; 32] = hash.finalize().into();
    bytes[..16]
        .iter()
        .fold(0, |sum, &byte| sum << 8 | u128::from(byte))
}
