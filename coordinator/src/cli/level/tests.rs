//! The commands as a user meets them, from arguments to documents.

use std::io::Write as _;

use clap::Parser;
use serde_json::Value;
use soko::records::{best_squares, seeds};
use tempfile::NamedTempFile;

use super::{Command, Failure, Report, bounds, construct, plot, run};

#[derive(Debug, Parser)]
enum Program {
    #[command(subcommand)]
    Level(Command),
    Construct(construct::Args),
    Bounds(bounds::Args),
    Plot(plot::Args),
}

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// Runs a command line; `FILE` in it stands for a file with this text.
fn try_run(line: &str, text: &str) -> Result<Report, Failure> {
    let file = file(text);
    let path = file.path().to_string_lossy().into_owned();
    let words = line
        .split(' ')
        .map(|word| if word == "FILE" { path.as_str() } else { word });
    let program = Program::try_parse_from(std::iter::once("soko-coord").chain(words)).unwrap();
    match program {
        Program::Level(command) => run(&command),
        Program::Construct(args) => construct::run(&args),
        Program::Bounds(args) => Ok(bounds::run(&args, &best_squares())),
        Program::Plot(args) => plot::run(&args, &best_squares()),
    }
}

pub(super) fn ok(line: &str, text: &str) -> Report {
    try_run(line, text).unwrap()
}

const SIX: &str = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n";

/// Every figure of the table of known levels, as a document.
#[test]
fn solve_gives_every_known_figure() {
    let figures = include_str!("../../../../shared/src/records/seed-levels.tsv");
    let levels: Vec<String> = seeds().iter().map(|seed| seed.level.to_xsb()).collect();
    let report = ok("level solve FILE", &levels.join("\n"));
    assert_eq!(report.exit_code, 0);
    let found = report.json.as_array().unwrap();
    assert_eq!(found.len(), 27);
    for (found, line) in found.iter().zip(figures.lines().skip(1)) {
        let columns: Vec<&str> = line.split('\t').collect();
        for (column, key) in [
            (1, "rows"),
            (2, "cols"),
            (3, "moves"),
            (4, "pushes"),
            (6, "floor"),
        ] {
            assert_eq!(
                found[key].to_string(),
                columns[column],
                "{key} of {}",
                columns[0]
            );
        }
        assert_eq!(found["shortest_solutions"], columns[5]);
    }
}

#[test]
fn solve_one_level() {
    let report = ok("level solve FILE --all 3 --dead", SIX);
    let json = &report.json;
    assert_eq!(json["moves"], 78);
    assert_eq!(json["shortest_solutions"], "24");
    assert_eq!(json["reachable_floor"], 28);
    assert_eq!(json["objective"], "moves");
    assert_eq!(json["solutions"].as_array().unwrap().len(), 3);
    assert!(!json["dead_squares"].as_array().unwrap().is_empty());
    assert_eq!(report.quiet, "78\n");
}

#[test]
fn case_1_unsolvable_is_an_answer() {
    let report = ok("level solve FILE", "---\n-+$\n---\n");
    assert_eq!(report.exit_code, 1);
    assert_eq!(report.json["solvable"], false);
    assert_eq!(report.json["moves"], Value::Null);
}

#[test]
fn case_3_box_on_the_goal_is_bad_input() {
    let failure = try_run("level solve FILE", "@*-\n---\n---\n").unwrap_err();
    assert_eq!(failure.code, "level");
    assert!(failure.message.contains("already on the goal"));
    assert_eq!(crate::cli::CliError::from(failure).exit, 2);
}

#[test]
fn case_4_objectives_are_labelled() {
    let level = "----\n---.\n--$@\n---#\n";
    let moves = ok("level solve FILE", level).json;
    assert_eq!(
        (moves["moves"].as_u64(), moves["pushes"].as_u64()),
        (Some(8), Some(4))
    );
    let pushes = ok("level solve FILE --objective pushes", level).json;
    assert_eq!(
        (pushes["moves"].as_u64(), pushes["pushes"].as_u64()),
        (Some(10), Some(2))
    );
    assert_eq!(pushes["objective"], "pushes");
    assert_eq!(pushes["shortest_solutions"], moves["shortest_solutions"]);
}

