//! What a search will cost, from a random sample, before it is started.

use rand::{Rng, SeedableRng, rngs::StdRng};
use rayon::prelude::*;

use super::{Control, Mode, Search, SearchError};
use crate::{
    board::Cell,
    cpu::CpuTimer,
    search::{
        census,
        growth::{self, Extent, TreeEstimate},
    },
};

/// Independent estimates whose spread gives the error.
const REPLICAS: u64 = 16;
/// Layouts of a census in one sample.
const RANKS: u64 = 1 << 12;
/// The fewest samples of a census: its canonical layouts are spread very
/// unevenly.
const CENSUS_SAMPLES: u64 = 512;

/// A number from a sample.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sampled {
    /// The mean over independent samples; without bias.
    pub value: f64,
    /// Twice its standard error: the truth is nearer than this in about 19
    /// cases of 20.
    pub error: f64,
}

impl Sampled {
    fn from(samples: &[f64]) -> Self {
        let count = samples.len().max(1) as f64;
        let value = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|it| (it - value).powi(2)).sum();
        let error = 2.0 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Self { value, error }
    }
}

/// What a search will cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Seconds of one core of this machine.
    pub core_seconds: Sampled,
    /// Minimal sets (exhaustive and floor).
    pub floor_sets: Sampled,
    /// Sets visited (exhaustive and floor) or layouts (census).
    pub visited: Sampled,
}

/// Estimates the cost of an exact search on the present rayon pool.
/// `samples` is the size of the sample: sets of each layer and goal, or
/// layouts of a census. `None` if `control` stopped it.
///
/// # Errors
/// [`SearchError`]; of a heuristic mode the budget is the cost.
pub fn estimate(
    search: &Search,
    samples: usize,
    control: &Control,
) -> Result<Option<Estimate>, SearchError> {
    search.validate()?;
    match search.mode {
        Mode::Exhaustive | Mode::Floor => growth(search, samples, control),
        Mode::Census => census(search, samples, control),
        Mode::Anneal | Mode::Neighborhood | Mode::Genetic | Mode::Beam => {
            Err(SearchError::NoEstimate(search.mode.name()))
        }
    }
}

fn growth(
    search: &Search,
    samples: usize,
    control: &Control,
) -> Result<Option<Estimate>, SearchError> {
    let goals = search.goals();
    let extent = search.floor_limit().map_or(Extent::Whole, Extent::Crowned);
    let part = samples.div_ceil(REPLICAS as usize).max(1);
    let jobs: Vec<(u64, Cell)> = (0..REPLICAS)
        .flat_map(|replica| goals.iter().map(move |&goal| (replica, goal)))
        .collect();
    let trees = jobs.par_iter().map(|&(replica, goal)| {
        let seed = search.seed ^ replica << 32 ^ u64::from(goal.0);
        let go_on = || !control.should_stop();
        growth::estimate(search.size, goal, extent, part, seed, go_on)
            .map_err(|error| SearchError::BadShard(error.to_string()))
    });
    let trees: Option<Vec<TreeEstimate>> =
        trees.collect::<Result<Vec<_>, _>>()?.into_iter().collect();
    Ok(trees.map(|trees| {
        let sums = |what: fn(&TreeEstimate) -> f64| {
            let sums: Vec<f64> = trees
                .chunks(goals.len().max(1))
                .map(|goals| goals.iter().map(what).sum())
                .collect();
            Sampled::from(&sums)
        };
        Estimate {
            core_seconds: sums(|tree| tree.seconds),
            floor_sets: sums(|tree| tree.sets),
            visited: sums(|tree| tree.nodes),
        }
    }))
}

fn census(
    search: &Search,
    samples: usize,
    control: &Control,
) -> Result<Option<Estimate>, SearchError> {
    let ranks = census::ranks(search.size).unwrap_or(0);
    let pieces = (samples as u64).div_ceil(RANKS).max(CENSUS_SAMPLES);
    let width = RANKS.min(ranks);
    let mut random = StdRng::seed_from_u64(search.seed);
    // One in each part of the range; the error is then rather too large.
    let last = u128::from(ranks - width);
    let cut = |piece: u64| (last * u128::from(piece) / u128::from(pieces)) as u64;
    let starts: Vec<u64> = (0..pieces)
        .map(|piece| random.random_range(cut(piece)..=cut(piece + 1)))
        .collect();
    let timed: Result<Vec<f64>, SearchError> = starts
        .par_iter()
        .filter(|_| !control.should_stop())
        .map(|&from| {
            let timer = CpuTimer::start();
            let floors = search.floors();
            census::run(search.size, from..from + width, floors, &mut |_| false)
                .map_err(|error| SearchError::BadShard(error.to_string()))?;
            Ok(timer.elapsed().as_secs_f64() * ranks as f64 / width as f64)
        })
        .collect();
    let timed = timed?;
    let visited = Sampled {
        value: ranks as f64,
        error: 0.0,
    };
    Ok((!control.should_stop()).then(|| Estimate {
        core_seconds: Sampled::from(&timed),
        floor_sets: Sampled::default(),
        visited,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn a_sample_that_holds_everything_is_exact() {
        for (search, sets) in [
            (
                Search::new(Size::new(4, 4).unwrap(), Mode::Exhaustive),
                840.0,
            ),
            (
                Search::new(Size::new(3, 3).unwrap(), Mode::Exhaustive),
                46.0,
            ),
        ] {
            let found = estimate(&search, 1_000_000, &Control::new());
            let found = found.unwrap().unwrap();
            assert_eq!(
                found.floor_sets,
                Sampled {
                    value: sets,
                    error: 0.0
                }
            );
            assert!(found.core_seconds.value > 0.0);
        }
    }

    #[test]
    fn a_small_sample_is_near_the_truth_and_knows_how_near() {
        let search = Search::new(Size::new(6, 6).unwrap(), Mode::Exhaustive);
        let found = estimate(&search, 1600, &Control::new()).unwrap().unwrap();
        let off = (found.floor_sets.value - 1_538_278.0).abs();
        // Twice the standard error; the numbers are the same in every run.
        assert!(off < 1.5 * found.floor_sets.error, "{found:?}");
        assert!(found.floor_sets.error < 0.2 * 1_538_278.0, "{found:?}");
        let plane = estimate(&Search::floor(12).unwrap(), 500, &Control::new());
        assert!(plane.unwrap().unwrap().floor_sets.value > 100.0);
    }

    #[test]
    fn a_census_visits_every_rank() {
        let search = Search::new(Size::new(5, 4).unwrap(), Mode::Census);
        let found = estimate(&search, 1000, &Control::new()).unwrap().unwrap();
        assert_eq!(
            found.visited,
            Sampled {
                value: f64::from(1 << 20),
                error: 0.0
            }
        );
    }

    #[test]
    fn what_is_told_to_stop_stops() {
        let control = Control::new();
        control.stop();
        let search = Search::new(Size::new(6, 6).unwrap(), Mode::Exhaustive);
        assert_eq!(estimate(&search, 1000, &control), Ok(None));
    }
}
