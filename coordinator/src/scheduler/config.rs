//! The numbers of the rules.

use std::time::Duration;

/// The numbers of the scheduler's rules.
#[derive(Debug, Clone)]
pub struct Config {
    /// Engine of this coordinator; jobs planned by another one cannot go on.
    pub engine: String,
    /// How often a worker sends a beat.
    pub beat: Duration,
    /// How long a lease lives without progress, and a worker without a sign
    /// of life. Several beats long, so that a few lost ones lose nobody.
    pub lease: Duration,
    /// How long a lease may stay unmentioned by its worker's beats before it
    /// counts as never received.
    pub claim: Duration,
    /// A pause between two ticks of more than this is the coordinator's own
    /// stall, not the workers' silence.
    pub stall: Duration,
    /// Crashes and invalid results after which a shard is given up.
    pub attempts: u32,
    /// How long no worker has to be there before jobs show as starved.
    pub starve_after: Duration,
    /// After a restart, shards of interrupted jobs are handed out lightest
    /// first for this long: the heaviest ones are likely still running on
    /// workers that are about to come back.
    pub settle: Duration,
    /// Shortest time that a worker is told to compute before handing back.
    pub budget_min: Duration,
    /// Longest such time.
    pub budget_max: Duration,
    /// Longest such time of a worker whose results are all computed again.
    pub budget_new: Duration,
    /// Budget for each open shard per worker slot, so that towards the end of
    /// a job leases get shorter and its tail is never one long shard.
    pub budget_step: Duration,
    /// Share of results that another worker computes again.
    pub check_share: f64,
    /// The first results of a worker, all of which are computed again.
    pub check_first: u32,
    /// Decides which results these are. Not known outside, so that nobody can
    /// tell where a lie would go unnoticed.
    pub check_seed: u64,
    /// Failures in a row after which a worker gets no more work.
    pub quarantine_after: u32,
    /// How long it gets none.
    pub quarantine: Duration,
    /// How long a lost worker is still listed.
    pub forget_worker: Duration,
    /// Most workers known at once.
    pub max_workers: usize,
    /// Most jobs that have not ended.
    pub max_active_jobs: usize,
    /// Ended jobs that are kept; the oldest are forgotten first.
    pub kept_jobs: usize,
    /// Open shards of ended jobs that are kept, so that memory stays bounded.
    pub kept_shards: usize,
    /// Jobs found unfinished at the start are held until they are resumed.
    pub hold_interrupted: bool,
}

impl Config {
    /// The product's numbers, for an engine.
    pub fn new(engine: &str) -> Self {
        Self {
            engine: engine.to_owned(),
            beat: Duration::from_secs(5),
            lease: Duration::from_secs(30),
            claim: Duration::from_secs(15),
            stall: Duration::from_secs(3),
            attempts: 5,
            starve_after: Duration::from_secs(2),
            settle: Duration::from_secs(10),
            budget_min: Duration::from_millis(250),
            budget_max: Duration::from_secs(20),
            budget_new: Duration::from_millis(500),
            budget_step: Duration::from_millis(500),
            check_share: 0.02,
            check_first: 10,
            check_seed: 0,
            quarantine_after: 5,
            quarantine: Duration::from_mins(10),
            forget_worker: Duration::from_mins(10),
            max_workers: 10_000,
            max_active_jobs: 10_000,
            kept_jobs: 1_000,
            kept_shards: 2_000_000,
            hold_interrupted: false,
        }
    }
}
