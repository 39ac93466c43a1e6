//! `soko-coord completions` and `soko-coord man`.

use serde::Serialize;
use soko_worker::program::{self, CompletionsArgs, ManArgs};

use super::{
    CliError, command,
    output::{Output, Show},
};

/// A script or a page, which is all of its text.
#[derive(Debug, Serialize)]
struct Printed {
    content: String,
}

impl Show for Printed {
    fn text(&self) -> String {
        self.content.clone()
    }

    fn quiet(&self) -> String {
        self.content.clone()
    }
}

#[derive(Debug, Serialize)]
struct Written {
    dir: String,
}

impl Show for Written {
    fn text(&self) -> String {
        format!("the man pages are in {}", self.dir)
    }

    fn quiet(&self) -> String {
        self.dir.clone()
    }
}

pub(super) fn completions(args: &CompletionsArgs, output: Output) -> Result<u8, CliError> {
    let content = program::completions(command(), args.shell);
    output.show(&Printed { content })?;
    Ok(0)
}

pub(super) fn man(args: &ManArgs, output: Output) -> Result<u8, CliError> {
    let Some(dir) = &args.dir else {
        let page = program::man_page(command());
        let content = page.map_err(|error| CliError::internal(error.to_string()))?;
        output.show(&Printed { content })?;
        return Ok(0);
    };
    let written = program::man_pages(command(), dir);
    let dir = dir.display().to_string();
    written.map_err(|error| {
        CliError::bad_input(
            format!("cannot write man pages to {dir}: {error}"),
            "--dir names a directory that can be written",
        )
    })?;
    output.show(&Written { dir })?;
    Ok(0)
}
