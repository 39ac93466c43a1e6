//! Which level is the record of a board size.

use std::{cmp::Ordering, collections::BTreeMap};

use soko::{level::Level, rpc::v1};

use crate::model::Write;

/// Classes of levels kept beside the record.
const MAX_OTHERS: usize = 16;
/// Most bytes of their texts together: a row has to fit into a message.
const MAX_OTHERS_BYTES: usize = 1 << 20;

/// What came of a level that was offered. `before` is the record's number of
/// moves until then, 0 if there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is the new record.
    Best {
        /// Moves of the record before.
        before: u32,
    },
    /// It is kept beside a record of as many moves.
    Kept {
        /// Moves of the record.
        before: u32,
    },
    /// The table has it, or better ones of as many moves.
    Known {
        /// Moves of the record.
        before: u32,
    },
    /// The record has more moves.
    Shorter {
        /// Moves of the record.
        before: u32,
    },
    /// It has more moves than the proven maximum.
    Contradicts {
        /// The proven maximum.
        before: u32,
    },
}

/// The best known level of each board size that has one. Its rows were solved
/// by the coordinator before they came here.
#[derive(Debug, Default)]
pub struct RecordTable {
    rows: BTreeMap<(u32, u32), v1::Record>,
    imported: u64,
    revision: u64,
}

impl RecordTable {
    /// The table with these rows, after the import of so many known levels.
    pub fn new(records: Vec<v1::Record>, imported: u64) -> Self {
        let rows = records.into_iter();
        let rows = rows.map(|row| ((row.rows, row.cols), row)).collect();
        Self {
            rows,
            imported,
            revision: 0,
        }
    }

    /// Grows with every change of a row.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// How many of the levels known from the start have been imported.
    pub const fn imported(&self) -> u64 {
        self.imported
    }

    /// So many of the levels known from the start have been imported.
    pub const fn note_import(&mut self, levels: u64) -> Write {
        self.imported = levels;
        Write::Imported(levels)
    }

    /// Offers a level. If it changes the table, gives back the change to make
    /// durable. A longer level replaces a shorter one; a proof of what is
    /// there already makes that exact; another class of levels with as many
    /// moves is kept beside the first one.
    pub fn offer(&mut self, new: v1::Record) -> Option<Write> {
        let size = (new.rows, new.cols);
        let row = match self.rows.get(&size) {
            None => v1::Record { revision: 1, ..new },
            Some(old) if new.max_moves > old.max_moves => {
                if old.exact {
                    contradiction(old, &new);
                    return None;
                }
                let revision = old.revision + 1;
                v1::Record { revision, ..new }
            }
            Some(old) if new.max_moves == old.max_moves => with(old, new)?,
            Some(old) => {
                if new.exact && !old.exact {
                    contradiction(old, &new);
                }
                return None;
            }
        };
        tracing::info!(
            rows = row.rows,
            cols = row.cols,
            moves = row.max_moves,
            exact = row.exact,
            classes = row.others.len() + 1,
            source = row.source,
            "record"
        );
        self.revision += 1;
        self.rows.insert(size, row.clone());
        Some(Write::Record(Box::new(row)))
    }

    /// Offers a level that was handed in, and says what came of it.
    pub fn offer_handed_in(&mut self, new: v1::Record) -> (Standing, Option<Write>) {
        let (moves, old) = (new.max_moves, self.get(new.rows, new.cols));
        let before = old.map_or(0, |row| row.max_moves);
        let write = self.offer(new);
        let standing = match (moves.cmp(&before), &write) {
            (Ordering::Greater, Some(_)) => Standing::Best { before },
            (Ordering::Greater, None) => Standing::Contradicts { before },
            (Ordering::Equal, Some(_)) => Standing::Kept { before },
            (Ordering::Equal, None) => Standing::Known { before },
            (Ordering::Less, _) => Standing::Shorter { before },
        };
        (standing, write)
    }

    /// The proof of a job is void: what it proved are lower bounds again.
    pub fn withdraw_proof(&mut self, job: &str) -> Vec<Write> {
        let proven = self.rows.values_mut();
        let proven = proven.filter(|row| row.exact && row.job == job);
        let withdrawn = proven.map(|row| {
            row.exact = false;
            tracing::warn!(rows = row.rows, cols = row.cols, job, "a proof is void");
            Write::Record(Box::new(row.clone()))
        });
        withdrawn.collect()
    }

