//! The result of a job, as documented.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;

use super::{
    output::Show,
    text::{mode_name, seconds, state_name, table},
};

/// The result of a job. Field names and meanings are a contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ResultDocument {
    job: String,
    state: &'static str,
    mode: &'static str,
    rows: u32,
    cols: u32,
    max_moves: Option<u32>,
    proven: bool,
    optimal: Optimal,
    optimal_with_player_on_goal: Optimal,
    witnesses: Vec<Witness>,
    /// How many witnesses are not in the list, if any.
    #[serde(skip_serializing_if = "is_zero")]
    witnesses_left_out: u64,
    double_checked: String,
    effort: Effort,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical_layouts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Vec<Bin>>,
    engine: String,
    digest: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Optimal {
    max_moves: Option<u32>,
    #[serde(flatten)]
    total: Counts,
    by_floor: Vec<FloorLine>,
    /// Only written when true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    counts_are_lower_bounds: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Counts {
    levels: u64,
    level_classes: u64,
    layouts: u64,
    layout_classes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct FloorLine {
    floor: u32,
    #[serde(flatten)]
    counts: Counts,
}

/// A level with a shortest solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Witness {
    pub(super) xsb: String,
    pub(super) lurd: String,
    pub(super) moves: u32,
    pub(super) pushes: u32,
    pub(super) floor: u32,
    pub(super) reachable_floor: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Effort {
    shards: u64,
    floor_sets: u64,
    states: u64,
    core_seconds: f64,
    wall_seconds: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Bin {
    moves: u32,
    layouts: u64,
    canonical_layouts: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl From<v1::JobResult> for ResultDocument {
    fn from(result: v1::JobResult) -> Self {
        let job = result.job.unwrap_or_default();
        let state = state_name(job.state());
        let search = job.search.unwrap_or_default();
        let off_goal = Optimal::from(result.off_goal.unwrap_or_default());
        let any_start = Optimal::from(result.any_start.unwrap_or_default());
        let is_census = search.mode() == v1::Mode::Census;
        let histogram = result.histogram.into_iter().map(|bin| Bin {
            moves: bin.moves,
            layouts: bin.layouts,
            canonical_layouts: bin.canonical_layouts,
        });
        Self {
            job: job.job,
            state,
            mode: mode_name(&search),
            rows: search.rows,
            cols: search.cols,
            max_moves: any_start.max_moves,
            proven: result.proven,
            optimal: off_goal,
            optimal_with_player_on_goal: any_start,
            witnesses: result.witnesses.into_iter().map(Witness::from).collect(),
            witnesses_left_out: result.witnesses_left_out,
            double_checked: format!("{}/{}", result.double_checked, result.shards),
            effort: Effort {
                shards: result.shards,
                floor_sets: result.floor_sets,
                states: result.states,
                core_seconds: job.core_ms as f64 / 1e3,
                wall_seconds: job.elapsed_ms as f64 / 1e3,
            },
            canonical_layouts: is_census.then_some(result.canonical_layouts),
            histogram: is_census.then(|| histogram.collect()),
            engine: result.engine,
            digest: result.digest,
        }
    }
}

impl From<v1::Optimum> for Optimal {
    fn from(optimum: v1::Optimum) -> Self {
        let by_floor = optimum.by_floor.into_iter().map(|line| FloorLine {
            floor: line.floor,
            counts: line.count.unwrap_or_default().into(),
        });
        Self {
            max_moves: optimum.max_moves,
            total: optimum.total.unwrap_or_default().into(),
            by_floor: by_floor.collect(),
            counts_are_lower_bounds: optimum.counts_are_lower_bounds,
        }
    }
}

impl From<v1::LevelCount> for Counts {
    fn from(count: v1::LevelCount) -> Self {
        Self {
            levels: count.levels,
            level_classes: count.level_classes,
            layouts: count.layouts,
            layout_classes: count.layout_classes,
        }
    }
}

impl From<v1::Level> for Witness {
    fn from(level: v1::Level) -> Self {
        Self {
            xsb: level.xsb,
            lurd: level.lurd,
            moves: level.moves,
            pushes: level.pushes,
            floor: level.floor,
            reachable_floor: level.reachable_floor,
        }
    }
}

impl ResultDocument {
    /// Exit code of a command that ends with this result.
    pub(super) fn exit_code(&self) -> u8 {
        match (self.state, self.max_moves) {
            ("done", Some(_)) => 0,
            ("done", None) => 1,
            _ => 4,
        }
    }

    fn headline(&self) -> String {
        let (rows, cols, mode) = (self.rows, self.cols, self.mode);
        let what = format!("{rows}x{cols} {mode}");
        match self.max_moves {
            None => format!("{what}: no level exists"),
            Some(moves) if self.proven => {
                format!("{what}: {moves} moves, proven to be the maximum")
            }
            Some(moves) => format!("{what}: at least {moves} moves"),
        }
    }

    fn counts_text(&self) -> String {
        let mut rows = Vec::new();
        let conventions = [
            ("player not on the goal", &self.optimal),
            ("player anywhere", &self.optimal_with_player_on_goal),
        ];
        for (convention, optimal) in conventions {
            let moves = optimal
                .max_moves
                .map_or("none".to_owned(), |it| it.to_string());
            let mut row = vec![convention.to_owned(), moves, String::new()];
            row.extend(optimal.total.cells());
            rows.push(row);
            if optimal.by_floor.len() > 1 {
                for line in &optimal.by_floor {
                    let mut row = vec![String::new(), String::new(), line.floor.to_string()];
                    row.extend(line.counts.cells());
                    rows.push(row);
                }
            } else if let ([line], Some(row)) = (&*optimal.by_floor, rows.last_mut()) {
                row[2] = line.floor.to_string();
            }
        }
        let columns = [
            "optimal levels",
            ">moves",
            ">floor",
            ">levels",
            ">classes",
            ">layouts",
            ">classes",
        ];
        table(&columns, rows)
    }
}

impl Counts {
    fn cells(&self) -> [String; 4] {
        [
            self.levels,
            self.level_classes,
            self.layouts,
            self.layout_classes,
        ]
        .map(|number| number.to_string())
    }
}

impl Show for ResultDocument {
    fn text(&self) -> String {
        let mut text = self.headline();
        // Writing to a string cannot fail.
        if let Some(witness) = self.witnesses.first() {
            let _ = write!(
                text,
                "\n\n{}\n\n{} moves, {} pushes: {}",
                witness.xsb.trim_end_matches('\n'),
                witness.moves,
                witness.pushes,
                witness.lurd
            );
            let _ = write!(text, "\n\n{}", self.counts_text());
        }
        let listed = self.witnesses.len() as u64;
        if listed > 1 {
            let all = listed + self.witnesses_left_out;
            let _ = write!(
                text,
                "\n\n{all} classes in all; -o json shows up to {listed} levels"
            );
        }
        let effort = &self.effort;
        let _ = write!(text, "\n\njob {}", self.job);
        let _ = write!(text, "\nshards {}", effort.shards);
        if let Some(layouts) = self.canonical_layouts {
            let _ = write!(text, ", canonical layouts {layouts}");
        } else {
            let _ = write!(
                text,
                ", floor sets {}, states {}",
                effort.floor_sets, effort.states
            );
        }
        let _ = write!(
            text,
            "\n{:.1} core-seconds in {}",
            effort.core_seconds,
            seconds((effort.wall_seconds * 1e3) as u64)
        );
        let _ = write!(text, "\nengine {}, digest {}", self.engine, self.digest);
        text
    }

    fn quiet(&self) -> String {
        self.max_moves
            .map_or("none".to_owned(), |it| it.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> v1::LevelCount {
        v1::LevelCount {
            levels: 8,
            level_classes: 1,
            layouts: 8,
            layout_classes: 1,
        }
    }

    pub(super) fn result() -> v1::JobResult {
        let optimum = v1::Optimum {
            max_moves: Some(78),
            total: Some(counts()),
            by_floor: vec![v1::FloorCount {
                floor: 28,
                count: Some(counts()),
            }],
            counts_are_lower_bounds: false,
        };
        v1::JobResult {
            job: Some(v1::Job {
                job: "j1".into(),
                state: v1::JobState::Done.into(),
                search: Some(v1::Search {
                    rows: 6,
                    cols: 6,
                    mode: v1::Mode::Exhaustive.into(),
                    ..v1::Search::default()
                }),
                core_ms: 8100,
                elapsed_ms: 4200,
                ..v1::Job::default()
            }),
            proven: true,
            off_goal: Some(optimum.clone()),
            any_start: Some(optimum),
            witnesses: vec![v1::Level {
                xsb: "--#--@\n$----.".into(),
                lurd: "rR".into(),
                moves: 78,
                pushes: 9,
                floor: 28,
                reachable_floor: 28,
                shortest_solutions: "24".into(),
            }],
            floor_sets: 1_538_278,
            states: 4_438_870,
            engine: "soko-growth 1".into(),
            digest: "ab".into(),
            shards: 12,
            ..v1::JobResult::default()
        }
    }

    #[test]
    fn the_document_is_the_documented_one() {
        let document = serde_json::to_string(&ResultDocument::from(result())).unwrap();
        let counts = r#""levels":8,"level_classes":1,"layouts":8,"layout_classes":1"#;
        let optimal =
            format!(r#"{{"max_moves":78,{counts},"by_floor":[{{"floor":28,{counts}}}]}}"#);
        let expected = [
            r#"{"job":"j1","state":"done","mode":"exhaustive","rows":6,"cols":6,"#,
            r#""max_moves":78,"proven":true,"optimal":"#,
            &optimal,
            r#","optimal_with_player_on_goal":"#,
            &optimal,
            r#","witnesses":[{"xsb":"--#--@\n$----.","lurd":"rR","moves":78,"pushes":9,"#,
            r#""floor":28,"reachable_floor":28}],"double_checked":"0/12","#,
            r#""effort":{"shards":12,"floor_sets":1538278,"states":4438870,"#,
            r#""core_seconds":8.1,"wall_seconds":4.2},"engine":"soko-growth 1","digest":"ab"}"#,
        ];
        assert_eq!(document, expected.concat());
    }

    #[test]
    fn a_census_adds_its_histogram() {
        let mut wire = result();
        let search = wire.job.as_mut().unwrap().search.as_mut().unwrap();
        search.set_mode(v1::Mode::Census);
        wire.canonical_layouts = 102;
        wire.witnesses_left_out = 3;
        wire.histogram = vec![v1::HistogramBin {
            moves: 10,
            canonical_layouts: 1,
            layouts: 4,
        }];
        let document = serde_json::to_value(ResultDocument::from(wire)).unwrap();
        assert_eq!(document["canonical_layouts"], 102);
        assert_eq!(document["witnesses_left_out"], 3);
        assert_eq!(document["histogram"][0]["layouts"], 4);
    }

    #[test]
    fn a_board_without_levels_says_so() {
        let mut wire = result();
        wire.off_goal = Some(v1::Optimum::default());
        wire.any_start = None;
        wire.witnesses.clear();
        let document = ResultDocument::from(wire);
        assert_eq!(document.exit_code(), 1);
        assert_eq!(document.quiet(), "none");
        assert!(document.text().contains("no level exists"));
        let json = serde_json::to_value(&document).unwrap();
        assert!(json["max_moves"].is_null());
        assert_eq!(json["optimal"]["levels"], 0);
    }

    #[test]
    fn the_exit_code_tells_how_the_job_ended() {
        let mut wire = result();
        assert_eq!(ResultDocument::from(wire.clone()).exit_code(), 0);
        wire.job
            .as_mut()
            .unwrap()
            .set_state(v1::JobState::Incomplete);
        assert_eq!(ResultDocument::from(wire).exit_code(), 4);
    }

    #[test]
    fn the_text_has_level_solution_and_counts() {
        let text = ResultDocument::from(result()).text();
        assert!(text.starts_with("6x6 exhaustive: 78 moves, proven to be the maximum\n"));
        assert!(text.contains("--#--@\n$----."));
        assert!(text.contains("78 moves, 9 pushes: rR"));
        assert!(text.contains("player anywhere"));
    }
}
