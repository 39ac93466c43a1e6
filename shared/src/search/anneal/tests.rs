//! Batches from outside: what they find, that they repeat, what they refuse.

use super::*;
use crate::board::{Board, Cell, Size};
use crate::level::Level;
use crate::search::random::Random;
use crate::search::score::reference;

fn size(rows: u64, cols: u64) -> Size {
    Size::new(rows, cols).unwrap()
}

fn params(size: Size, evaluations: u64) -> Params {
    Params {
        evaluations,
        run: evaluations.min(20_000),
        ..Params::for_size(size)
    }
}

fn batch(size: Size, evaluations: u64, shard: u64) -> Batch {
    let random = Random::for_shard(7, shard);
    run(size, &params(size, evaluations), random, &[], &mut |_| true).unwrap()
}

fn check(batch: &Batch) {
    let all: Vec<u32> = batch.best.iter().map(moves).collect();
    assert!(!all.is_empty() && all.iter().all(|&m| m == all[0]));
    assert_eq!(batch.runs.keys().max(), Some(&all[0]));
}

/// By the plain scorer.
fn moves(level: &Level) -> u32 {
    let distances = reference::distances(level.board(), level.goal());
    distances.get(level.player(), level.box_cell()).unwrap()
}

#[test]
fn small_boards_reach_their_known_maxima() {
    for (rows, cols, expected) in [
        (1, 5, 3),
        (2, 3, 5),
        (3, 3, 10),
        (4, 3, 18),
        (4, 4, 25),
        (5, 5, 41),
    ] {
        let batch = batch(size(rows, cols), 200_000, 0);
        check(&batch);
        assert_eq!(moves(&batch.best[0]), expected, "{rows}x{cols}");
    }
}

#[test]
fn six_by_six_reaches_78() {
    let batch = batch(size(6, 6), 2_000_000, 0);
    check(&batch);
    assert_eq!(moves(&batch.best[0]), 78);
}

#[test]
fn larger_boards_use_the_scorer_for_any_size() {
    let batch = batch(size(18, 18), 500, 0);
    check(&batch);
    assert!(moves(&batch.best[0]) > 30);
}

#[test]
fn case_37_and_v7_a_shard_repeats_and_differs_from_others() {
    for size in [size(7, 7), size(9, 10), size(18, 17)] {
        let first = batch(size, 3_000, 1);
        assert_eq!(first, batch(size, 3_000, 1));
        assert_ne!(first, batch(size, 3_000, 2));
    }
}

#[test]
fn results_do_not_change_from_version_to_version() {
    // Shards of one job may be computed by different builds: a change of these
    // numbers needs a new engine version.
    let batch = batch(size(8, 8), 50_000, 3);
    assert_eq!(
        (batch.evaluations, batch.accepted, moves(&batch.best[0])),
        (50_048, 6_414, 151)
    );
    // Computed before the scorer of larger boards was written.
    let batch = self::batch(size(18, 18), 5_000, 3);
    assert_eq!(
        (batch.evaluations, batch.accepted, moves(&batch.best[0])),
        (5_192, 4_126, 259)
    );
}

#[test]
fn looking_at_the_progress_changes_nothing() {
    let size = size(7, 7);
    let params = params(size, 50_000);
    let mut last = None;
    let watched = run(size, &params, Random::new(1), &[], &mut |progress| {
        assert!(progress.accepted <= progress.evaluations);
        assert!(progress.run_best <= progress.best);
        last = Some(*progress);
        true
    });
    assert_eq!(
        watched,
        run(size, &params, Random::new(1), &[], &mut |_| true)
    );
    assert!(last.unwrap().evaluations > 40_000);
}

#[test]
fn a_batch_stops_when_told() {
    let size = size(8, 8);
    let mut looks = 0;
    let batch = run(
        size,
        &params(size, 1 << 40),
        Random::new(1),
        &[],
        &mut |_| {
            looks += 1;
            looks < 3
        },
    )
    .unwrap();
    assert!(batch.stopped && batch.evaluations < 100_000);
    assert!(!batch.best.is_empty());
}

#[test]
fn a_batch_stops_when_told_however_short_its_runs_are() {
    let size = size(18, 18);
    let open = Seed {
        board: Board::open(size),
        goal: Cell(0),
    };
    let endless = params(size, 1 << 40);
    let shifts = Moves {
        flip: 0,
        swap: 0,
        goal: 0,
        ..endless.moves
    };
    for (run, moves, most) in [(1, endless.moves, 200_000), (1 << 40, shifts, 2)] {
        let params = Params {
            run,
            moves,
            ..endless
        };
        let mut looks = 0;
        let control = &mut |_: &Progress| {
            looks += 1;
            looks < 20
        };
        let starts = std::slice::from_ref(&open);
        let batch = super::run(size, &params, Random::new(1), starts, control).unwrap();
        assert!(batch.stopped && batch.evaluations < most, "{batch:?}");
    }
}

