//! Every level under `results/records/` is solved again, and its figures and its
//! solution are checked. Files are named for the board and the moves:
//! `8x8-167.xsb`; there is one for every square from 3×3 to 50×50.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, fs, path::Path};

use soko::{
    level::{Level, Lurd},
    records::{best_squares, found, known},
    solve::{replay, shortest},
};

/// Board and moves of each file, and its text.
fn files() -> Vec<(String, u32, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/records");
    let files = fs::read_dir(folder).unwrap().map(|file| {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (board, moves) = name.split_once('-').unwrap();
        let text = fs::read_to_string(&path).unwrap();
        (board.to_owned(), moves.parse().unwrap(), text)
    });
    files.collect()
}

#[test]
fn case_22_every_record_is_solved_again() {
    let mut solved = 0;
    for (board, moves, text) in files() {
        for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
            let (comments, rows): (Vec<&str>, Vec<&str>) = block
                .lines()
                .partition(|line| line.starts_with(';') || line.starts_with("Solution: "));
            let level: Level = rows.join("\n").parse().unwrap();
            let name = format!("{board}-{moves}");
            assert_eq!(level.size().to_string(), board, "{name}");
            let solution = shortest(&level).unwrap().unwrap();
            assert_eq!(solution.moves, moves, "{name}");
            let figures = format!(
                "; {board}, {moves} moves, {} pushes, floor {}, {} shortest solutions",
                solution.pushes,
                level.floor(),
                solution.shortest_solutions
            );
            assert_eq!(comments[0], figures, "{name}");
            let lurd = comments
                .iter()
                .find_map(|line| line.strip_prefix("Solution: "));
            let lurd: Lurd = lurd.unwrap().parse().unwrap();
            assert_eq!(
                (lurd.len(), lurd.pushes()),
                (moves as usize, solution.pushes as usize)
            );
            assert!(replay(&level, &lurd).is_solution(), "{name}");
            solved += 1;
        }
    }
    assert!(solved >= 48, "{solved}");
}

/// A level is one for larger boards as well, so that moves never fall.
#[test]
fn every_square_up_to_50_has_a_level_and_moves_never_fall() {
    let mut best: BTreeMap<u64, u32> = BTreeMap::new();
    for (board, moves, _) in files() {
        let (rows, cols) = board.split_once('x').unwrap();
        if rows == cols {
            let known = best.entry(rows.parse().unwrap()).or_default();
            *known = moves.max(*known);
        }
    }
    let sides: Vec<u64> = best.keys().copied().collect();
    assert_eq!(sides, (3..=50).collect::<Vec<_>>());
    let moves: Vec<u32> = best.values().copied().collect();
    assert!(moves.windows(2).all(|pair| pair[0] <= pair[1]), "{moves:?}");
    // What the program brings with it is as good.
    for point in best_squares() {
        assert_eq!(u64::from(best[&point.n]), point.moves, "{}", point.n);
    }
}

#[test]
fn case_22_every_level_that_the_program_brings_is_solved_again() {
    assert_eq!(known().len(), 27 + found().len());
    for seed in found() {
        let solution = shortest(&seed.level).unwrap().unwrap();
        assert_eq!(solution.moves, seed.moves, "{:?}", seed.title);
        assert!(seed.source.starts_with("soko: "), "{:?}", seed.title);
    }
}
