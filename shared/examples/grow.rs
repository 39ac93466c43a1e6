//! scratch
use soko::{board::Size, search::growth::*};
use std::time::Instant;
fn main() {
    let a: Vec<u64> = std::env::args()
        .skip(1)
        .map(|x| x.parse().unwrap())
        .collect();
    let size = Size::new(a[0], a[1]).unwrap();
    let t0 = Instant::now();
    let mut tot = GoalTally::default();
    for (goal, _) in goals_of(size) {
        let t = Instant::now();
        let (tally, _) = explore(size, goal, &tree_roots(size, goal), None, |_| true).unwrap();
        println!(
            "{:?} nodes {} sets {} states {} tested {} best {} / {} {:?}",
            (size.row(goal), size.col(goal)),
            tally.nodes,
            tally.sets,
            tally.states,
            tally.tested,
            tally.best[0].moves,
            tally.best[1].moves,
            t.elapsed()
        );
        tot.merge(&tally);
    }
    println!(
        "total nodes {} sets {} states {} tested {} best {} x{} digest {:x} {:?} {:.0} ns/tested",
        tot.nodes,
        tot.sets,
        tot.states,
        tot.tested,
        tot.best[1].moves,
        tot.best[1].pairs,
        tot.digest,
        t0.elapsed(),
        t0.elapsed().as_nanos() as f64 / tot.tested as f64
    );
}
