//! Pieces of text for people.

use comfy_table::{CellAlignment, Table, presets};
use soko::{plan::Mode, rpc::v1};

/// A table in the style of the product: no lines, numbers to the right.
/// `columns` are titles; those that begin with `>` hold numbers.
pub(super) fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns.iter().map(|title| title.trim_start_matches('>')));
    for row in rows {
        table.add_row(row);
    }
    for (index, title) in columns.iter().enumerate() {
        if let Some(column) = table.column_mut(index) {
            column.set_padding((0, 2));
            if title.starts_with('>') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    table.trim_fmt()
}

/// A number in about three digits.
pub(super) fn count(number: f64) -> String {
    match number {
        n if n < 1e3 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.0} k", n / 1e3),
        n if n < 1e9 => format!("{:.1} M", n / 1e6),
        n => format!("{:.1} G", n / 1e9),
    }
}

/// A length of time, given in milliseconds, to the second.
pub(super) fn seconds(millis: u64) -> String {
    let time = std::time::Duration::from_secs(millis.div_ceil(1000));
    humantime::format_duration(time).to_string()
}

/// Name of a job's state.
pub(super) fn state_name(state: v1::JobState) -> &'static str {
    use v1::JobState as State;
    match state {
        State::Unspecified => "unknown",
        State::Queued => "queued",
        State::Planning => "planning",
        State::Running => "running",
        State::Paused => "paused",
        State::Starved => "starved",
        State::Finalizing => "finalizing",
        State::Done => "done",
        State::Incomplete => "incomplete",
        State::Cancelled => "cancelled",
        State::Failed => "failed",
    }
}

/// Name of a search's mode.
pub(super) fn mode_name(search: &v1::Search) -> &'static str {
    Mode::try_from(search.mode()).map_or("unknown", Mode::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_about_three_digits() {
        let shown: Vec<_> = [0.0, 999.0, 12_345.0, 1.54e6, 1.9e10].map(count).into();
        assert_eq!(shown, ["0", "999", "12 k", "1.5 M", "19.0 G"]);
    }

    #[test]
    fn times_are_rounded_up() {
        assert_eq!(seconds(1), "1s");
        assert_eq!(seconds(61_000), "1m 1s");
    }

    #[test]
    fn tables_align_numbers_to_the_right() {
        let rows = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["bc".to_owned(), "23".to_owned()],
        ];
        assert_eq!(table(&["name", ">n"], rows), "name   n\na      1\nbc    23");
    }
}
