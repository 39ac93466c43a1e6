//! Shell completions and man pages, made from the arguments of a program.

use std::{io, path::PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

/// Which completions to print.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete commands.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Where man pages go.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for each command into this directory, which is made if there
    /// is none; without it the page of the program goes to standard output.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// The script that makes a shell complete the arguments of a program.
pub fn completions(mut command: Command, shell: Shell) -> String {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, &name, &mut script);
    let script = String::from_utf8_lossy(&script);
    // clap_complete 4.6 spells a program's name with a hyphen in two ways in its
    // script for bash, which then completes nothing after the first command.
    let mixed_up = name.replace('-', "__subcmd__");
    let script = script.replace(&mixed_up, &name.replace('-', "__"));
    script.trim_end().to_owned()
}

/// The man page of a program.
///
/// # Errors
/// None that is known: it is written to memory.
pub fn man_page(command: Command) -> io::Result<String> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).trim_end().to_owned())
}

/// Writes a man page for each command of a program, `PROGRAM-COMMAND.1`.
///
/// # Errors
/// Those of the file system.
pub fn man_pages(command: Command, dir: &std::path::Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    clap_mangen::generate_to(command, dir)
}
