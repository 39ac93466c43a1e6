//! Counters since the coordinator started.

/// Why a lease ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// The worker gave no sign of life for a lease's length.
    Silent,
    /// Beats arrived, but the shard made no progress for a lease's length.
    Stalled,
    /// A newer process took the worker's name, so the old one died.
    Replaced,
    /// The worker never mentioned the lease: the answer to it got lost.
    Unclaimed,
    /// The worker stopped mentioning the lease and sent no result.
    Dropped,
    /// The worker handed it back.
    Released,
    /// A lease given before the restart turned up that is newer.
    Outdated,
    /// The job ended.
    JobEnded,
    /// The worker gave a wrong result, or the shard was taken back.
    Distrusted,
}

impl Loss {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::Silent,
        Self::Stalled,
        Self::Replaced,
        Self::Unclaimed,
        Self::Dropped,
        Self::Released,
        Self::Outdated,
        Self::JobEnded,
        Self::Distrusted,
    ];

    /// Whether the shard may be to blame, so that it counts as an attempt.
    pub const fn counts(self) -> bool {
        matches!(self, Self::Silent | Self::Stalled | Self::Replaced)
    }

    /// The reason in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Stalled => "stalled",
            Self::Replaced => "replaced",
            Self::Unclaimed => "unclaimed",
            Self::Dropped => "dropped",
            Self::Released => "released",
            Self::Outdated => "outdated",
            Self::JobEnded => "job-ended",
            Self::Distrusted => "distrusted",
        }
    }
}

/// Counters since the coordinator started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Leases given.
    pub leased: u64,
    /// Leases given for shards that had been leased before.
    pub leased_again: u64,
    /// Leases of an earlier start, or expired ones, taken up again.
    pub adopted: u64,
    /// Results stored.
    pub completed: u64,
    /// Failures reported by workers.
    pub failed: u64,
    /// Results that were not valid.
    pub rejected: u64,
    /// Results that lost their lease, or were sent again.
    pub stale: u64,
    /// Shards given up.
    pub poisoned: u64,
    /// Results found again by another worker.
    pub checked: u64,
    /// Results that another worker did not find again.
    pub disputed: u64,
    /// Results taken back.
    pub undone: u64,
    lost: [u64; Loss::ALL.len()],
}

impl Stats {
    /// Leases that ended without a result, by reason.
    pub const fn lost(&self, why: Loss) -> u64 {
        self.lost[why as usize]
    }

    pub(super) const fn count_lost(&mut self, why: Loss) {
        self.lost[why as usize] += 1;
    }
}
