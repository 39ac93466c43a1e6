//! Cutting a search into shards.

use sha2::{Digest, Sha256};

use super::{ENGINE, Mode, Search, SearchError, Shard, Tally, Work};
use crate::{
    board::{Cell, Size},
    search::{
        census,
        growth::{self, Extent, FloorSet},
        hunt::Piece,
    },
};

/// The most shards that one goal or one census is cut into.
const MAX_PARTS: u64 = 4096;

/// The shards of a search. A pure function of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Disjoint shards that cover the search.
    pub shards: Vec<Shard>,
    /// Digest of search, engine version and shards. Both sides of a lease
    /// compare it, so that no result of another plan is ever counted.
    pub digest: u128,
}

/// Cuts a search into shards.
///
/// # Errors
/// [`SearchError`] if the engine cannot handle the board.
pub fn plan(search: &Search) -> Result<Plan, SearchError> {
    search.validate()?;
    let shards = match search.mode {
        Mode::Exhaustive => growth_shards(search, growth_cost_ms(search.size), Extent::Whole)?,
        Mode::Floor => {
            let limit = search.floor_limit().unwrap_or(0);
            growth_shards(search, floor_cost_ms(limit), Extent::Crowned(limit))?
        }
        Mode::Census => census_shards(search),
        Mode::Anneal | Mode::Neighborhood | Mode::Genetic | Mode::Beam => hunt_shards(search)?,
    };
    let digest = digest(search, &shards);
    Ok(Plan { shards, digest })
}

/// The sets of this extent around each goal, one goal taking about `cost_ms`.
/// One shard per goal when that is little. Otherwise the tree of a goal is cut
/// at a layer that has many more sets than shards are wanted: one shard for all
/// above it, and the layer's sets dealt out in turn, which evens out their very
/// different costs.
fn growth_shards(search: &Search, cost_ms: f64, extent: Extent) -> Result<Vec<Shard>, SearchError> {
    const SETS_PER_SHARD: u64 = 16;
    let size = search.size;
    let parts = parts(cost_ms, search.shard_ms, default_shard_ms(cost_ms));
    let goals: Vec<(Cell, Vec<FloorSet>)> = search
        .goals()
        .into_iter()
        .map(|goal| (goal, growth::tree_roots(size, goal)))
        .filter(|(_, roots)| !roots.is_empty())
        .collect();
    let weight = 1.0 / goals.len() as f64;
    let mut shards = Vec::new();
    for (goal, roots) in goals {
        let shard = |weight, roots, extent| Shard {
            weight,
            work: Work::Growth {
                goal,
                roots,
                extent,
            },
        };
        let (layer, cells) = if parts == 1 {
            (Vec::new(), 0)
        } else {
            wide_layer(size, goal, &roots, parts * SETS_PER_SHARD, extent)?
        };
        if layer.is_empty() {
            shards.push(shard(weight, roots, extent));
            continue;
        }
        shards.push(shard(0.0, roots, Extent::Below(cells)));
        let parts = parts.min(layer.len() as u64) as usize;
        let share = weight / layer.len() as f64;
        for part in 0..parts {
            let mine: Vec<FloorSet> = layer.iter().skip(part).step_by(parts).cloned().collect();
            shards.push(shard(share * mine.len() as f64, mine, extent));
        }
    }
    Ok(shards)
}

/// The first layer of a goal's tree with at least `wanted` sets, and the
/// number of cells of its sets; no sets if no layer has so many.
fn wide_layer(
    size: Size,
    goal: Cell,
    roots: &[FloorSet],
    wanted: u64,
    extent: Extent,
) -> Result<(Vec<FloorSet>, u16), SearchError> {
    let mut layer = roots.to_vec();
    for cells in 3..extent.limit().unwrap_or(size.area() as u16 + 1) {
        layer = growth::layer(size, goal, &layer, cells)
            .map_err(|error| SearchError::BadShard(error.to_string()))?;
        if layer.is_empty() || layer.len() as u64 >= wanted {
            return Ok((layer, cells));
        }
    }
    Ok((Vec::new(), 0))
}

/// About how many core-milliseconds a goal takes: 8 for 5x5, 600 for 6x6,
/// 40,000 for 7x7, and so on along the same line. It only decides how finely
/// the work is cut.
fn growth_cost_ms(size: Size) -> f64 {
    10f64.powf(0.146 * (size.area() as f64 - 19.0))
}

/// The same in the plane, for sets of at most `limit` cells.
fn floor_cost_ms(limit: u16) -> f64 {
    10f64.powf(0.37 * (f64::from(limit) - 13.0))
}

fn default_shard_ms(cost_ms: f64) -> u32 {
    match cost_ms {
        ..1e3 => 100,
        1e3..1e5 => 2_000,
        _ => 20_000,
    }
}

fn census_shards(search: &Search) -> Vec<Shard> {
    const RANKS_PER_MS: f64 = 4_000.0;
    // The census has checked the size, so that the shift fits.
    let ranks = census::ranks(search.size).unwrap_or(0);
    let parts = parts(ranks as f64 / RANKS_PER_MS, search.shard_ms, 500).min(ranks);
    let cut = |part: u64| (u128::from(ranks) * u128::from(part) / u128::from(parts)) as u64;
    (0..parts)
        .map(|part| Shard {
            weight: 1.0 / parts as f64,
            work: Work::Census {
                from: cut(part),
                to: cut(part + 1),
            },
        })
        .collect()
}

