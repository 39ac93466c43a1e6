//! Messages, which are lost, doubled, and overtake each other.

use super::worker::Running;
use super::world::World;
use crate::{
    model::{InstanceId, LeaseKey, RequestId, WorkerName},
    scheduler::{
        Ask, BeatReply, Effects, Grant, Outcome, Progress, Refusal, Registered, Registration,
        Report, Verdict,
    },
};

pub(super) enum ToCoordinator {
    Register(Registration),
    Ask(Ask),
    Beat(WorkerName, InstanceId, Vec<Progress>),
    Report(Report),
    Release(WorkerName, InstanceId, Vec<LeaseKey>, bool),
}

pub(super) enum ToWorker {
    Registered(Registered),
    Refused(Refusal),
    Grant(Grant),
    Beat(BeatReply),
    Ack(RequestId, Verdict),
}

/// A message to a process of a worker.
pub(super) type Answer = (usize, InstanceId, ToWorker);

impl World {
    pub(super) fn send(&mut self, from: usize, message: ToCoordinator) {
        if !self.dice.percent(self.faults.loss) {
            self.to_coordinator.push((from, message));
        }
    }

    pub(super) fn deliver_to_coordinator(&mut self) {
        if self.to_coordinator.is_empty() {
            return;
        }
        let at = self.dice.below(self.to_coordinator.len());
        let double = self.dice.percent(self.faults.double);
        let (from, message) = self.to_coordinator.swap_remove(at);
        let mut effects = Effects::default();
        let now = self.now;
        let (instance, answer, again) = match message {
            ToCoordinator::Register(registration) => {
                let instance = registration.instance.clone();
                let again = registration.clone();
                let reply = self.scheduler.register(registration, now, &mut effects);
                let reply = reply.map_or_else(ToWorker::Refused, ToWorker::Registered);
                (instance, Some(reply), ToCoordinator::Register(again))
            }
            ToCoordinator::Ask(ask) => {
                let reply = self.scheduler.lease(&ask, now);
                if let Ok(grant) = &reply {
                    self.check_grant(grant, &ask.instance);
                }
                let reply = reply.map_or_else(ToWorker::Refused, ToWorker::Grant);
                (ask.instance.clone(), Some(reply), ToCoordinator::Ask(ask))
            }
            ToCoordinator::Beat(name, instance, running) => {
                let reply = self
                    .scheduler
                    .beat(&name, &instance, &running, now, &mut effects);
                let again = ToCoordinator::Beat(name, instance.clone(), running);
                (instance, Some(ToWorker::Beat(reply)), again)
            }
            ToCoordinator::Report(report) => {
                let verdict = self.scheduler.report(&report, now, &mut effects);
                let reply = ToWorker::Ack(report.request.clone(), verdict);
                let instance = report.instance.clone();
                (instance, Some(reply), ToCoordinator::Report(report))
            }
            ToCoordinator::Release(name, instance, keys, leaving) => {
                self.scheduler
                    .release(&name, &instance, &keys, leaving, now, &mut effects);
                let again = ToCoordinator::Release(name, instance.clone(), keys, leaving);
                (instance, None, again)
            }
        };
        if double {
            self.to_coordinator.push((from, again));
        }
        self.settle(effects, answer.map(|answer| (from, instance, answer)));
    }

    /// No lease is given twice, and the epochs of a shard only grow.
    pub(super) fn check_grant(&mut self, grant: &Grant, to: &InstanceId) {
        for lease in &grant.leases {
            let key = lease.key;
            let holder = (key.job, key.shard, to.clone());
            if let Some(before) = self.given.insert(key.epoch, holder.clone()) {
                assert_eq!(before, holder, "one epoch, two leases");
            } else {
                let before = self.newest.insert((key.job, key.shard), key.epoch);
                assert!(before < Some(key.epoch), "epochs have to grow");
            }
        }
    }

    pub(super) fn deliver_to_worker(&mut self) {
        if self.to_worker.is_empty() {
            return;
        }
        let at = self.dice.below(self.to_worker.len());
        let (to, instance, message) = self.to_worker.swap_remove(at);
        let worker = &mut self.workers[to];
        if worker.instance != instance || self.dice.percent(self.faults.loss) {
            return;
        }
        match message {
            ToWorker::Registered(reply) => {
                worker.registered = true;
                for key in reply.revoked {
                    worker.running.remove(&key);
                }
            }
            ToWorker::Refused(Refusal::Replaced { .. }) => self.restart_worker(to),
            ToWorker::Refused(_) => worker.registered = false,
            ToWorker::Grant(grant) => {
                for granted in grant.leases {
                    let running = Running { granted, work: 0 };
                    worker.running.insert(running.granted.key, running);
                }
            }
            ToWorker::Beat(reply) => {
                worker.registered &= !reply.unknown;
                for key in reply.revoked {
                    worker.running.remove(&key);
                }
            }
            ToWorker::Ack(request, verdict) => {
                if let Verdict::Retry(_) = verdict {
                    return;
                }
                if let Some(report) = worker.outbox.remove(&request)
                    && verdict == Verdict::Stored
                    && matches!(report.outcome, Outcome::Completed { .. })
                {
                    self.acked.insert((report.key, request));
                }
            }
        }
    }
}
