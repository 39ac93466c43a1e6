//! The values that options take.

use std::time::Duration;

use bytesize::ByteSize;
use clap::Command;

/// Makes every option of a program and its commands take a negative number as
/// its value, so that who types `--seed -1` is told what `--seed` takes and not
/// that there is no `-1`.
#[must_use]
pub fn with_negative_values(command: Command) -> Command {
    command
        .mut_args(|argument| {
            let takes = argument.get_long().is_some() && argument.get_action().takes_values();
            argument.allow_negative_numbers(takes)
        })
        .mut_subcommands(with_negative_values)
}

/// Reads a whole number; clap's own text for those of 64 bits does not tell what
/// they may be.
///
/// # Errors
/// What the number may be.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().and_then(|it: u64| it.try_into().ok());
    number.ok_or_else(|| format!("not a whole number from 0 to {}", u64::MAX))
}

/// Reads a length of time.
///
/// # Errors
/// How lengths of time are written, and what is wrong with this one.
pub fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|error| format!("not a length of time such as 90s or 1h: {error}"))
}

/// Reads a number of bytes.
///
/// # Errors
/// How sizes are written.
pub fn size(text: &str) -> Result<ByteSize, String> {
    text.parse()
        .map_err(|_| "not a size such as 512M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_faults_say_what_is_taken() {
        assert_eq!(whole("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(whole::<usize>("0"), Ok(0));
        for text in ["-1", "", "x", "1.5", "18446744073709551616"] {
            let fault = whole::<u64>(text).unwrap_err();
            assert_eq!(fault, "not a whole number from 0 to 18446744073709551615");
        }
        assert_eq!(time("1m 30s"), Ok(Duration::from_secs(90)));
        assert!(time("-1").unwrap_err().starts_with("not a length of time"));
        assert_eq!(size("2G"), Ok(ByteSize::gb(2)));
        assert!(size("-1").unwrap_err().starts_with("not a size"));
    }
}