#[test]
fn case_14_too_large_a_board_names_the_bytes() {
    let mut rows = vec!["-".repeat(256); 256];
    rows[0].replace_range(0..1, "@");
    rows[5].replace_range(5..6, "$");
    rows[9].replace_range(9..10, ".");
    let failure = try_run("level solve FILE", &rows.join("\n")).unwrap_err();
    assert!(
        failure.message.contains("17179869184 bytes"),
        "{}",
        failure.message
    );
    assert_eq!(failure.hint, "allow it with --memory 16384");
}

#[test]
fn case_20_short_rows() {
    let text = "##  @\n $\n.----\n";
    let failure = try_run("level solve FILE", text).unwrap_err();
    assert!(failure.message.contains("line 2, column 3"));
    assert_eq!(ok("level solve FILE --pad floor", text).json["floor"], 13);
}

#[test]
fn verify_a_solution() {
    let level = "--#\n-$+\n---\n";
    let json = ok("level verify FILE --lurd DLLUR", level).json;
    assert_eq!(json["valid"], true);
    assert_eq!(json["optimal"], true);
    assert_eq!(json["lurd"], "dlluR");
    assert_eq!(json["box_lines"], 1);
    assert_eq!(json["first_bad_move"], Value::Null);
    let report = ok("level verify FILE --lurd dlllll", level);
    assert_eq!(report.exit_code, 1);
    assert_eq!(report.json["first_bad_move"], 3);
    let json = ok("level verify FILE --lurd dlluRrr", level).json;
    assert_eq!(json["moves_after_goal"], 2);
    let detour = ok("level verify FILE --lurd dudlluR", level).json;
    assert_eq!(
        (detour["valid"].as_bool(), detour["optimal"].as_bool()),
        (Some(true), Some(false))
    );
}

#[test]
fn verify_a_saved_solution() {
    let text = "--#\n-$+\n---\n\nSolution\ndlluR\n";
    assert_eq!(ok("level verify FILE", text).json["valid"], true);
    assert_eq!(try_run("level verify FILE", SIX).unwrap_err().code, "usage");
    assert_eq!(
        try_run("level verify FILE --lurd xyz", SIX)
            .unwrap_err()
            .code,
        "lurd"
    );
}

#[test]
fn analyze_a_level() {
    let json = ok("level analyze FILE", SIX).json;
    assert_eq!(json["groups"].as_array().unwrap().len(), 5);
    assert_eq!(json["cells"]["critical"].as_array().unwrap().len(), 25);
    assert_eq!(json["visits"]["player"].as_array().unwrap().len(), 6);
    assert_eq!(json["reciprocal_density"], 16.615);
    let json = ok("level analyze FILE --no-cells", SIX).json;
    assert_eq!(json["cells"], Value::Null);
}

#[test]
fn convert_there_and_back() {
    for to in [
        "--to sok",
        "--to slc",
        "--to xsb --rle --one-line",
        "--to xsb --floor _",
    ] {
        let there = ok(&format!("level convert FILE {to}"), SIX).text;
        let back = ok("level convert FILE", &there).text;
        assert_eq!(back, SIX, "{to}: {there}");
    }
    let ksc = ok("level convert FILE --to-dialect ksc", SIX).text;
    assert_eq!(ok("level convert FILE --dialect ksc", &ksc).text, SIX);
    let framed = ok("level convert FILE --frame add", SIX).text;
    assert!(framed.starts_with("########\n#--#--@#\n"));
    assert_eq!(ok("level convert FILE --frame strip", &framed).text, SIX);
    let failure = try_run(
        "level convert FILE --to-dialect leetcode",
        "--#\n-$+\n---\n",
    );
    assert_eq!(failure.unwrap_err().code, "write");
}

#[test]
fn normalize_and_expand() {
    let framed = "#####\n#.-##\n#-$-#\n#-@##\n#####\n";
    let json = ok("level normalize FILE --expand", framed).json;
    assert_eq!(json["orbit"], 8);
    assert_eq!(json["images"].as_array().unwrap().len(), 8);
    let xsb = json["xsb"].as_str().unwrap().to_owned();
    for image in json["images"].as_array().unwrap() {
        let again = ok("level normalize FILE", image.as_str().unwrap()).json;
        assert_eq!(again["xsb"], xsb.as_str());
    }
}

