//! How many batches a time budget pays for.

use crate::board::Size;

/// Evaluations of one core in a second, by convention. Roughly what the
/// annealer was seen to do with the boards that it anneals (see the
/// benchmarks); fixed, so that a budget means the same batches everywhere.
pub fn evaluations_per_second(size: Size) -> u64 {
    match size.area() {
        0..=25 => 3_000_000,
        26..=36 => 2_000_000,
        37..=49 => 1_600_000,
        50..=64 => 1_200_000,
        65..=81 => 500_000,
        82..=100 => 300_000,
        101..=122 => 150_000,
        123..=183 => 50_000,
        184..=305 => 20_000,
        area => 4_000_000 / area as u64,
    }
}

/// Layouts of a neighborhood that one core scores in a second, by convention: by it
/// neighborhoods are cut, and a plan must stay what it is when scorers get faster.
pub(super) fn layouts_per_second(size: Size) -> u64 {
    match size.area() {
        0..=305 => evaluations_per_second(size),
        area => (500_000_000 / (area as u64 * area as u64)).max(10),
    }
}