#[test]
fn a_given_level_is_never_lost() {
    let size = size(10, 10);
    let rows = [
        "--#---#---",
        "--#-#-----",
        "-------#-#",
        "#-#-###---",
        "--.##-@#-#",
        "-##-$--#-#",
        "-##-#--#--",
        "-#--#-##--",
        "-#-#------",
        "---#---#--",
    ];
    let text: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).collect();
    let board = Board::from_floor(size, size.cells().filter(|c| text[c.index()] != b'#'));
    let goal = Cell(text.iter().position(|&byte| byte == b'.').unwrap() as u32);
    let starts = [Seed { board, goal }];
    let batch = run(
        size,
        &params(size, 2_000),
        Random::new(1),
        &starts,
        &mut |_| true,
    )
    .unwrap();
    check(&batch);
    assert!(moves(&batch.best[0]) >= 311);
}

#[test]
fn what_cannot_run_is_refused() {
    let go = |size: Size, params: Params, starts: &[Seed]| {
        run(size, &params, Random::new(1), starts, &mut |_| true)
    };
    let good = params(size(4, 4), 1000);
    let temperature = |cold| ParamsError::Temperature {
        hot: good.hot,
        warm: good.warm,
        cold,
    };
    for (bad, error) in [
        (
            Params {
                evaluations: 0,
                ..good
            },
            ParamsError::NoEvaluations,
        ),
        (Params { run: 0, ..good }, ParamsError::NoEvaluations),
        (Params { cold: 0, ..good }, temperature(0)),
        (Params { cold: 9000, ..good }, temperature(9000)),
        (
            Params {
                moves: Moves {
                    flip: u32::MAX,
                    ..good.moves
                },
                ..good
            },
            ParamsError::Weight,
        ),
        (
            Params {
                plateau: 101,
                ..good
            },
            ParamsError::Share,
        ),
        (
            Params {
                moves: Moves {
                    flip: 0,
                    swap: 0,
                    shift: 0,
                    goal: 1,
                    best_goal: 1,
                },
                ..good
            },
            ParamsError::NoMoves,
        ),
    ] {
        assert_eq!(go(size(4, 4), bad, &[]), Err(AnnealError::Params(error)));
    }
    for (rows, cols) in [(1, 1), (1, 2), (2, 2)] {
        let size = size(rows, cols);
        assert_eq!(go(size, good, &[]), Err(AnnealError::NoLevel(size)));
    }
    assert_eq!(
        go(size(65, 64), good, &[]),
        Err(AnnealError::TooLarge(size(65, 64)))
    );
    let wall_goal = Seed {
        board: Board::walls(size(4, 4)),
        goal: Cell(0),
    };
    assert_eq!(
        go(size(4, 4), good, std::slice::from_ref(&wall_goal)),
        Err(AnnealError::StartUnsolvable { index: 0 })
    );
    assert!(matches!(
        go(size(5, 4), good, &[wall_goal]),
        Err(AnnealError::StartSize { index: 0, .. })
    ));
    let off_board = Seed {
        board: Board::open(size(4, 4)),
        goal: Cell(16),
    };
    assert!(go(size(4, 4), good, &[off_board]).is_err());
}

#[test]
fn parameters_are_set_by_name() {
    let mut params = Params::for_size(size(8, 8));
    for name in
        "evaluations run hot warm cold plateau restart flip swap shift goal best-goal".split(' ')
    {
        let before = params;
        params.set(name, 77).unwrap();
        assert_ne!(before, params, "{name}");
    }
    assert_eq!(
        params.set("hot", 1 << 32),
        Err(ParamsError::TooLarge("hot"))
    );
    assert!(matches!(
        params.set("heat", 1),
        Err(ParamsError::Unknown(_))
    ));
}

#[test]
fn the_smallest_boards_end_even_if_little_can_change() {
    let single = Params {
        moves: Moves {
            flip: 0,
            swap: 0,
            shift: 1,
            goal: 0,
            best_goal: 0,
        },
        ..params(size(1, 3), 1000)
    };
    run(size(1, 3), &single, Random::new(1), &[], &mut |_| true).unwrap();
}
