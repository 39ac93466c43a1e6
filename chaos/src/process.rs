//! Programs of this workspace, running.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::ensure;
use serde_json::Value;

/// How long a process may take to end after SIGTERM.
pub(crate) const ENDING: Duration = Duration::from_secs(8);

/// A program of this workspace, built with the same profile as this one.
fn program(name: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(name);
    ensure!(
        path.exists(),
        "{} is missing: `cargo build --workspace` first",
        path.display()
    );
    Ok(path)
}

/// A command of a program of this workspace, without the settings of whoever
/// runs this.
pub(crate) fn command(name: &str) -> anyhow::Result<Command> {
    let mut command = Command::new(program(name)?);
    plain(&mut command);
    Ok(command)
}

/// What a client command answers, in json.
pub(crate) fn ask(coordinator: &str, words: &[&str]) -> anyhow::Result<Value> {
    let out = command("soko-coord")?
        .args(words)
        .args(["-o", "json", "--coordinator", coordinator])
        .output()?;
    ensure!(
        out.status.success(),
        "soko-coord {}: {}",
        words.join(" "),
        String::from_utf8_lossy(&out.stderr)
    );
    Ok(serde_json::from_slice(&out.stdout)?)
}

fn plain(command: &mut Command) {
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_string_lossy().starts_with("SOKO_")) {
        command.env_remove(name);
    }
    command.env("NO_COLOR", "1").env("SOKO_CONFIG", "/dev/null");
}

/// Sends a signal to a process that this one started.
fn signal(process: &Child, name: &str) -> anyhow::Result<()> {
    let id = process.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status()?;
    ensure!(sent.success(), "kill {name} {id} failed");
    Ok(())
}

/// A running program. Killed when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(command: &mut Command, log: &Path) -> anyhow::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // Through pipes, for which there is no limit of size.
        if let Some(out) = child.stdout.take() {
            append(out, log)?;
        }
        if let Some(err) = child.stderr.take() {
            append(err, log)?;
        }
        Ok(Self(child))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// SIGSTOP and SIGCONT.
    pub(crate) fn freeze(&self, frozen: bool) -> anyhow::Result<()> {
        signal(&self.0, if frozen { "-STOP" } else { "-CONT" })
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }

    /// SIGTERM; says how long it took to end, and its exit code.
    pub(crate) fn terminate(&mut self) -> anyhow::Result<(Duration, Option<i32>)> {
        let begun = Instant::now();
        signal(&self.0, "-TERM")?;
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok((begun.elapsed(), status.code()));
            }
            ensure!(begun.elapsed() < 3 * ENDING, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Copies what a process says to the end of a file.
fn append(mut from: impl Read + Send + 'static, log: &Path) -> anyhow::Result<()> {
    let mut to = File::options().create(true).append(true).open(log)?;
    std::thread::spawn(move || {
        // Ends with the process.
        let _ = std::io::copy(&mut from, &mut to);
    });
    Ok(())
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program, with files of at most so many bytes: what it writes beyond
/// fails as on a full disk.
pub(crate) fn limited(name: &str, limit: Option<u64>) -> anyhow::Result<Command> {
    let Some(bytes) = limit else {
        return command(name);
    };
    // The unit is 1 KiB. Without the trap the signal would end the program.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        bytes / 1024
    );
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).arg(program(name)?);
    plain(&mut command);
    Ok(command)
}
