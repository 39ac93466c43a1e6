//! From the schema of an older version to the present one.
//!
//! | schema | what is new |
//! |---|---|
//! | 1 | the first one |
//! | 2 | a job knows how many shards its plan has, and whether its open shards were forgotten |

use super::{
    Store, StoreError, Tree,
    catalog::{SCHEMA, each_row, job_key, number, schema_change},
    chunks::Writer,
    rows,
};
use crate::model::{JobId, JobRecord, Phase};

/// Brings a store up to the present schema, one version after the other, each
/// in one transaction: a store that is cut off in between is of one schema or
/// the other.
pub(super) fn up(store: &mut dyn Store, from: u32) -> Result<(), StoreError> {
    tracing::info!(
        from,
        to = SCHEMA,
        "the data is of an older schema; migrating"
    );
    if from < 2 {
        to_2(store)?;
    }
    Ok(())
}

/// Cancelled and failed jobs had their open shards dropped: they must never go
/// on. Of the others, each shard of the plan and of every remainder is either
/// open or has a result, which gives the number of shards of the plan.
fn to_2(store: &mut dyn Store) -> Result<(), StoreError> {
    let mut jobs: Vec<JobRecord> = Vec::new();
    each_row(store, Tree::Jobs, &[], |key, row| {
        jobs.push(rows::decode_job(JobId(number(Tree::Jobs, &key)?), &row)?);
        Ok(())
    })?;
    let mut writer = Writer::new(store);
    for mut job in jobs {
        let key = job_key(job.id);
        job.forgotten = matches!(job.phase, Phase::Cancelled | Phase::Failed);
        if !job.forgotten && !job.engine.is_empty() {
            let (mut shards, mut remainders) = (0, 0);
            each_row(store, Tree::Shards, &key, |_, _| {
                shards += 1;
                Ok(())
            })?;
            each_row(store, Tree::Results, &key, |row_key, row| {
                // The row without a shard number is the answer.
                if row_key.len() > key.len() {
                    shards += 1;
                    remainders += rows::decode_remainder(&row)?;
                }
                Ok(())
            })?;
            job.planned = u64::saturating_sub(shards, remainders);
        }
        writer.put(Tree::Jobs, &key, &rows::encode_job(&job))?;
    }
    let mut batch = writer.into_batch();
    batch.push(schema_change(2));
    store.commit(&batch)
}
