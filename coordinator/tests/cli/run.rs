//! `run`: the whole cluster in one process.

use std::time::Duration;

use serde_json::Value;

use crate::program::{Running, Said, data, say};

fn run(dir: &std::path::Path, line: &str) -> Said {
    say(&format!("run {line} {}", data(dir)))
}

#[test]
fn a_finished_job_prints_the_documented_result() {
    let dir = tempfile::tempdir().unwrap();
    let said = run(dir.path(), "--n 3 -o json");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    let document = said.document();
    for (key, value) in [("state", "done"), ("mode", "exhaustive")] {
        assert_eq!(document[key], value);
    }
    for (key, value) in [("rows", 3), ("cols", 3), ("max_moves", 10)] {
        assert_eq!(document[key], value);
    }
    assert_eq!(document["proven"], true);
    for convention in ["optimal", "optimal_with_player_on_goal"] {
        let optimal = &document[convention];
        assert_eq!(optimal["max_moves"], 10);
        let counts = ["levels", "level_classes", "layouts", "layout_classes"];
        let counts = counts.map(|key| optimal[key].as_u64().unwrap());
        assert_eq!(counts, [8, 1, 4, 1]);
        assert_eq!(optimal["by_floor"][0]["floor"], 8);
    }
    assert_eq!(document["effort"]["floor_sets"], 46);
    assert_eq!(document["effort"]["states"], 67);
    assert_eq!(document["witnesses"][0]["moves"], 10);
    assert_eq!(document["witnesses"].as_array().unwrap().len(), 1);
    assert_eq!(document["digest"].as_str().unwrap().len(), 32);
}

#[test]
fn it_always_computes_and_the_answer_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let one = run(dir.path(), "--n 4 -o json").document();
    let other = run(dir.path(), "--n 4 --threads 3 --shard-ms 1 -o json").document();
    assert_ne!(one["job"], other["job"]);
    for key in [
        "max_moves",
        "optimal",
        "optimal_with_player_on_goal",
        "witnesses",
        "digest",
    ] {
        assert_eq!(one[key], other[key], "{key}");
    }
}

#[test]
fn text_and_quiet_are_for_people_and_scripts() {
    let dir = tempfile::tempdir().unwrap();
    let said = run(dir.path(), "--n 3 -o quiet");
    assert_eq!((said.out.as_str(), said.err.as_str()), ("10\n", ""));
    let said = run(dir.path(), "--n 3");
    assert!(
        said.out.starts_with("3x3 exhaustive: 10 moves, proven"),
        "{said:?}"
    );
    let printed = format!("data directory: {}\n", dir.path().display());
    assert_eq!(said.err, printed, "no bar, for stderr is no terminal");
}

#[test]
fn a_board_without_levels_is_exit_code_1() {
    let dir = tempfile::tempdir().unwrap();
    for (board, moves) in [
        ("--n 1", None),
        ("--n 2", None),
        ("--rows 1 --cols 2", None),
        ("--rows 1 --cols 3", Some(1)),
    ] {
        let said = run(dir.path(), &format!("{board} -o json"));
        assert_eq!(
            said.code,
            Some(i32::from(moves.is_none())),
            "{board}: {said:?}"
        );
        assert_eq!(said.document()["max_moves"], Value::from(moves), "{board}");
    }
}

#[test]
fn an_interrupted_job_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let data = data(dir.path());
    let mut first = Running::start(&format!(
        "run --n 6 --threads 1 --shard-ms 20 {data} -o json --log soko_coord=debug"
    ));
    first.until_it_says("shard done");
    first.signal("-INT");
    let (status, err) = first.ends_within(Duration::from_secs(8));
    assert_eq!(status.code(), Some(4), "{err}");
    let error: Value = serde_json::from_str(err.lines().last().unwrap()).unwrap();
    assert_eq!(error["error"]["code"], "interrupted");

    // Another search does not touch it.
    assert_eq!(run(dir.path(), "--n 3 -o quiet").out, "10\n");

    let second = run(dir.path(), "--n 6 --shard-ms 20");
    assert_eq!(second.code, Some(0), "{second:?}");
    assert!(
        second.err.contains("going on with the interrupted job"),
        "{second:?}"
    );
    assert!(second.out.contains("78 moves"), "{second:?}");
    assert!(second.out.contains("floor sets 1538278"), "{second:?}");

    // Ended now, so it is not taken up again.
    let mut third = Running::start(&format!(
        "run --n 6 --threads 1 --shard-ms 20 {data} --log soko_coord=debug"
    ));
    third.until_it_says("shard done");
    third.signal("-TERM");
    let (status, err) = third.ends_within(Duration::from_secs(8));
    assert_eq!(status.code(), Some(4));
    assert!(!err.contains("going on"), "{err}");
}

#[test]
fn a_hunt_finds_the_same_with_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let hunt = |threads: u32| {
        let said = run(
            dir.path(),
            &format!(
                "--n 5 --mode anneal --batches 6 --param evaluations=40000 --seed 5 \
                 --threads {threads} -o json"
            ),
        );
        assert_eq!(said.code, Some(0), "{said:?}");
        said.document()
    };
    let one = hunt(1);
    for (key, value) in [("max_moves", 41), ("rows", 5)] {
        assert_eq!(one[key], value);
    }
    assert_eq!(
        (&one["mode"], &one["proven"]),
        (&"anneal".into(), &false.into())
    );
    assert_eq!(one["hunt"]["batches"], 6);
    assert!(one["hunt"]["evaluations"].as_u64() >= Some(240_000));
    assert_eq!(one["optimal"]["counts_are_lower_bounds"], true);
    for threads in [2, 5] {
        let other = hunt(threads);
        for key in ["max_moves", "optimal", "witnesses", "hunt", "digest"] {
            assert_eq!(one[key], other[key], "{key} with {threads} threads");
        }
    }
}

#[test]
fn bad_input_of_a_hunt_is_exit_code_2() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.xsb");
    std::fs::write(&file, "@-#\n$##\n-#.\n").unwrap();
    let start = format!("--n 5 --mode anneal --start {} -o json", file.display());
    for line in [
        "--n 2 --mode anneal -o json",
        "--n 5 --mode anneal --budget 0s -o json",
        &start,
    ] {
        let said = run(dir.path(), line);
        assert_eq!(said.code, Some(2), "{line}: {said:?}");
        assert!(said.err.contains("bad_input"), "{said:?}");
    }
}

#[test]
fn a_neighborhood_search_tells_what_it_covered() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("start.xsb");
    std::fs::write(&file, "@$.\n---\n").unwrap();
    let line = format!("--n 4 --mode neighborhood --start {}", file.display());
    let json = run(dir.path(), &format!("{line} -o json")).document();
    assert!(json["max_moves"].as_u64() >= Some(16), "{json}");
    let centres = json["hunt"]["centres"].as_u64().unwrap();
    assert!(centres > 1);
    let covered = json["hunt"]["covered"].as_array().unwrap();
    assert!(covered.contains(&serde_json::json!({"family": "flips", "layouts": 16 * centres})));
    let text = run(dir.path(), &line).out;
    assert!(text.contains(&format!("around {centres} levels")), "{text}");
}
