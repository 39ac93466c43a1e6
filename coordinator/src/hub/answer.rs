//! The answer of a job as it is stored and sent.

use soko::{
    plan::{Answer, Search},
    rpc::v1,
    search::Convention,
};

use crate::records::{proven_level, solve};

/// The answer as a message, each witness solved again by the plain solver.
///
/// # Errors
/// When a witness is not what the engine says it is: then nothing the engine
/// says can be trusted.
pub(super) fn to_wire(answer: &Answer) -> Result<v1::JobResult, String> {
    let best = answer.optimum(Convention::AnyStart).max_moves;
    let mut witnesses = Vec::new();
    for witness in &answer.witnesses {
        let solved = solve(witness).map_err(|error| error.to_string())?;
        if Some(solved.moves) != best {
            return Err(format!(
                "a witness has {} moves instead of {}:\n{}",
                solved.moves,
                best.unwrap_or(0),
                solved.xsb
            ));
        }
        witnesses.push(solved);
    }
    if best.is_some() && witnesses.is_empty() {
        return Err("the answer has a maximum but no level that attains it".to_owned());
    }
    Ok(v1::JobResult {
        job: None,
        proven: answer.proven,
        off_goal: Some(answer.optimum(Convention::OffGoal).into()),
        any_start: Some(answer.optimum(Convention::AnyStart).into()),
        witnesses,
        witnesses_left_out: answer.witnesses_left_out,
        floor_sets: answer.floor_sets,
        states: answer.states,
        canonical_layouts: answer.canonical_layouts,
        histogram: answer.histogram.iter().map(|&bin| bin.into()).collect(),
        engine: answer.engine.to_owned(),
        digest: format!("{:032x}", answer.digest),
        double_checked: 0,
        shards: 0,
    })
}

/// The record that an answer makes for the searched board, if it has a level.
pub(super) fn record(search: &Search, result: &v1::JobResult, job: &str) -> Option<v1::Record> {
    let best = result
        .witnesses
        .iter()
        .max_by_key(|level| level.moves)?
        .clone();
    Some(proven_level(search, best, result.proven, job))
}
