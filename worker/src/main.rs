//! The program `soko-worker`.

use std::process::ExitCode;

fn main() -> ExitCode {
    soko_worker::cli::start()
}
