//! Every level under `results/records/` is solved again. Its file is named for
//! the board and the moves: `8x8-167.xsb`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

use soko::{level::Level, solve};

#[test]
fn case_22_every_record_is_solved_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/records");
    let mut solved = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (board, moves) = name.split_once('-').unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let boards = text.split("\n\n").filter(|text| !text.trim().is_empty());
        for text in boards {
            let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
            let level: Level = rows.join("\n").parse().unwrap();
            assert_eq!(level.size().to_string(), board, "{name}");
            let found = solve::shortest_moves(&level).unwrap();
            assert_eq!(found.map(|moves| moves.to_string()).as_deref(), Some(moves));
            solved += 1;
        }
    }
    assert!(solved >= 4, "{solved}");
}
