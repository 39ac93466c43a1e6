//! Game model, search engines and wire types of the soko cluster.
//!
//! The rooms, in the order in which data flows through them:
//!
//! | module | what it holds |
//! |---|---|
//! | [`board`] | cells, directions, wall layouts, the symmetries of a board |
//! | [`level`] | levels with one box and with several, the text formats, LURD solutions |
//! | [`solve`] | shortest solutions of a single level |
//! | [`analysis`] | what a solution looks like, and what single cells do to it |
//! | [`bounds`] | proven bounds of the longest solution, the lower-bound construction, the density plot |
//! | [`picture`] | drawings of levels and solutions |
//! | [`search`] | engines that look for the hardest levels: growth, census, scorer |
//! | [`records`] | the levels that the project starts from |
//! | [`plan`] | a job and its parameters, cut into shards; the algebra of shard results |
//! | [`text`] | numbers in texts for people |
//!
//! Model and search do no input or output and know nothing of the network.

pub mod analysis;
pub mod board;
pub mod bounds;
pub mod cpu;
pub mod level;
pub mod picture;
pub mod plan;
pub mod records;
#[cfg(feature = "rpc")]
pub mod rpc;
pub mod search;
pub mod solve;
pub mod text;
