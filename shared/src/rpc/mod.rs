//! The wire types generated from `proto/`, and how a client connects.

/// Generated from `proto/soko/v1/*.proto`; documented there.
#[allow(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
pub mod v1 {
    tonic::include_proto!("soko.v1");
}

/// Encoded descriptors of all services, for server reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/soko.v1.bin"));
