//! Pieces of text for people.

use soko::{plan::Mode, rpc::v1};
pub(super) use soko_worker::program::table;

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

/// A number of which 0 means that there is none.
pub(super) fn number_or_none(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// Whether a number is left out of a document.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A text of which the empty one means that there is none.
pub(super) fn text_or_none(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Each on a line of its own.
pub(super) fn lines(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join("\n")
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
}
