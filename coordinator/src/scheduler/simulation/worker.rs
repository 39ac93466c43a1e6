//! Workers that crash, hang, repeat themselves and lie.

use std::collections::BTreeMap;

use super::{
    ENGINE,
    network::ToCoordinator,
    toy::{count, piece, range},
    world::World,
};
use crate::{
    model::{Epoch, InstanceId, LeaseKey, RequestId, WorkerName},
    scheduler::{Ask, Granted, Held, Outcome, Progress, Registration, Report},
};

pub(super) struct Running {
    pub(super) granted: Granted,
    pub(super) work: u64,
}

pub(super) struct SimWorker {
    pub(super) name: WorkerName,
    pub(super) instance: InstanceId,
    pub(super) registered: bool,
    pub(super) running: BTreeMap<LeaseKey, Running>,
    pub(super) outbox: BTreeMap<RequestId, Report>,
    pub(super) silent: bool,
    /// Its results are made up.
    pub(super) liar: bool,
}

impl World {
    /// The worker's process dies and another one starts under its name, with
    /// or without what was in the outbox.
    pub(super) fn restart_worker(&mut self, index: usize) {
        let instance = self.instance();
        let keep_outbox = self.dice.percent(50);
        let worker = &mut self.workers[index];
        worker.instance = instance;
        worker.registered = false;
        worker.running.clear();
        if !keep_outbox {
            worker.outbox.clear();
        }
    }

    pub(super) fn work(&mut self, index: usize) {
        if self.dice.percent(self.faults.silence) {
            self.workers[index].silent ^= true;
        }
        if self.faults.silence == 0 {
            self.workers[index].silent = false;
        }
        if self.workers[index].silent {
            return;
        }
        if self.dice.percent(self.faults.worker_crash) {
            self.restart_worker(index);
            return;
        }
        let worker = &self.workers[index];
        let (name, instance) = (worker.name.clone(), worker.instance.clone());
        if !worker.registered {
            let held = worker.running.values().map(|running| Held {
                key: running.granted.key,
                plan: running.granted.plan,
            });
            let unacked = worker.outbox.values().map(|report| Held {
                key: report.key,
                plan: report.plan,
            });
            let registration = Registration {
                worker: name,
                instance,
                engine: ENGINE.to_owned(),
                threads: 2,
                held: held.chain(unacked).collect(),
            };
            self.send(index, ToCoordinator::Register(registration));
            return;
        }
        match self.dice.below(10) {
            0 | 1 => {
                let ask = Ask {
                    request: self.fresh(),
                    worker: name,
                    instance,
                    slots: 1 + self.dice.below(3) as u32,
                };
                self.send(index, ToCoordinator::Ask(ask));
            }
            2 | 3 => {
                let worker = &mut self.workers[index];
                let running = worker.running.values_mut().map(|running| {
                    running.work += 1;
                    Progress {
                        key: running.granted.key,
                        work: running.work,
                        fraction: 0.3,
                        best_moves: 0,
                        accepted: 0,
                        queued: false,
                    }
                });
                let running = running.collect();
                self.send(index, ToCoordinator::Beat(name, instance, running));
            }
            4 if self.faults.lie > 0 && self.dice.percent(10) => {
                let keys: Vec<LeaseKey> = self.workers[index].running.keys().copied().collect();
                self.workers[index].running.clear();
                let leaving = self.dice.percent(20);
                self.workers[index].registered &= !leaving;
                self.send(index, ToCoordinator::Release(name, instance, keys, leaving));
            }
            4..=7 => self.finish_one(index),
            _ => {
                let reports: Vec<Report> = self.workers[index].outbox.values().cloned().collect();
                for report in reports {
                    self.send(index, ToCoordinator::Report(report));
                }
            }
        }
    }

    /// Computes one of the running shards, wholly or in part.
    pub(super) fn finish_one(&mut self, index: usize) {
        let count_running = self.workers[index].running.len();
        if count_running == 0 {
            return;
        }
        let at = self.dice.below(count_running);
        let key = *self.workers[index].running.keys().nth(at).unwrap();
        let running = self.workers[index].running.remove(&key).unwrap();
        let (from, to) = range(&running.granted.shard);
        let mut lie = false;
        let outcome = if self.dice.percent(self.faults.failure) {
            Outcome::Failed("simulated".to_owned())
        } else {
            let stop = if self.dice.percent(40) {
                from + 1 + self.dice.roll() % (to - from)
            } else {
                to
            };
            let middle = stop + (to - stop) / 2;
            let parts = [(stop, middle), (middle, to)];
            let parts = parts.into_iter().filter(|(from, to)| from < to);
            let lies = self.workers[index].liar && self.dice.percent(70);
            if lies {
                lie = true;
            }
            Outcome::Completed {
                tally: count((from, if lies { stop - 1 } else { stop })),
                remainder: parts.map(|(from, to)| piece(from, to)).collect(),
            }
        };
        let request = self.fresh();
        if lie {
            self.lies.insert(request.clone());
        }
        let worker = &mut self.workers[index];
        let report = Report {
            request: request.clone(),
            worker: worker.name.clone(),
            instance: worker.instance.clone(),
            key,
            plan: running.granted.plan,
            engine: ENGINE.to_owned(),
            core_ms: 1,
            outcome,
        };
        worker.outbox.insert(request.clone(), report.clone());
        if self.dice.percent(self.faults.lie) {
            // The same shard under epochs that are not the worker's.
            let mut lie = report;
            let shift = 1 + self.dice.roll() % 5;
            lie.key.epoch = Epoch(if self.dice.percent(50) {
                key.epoch.0.saturating_sub(shift)
            } else {
                key.epoch.0 + shift
            });
            lie.request = self.fresh();
            self.send(index, ToCoordinator::Report(lie));
        }
    }
}