    /// All rows, smallest board first.
    pub fn rows(&self) -> impl Iterator<Item = &v1::Record> {
        self.rows.values()
    }

    /// The row of a board size.
    pub fn get(&self, rows: u32, cols: u32) -> Option<&v1::Record> {
        self.rows.get(&(rows, cols))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// A row as lists show it: without texts that grow with the board, so that many
/// rows fit into a message.
pub fn outline(row: &v1::Record) -> v1::Record {
    let level = row.level.as_ref().map(|level| v1::Level {
        xsb: String::new(),
        lurd: String::new(),
        moves: level.moves,
        pushes: level.pushes,
        floor: level.floor,
        reachable_floor: level.reachable_floor,
        shortest_solutions: String::new(),
        source: level.source.clone(),
    });
    let provenance = row.provenance.as_ref().map(|found| v1::Provenance {
        job: found.job.clone(),
        shard: found.shard,
        mode: found.mode.clone(),
        seed: found.seed,
        engine: found.engine.clone(),
        parents: Vec::new(),
        unix_ms: found.unix_ms,
        note: found.note.clone(),
    });
    v1::Record {
        rows: row.rows,
        cols: row.cols,
        max_moves: row.max_moves,
        exact: row.exact,
        level,
        title: row.title.clone(),
        author: row.author.clone(),
        source: row.source.clone(),
        job: row.job.clone(),
        provenance,
        others: Vec::new(),
        revision: row.revision,
    }
}

/// A row with what a level of as many moves adds to it, if anything.
fn with(old: &v1::Record, new: v1::Record) -> Option<v1::Record> {
    let mut row = old.clone();
    if new.exact && !old.exact {
        // The level keeps its author; the job is its proof.
        row.exact = true;
        row.job = new.job;
        row.revision += 1;
    }
    let source = new.source;
    let level = new
        .level
        .and_then(|level| Some((class(&level)?, v1::Level { source, ..level })));
    if let Some((key, level)) = level
        && old.level.as_ref().and_then(class).as_ref() != Some(&key)
    {
        let known = row.others.drain(..);
        let mut others: BTreeMap<Class, v1::Level> = known
            .filter_map(|level| Some((class(&level)?, level)))
            .collect();
        others.entry(key).or_insert(level);
        let mut bytes = 0;
        let others = others.into_values().take(MAX_OTHERS).take_while(|level| {
            bytes += level.xsb.len() + level.lurd.len() + level.shortest_solutions.len();
            bytes <= MAX_OTHERS_BYTES
        });
        row.others = others.collect();
    }
    (row != *old).then_some(row)
}

/// What levels of equal moves are ordered by: pushes, floor, and the level
/// itself without what makes no difference.
type Class = (u32, u32, Level);

fn class(level: &v1::Level) -> Option<Class> {
    let normalized = level.xsb.parse::<Level>().ok()?.normalized()?;
    Some((level.pushes, level.floor, normalized))
}

/// A proven maximum and a longer level cannot both be right.
fn contradiction(old: &v1::Record, new: &v1::Record) {
    tracing::error!(
        rows = old.rows,
        cols = old.cols,
        known = old.max_moves,
        known_from = old.source,
        offered = new.max_moves,
        offered_by = new.source,
        "a level contradicts a proven maximum; one of them is wrong; the table stays as it is"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(max_moves: u32, exact: bool, source: &str) -> v1::Record {
        v1::Record {
            rows: 5,
            cols: 5,
            max_moves,
            exact,
            source: source.to_owned(),
            job: if exact { "j".to_owned() } else { String::new() },
            ..v1::Record::default()
        }
    }

    fn known(table: &RecordTable) -> (u32, bool, &str) {
        let row = table.get(5, 5).unwrap();
        (row.max_moves, row.exact, &row.source)
    }

    #[test]
    fn longer_wins_and_a_proof_makes_exact() {
        let mut table = RecordTable::default();
        assert!(table.offer(record(30, false, "a")).is_some());
        assert!(table.offer(record(30, false, "b")).is_none());
        assert!(table.offer(record(41, false, "c")).is_some());
        assert_eq!(known(&table), (41, false, "c"));
        assert!(table.offer(record(41, true, "proof")).is_some());
        assert_eq!(known(&table), (41, true, "c"));
        assert!(table.offer(record(41, true, "again")).is_none());
    }

    #[test]
    fn other_classes_are_kept_in_order_and_each_once() {
        let level = |xsb: &str, pushes| {
            let level = v1::Level {
                xsb: xsb.to_owned(),
                pushes,
                ..v1::Level::default()
            };
            v1::Record {
                level: Some(level),
                ..record(41, false, "hunt")
            }
        };
        let mut table = RecordTable::default();
        table.offer(level("@$.", 5));
        assert!(table.offer(level(".$@", 5)).is_none(), "the same turned");
        assert!(table.offer(level("@$-.", 9)).is_some());
        assert!(table.offer(level("@-$-.", 7)).is_some());
        assert!(table.offer(level(".-$@", 9)).is_none());
        let others = &table.get(5, 5).unwrap().others;
        let pushes: Vec<u32> = others.iter().map(|level| level.pushes).collect();
        assert_eq!(pushes, [7, 9]);
        for length in 4..30 {
            let xsb = format!("@$-{}.", "-".repeat(length));
            table.offer(level(&xsb, 20));
        }
        let row = table.get(5, 5).unwrap();
        assert_eq!((row.others.len(), row.revision), (MAX_OTHERS, 1));
        table.offer(record(42, false, "longer"));
        let row = table.get(5, 5).unwrap();
        assert_eq!((row.others.len(), row.revision), (0, 2));
    }

    #[test]
    fn others_are_kept_as_far_as_their_texts_are_short() {
        let level = |length: usize, lurd: usize| v1::Record {
            level: Some(v1::Level {
                xsb: format!("@$-{}.", "-".repeat(length)),
                lurd: "r".repeat(lurd),
                ..v1::Level::default()
            }),
            ..record(41, false, "hunt")
        };
        let mut table = RecordTable::default();
        table.offer(level(0, MAX_OTHERS_BYTES));
        for length in 1..9 {
            table.offer(level(length, MAX_OTHERS_BYTES / 3));
        }
        assert_eq!(table.get(5, 5).unwrap().others.len(), 2);
    }

    #[test]
    fn a_level_that_is_handed_in_is_told_where_it_stands() {
        let level = |moves, xsb: &str| v1::Record {
            level: Some(v1::Level {
                xsb: xsb.to_owned(),
                ..v1::Level::default()
            }),
            ..record(moves, false, "handed in")
        };
        let mut table = RecordTable::default();
        let mut offer = |moves, xsb: &str| table.offer_handed_in(level(moves, xsb)).0;
        assert_eq!(offer(41, "@$."), Standing::Best { before: 0 });
        assert_eq!(offer(41, ".$@"), Standing::Known { before: 41 });
        assert_eq!(offer(41, "@$-."), Standing::Kept { before: 41 });
        assert_eq!(offer(40, "@$-."), Standing::Shorter { before: 41 });
        assert_eq!(offer(42, "@$-."), Standing::Best { before: 41 });
        table.offer(record(42, true, "proof"));
        let (standing, write) = table.offer_handed_in(level(43, "@$--."));
        assert_eq!(standing, Standing::Contradicts { before: 42 });
        assert!(write.is_none());
        let (_, write) = table.offer_handed_in(level(42, "@$--."));
        let Some(Write::Record(row)) = write else {
            panic!("{write:?}");
        };
        assert_eq!(row.others[0].source, "handed in");
    }

    #[test]
    fn v8_a_void_proof_leaves_a_lower_bound() {
        let mut table = RecordTable::default();
        table.offer(record(41, true, "proof"));
        assert!(table.withdraw_proof("other").is_empty());
        assert_eq!(table.withdraw_proof("j").len(), 1);
        assert_eq!(known(&table), (41, false, "proof"));
        // It can be proven again, or beaten.
        assert!(table.offer(record(41, true, "again")).is_some());
    }

    #[test]
    fn case_22_a_contradiction_changes_nothing() {
        let mut table = RecordTable::default();
        table.offer(record(41, true, "proof"));
        assert!(table.offer(record(42, false, "liar")).is_none());
        assert_eq!(known(&table), (41, true, "proof"));
        let mut table = RecordTable::default();
        table.offer(record(50, false, "level"));
        assert!(table.offer(record(41, true, "wrong proof")).is_none());
        assert_eq!(known(&table), (50, false, "level"));
    }
}