#[test]
fn several_levels_make_a_list() {
    let report = ok("level solve FILE", &format!("{SIX}\n@$.\n---\n"));
    assert_eq!(report.json.as_array().unwrap().len(), 2);
    let mixed = ok("level solve FILE", &format!("{SIX}\n@$.\n$--\n"));
    assert_eq!(
        (mixed.exit_code, mixed.json[0]["moves"].as_u64()),
        (2, Some(78))
    );
    assert_eq!(mixed.json[1]["error"]["code"], "level");
    let report = ok("level solve FILE --level 2", &format!("{SIX}\n@$.\n---\n"));
    assert_eq!(report.json["moves"], 1);
    let failure = try_run("level solve FILE --level 3", &format!("{SIX}\n@$.\n---\n"));
    assert_eq!(failure.unwrap_err().code, "no_level");
    assert_eq!(
        try_run("level solve FILE", "").unwrap_err().code,
        "no_level"
    );
}

#[test]
fn construct_and_solve() {
    let json = ok("construct --m 2", "").json;
    assert_eq!(
        (
            json["predicted_moves"].as_u64(),
            json["solved_moves"].as_u64()
        ),
        (Some(7412), Some(7412))
    );
    let json = ok("construct --n 37 --no-solve", "").json;
    assert_eq!(
        (json["m"].as_u64(), json["r"].as_u64(), json["n"].as_u64()),
        (Some(2), Some(4), Some(37))
    );
    assert_eq!(
        try_run("construct --n 29", "").unwrap_err().code,
        "construct"
    );
}

#[test]
fn bounds_and_records() {
    let json = ok("bounds --n 48", "").json;
    assert_eq!(json["record"]["moves"], 107_593);
    let report = ok("bounds --n 6 --floor 28", "");
    assert_eq!(report.quiet, "78 78\n");
    assert_eq!(report.json["with_floor"]["moves"], "540");
    assert_eq!(ok("bounds --n 2", "").exit_code, 1);
}

