//! The levels that were known before this project computed anything.

use std::collections::BTreeMap;

use crate::bounds::RecordPoint;
use crate::level::Level;
use crate::level::format::{FormatError, ReadOptions, read_xsb};

/// Known levels from 3×3 to 50×50 with titles, authors and sources.
const SEED_LEVELS: &str = include_str!("seed-levels.xsb");

/// The best level of each square board that this project has found or built.
const FOUND_LEVELS: &str = include_str!("found-levels.xsb");

/// A known level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// The level as published, with whatever frame it has.
    pub level: Level,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Who made it, if that is known.
    pub author: Option<String>,
    /// Where it comes from and how it was found.
    pub source: String,
    /// Moves of its shortest solution.
    pub moves: u32,
    /// Whether no level of its size has more moves, by exhaustive search.
    pub exact: bool,
}

/// The levels that were known before this project computed anything, in the order
/// in which they were collected.
pub fn seeds() -> Vec<Seed> {
    read(SEED_LEVELS)
}

/// The best levels that this project has found or built, by ascending side: one
/// for each square board, unless a published one is longer.
pub fn found() -> Vec<Seed> {
    read(FOUND_LEVELS)
}

/// All known levels: those of others first.
pub fn known() -> Vec<Seed> {
    let mut known = seeds();
    known.extend(found());
    known
}

fn read(text: &str) -> Vec<Seed> {
    let collection = read_xsb(text.as_bytes(), &ReadOptions::default());
    let entries = collection.map_or_else(
        |error: FormatError| unreachable!("the carried text is tested: {error}"),
        |collection| collection.entries,
    );
    let seeds = entries.into_iter().filter_map(|entry| {
        Some(Seed {
            level: Level::try_from(&entry.grid).ok()?,
            moves: entry.field("moves")?.parse().ok()?,
            exact: entry.field("proof").is_some(),
            source: entry.field("source").unwrap_or_default().to_owned(),
            title: entry.title,
            author: entry.author,
        })
    });
    seeds.collect()
}

/// The longest of the known levels for each square board, in ascending order
/// of the side. A level counts for the [bounding
/// box](Level::bounding_box) of its reachable floor, if that is square.
pub fn best_squares() -> Vec<RecordPoint> {
    let mut best: BTreeMap<u64, RecordPoint> = BTreeMap::new();
    for seed in known() {
        let size = seed.level.bounding_box().size.squared();
        let point = RecordPoint {
            n: size.rows().into(),
            moves: seed.moves.into(),
            exact: seed.exact,
        };
        let known = best.get(&point.n).map_or(0, |known| known.moves);
        if point.moves > known {
            best.insert(point.n, point);
        }
    }
    best.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::shortest;

    const FIGURES: &str = include_str!("seed-levels.tsv");

    /// Every figure of the table of known values is reproduced.
    #[test]
    fn case_22_every_seed_level_is_solved_again() {
        let seeds = seeds();
        let lines: Vec<Vec<&str>> = FIGURES
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!(seeds.len(), 27);
        assert_eq!(seeds.len(), lines.len());
        for (seed, columns) in seeds.iter().zip(lines) {
            let id = columns[0];
            let level = &seed.level;
            assert_eq!(level.size().rows().to_string(), columns[1], "rows of {id}");
            assert_eq!(level.size().cols().to_string(), columns[2], "cols of {id}");
            let solution = shortest(level).unwrap().unwrap();
            assert_eq!(solution.moves.to_string(), columns[3], "moves of {id}");
            assert_eq!(solution.moves, seed.moves, "moves of {id}");
            assert_eq!(solution.pushes.to_string(), columns[4], "pushes of {id}");
            assert_eq!(
                solution.shortest_solutions.to_string(),
                columns[5],
                "shortest solutions of {id}"
            );
            assert_eq!(level.floor().to_string(), columns[6], "floor of {id}");
            assert_eq!(seed.title.as_deref().unwrap_or_default(), columns[7]);
            assert_eq!(seed.author.as_deref().unwrap_or_default(), columns[8]);
            assert!(!seed.source.is_empty(), "source of {id}");
        }
    }

    #[test]
    fn the_best_of_each_square() {
        let best = best_squares();
        let of = |n: u64| {
            let point = best.iter().find(|point| point.n == n).unwrap();
            (point.moves, point.exact)
        };
        for (n, expected) in [
            (3, (10, true)),
            (6, (78, true)),
            // Proven here.
            (7, (119, true)),
            // Found here, longer than what was published.
            (8, (167, false)),
            (9, (234, false)),
            (10, (320, false)),
            (20, (3582, false)),
            (48, (107_593, false)),
        ] {
            assert_eq!(of(n), expected, "{n}");
        }
        assert!(best.windows(2).all(|pair| pair[0].n < pair[1].n));
    }

    /// The framed 50×50 level counts for 48×48, the 42×42 level for 40×40.
    #[test]
    fn a_frame_does_not_count() {
        let sizes: Vec<String> = seeds()
            .iter()
            .filter(|seed| seed.level.size() != seed.level.bounding_box().size)
            .map(|seed| seed.level.bounding_box().size.to_string())
            .collect();
        assert_eq!(sizes, ["48x48", "40x40", "27x30"]);
    }
}
