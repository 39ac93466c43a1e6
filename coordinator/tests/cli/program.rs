//! Starting the program and reading what it says.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

/// The program with these arguments, separated by spaces.
pub(crate) fn program(line: &str) -> Command {
    command(assert_cmd::cargo::cargo_bin!("soko-coord"), line)
}

/// The worker with these arguments, separated by spaces.
pub(crate) fn worker(line: &str) -> Command {
    let path = assert_cmd::cargo::cargo_bin!("soko-coord").with_file_name("soko-worker");
    assert!(
        path.exists(),
        "{} is missing: run the tests with --workspace, or `cargo build -p soko-worker` first",
        path.display()
    );
    command(&path, line)
}

fn command(program: &Path, line: &str) -> Command {
    let mut command = Command::new(program);
    // Without the settings of whoever runs the tests.
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_string_lossy().starts_with("SOKO_")) {
        command.env_remove(name);
    }
    command
        .args(line.split_whitespace())
        .env_remove("RUST_LOG")
        .env("SOKO_CONFIG", "/dev/null")
        .env("SOKO_HTTP", "127.0.0.1:0");
    command
}

/// What a run of the program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Said {
    /// The document on stdout.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Checks that it failed with this exit code and error object.
    pub(crate) fn failed(&self, code: i32, name: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        let error: Value =
            serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert_eq!(error["error"]["code"], name, "{self:?}");
        for field in ["message", "hint"] {
            let text = error["error"][field].as_str().unwrap();
            assert!(!text.is_empty(), "{field}: {self:?}");
        }
    }
}

/// Runs the program to its end.
pub(crate) fn say(line: &str) -> Said {
    program(line).output().unwrap().into()
}

/// A child that is killed when the test ends early.
#[derive(Debug)]
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn start(line: &str) -> Self {
        let mut command = program(line);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(child.spawn().unwrap())
    }

    /// The first line that it prints to stdout.
    pub(crate) fn first_line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        line
    }

    /// Reads stderr up to a line with this text.
    pub(crate) fn until_it_says(&mut self, text: &str) {
        let err = self.0.stderr.as_mut().unwrap();
        let (mut line, mut byte) = (Vec::new(), [0]);
        // Byte by byte: what follows is for `ends_within`.
        while err.read(&mut byte).unwrap() == 1 {
            if byte != *b"\n" {
                line.extend(byte);
            } else if String::from_utf8_lossy(&line).contains(text) {
                return;
            } else {
                line.clear();
            }
        }
        panic!("it ended without saying `{text}`");
    }

    pub(crate) fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        let done = kill.args([name, &self.0.id().to_string()]).status();
        assert!(done.unwrap().success());
    }

    /// Waits for its end, for so long at most.
    pub(crate) fn ends_within(mut self, limit: Duration) -> (ExitStatus, String) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < limit, "it goes on");
            std::thread::sleep(Duration::from_millis(5));
        };
        let err = std::io::read_to_string(self.0.stderr.take().unwrap());
        (status, err.unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `--data` for this directory.
pub(crate) fn data(dir: &Path) -> String {
    format!("--data {}", dir.display())
}
