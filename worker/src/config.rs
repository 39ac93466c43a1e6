//! What a worker needs to know before it starts.

use std::{path::PathBuf, time::Duration};

use rand::Rng;
use soko::plan::{Control, Outcome, Search, SearchError, Shard};
use soko::rpc::Access;

/// Computes one shard; [`soko::plan::compute`] in production.
pub type Compute = fn(&Search, &Shard, &Control) -> Result<Outcome, SearchError>;

/// The engine that computes shards.
#[derive(Debug, Clone, Copy)]
pub struct Engine {
    /// Name and version, reported with each result.
    pub name: &'static str,
    /// Computes one shard on the calling thread.
    pub compute: Compute,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            name: soko::plan::ENGINE,
            compute: soko::plan::compute,
        }
    }
}

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address of the coordinator.
    pub coordinator: String,
    /// Token and certificates to show to it.
    pub access: Access,
    /// Stable name of the worker, 1..=64 characters of `[A-Za-z0-9._-]`.
    pub id: String,
    /// Shards computed at the same time, one per thread.
    pub threads: usize,
    /// The most memory that the worker may use, in bytes; see
    /// [`check_memory`](crate::check_memory).
    pub memory: Option<u64>,
    /// Where results wait on disk until they are acknowledged. Without it
    /// they wait in memory only.
    pub outbox: Option<PathBuf>,
    /// Leave when there is nothing to do.
    pub exit_when_idle: bool,
    /// The longest pause between two attempts to reach the coordinator.
    pub max_backoff: Duration,
    /// File that tells how the worker is, for `soko-worker health`.
    pub health_file: Option<PathBuf>,
    /// What computes the shards.
    pub engine: Engine,
}

impl Config {
    /// The defaults for a coordinator at this address: a fresh name, as many
    /// threads as the process may use (container quotas included), results in
    /// memory.
    pub fn new(coordinator: impl Into<String>) -> Self {
        Self {
            coordinator: coordinator.into(),
            access: Access::default(),
            id: default_id(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: None,
            outbox: None,
            exit_when_idle: false,
            max_backoff: Duration::from_secs(30),
            health_file: None,
            engine: Engine::default(),
        }
    }
}

/// The longest name that a worker may have, in characters.
const MAX_ID: usize = 64;

/// Whether a worker may be called so.
pub(crate) fn is_valid_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && id.chars().all(is_id_char)
}

fn is_id_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// A fresh name: the host's, and some random digits, so that several workers
/// of one host do not take each other for restarts of themselves.
pub fn default_id() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::env::var("HOSTNAME"))
        .unwrap_or_default();
    let host: String = host.chars().filter(|&c| is_id_char(c)).take(48).collect();
    let host = if host.is_empty() { "worker" } else { &host };
    let digits: u32 = rand::rng().random();
    format!("{host}-{digits:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_are_valid_and_differ() {
        let (one, other) = (default_id(), default_id());
        assert!(is_valid_id(&one), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn names_have_a_length_and_an_alphabet() {
        assert!(is_valid_id("a.B-3_"));
        assert!(!is_valid_id(""));
        assert!(!is_valid_id("a b"));
        assert!(!is_valid_id("ä"));
        assert!(is_valid_id(&"x".repeat(64)));
        assert!(!is_valid_id(&"x".repeat(65)));
    }
}
