//! The census per layout: whole small boards and a slice of 6×6.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soko::board::Size;
use soko::search::census;

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("census");
    group.sample_size(10);
    for (side, range) in [
        (4, 0..1_u64 << 16),
        (5, 0..1 << 25),
        // Where canonical layouts are dense.
        (6, 0..1 << 20),
    ] {
        let size = Size::new(side, side).expect("a small side");
        let layouts = census::run(size, range.clone(), census::Floors::All, &mut |_| false)
            .expect("ranks of the board")
            .0
            .layouts()
            .canonical;
        group.throughput(Throughput::Elements(layouts));
        group.bench_function(
            format!("{size} ranks {}..{}", range.start, range.end),
            |b| {
                b.iter(|| census::run(size, range.clone(), census::Floors::All, &mut |_| false));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
