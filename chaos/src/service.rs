//! The coordinator, its directory and its log.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::bail;
use tokio::net::TcpSocket;

use crate::process::{Process, command, limited};

/// How long the coordinator may take to serve, on a busy machine.
const STARTING: Duration = Duration::from_mins(1);

/// A coordinator that can be killed and started again on the same data and
/// port.
#[derive(Debug)]
pub(crate) struct Service {
    dir: PathBuf,
    /// Bound without listening, so that nobody else gets the port while the
    /// coordinator is away.
    _held: TcpSocket,
    port: u16,
    flags: Vec<String>,
    pub(crate) process: Process,
}

impl Service {
    pub(crate) fn start(dir: &Path, flags: &[&str]) -> anyhow::Result<Self> {
        fs::create_dir_all(dir)?;
        let held = TcpSocket::new_v4()?;
        held.set_reuseaddr(true)?;
        held.bind(([127, 0, 0, 1], 0).into())?;
        let port = held.local_addr()?.port();
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let process = run(dir, port, &flags, None)?;
        Ok(Self {
            dir: dir.to_owned(),
            _held: held,
            port,
            flags,
            process,
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        ([127, 0, 0, 1], self.port).into()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    pub(crate) fn data(&self) -> PathBuf {
        data(&self.dir)
    }

    pub(crate) fn wait_until_it_serves(&mut self) -> anyhow::Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < STARTING {
            let health = command("soko-coord")?
                .args(["health", "--coordinator", &self.url()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            if health.success() {
                return Ok(());
            }
            if self.process.has_ended() {
                bail!("the coordinator ended; see {}", log(&self.dir).display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the coordinator does not serve")
    }

    /// SIGKILL if it still runs, and a new one on the same data.
    pub(crate) fn restart(&mut self) -> anyhow::Result<()> {
        self.process.kill();
        self.process = run(&self.dir, self.port, &self.flags, None)?;
        Ok(())
    }

    /// The disk is full after so many more bytes; when the coordinator has
    /// given up, a new one with room again.
    pub(crate) fn fill_disk(&mut self, patience: Duration) -> anyhow::Result<()> {
        self.process.kill();
        let limit = largest_file(&self.data())? + 64 * 1024;
        self.process = run(&self.dir, self.port, &self.flags, Some(limit))?;
        let begun = Instant::now();
        while begun.elapsed() < patience && !self.process.has_ended() {
            std::thread::sleep(Duration::from_millis(50));
        }
        self.restart()
    }
}

fn data(dir: &Path) -> PathBuf {
    dir.join("data")
}

fn log(dir: &Path) -> PathBuf {
    dir.join("coordinator.log")
}

fn run(dir: &Path, port: u16, flags: &[String], limit: Option<u64>) -> anyhow::Result<Process> {
    let mut command = limited("soko-coord", limit)?;
    command
        .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
        .args(["--http", "none"])
        .args(flags)
        .arg("--data")
        .arg(data(dir));
    Process::start(&mut command, &log(dir))
}

fn largest_file(dir: &Path) -> anyhow::Result<u64> {
    let mut largest = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        if kind.is_dir() {
            largest = largest.max(largest_file(&entry.path())?);
        } else {
            largest = largest.max(kind.len());
        }
    }
    Ok(largest)
}
