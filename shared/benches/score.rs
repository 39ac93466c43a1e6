//! The fast scorer against its plain twin, one goal and all goals of a layout.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{Rng, SeedableRng, rngs::StdRng};
use soko::board::{Board, Cell, Size};
use soko::search::score::flood::Flood;
use soko::search::score::packing::{Generic, Packing};
use soko::search::score::word::Word;
use soko::search::score::{fast, reference};

/// Layouts with a third of walls, each with a goal on its floor.
fn layouts(side: u64) -> Vec<(Board, Cell)> {
    let mut random = StdRng::seed_from_u64(1);
    let size = Size::new(side, side).expect("a small side");
    (0..64)
        .map(|_| {
            let board = Board::from_floor(size, size.cells().filter(|_| random.random_bool(0.68)));
            let floor: Vec<Cell> = board.floor_cells().collect();
            let goal = floor[random.random_range(0..floor.len())];
            (board, goal)
        })
        .collect()
}

/// Scores each layout with its goal, as the searches do: boards stay packed.
struct Goals<'a> {
    layouts: &'a [(Board, Cell)],
    run: &'a mut dyn FnMut(&mut dyn FnMut() -> u32),
}

impl Generic for Goals<'_> {
    type Out = ();

    fn call<W: Word, const COLS: usize>(self, packing: Packing) {
        let mut flood = Flood::<W, COLS>::new(packing);
        let packed: Vec<(W, usize)> = self
            .layouts
            .iter()
            .map(|(board, goal)| (packing.pack(board), packing.bit(*goal)))
            .collect();
        (self.run)(&mut || {
            let depths = packed
                .iter()
                .map(|&(floor, goal)| flood.depth(floor, goal).anywhere);
            depths.max().unwrap_or(0)
        });
    }
}

fn bench(criterion: &mut Criterion) {
    for side in [5, 8, 10] {
        let layouts = layouts(side);
        let mut group = criterion.benchmark_group(format!("score {side}x{side}"));
        group.throughput(Throughput::Elements(layouts.len() as u64));
        group.bench_function("goal, reference", |b| {
            b.iter(|| {
                layouts
                    .iter()
                    .map(|(board, goal)| reference::best_for_goal(board, *goal))
                    .filter_map(|best| best.anywhere)
                    .map(|start| start.moves)
                    .max()
            });
        });
        group.bench_function("goal, packed", |b| {
            let packing = Packing::new(layouts[0].0.size()).expect("a small board");
            packing.dispatch(Goals {
                layouts: &layouts,
                run: &mut |work| b.iter(work),
            });
        });
        group.bench_function("all goals, fast", |b| {
            b.iter(|| {
                layouts
                    .iter()
                    .filter_map(|(board, _)| fast::best(board)?.anywhere)
                    .map(|start| start.moves)
                    .max()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
