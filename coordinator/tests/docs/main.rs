//! The documents: pages made from the code are up to date, links resolve,
//! command lines can be typed; help, errors and outputs of the commands are as
//! they were seen.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod command_lines;
mod errors;
mod help;
mod links;
mod outputs;
mod page;
mod pipes;
#[expect(dead_code, reason = "the tests in `cli` use the rest")]
#[path = "../cli/program.rs"]
mod program;
mod proto_page;
mod reference;
mod said;
mod settings_page;
mod tree;