#[test]
fn plots_as_text_and_as_files() {
    assert!(ok("plot", "").text.starts_with("<svg"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("density.png");
    ok(&format!("plot --out {}", path.display()), "");
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
}

/// The example of an article on beam search, which says nine moves.
const FOUR_BOXES: &str = "########\n#  . . #\n#  $ $ #\n#  @   #\n#  $ $ #\n#  . . #\n########\n";

#[test]
fn solve_several_boxes() {
    for algorithm in ["auto", "astar", "bfs"] {
        let report = ok(
            &format!("level solve FILE --algorithm {algorithm}"),
            FOUR_BOXES,
        );
        let json = &report.json;
        assert_eq!(
            (json["moves"].as_u64(), json["pushes"].as_u64()),
            (Some(9), Some(4))
        );
        assert_eq!(
            (json["optimal"].as_bool(), json["boxes"].as_u64()),
            (Some(true), Some(4))
        );
        assert_eq!((report.quiet.as_str(), report.exit_code), ("9\n", 0));
    }
    let json = ok("level solve FILE --algorithm beam", FOUR_BOXES).json;
    assert_eq!(
        (json["moves"].as_u64(), json["optimal"].as_bool()),
        (Some(9), Some(false))
    );
    assert_eq!(
        (json["algorithm"].as_str(), json["unfinished"].as_str()),
        (Some("beam"), Some("beam"))
    );
    let json = ok("level solve FILE --objective pushes", FOUR_BOXES).json;
    assert_eq!(
        (json["pushes"].as_u64(), json["objective"].as_str()),
        (Some(4), Some("pushes"))
    );
    // One box, too, if asked for.
    assert_eq!(
        ok("level solve FILE --algorithm beam", SIX).json["boxes"],
        1
    );
}

/// A beam of one state loses the way out of this level.
const NARROW: &str = "########\n#------#\n#-$..--#\n#-#.---#\n####-#-#\n##@$-###\n\
    #-#--$-#\n#------#\n########\n";

#[test]
fn a_solver_of_several_boxes_that_gives_up_says_so() {
    let unsolvable = ok("level solve FILE", "@$.\n$-.\n");
    assert_eq!(
        (unsolvable.exit_code, unsolvable.json["solvable"].as_bool()),
        (1, Some(false))
    );
    let narrow = ok(
        "level solve FILE --algorithm beam --width 1 --restarts 0",
        NARROW,
    );
    assert_eq!(
        (narrow.exit_code, narrow.json["unfinished"].as_str()),
        (4, Some("beam"))
    );
    assert_eq!(
        ok("level solve FILE --algorithm beam", NARROW).json["solvable"],
        true
    );
    let many =
        "----------\n-$-$-$-$--\n---@------\n-$-$-$----\n-.-.-.----\n-.-.-.-.--\n----------\n";
    let timeout = ok("level solve FILE --algorithm astar --timeout 1ms", many);
    assert_eq!(
        (timeout.exit_code, timeout.json["unfinished"].as_str()),
        (4, Some("timeout"))
    );
    assert_eq!(timeout.json["solvable"], Value::Null);
    assert!(timeout.text.contains("--timeout"), "{}", timeout.text);
    let memory = ok("level solve FILE --algorithm bfs --memory 1", many);
    assert_eq!(
        (memory.exit_code, memory.json["unfinished"].as_str()),
        (4, Some("memory"))
    );
    assert_eq!(memory.quiet, "unknown\n");
    for line in [
        "--objective weighted",
        "--algorithm dijkstra",
        "--all 3",
        "--dead",
    ] {
        let failure = try_run(&format!("level solve FILE {line}"), FOUR_BOXES).unwrap_err();
        assert_eq!(failure.code, "usage", "{line}");
    }
}

#[test]
fn other_tools_take_several_boxes_or_say_that_they_do_not() {
    let json = ok("level verify FILE --lurd udDurruudd", FOUR_BOXES).json;
    assert_eq!(
        (json["valid"].as_bool(), json["optimal"].clone()),
        (Some(false), Value::Null)
    );
    let json = ok("level verify FILE --lurd uddurrudd", FOUR_BOXES).json;
    assert_eq!(
        (json["valid"].as_bool(), json["box_changes"].as_u64()),
        (Some(true), Some(4))
    );
    let framed = ok("level convert FILE --frame add", "@$-.\n-$-.\n").text;
    let normal = ok("level normalize FILE", "@$-.\n-$-.\n").json;
    assert_eq!(
        ok("level normalize FILE", &framed).json["xsb"],
        normal["xsb"]
    );
    let failure = try_run("level analyze FILE", FOUR_BOXES).unwrap_err();
    assert!(
        failure.message.contains("4 boxes") && failure.hint.contains("solve"),
        "{failure:?}"
    );
    let failure = try_run("level solve FILE", "@$$.\n----\n").unwrap_err();
    assert!(
        failure.message.contains("2 boxes and 1 goals"),
        "{failure:?}"
    );
}

#[test]
fn pictures_as_text_and_as_files() {
    let svg = ok("level render FILE", SIX).text;
    assert!(
        svg.starts_with("<svg") && svg.contains("78 moves, 9 pushes"),
        "{svg}"
    );
    assert!(
        svg.contains(">17<")
            && !ok("level render FILE --labels 18", SIX)
                .text
                .contains(">17<")
    );
    assert!(
        !ok("level render FILE --no-solution", SIX)
            .text
            .contains("moves")
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, head, more) in [
        ("level.png", &b"\x89PNG"[..], "--heat player"),
        ("level.svg", b"<svg", "--heat boxes --cell 30 --no-caption"),
        ("level.gif", b"GIF89a", "--frames 20"),
    ] {
        let path = folder.path().join(name);
        for level in [SIX, FOUR_BOXES] {
            ok(
                &format!("level render FILE --out {} {more}", path.display()),
                level,
            );
            assert!(std::fs::read(&path).unwrap().starts_with(head), "{name}");
        }
    }
    let unknown = folder.path().join("level.bmp");
    let failure = try_run(
        &format!("level render FILE --out {}", unknown.display()),
        SIX,
    );
    assert_eq!(failure.unwrap_err().code, "usage");
    let failure = try_run("level render FILE --lurd llllll", SIX).unwrap_err();
    assert_eq!(failure.code, "lurd");
    let failure = try_run("level render FILE --format png", SIX).unwrap_err();
    assert!(failure.hint.contains("--out"));
    let failure = try_run("level replay FILE", SIX).unwrap_err();
    assert!(failure.message.contains("terminal"), "{failure:?}");
}

#[test]
fn fit_makes_levels_of_another_size() {
    let smaller = ok("level fit FILE --n 5", SIX);
    let moves = smaller.json["moves"].as_u64().unwrap();
    assert!((20..=41).contains(&moves), "{moves}");
    assert_eq!(smaller.quiet.lines().count(), 5);
    let larger = ok("level fit FILE --n 8", SIX);
    assert!(larger.json["moves"].as_u64() >= Some(78));
    assert_eq!(larger.exit_code, 0);
    assert_eq!(
        ok("level solve FILE", &larger.quiet).json["moves"],
        larger.json["moves"]
    );
    let again = ok("level fit FILE --n 8 --goals 0", SIX);
    assert!(again.json["moves"].as_u64() >= Some(78));
}

#[test]
fn the_player_is_put_where_the_solution_is_longest() {
    // The 6×6 optimum with the player beside the box.
    let near = "--#---\n---@--\n--#$##\n#-#---\n--.##-\n------\n";
    let moved = ok("level solve FILE", near).json["moves"].as_u64().unwrap();
    assert!(moved < 78, "{near}");
    let normal = ok("level normalize FILE --best-player", near).text;
    assert_eq!(ok("level solve FILE", &normal).json["moves"], 78);
    let json = ok("level analyze FILE", near).json;
    assert_eq!(json["cells"]["best_player"]["moves"], 78);
    let failure = try_run("level normalize FILE --best-player", FOUR_BOXES).unwrap_err();
    assert_eq!(failure.code, "usage");
}

/// The rules are where people look when two programs give different optima.
#[test]
fn case_7_the_rules_are_in_the_help() {
    for line in ["solve", "analyze", "normalize"] {
        let words = ["soko-coord", "level", line, "--help"];
        let help = Program::try_parse_from(words).unwrap_err().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for rule in [
            "Everything outside the board is wall",
            "The first time the box is on the goal ends the level",
            "The player may start on the goal",
        ] {
            assert!(help.contains(rule), "{line}: {rule}");
        }
    }
}

/// A rotated or mirrored copy of a level is seen to be the same.
#[test]
fn case_25_copies_of_a_level_have_one_normal_form() {
    let images = ok("level normalize FILE --expand", SIX).json;
    let normal = images["xsb"].clone();
    for image in images["images"].as_array().unwrap() {
        let framed = ok("level convert FILE --frame add", image.as_str().unwrap()).text;
        assert_eq!(ok("level normalize FILE", &framed).json["xsb"], normal);
    }
    let other = ok("level normalize FILE", &SIX.replace("--.##-", "-.-##-")).json;
    assert_ne!(other["xsb"], normal);
}

/// Raw and up to symmetry side by side; all images can be listed.
#[test]
fn case_27_images_of_a_level_are_listed() {
    for (level, orbit, layouts) in [
        (SIX, 8, 8),
        ("@$.\n---\n---\n", 8, 1),
        ("--.\n-$-\n@--\n", 4, 1),
    ] {
        let json = ok("level normalize FILE --expand", level).json;
        assert_eq!(json["orbit"], orbit);
        assert_eq!(json["layout_orbit"], layouts);
        assert_eq!(json["images"].as_array().unwrap().len(), orbit);
    }
}

/// A film of 107,593 moves: some thousand frames, not all at once in memory.
#[test]
fn case_39_a_long_film_is_capped() {
    let seeds = seeds();
    let long = seeds.iter().find(|seed| seed.moves == 107_593).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let line = format!(
        "level render FILE --cell 2 --frames 1000 --out {}",
        path.display()
    );
    let frames = ok(&line, &long.level.to_xsb()).json["frames"]
        .as_u64()
        .unwrap();
    // Each of the 590 pushes has one.
    assert!((591..=1000).contains(&frames), "{frames}");
    assert!(std::fs::metadata(&path).unwrap().len() < 4 << 20);
}
