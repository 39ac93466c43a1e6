//! `docs/reference/settings.md`.

use std::fmt::Write;

use soko_worker::program::config::{Setting, settings};

use crate::page::{check, notice};

const INTRODUCTION: &str = "\
Each setting can be given as a flag, as a variable of the environment, or in a file. The
first of these that is there counts; otherwise the default does. The file is the one of
`--config` or `SOKO_CONFIG`, or `config.toml` in the user's directory of settings
(`~/.config/soko` on Linux) if there is one. Both programs read the same file:

```toml
log = \"info\"                      # for all commands of both programs

[serve]                           # soko-coord serve, recover
listen = \"0.0.0.0:50051\"
tls-cert = \"/etc/soko/server.pem\"
tls-key = \"/etc/soko/server.key\"
tokens = \"/etc/soko/tokens.txt\"

[run]                             # soko-coord run, estimate
threads = 4

[client]                          # commands that talk to a coordinator
coordinator = \"https://coordinator.example:50051\"
tls-ca = \"/etc/soko/ca.pem\"
token-file = \"/etc/soko/submitter.token\"

[worker]                          # soko-worker
coordinator = \"https://coordinator.example:50051\"
log = \"warn\"                      # here instead of the one above
```

A key that is no setting is an error, with its line and column. A token is never in the
file: it is in a file of its own, or in `SOKO_TOKEN`. Paths are relative to the directory
in which the program is started. `soko-coord config show` and `soko-worker config show`
tell every value and where it comes from; followed by a command with its arguments, they
tell what that would use.
";

fn rows(settings: &[Setting]) -> String {
    let mut rows = String::new();
    for setting in settings {
        let argument = &setting.argument;
        let default = argument.get_default_values().first();
        let default = default.map_or_else(String::new, |it| format!("`{}`", it.to_string_lossy()));
        let help = argument
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let section = setting
            .section
            .map_or_else(String::new, |it| format!("`[{it}]`"));
        let _ = writeln!(
            rows,
            "| {section} | `{}` | `{}` | {default} | {} |",
            setting.key,
            setting.variable,
            help.replace('|', "\\|")
        );
    }
    rows
}

fn page() -> String {
    let mut all = settings(&soko_coord::cli::PROGRAM);
    let worker = settings(&soko_worker::cli::PROGRAM);
    all.extend(worker.into_iter().filter(|it| !it.global));
    format!(
        "# Settings\n\n{}\n\n{INTRODUCTION}\n| section | setting, `--flag` | variable | default | \
         meaning |\n|---|---|---|---|---|\n{}",
        notice(),
        rows(&all)
    )
}

#[test]
fn the_page_of_settings_is_up_to_date() {
    check("settings.md", &page());
}
