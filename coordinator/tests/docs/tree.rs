//! The commands of both programs.

/// A command, named by its words: `soko-coord jobs list`.
pub(crate) type Named = (String, clap::Command);

fn below(command: &clap::Command, path: &str) -> Vec<Named> {
    let subcommands = command.get_subcommands();
    let visible = subcommands.filter(|it| it.get_name() != "help");
    let more = visible.flat_map(|it| below(it, &format!("{path} {}", it.get_name())));
    std::iter::once((path.to_owned(), command.clone()))
        .chain(more)
        .collect()
}

/// Both programs.
pub(crate) fn programs() -> [clap::Command; 2] {
    [soko_coord::cli::command(), soko_worker::cli::command()]
}

/// All commands of both programs, the programs themselves included.
pub(crate) fn all_commands() -> Vec<Named> {
    let all = programs().map(|mut program| {
        program.build();
        below(&program, program.get_name())
    });
    all.into_iter().flatten().collect()
}
