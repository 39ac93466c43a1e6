//! How large a goal's tree is and how long it takes, from random samples.
//!
//! The tree is walked layer by layer. Of each layer a uniform random sample is
//! kept and expanded; what was left out is made up for by a factor. Each layer
//! is then estimated without bias (Knuth, "Estimating the efficiency of
//! backtrack programs", 1975, with samples instead of single paths).

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng, seq::index};

use super::{
    BadRoot,
    explore::tree_roots,
    extent::Extent,
    ground::Ground,
    tree::{PASSES, Walk},
};
use crate::{
    board::{Cell, Size},
    cpu::CpuTimer,
};

/// An estimate of a tree, or of the sum of several.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TreeEstimate {
    /// Sets visited: one per orbit of the goal's stabiliser.
    pub nodes: f64,
    /// Minimal sets, all images under the stabiliser counted.
    pub sets: f64,
    /// Seconds that one core computes.
    pub seconds: f64,
}

/// Estimates the sets of this extent of the tree of a goal, by expanding at most
/// `samples` sets of each layer. The random numbers come from `seed`. Asks
/// `go_on` after each layer; `None` if it says no.
///
/// # Errors
/// [`BadRoot`] if a set has too many cells for the engine.
pub fn estimate(
    size: Size,
    goal: Cell,
    extent: Extent,
    samples: usize,
    seed: u64,
    mut go_on: impl FnMut() -> bool,
) -> Result<Option<TreeEstimate>, BadRoot> {
    let ground = Ground::new(size, goal);
    let mut walk = Walk::<u64, 64>::new(&ground, extent);
    let mut random = StdRng::seed_from_u64(seed);
    let overhead = CpuTimer::overhead();
    let mut layer = tree_roots(size, goal);
    let mut factor = 1.0;
    let mut total = TreeEstimate::default();
    while !layer.is_empty() {
        if !go_on() {
            return Ok(None);
        }
        let mut next = Vec::new();
        let mut time = Duration::ZERO;
        for set in &layer {
            let expanded = walk.expand(set, extent.below()).ok_or(BadRoot)?;
            time += expanded.time.saturating_sub(overhead);
            next.extend(expanded.children);
        }
        let tally = walk.take_tally();
        total.nodes += factor * tally.nodes() as f64 / f64::from(PASSES);
        total.sets += factor * tally.sets() as f64 / f64::from(PASSES);
        total.seconds += factor * time.as_secs_f64();
        if next.len() > samples {
            factor *= next.len() as f64 / samples as f64;
            let kept = index::sample(&mut random, next.len(), samples);
            next = kept.into_iter().map(|place| next[place].clone()).collect();
        }
        layer = next;
    }
    if walk.overflowed() {
        return Err(BadRoot);
    }
    Ok(Some(total))
}
