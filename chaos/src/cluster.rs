//! A coordinator, honest workers, and rogues.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, ensure};

use crate::{
    process::{ENDING, Process, limited},
    proxy::Proxy,
    rogue::Kind,
    service::Service,
};

/// An honest worker that is always started again.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) id: String,
    pub(crate) proxy: Proxy,
    pub(crate) process: Process,
}

/// Everything that runs.
#[derive(Debug)]
pub(crate) struct Cluster {
    dir: PathBuf,
    pub(crate) coordinator: Service,
    pub(crate) workers: Vec<Worker>,
    rogues: Vec<Process>,
    rogues_started: usize,
}

impl Cluster {
    pub(crate) async fn start(dir: &Path, workers: usize) -> anyhow::Result<Self> {
        // Rogues may lie: all that can be is computed twice.
        let flags = ["--double-check", "1", "--log", "soko_coord=debug,info"];
        let mut cluster = Self {
            dir: dir.to_owned(),
            coordinator: Service::start(dir, &flags)?,
            workers: Vec::new(),
            rogues: Vec::new(),
            rogues_started: 0,
        };
        cluster.coordinator.wait_until_it_serves()?;
        for number in 0..workers {
            let id = format!("w{number}");
            let proxy = Proxy::start(cluster.coordinator.address()).await?;
            let process = cluster.start_worker(&id, &proxy, false)?;
            let worker = Worker { id, proxy, process };
            cluster.workers.push(worker);
        }
        Ok(cluster)
    }

    /// The log of all that ever ran under this name.
    fn log(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.log"))
    }

    /// SIGKILL of a worker, and a new one under its name.
    pub(crate) fn kill_worker(&mut self, index: usize) -> anyhow::Result<()> {
        self.workers[index].process.kill();
        self.restart_worker(index, false)
    }

    /// A worker under the same name, with a full disk for its outbox if so
    /// wanted.
    pub(crate) fn restart_worker(&mut self, index: usize, full_disk: bool) -> anyhow::Result<()> {
        let worker = &self.workers[index];
        let process = self.start_worker(&worker.id, &worker.proxy, full_disk)?;
        self.workers[index].process = process;
        Ok(())
    }

    /// A second process under the name of a worker; the first one has to go.
    pub(crate) fn double_worker(&mut self, index: usize) -> anyhow::Result<()> {
        let worker = &self.workers[index];
        let process = self.start_worker(&worker.id, &worker.proxy, false)?;
        self.workers[index].process = process;
        Ok(())
    }

    /// Starts workers again that have ended by themselves.
    pub(crate) fn mend(&mut self) -> anyhow::Result<()> {
        for index in 0..self.workers.len() {
            if self.workers[index].process.has_ended() {
                self.restart_worker(index, false)?;
            }
        }
        if self.coordinator.process.has_ended() {
            self.coordinator.restart()?;
        }
        Ok(())
    }

    fn start_worker(&self, id: &str, proxy: &Proxy, full: bool) -> anyhow::Result<Process> {
        let outbox = self.dir.join(format!("{id}-outbox"));
        let health = self.dir.join(format!("{id}-health"));
        let mut command = limited("soko-worker", full.then_some(0))?;
        command
            .args(["--coordinator", &format!("http://{}", proxy.address)])
            .args(["--id", id, "--threads", "1", "--max-backoff", "1s"])
            .arg("--outbox")
            .arg(outbox)
            .arg("--health-file")
            .arg(health)
            .env("SOKO_LOG", "soko_worker=debug");
        Process::start(&mut command, &self.log(id))
    }

    /// A rogue that takes part until the calm.
    pub(crate) fn start_rogue(&mut self, kind: Kind) -> anyhow::Result<()> {
        self.rogues_started += 1;
        let id = match kind {
            Kind::Sloth => kind.name().to_owned(),
            _ => format!("{}{}", kind.name(), self.rogues_started),
        };
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["rogue", "--kind", kind.name(), "--id", &id])
            .args(["--coordinator", &self.coordinator.url()]);
        let process = Process::start(&mut command, &self.log(&id))?;
        self.rogues.push(process);
        Ok(())
    }

    pub(crate) fn end_rogues(&mut self) {
        self.rogues.clear();
    }

    /// Everything ends in order, with 0 and in time.
    pub(crate) fn shut_down(mut self) -> anyhow::Result<Vec<(String, Duration)>> {
        self.end_rogues();
        let mut took = Vec::new();
        let workers = std::mem::take(&mut self.workers);
        let coordinator = ("coordinator".to_owned(), self.coordinator.process);
        let all = workers.into_iter().map(|it| (it.id, it.process));
        for (name, mut process) in all.chain([coordinator]) {
            let (time, code) = process.terminate().context(name.clone())?;
            ensure!(code == Some(0), "{name} ended with {code:?}");
            ensure!(time <= ENDING, "{name} took {time:?} to end");
            took.push((name, time));
        }
        Ok(took)
    }
}
