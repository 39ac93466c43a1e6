//! Evaluations per second of a batch, and the plain scorer on the same kind of
//! layouts in the same run.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soko::board::Size;
use soko::search::anneal::{self, Params};
use soko::search::random::Random;
use soko::search::score::reference;

fn bench(criterion: &mut Criterion) {
    for (side, evaluations) in [(7, 50_000), (8, 50_000), (10, 20_000), (20, 20_000)] {
        let size = Size::new(side, side).expect("a small side");
        let params = Params {
            evaluations,
            run: evaluations,
            ..Params::for_size(size)
        };
        let batch = || anneal::run(size, &params, Random::new(1), &[], &mut |_| true);
        let found = batch().expect("good parameters").best;
        let mut group = criterion.benchmark_group(format!("anneal {size}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(evaluations));
        group.bench_function("batch", |b| b.iter(batch));
        group.throughput(Throughput::Elements(1));
        group.bench_function("reference scorer", |b| {
            b.iter(|| reference::best_for_goal(found[0].board(), found[0].goal()));
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
