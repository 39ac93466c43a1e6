//! Growth search: nodes per second over whole boards.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soko::{
    board::{Cell, Size},
    search::growth::{Extent, FloorSet, GoalTally, explore, goals_of, tree_roots},
};

fn whole_board(size: Size, goals: &[(Cell, Vec<FloorSet>)]) -> GoalTally {
    let mut total = GoalTally::default();
    for (goal, roots) in goals {
        if let Ok((tally, _)) = explore(size, *goal, roots, Extent::Whole, |_| true) {
            total.merge(&tally);
        }
    }
    total
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth");
    group.sample_size(10);
    for (rows, cols) in [(4, 5), (5, 5), (5, 6)] {
        let Ok(size) = Size::new(rows, cols) else {
            continue;
        };
        let goals: Vec<_> = goals_of(size)
            .into_iter()
            .map(|(goal, _)| (goal, tree_roots(size, goal)))
            .collect();
        let nodes = whole_board(size, &goals).nodes();
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{size}"), |bencher| {
            bencher.iter(|| whole_board(black_box(size), &goals));
        });
    }
    group.finish();
}

criterion_group!(benches, growth);
criterion_main!(benches);
