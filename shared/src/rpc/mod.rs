//! The wire types generated from `proto/`, their conversion from and to the
//! types of [`crate::plan`], and how a client connects.
//!
//! Everything that arrives is foreign: [`convert`] checks it completely, so
//! that the code behind it works with values that make sense.

pub mod convert;

mod access;
mod endpoint;
mod failure;

pub use access::{Access, AccessError, AccessFiles, Bearer, Link};
pub use convert::{MAX_REMAINDER, WireError};
pub use endpoint::{EndpointError, endpoint};
pub use failure::{FailureClass, classify, error_chain, status_text};

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
