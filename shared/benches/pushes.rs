//! Every cell of the published 20×20 level of 3582 moves flipped, one after the other,
//! and scored with the level's goal: by the scorer for large boards, with the walks of
//! the level kept and without, and by the plain one.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soko::board::{Board, Cell};
use soko::search::score::pushes::Pushes;
use soko::search::score::{Best, reference};

fn bench(criterion: &mut Criterion) {
    let mut known = soko::records::seeds().into_iter();
    let level = known
        .find(|known| known.moves == 3582)
        .expect("a level that comes with the library")
        .level;
    let flipped: Vec<(Cell, Board)> = level
        .size()
        .cells()
        .filter(|&cell| cell != level.goal())
        .map(|cell| {
            let mut board = level.board().clone();
            board.set_floor(cell, !board.is_floor(cell));
            (cell, board)
        })
        .collect();
    let mut group = criterion.benchmark_group("flips of 3582");
    group.sample_size(10);
    group.throughput(Throughput::Elements(flipped.len() as u64));
    for (name, kept) in [("walks kept", true), ("walks not kept", false)] {
        let mut pushes = Pushes::new(level.size());
        pushes.load(level.board());
        group.bench_function(name, |b| {
            b.iter(|| {
                let score = |(cell, _): &(Cell, Board)| {
                    pushes.toggle(*cell);
                    let moves = pushes.score(level.goal(), 0);
                    pushes.toggle(*cell);
                    if kept {
                        pushes.keep();
                    }
                    moves
                };
                flipped.iter().map(score).max()
            });
        });
    }
    group.bench_function("reference scorer", |b| {
        b.iter(|| {
            let score = |(_, board): &(Cell, Board)| reference::best_for_goal(board, level.goal());
            let moves = |best: Best| best.anywhere.map(|start| start.moves);
            flipped.iter().map(score).map(moves).max()
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
