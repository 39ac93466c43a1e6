//! The result of a job, as documented.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;
use soko::text::counted;

use super::{
    hunt::Hunt,
    output::Show,
    text::{is_zero, mode_name, seconds, state_name, table},
};

/// The result of a job. Field names and meanings are a contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ResultDocument {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    hunt: Option<Hunt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_floor_limit: Option<Vec<LimitLine>>,
    engine: String,
    digest: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Optimal {
    max_moves: Option<u32>,
    /// Nothing is counted in mode floor.
    #[serde(flatten)]
    total: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_floor: Option<Vec<FloorLine>>,
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
pub(crate) struct Witness {
    /// Lists of records leave out both texts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) xsb: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) lurd: String,
    pub(super) moves: u32,
    pub(super) pushes: u32,
    pub(super) floor: u32,
    pub(super) reachable_floor: u32,
    /// Where it comes from, of levels kept beside a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
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

/// The largest shortest solution with at most so many floor cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct LimitLine {
    floor: u32,
    max_moves: u32,
}

impl From<v1::JobResult> for ResultDocument {
    fn from(result: v1::JobResult) -> Self {
        let job = result.job.unwrap_or_default();
        let state = state_name(job.state());
        let search = job.search.unwrap_or_default();
        let is_floor = search.mode() == v1::Mode::Floor;
        let optimal = |optimum: Option<v1::Optimum>| {
            let optimum = optimum.unwrap_or_default();
            if is_floor {
                Optimal {
                    max_moves: optimum.max_moves,
                    ..Optimal::default()
                }
            } else {
                Optimal::from(optimum)
            }
        };
        let off_goal = optimal(result.off_goal);
        let any_start = optimal(result.any_start);
        let limits = result.by_floor_limit.into_iter().map(|limit| LimitLine {
            floor: limit.floor,
            max_moves: limit.max_moves,
        });
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
            hunt: result.hunt.map(|hunt| Hunt::new(hunt, search.seed)),
            by_floor_limit: is_floor.then(|| limits.collect()),
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
            total: Some(optimum.total.unwrap_or_default().into()),
            by_floor: Some(by_floor.collect()),
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
            source: Some(level.source).filter(|source| !source.is_empty()),
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
        let what = match self.by_floor_limit.as_ref().and_then(|lines| lines.last()) {
            Some(last) => format!("at most {} floor cells", last.floor),
            None => format!("{rows}x{cols} {mode}"),
        };
        match self.max_moves {
            None => format!("{what}: no level exists"),
            Some(moves) if self.proven => {
                format!(
                    "{what}: {}, proven to be the maximum",
                    counted(moves, "move")
                )
            }
            Some(moves) => {
                // A record that nobody is told of would be lost.
                let known = soko::records::best_squares().into_iter().find(|known| {
                    rows == cols && known.n == u64::from(rows) && known.moves < u64::from(moves)
                });
                let more = known.map_or(String::new(), |known| {
                    format!(
                        ", more than any level known to this version ({})",
                        known.moves
                    )
                });
                format!("{what}: at least {}{more}", counted(moves, "move"))
            }
        }
    }

    fn counts_text(&self) -> String {
        let mut rows = Vec::new();
        let conventions = [
            ("player not on the goal", &self.optimal),
            ("player anywhere", &self.optimal_with_player_on_goal),
        ];
        for (convention, optimal) in conventions {
            let (Some(total), Some(by_floor)) = (&optimal.total, &optimal.by_floor) else {
                continue;
            };
            let moves = optimal
                .max_moves
                .map_or("none".to_owned(), |it| it.to_string());
            let mut row = vec![convention.to_owned(), moves, String::new()];
            row.extend(total.cells());
            rows.push(row);
            if by_floor.len() > 1 {
                for line in by_floor {
                    let mut row = vec![String::new(), String::new(), line.floor.to_string()];
                    row.extend(line.counts.cells());
                    rows.push(row);
                }
            } else if let ([line], Some(row)) = (&**by_floor, rows.last_mut()) {
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

fn limits_text(limits: &[LimitLine]) -> String {
    let rows = limits
        .iter()
        .map(|line| vec![line.floor.to_string(), line.max_moves.to_string()]);
    table(&[">floor cells", ">moves"], rows.collect::<Vec<_>>())
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
        // In mode floor the last one has the most floor.
        let shown = match &self.by_floor_limit {
            Some(_) => self.witnesses.last(),
            None => self.witnesses.first(),
        };
        if let Some(witness) = shown {
            let _ = write!(
                text,
                "\n\n{}\n\n{}, {}: {}",
                witness.xsb.trim_end_matches('\n'),
                counted(witness.moves, "move"),
                counted(witness.pushes, "push"),
                witness.lurd
            );
            let _ = match &self.by_floor_limit {
                Some(limits) => write!(text, "\n\n{}", limits_text(limits)),
                None => write!(text, "\n\n{}", self.counts_text()),
            };
        }
        let listed = self.witnesses.len() as u64;
        if listed > 1 && self.by_floor_limit.is_none() {
            let all = listed + self.witnesses_left_out;
            let _ = write!(
                text,
                "\n\n{all} classes in all; -o json shows up to {listed} levels"
            );
        }
        let effort = &self.effort;
        let _ = write!(text, "\n\njob {}", self.job);
        let _ = write!(text, "\nshards {}", effort.shards);
        if let Some(hunt) = &self.hunt {
            let _ = write!(text, "\n{}", hunt.text(effort.core_seconds));
        } else if let Some(layouts) = self.canonical_layouts {
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
                source: String::new(),
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
    fn a_level_longer_than_all_known_ones_is_announced() {
        let headline = |side, moves| {
            let document = ResultDocument {
                rows: side,
                cols: 8,
                max_moves: Some(moves),
                proven: false,
                ..ResultDocument::from(result())
            };
            document.headline()
        };
        assert!(
            headline(8, 1000)
                .ends_with("at least 1000 moves, more than any level known to this version (167)")
        );
        assert!(headline(8, 167).ends_with("at least 167 moves"));
        assert!(headline(9, 1000).ends_with("at least 1000 moves"));
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
    fn a_hunt_tells_what_it_did() {
        let mut wire = result();
        assert!(
            serde_json::to_value(ResultDocument::from(wire.clone()))
                .unwrap()
                .get("hunt")
                .is_none()
        );
        let runs = |(moves, runs)| v1::RunCount { moves, runs };
        wire.hunt = Some(v1::HuntEffort {
            batches: 3,
            evaluations: 81_000,
            accepted: 8_100,
            runs: [(77, 4), (78, 2)].map(runs).into(),
            ..v1::HuntEffort::default()
        });
        let document = ResultDocument::from(wire);
        let text = document.text();
        assert!(
            text.contains("3 batches, 81 k evaluations (10 k/s per core), 10 % accepted"),
            "{text}"
        );
        assert!(
            text.contains("best of each run: 78 × 2, 77 × 4\n"),
            "{text}"
        );
        let json = serde_json::to_value(&document).unwrap();
        assert_eq!(json["hunt"]["runs_at_best"], 2);
        assert_eq!(json["hunt"]["runs"][0]["moves"], 77);
        assert!(json["hunt"].get("covered").is_none());

        let mut wire = result();
        wire.hunt = Some(v1::HuntEffort {
            centres: 2,
            covered: vec![v1::FamilyCount {
                family: "pairs".into(),
                layouts: 79_800,
            }],
            ..v1::HuntEffort::default()
        });
        let text = ResultDocument::from(wire).text();
        assert!(text.contains("around 2 levels"), "{text}");
        assert!(text.contains("pairs    79800 layouts"), "{text}");
    }

    #[test]
    fn a_floor_search_has_a_line_for_each_limit_and_counts_nothing() {
        let mut wire = result();
        let search = wire.job.as_mut().unwrap().search.as_mut().unwrap();
        search.set_mode(v1::Mode::Floor);
        wire.by_floor_limit = [(3, 1), (4, 2)]
            .map(|(floor, max_moves)| v1::FloorLimit { floor, max_moves })
            .to_vec();
        let document = ResultDocument::from(wire);
        assert!(
            document
                .text()
                .starts_with("at most 4 floor cells: 78 moves, proven")
        );
        let json = serde_json::to_value(document).unwrap();
        assert_eq!(json["by_floor_limit"][1]["max_moves"], 2);
        assert_eq!(json["optimal"], serde_json::json!({"max_moves": 78}));
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
