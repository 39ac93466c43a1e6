//! Which level is the record of a board size.

use std::collections::BTreeMap;

use soko::rpc::v1;

use crate::model::Write;

/// The best known level of each board size that has one. Its rows were solved
/// by the coordinator before they came here.
#[derive(Debug, Default)]
pub struct RecordTable {
    rows: BTreeMap<(u32, u32), v1::Record>,
    imported: u64,
}

impl RecordTable {
    /// The table with these rows, after the import of so many known levels.
    pub fn new(records: Vec<v1::Record>, imported: u64) -> Self {
        let rows = records.into_iter();
        let rows = rows.map(|row| ((row.rows, row.cols), row)).collect();
        Self { rows, imported }
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
    /// there already makes that exact.
    pub fn offer(&mut self, new: v1::Record) -> Option<Write> {
        let size = (new.rows, new.cols);
        let row = match self.rows.get(&size) {
            None => new,
            Some(old) if new.max_moves > old.max_moves => {
                if old.exact {
                    contradiction(old, &new);
                    return None;
                }
                new
            }
            Some(old) if new.exact && !old.exact => {
                if new.max_moves < old.max_moves {
                    contradiction(old, &new);
                    return None;
                }
                // The level keeps its author; the job is its proof.
                v1::Record {
                    exact: true,
                    job: new.job,
                    ..old.clone()
                }
            }
            Some(_) => return None,
        };
        tracing::info!(
            rows = row.rows,
            cols = row.cols,
            moves = row.max_moves,
            exact = row.exact,
            source = row.source,
            "record"
        );
        self.rows.insert(size, row.clone());
        Some(Write::Record(Box::new(row)))
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
