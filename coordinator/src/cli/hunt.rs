//! What a heuristic search did, as a part of its result.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;
use soko::text::counted;

use super::text::{count, is_zero};

/// What a heuristic search did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Hunt {
    seed: u64,
    batches: u64,
    evaluations: u64,
    accepted: u64,
    /// Runs that reached the best score of all.
    runs_at_best: u64,
    /// Number of runs by the best score that they reached.
    runs: Vec<Runs>,
    /// Moves of the best level of each round.
    rounds: Vec<Round>,
    /// Levels that layouts were covered around.
    #[serde(skip_serializing_if = "is_zero")]
    centres: u64,
    /// Layouts covered around levels, by family.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covered: Vec<Covered>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Round {
    round: u32,
    max_moves: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Covered {
    family: String,
    layouts: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Runs {
    moves: u32,
    runs: u64,
}

impl Hunt {
    pub(super) fn new(effort: v1::HuntEffort, seed: u64) -> Self {
        let runs: Vec<Runs> = effort
            .runs
            .into_iter()
            .map(|it| Runs {
                moves: it.moves,
                runs: it.runs,
            })
            .collect();
        Self {
            seed,
            batches: effort.batches,
            evaluations: effort.evaluations,
            accepted: effort.accepted,
            runs_at_best: runs.last().map_or(0, |best| best.runs),
            runs,
            rounds: effort
                .by_round
                .into_iter()
                .map(|it| Round {
                    round: it.round,
                    max_moves: it.moves,
                })
                .collect(),
            centres: effort.centres,
            covered: effort
                .covered
                .into_iter()
                .map(|it| Covered {
                    family: it.family,
                    layouts: it.layouts,
                })
                .collect(),
        }
    }

    pub(super) fn text(&self, core_seconds: f64) -> String {
        let per_second = count(self.evaluations as f64 / core_seconds.max(1e-3));
        let accepted = self.accepted as f64 * 100.0 / self.evaluations.max(1) as f64;
        let evaluations = counted(count(self.evaluations as f64), "evaluation");
        if self.centres > 0 {
            let mut text = format!(
                "around {}, {evaluations} ({per_second}/s per core)",
                counted(self.centres, "level")
            );
            for Covered { family, layouts } in &self.covered {
                let _ = write!(text, "\n  {family:<8} {}", counted(layouts, "layout"));
            }
            return text;
        }
        let mut text = format!(
            "seed {}, {}, {evaluations} ({per_second}/s per core), {accepted:.0} % accepted",
            self.seed,
            counted(self.batches, "batch"),
        );
        if self.rounds.len() > 1 {
            let rounds = self.rounds.iter().map(|it| it.max_moves.to_string());
            let rounds = rounds.collect::<Vec<_>>().join(", ");
            let _ = write!(text, "\nbest of each round: {rounds}");
        }
        let best = self.runs.iter().rev().take(10);
        let best: Vec<String> = best
            .map(|it| format!("{} × {}", it.moves, it.runs))
            .collect();
        let _ = write!(text, "\nbest of each run: {}", best.join(", "));
        if self.runs.len() > best.len() {
            text.push_str(", …");
        }
        text
    }
}
