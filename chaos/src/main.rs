//! Chaos suite of the soko cluster.
//!
//! Real `soko-coord` and `soko-worker` processes compute real jobs while they
//! are killed, stopped, cut off, lied to and starved of disk, by dice with a
//! seed and a budget. In the end every answer has to be that of a single
//! process, and the books have to agree.
//!
//! | file | idea |
//! |---|---|
//! | `arguments` | what can be asked for, and the short and the long run |
//! | `process` | programs of this workspace, running |
//! | `service` | the coordinator, its directory and its log |
//! | `cluster` | a coordinator, honest workers, and rogues |
//! | `proxy` | a network that can be cut, made silent or slow |
//! | `faults` | what goes wrong, and when |
//! | `jobs` | what is computed, and the answers that are known |
//! | `books` | what the logs and the store say afterwards |
//! | `rogue` | workers that lie, hang, or say everything twice |
//! | `run` | one run from start to verdict |
//! | `load` | the coordinator alone, measured: workers that compute nothing |

mod arguments;
mod books;
mod cluster;
mod faults;
mod jobs;
mod load;
mod process;
mod proxy;
mod rogue;
mod run;
mod service;

use clap::Parser;

use crate::arguments::{Cli, Command};

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Run(args) => run::start(&args),
        Command::Load(args) => load::start(&args),
        Command::Rogue(args) => rogue::start(args),
    }
}
