//! The whole worker against a small coordinator in the same process.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::single_range_in_vec_init,
    reason = "one shard is a list of one range"
)]

mod engine;
mod fake;

mod faults;
mod leaving;
mod work;
