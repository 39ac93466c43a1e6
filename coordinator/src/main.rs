//! The program `soko-coord`.

use std::process::ExitCode;

fn main() -> ExitCode {
    soko_coord::cli::start()
}
