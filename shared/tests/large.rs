//! Levels near the sizes that the solver is meant for.

use soko::bounds::construct;
use soko::level::Level;
use soko::solve::{SolveError, replay, shortest, shortest_within};

/// The construction on 126×126: 64 million states, half a gigabyte.
#[test]
fn the_126x126_construction_takes_its_predicted_moves() {
    let built = construct(14, None, None).unwrap();
    assert_eq!((built.loop_length, built.turns), (3918, 1041));
    let solved = shortest(&built.level).unwrap().unwrap();
    assert_eq!(solved.moves, 4_084_506);
    assert_eq!(u128::from(solved.moves), built.predicted_moves);
    assert_eq!(u64::from(solved.pushes), built.pushes);
    assert!(replay(&built.level, &built.solution).is_solution());
}

fn open(n: usize) -> Level {
    let mut rows = vec!["-".repeat(n); n];
    rows[0].replace_range(0..1, "@");
    rows[1].replace_range(1..2, "$");
    rows[n - 1].replace_range(n - 1..n, ".");
    rows.join("\n")
        .parse()
        .expect("player, box and goal are there")
}

#[test]
fn case_14_an_open_50x50_is_solved_and_an_open_256x256_refused() {
    // One step beside the box, 48 pushes, three steps around it, 48 pushes.
    let solved = shortest(&open(50)).unwrap().unwrap();
    assert_eq!((solved.moves, solved.pushes), (99, 96));
    assert_eq!(
        shortest(&open(256)),
        Err(SolveError::Memory {
            needed: 4 << 32,
            allowed: 2 << 30,
            floor: 65_536
        })
    );
}

#[test]
fn case_14_the_limit_is_kept() {
    let level = open(50);
    let table = 4 * 2500 * 2500;
    assert!(shortest_within(&level, table - 1).is_err());
    assert!(shortest_within(&level, table + (1 << 20)).is_ok());
}
