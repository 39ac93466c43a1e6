//! Whether the compute threads fit into the memory they may use.
//!
//! The engines walk their trees depth first and keep a few tables a thread,
//! whatever the board, so the need is known before any work starts.

use bytesize::ByteSize;

use crate::WorkerError;

/// What the process needs besides its compute threads: the runtime, leases,
/// results on their way. Measured: 12 MiB with one thread.
const BASE: u64 = 48 << 20;

/// What a compute thread needs at most. Measured on 7x7: 3 MiB; the rest is for the
/// walks that are kept on large boards and the solver that takes their levels over,
/// 54 and 24 MiB for 50x50.
const PER_THREAD: u64 = 80 << 20;

/// What a worker may use when nothing is said, if its threads need no more.
const DEFAULT: u64 = 2 << 30;

/// What so many threads need, in bytes.
pub fn memory_needed(threads: usize) -> u64 {
    BASE.saturating_add(PER_THREAD.saturating_mul(threads as u64))
}

/// Checks that so many threads fit into `memory` bytes; without it, into the
/// memory limit of the container, or 2 GiB, or what they need if that is more.
///
/// # Errors
/// [`WorkerError::Memory`].
pub fn check_memory(threads: usize, memory: Option<u64>) -> Result<(), WorkerError> {
    let needed = memory_needed(threads);
    let allowed = memory
        .or_else(container_limit)
        .unwrap_or_else(|| needed.max(DEFAULT));
    if needed > allowed {
        return Err(WorkerError::Memory {
            threads,
            needed: ByteSize(needed),
            allowed: ByteSize(allowed),
        });
    }
    Ok(())
}

/// The memory limit of this container (control group version 2), if any.
fn container_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let file = format!("/sys/fs/cgroup{path}/memory.max");
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_need_memory_and_too_little_is_refused() {
        assert!(memory_needed(2) > memory_needed(1));
        assert!(check_memory(2, Some(memory_needed(2))).is_ok());
        let error = check_memory(64, Some(64 << 20)).unwrap_err().to_string();
        assert!(error.contains("64 threads takes 5.0 GiB"), "{error}");
        assert!(memory_needed(usize::MAX) > 1 << 60);
    }
}