/// The first round of a hunt.
fn hunt_shards(search: &Search) -> Result<Vec<Shard>, SearchError> {
    let Some(hunt) = &search.hunt else {
        return Ok(Vec::new());
    };
    hunt.check_starts()?;
    Ok(weighed(hunt.first_round(search.size), hunt.share(0)))
}

/// The shards of the round after `round`, which is over; `tally` is that of all
/// rounds so far. None if the search is over. A pure function.
pub fn next_round(search: &Search, round: u32, tally: &Tally) -> Vec<Shard> {
    let (Some(hunt), Tally::Hunt(tally)) = (&search.hunt, tally) else {
        return Vec::new();
    };
    let pieces = hunt.next_round(search.size, round, tally);
    weighed(pieces, hunt.share(round + 1))
}

/// Shards of the pieces of a round, which is this share of the search.
fn weighed(pieces: Vec<Piece>, share: f64) -> Vec<Shard> {
    let size = |piece: &Piece| match piece {
        Piece::Batch(_) => 1,
        Piece::Around(around) => around.to - around.from,
    };
    let total: u64 = pieces.iter().map(size).sum();
    let shards = pieces.into_iter().map(|piece| Shard {
        weight: share * size(&piece) as f64 / total as f64,
        work: match piece {
            Piece::Batch(batch) => Work::Batch(batch),
            Piece::Around(around) => Work::Around(around),
        },
    });
    shards.collect()
}

fn parts(cost_ms: f64, asked_ms: u32, default_ms: u32) -> u64 {
    let shard_ms = if asked_ms == 0 { default_ms } else { asked_ms };
    ((cost_ms / f64::from(shard_ms)).ceil() as u64).clamp(1, MAX_PARTS)
}

fn digest(search: &Search, shards: &[Shard]) -> u128 {
    let mut hash = Sha256::new();
    let size = search.size;
    if let Some(hunt) = &search.hunt {
        hash.update(format!("{:?} {} ", hunt.method, hunt.rounds));
    }
    hash.update(format!(
        "{ENGINE} {} {size} {} {} {}",
        search.mode.name(),
        search.seed,
        search.connected,
        search.shard_ms
    ));
    for shard in shards {
        match &shard.work {
            Work::Growth {
                goal,
                roots,
                extent,
            }
            | Work::Recheck {
                goal,
                roots,
                extent,
                ..
            } => {
                hash.update(format!(
                    " growth {} {} {}",
                    goal.0,
                    of_digest(*extent),
                    roots.len()
                ));
                for root in roots {
                    hash.update((root.len() as u32).to_be_bytes());
                    hash.update(root.to_bytes(size.area()));
                }
            }
            Work::Census { from, to } => hash.update(format!(" census {from} {to}")),
            Work::Batch(batch) => {
                hash.update(format!(" batch {} {}", batch.round, batch.index));
                for start in &batch.starts {
                    hash.update(format!(" {}", start.to_xsb()));
                }
            }
            Work::Around(around) => {
                let (from, to) = (around.from, around.to);
                hash.update(format!(" around {from} {to} {}", around.centre.to_xsb()));
            }
        }
    }
    let bytes: [u8; 32] = hash.finalize().into();
    bytes[..16]
        .iter()
        .fold(0, |sum, &byte| sum << 8 | u128::from(byte))
}

/// An extent in the digest, where the first two have always been so: half-done
/// jobs go by it.
fn of_digest(extent: Extent) -> String {
    match extent {
        Extent::Whole => "None".to_owned(),
        Extent::Below(cells) => format!("Some({cells})"),
        Extent::Crowned(cells) => format!("crowned {cells}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(rows: u64, cols: u64, mode: Mode, shard_ms: u32) -> Search {
        Search {
            shard_ms,
            ..Search::new(Size::new(rows, cols).unwrap(), mode)
        }
    }

    #[test]
    fn a_plan_is_a_pure_function_of_the_search() {
        let six = search(6, 6, Mode::Exhaustive, 0);
        assert_eq!(plan(&six), plan(&six));
        let other = search(6, 6, Mode::Exhaustive, 10);
        assert_ne!(plan(&six).unwrap().digest, plan(&other).unwrap().digest);
    }

    #[test]
    fn weights_add_up_to_the_whole() {
        for (search, fewest) in [
            (search(6, 6, Mode::Exhaustive, 0), 30),
            (search(5, 5, Mode::Exhaustive, 0), 6),
            (search(5, 5, Mode::Census, 0), 8),
            (search(7, 7, Mode::Exhaustive, 0), 100),
        ] {
            let plan = plan(&search).unwrap();
            let sum: f64 = plan.shards.iter().map(|shard| shard.weight).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(plan.shards.len() >= fewest, "{}", plan.shards.len());
        }
    }

    #[test]
    fn boards_without_levels_have_plans() {
        assert!(
            plan(&search(1, 1, Mode::Exhaustive, 0))
                .unwrap()
                .shards
                .is_empty()
        );
        assert!(
            !plan(&search(2, 2, Mode::Exhaustive, 0))
                .unwrap()
                .shards
                .is_empty()
        );
        assert!(plan(&search(12, 12, Mode::Exhaustive, 0)).is_err());
    }
}
