//! Names of things. Each kind has its own type, so that they cannot be mixed
//! up, and a value of such a type is known to be well formed.

use std::{fmt, str::FromStr, sync::Arc};

/// Longest accepted name of a worker, instance or request, in characters.
const MAX_NAME: usize = 64;

/// A job. Random, so that a result kept by a worker never fits a job of
/// another data directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for JobId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex {
            return Err(NameError("a job id is 16 hexadecimal digits"));
        }
        u64::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| NameError("a job id is 16 hexadecimal digits"))
    }
}

/// A shard of a job. Numbers come from the same never-repeating source as
/// epochs: a shard that was handed out but lost in a crash of the coordinator
/// never shares its number with a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardId(pub u64);

/// The age of a lease. Every lease ever given has another one, and later
/// leases have greater ones, over completion, expiry and restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u64);

/// Names one lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseKey {
    /// The job.
    pub job: JobId,
    /// The shard.
    pub shard: ShardId,
    /// Which lease of the shard.
    pub epoch: Epoch,
}

impl fmt::Display for LeaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}@{}", self.job, self.shard.0, self.epoch.0)
    }
}

/// Why a text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(&'static str);

macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $accept:expr, $rule:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The name, if it is well formed.
            ///
            /// # Errors
            /// [`NameError`] says what a well-formed name is.
            pub fn new(text: &str) -> Result<Self, NameError> {
                let accept: fn(char) -> bool = $accept;
                let length = text.chars().take(MAX_NAME + 1).count();
                if (1..=MAX_NAME).contains(&length) && text.chars().all(accept) {
                    Ok(Self(text.into()))
                } else {
                    Err(NameError($rule))
                }
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

const fn is_printable(c: char) -> bool {
    c.is_ascii_graphic()
}

name!(
    /// Stable name of a worker; stays the same when its process restarts.
    WorkerName,
    is_word,
    "a worker's name is 1 to 64 letters, digits, dots, dashes or underscores"
);
name!(
    /// One process of a worker.
    InstanceId,
    is_printable,
    "an instance id is 1 to 64 printable ASCII characters without spaces"
);
name!(
    /// Chosen by a client for one request; a repeated request repeats it.
    RequestId,
    is_printable,
    "a request id is 1 to 64 printable ASCII characters without spaces"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_bounded() {
        assert!(WorkerName::new("rack-1.node_7").is_ok());
        assert!(WorkerName::new("").is_err());
        assert!(WorkerName::new("a b").is_err());
        assert!(WorkerName::new(&"x".repeat(MAX_NAME)).is_ok());
        assert!(WorkerName::new(&"x".repeat(MAX_NAME + 1)).is_err());
        assert!(RequestId::new("ü").is_err());
    }

    proptest! {
        #[test]
        fn job_ids_round_trip(id: u64) {
            prop_assert_eq!(JobId(id).to_string().parse(), Ok(JobId(id)));
        }

        #[test]
        fn any_text_is_a_job_id_or_refused(text in "\\PC{0,20}") {
            if let Ok(id) = text.parse::<JobId>() {
                prop_assert_eq!(id.to_string(), text.to_ascii_lowercase());
            }
        }
    }
}
