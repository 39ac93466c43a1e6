//! Why a message is not acceptable.

use crate::board::SizeError;

/// Why a message from the wire is not acceptable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A message lacks a field that it must have.
    #[error("the field `{0}` is missing")]
    Missing(&'static str),
    /// The sides are not those of a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// An enum value that this version does not know.
    #[error("`{field}` has the unknown value {value}; is the other side of another version?")]
    UnknownValue {
        /// Field of the message.
        field: &'static str,
        /// Its value.
        value: i32,
    },
    /// A shard or a tally of another mode than the search's.
    #[error("`{field}` does not belong to a search of mode {mode}")]
    OtherMode {
        /// Field of the message.
        field: &'static str,
        /// Name of the search's mode.
        mode: &'static str,
    },
    /// A list is longer than this version accepts.
    #[error("`{field}` has {len} entries, at most {limit} are allowed")]
    TooMany {
        /// Field of the message.
        field: &'static str,
        /// Entries it has.
        len: usize,
        /// Entries it may have.
        limit: usize,
    },
    /// A value that makes no sense.
    #[error("`{field}` is not valid: {why}")]
    Invalid {
        /// Field of the message.
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

impl WireError {
    pub(super) fn invalid(field: &'static str, why: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            why: why.into(),
        }
    }
}

/// Checks the length of a list.
pub(super) fn at_most(field: &'static str, len: usize, limit: usize) -> Result<(), WireError> {
    if len > limit {
        return Err(WireError::TooMany { field, len, limit });
    }
    Ok(())
}
