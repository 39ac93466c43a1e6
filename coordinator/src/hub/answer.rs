//! The answer of a job as it is stored and sent.

use soko::{
    plan::{Answer, Mode, Search},
    rpc::v1,
    search::Convention,
    text::counted,
};

use crate::records::{found_level, solve};

/// The answer as a message, each witness solved again by the plain solver.
///
/// # Errors
/// When a witness is not what the engine says it is: then nothing the engine
/// says can be trusted.
pub(super) fn to_wire(answer: &Answer) -> Result<v1::JobResult, String> {
    let best = answer.optimum(Convention::AnyStart).max_moves;
    let mut witnesses = Vec::new();
    for witness in &answer.witnesses {
        let solved = solve(&witness.level).map_err(|error| error.to_string())?;
        if solved.moves != witness.moves {
            return Err(format!(
                "a witness has {} instead of {}:\n{}",
                counted(solved.moves, "move"),
                witness.moves,
                solved.xsb
            ));
        }
        witnesses.push(solved);
    }
    if best != witnesses.iter().map(|level| level.moves).max() {
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
        by_floor_limit: answer
            .by_floor_limit
            .iter()
            .map(|&limit| limit.into())
            .collect(),
        engine: answer.engine.to_owned(),
        digest: format!("{:032x}", answer.digest),
        double_checked: 0,
        shards: 0,
        hunt: answer.hunt.as_ref().map(v1::HuntEffort::from),
    })
}

/// The records that an answer makes for the searched board: one for each class
/// of best levels. The board of mode floor is only the room of its sets.
pub(super) fn records(search: &Search, result: &v1::JobResult, job: &str) -> Vec<v1::Record> {
    if search.mode == Mode::Floor {
        return Vec::new();
    }
    let levels = result.witnesses.iter();
    levels
        .map(|level| found_level(search, level.clone(), result, job))
        .collect()
}
