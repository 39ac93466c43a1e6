//! What goes wrong, and when.

use std::{collections::BTreeMap, time::Duration};

use rand::{Rng, rngs::StdRng};

use crate::{cluster::Cluster, proxy::Weather, rogue::Kind};

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    KillCoordinator,
    KillWorker,
    TerminateWorker,
    DoubleWorker,
    FreezeCoordinator,
    FreezeWorker,
    CutConnections,
    Silence,
    Delay,
    FullDisk,
    FullOutbox,
    Rogue(Kind),
}

impl Fault {
    pub(crate) const OTHERS: [Self; 9] = [
        Self::TerminateWorker,
        Self::DoubleWorker,
        Self::FreezeCoordinator,
        Self::FreezeWorker,
        Self::CutConnections,
        Self::Silence,
        Self::Delay,
        Self::FullDisk,
        Self::FullOutbox,
    ];

    pub(crate) fn name(self) -> String {
        match self {
            Self::KillCoordinator => "coordinator killed".to_owned(),
            Self::KillWorker => "worker killed".to_owned(),
            Self::TerminateWorker => "worker terminated".to_owned(),
            Self::DoubleWorker => "worker started twice".to_owned(),
            Self::FreezeCoordinator => "coordinator stopped for a while".to_owned(),
            Self::FreezeWorker => "worker stopped for a while".to_owned(),
            Self::CutConnections => "connections cut".to_owned(),
            Self::Silence => "network silent for a while".to_owned(),
            Self::Delay => "network slow for a while".to_owned(),
            Self::FullDisk => "disk of the coordinator full".to_owned(),
            Self::FullOutbox => "disk of a worker full".to_owned(),
            Self::Rogue(kind) => format!("rogue: {}", kind.name()),
        }
    }
}

/// How much may go wrong.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Vec<Fault>,
    pub(crate) spent: BTreeMap<Fault, u32>,
}

impl Budget {
    /// These many kills, and these many other faults, each kind in turn.
    pub(crate) fn new(dice: &mut StdRng, coordinator: u32, worker: u32, others: u32) -> Self {
        let rogues = Kind::ALL.map(Fault::Rogue);
        let kinds: Vec<Fault> = rogues.into_iter().chain(Fault::OTHERS).collect();
        let others = kinds.iter().copied().cycle().take(others as usize);
        let mut left: Vec<Fault> =
            std::iter::repeat_n(Fault::KillCoordinator, coordinator as usize)
                .chain(std::iter::repeat_n(Fault::KillWorker, worker as usize))
                .chain(others)
                .collect();
        rand::seq::SliceRandom::shuffle(left.as_mut_slice(), dice);
        Self {
            left,
            spent: BTreeMap::new(),
        }
    }

    pub(crate) fn left(&self) -> usize {
        self.left.len()
    }

    /// The next fault, and a moment without any.
    pub(crate) fn next(&mut self, dice: &mut StdRng) -> Option<(Fault, Duration)> {
        let fault = self.left.pop()?;
        *self.spent.entry(fault).or_default() += 1;
        Some((fault, Duration::from_millis(dice.random_range(50..900))))
    }
}

/// Lets a fault happen.
pub(crate) async fn happen(
    fault: Fault,
    cluster: &mut Cluster,
    dice: &mut StdRng,
) -> anyhow::Result<()> {
    let worker = dice.random_range(0..cluster.workers.len());
    let while_ = Duration::from_millis(dice.random_range(300..2500));
    match fault {
        Fault::KillCoordinator => cluster.coordinator.restart()?,
        Fault::KillWorker => cluster.kill_worker(worker)?,
        Fault::TerminateWorker => {
            cluster.workers[worker].process.terminate()?;
            cluster.restart_worker(worker, false)?;
        }
        Fault::DoubleWorker => cluster.double_worker(worker)?,
        Fault::FreezeCoordinator => {
            cluster.coordinator.process.freeze(true)?;
            tokio::time::sleep(while_ * 2).await;
            cluster.coordinator.process.freeze(false)?;
        }
        Fault::FreezeWorker => {
            cluster.workers[worker].process.freeze(true)?;
            tokio::time::sleep(while_).await;
            cluster.workers[worker].process.freeze(false)?;
        }
        Fault::CutConnections => cluster.workers.iter().for_each(|it| it.proxy.cut()),
        Fault::Silence => {
            cluster.workers[worker].proxy.set(Weather::Silent);
            tokio::time::sleep(while_ * 2).await;
            cluster.workers[worker].proxy.set(Weather::Clear);
        }
        Fault::Delay => {
            let late = Weather::Slow(Duration::from_millis(dice.random_range(20..400)));
            cluster.workers[worker].proxy.set(late);
            tokio::time::sleep(while_ * 2).await;
            cluster.workers[worker].proxy.set(Weather::Clear);
        }
        Fault::FullDisk => {
            // It gives up, or has nothing to write for so long.
            cluster.coordinator.fill_disk(Duration::from_secs(8))?;
        }
        Fault::FullOutbox => {
            cluster.workers[worker].process.kill();
            cluster.restart_worker(worker, true)?;
        }
        Fault::Rogue(kind) => cluster.start_rogue(kind)?,
    }
    Ok(())
}
