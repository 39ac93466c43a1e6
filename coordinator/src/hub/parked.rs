//! Questions for shards that wait until there are some.
//!
//! Keeping a question open is cheaper than being asked again and again, and
//! a new job starts at once on all idle workers.

use std::{collections::VecDeque, time::Duration};

use tokio::sync::oneshot;

use crate::scheduler::{Ask, Grant, Refusal, Scheduler};

/// Most questions that are kept open.
const MAX_PARKED: usize = 20_000;

pub(super) type Reply = oneshot::Sender<Result<Grant, Refusal>>;

/// Questions for shards that wait until there are some.
#[derive(Debug, Default)]
pub(super) struct Parked(VecDeque<Question>);

#[derive(Debug)]
struct Question {
    ask: Ask,
    reply: Reply,
    until: Duration,
}

impl Parked {
    /// Answers a question, now or when there is something to answer.
    pub(super) fn ask(
        &mut self,
        scheduler: &mut Scheduler,
        ask: Ask,
        reply: Reply,
        patience: Duration,
        now: Duration,
    ) {
        let answer = scheduler.lease(&ask, now);
        let wait = answer.as_ref().is_ok_and(|grant| grant.worth_waiting);
        if wait && !patience.is_zero() && self.0.len() < MAX_PARKED {
            let until = now + patience;
            self.0.push_back(Question { ask, reply, until });
        } else {
            // The asker may have gone; its leases come back unclaimed.
            let _ = reply.send(answer);
        }
    }

    /// Shards may have become available.
    pub(super) fn serve(&mut self, scheduler: &mut Scheduler, now: Duration) {
        for _ in 0..self.0.len() {
            if !scheduler.has_open_shards() {
                return;
            }
            let Some(question) = self.0.pop_front() else {
                return;
            };
            if question.reply.is_closed() {
                continue;
            }
            let answer = scheduler.lease(&question.ask, now);
            if answer.as_ref().is_ok_and(|grant| grant.worth_waiting) {
                self.0.push_back(question);
            } else {
                let _ = question.reply.send(answer);
            }
        }
    }

    /// Answers those that have waited long enough.
    pub(super) fn expire(&mut self, scheduler: &mut Scheduler, now: Duration) {
        for _ in 0..self.0.len() {
            let Some(question) = self.0.pop_front() else {
                return;
            };
            if question.reply.is_closed() {
                continue;
            }
            if question.until <= now {
                let _ = question.reply.send(scheduler.lease(&question.ask, now));
            } else {
                self.0.push_back(question);
            }
        }
    }
}
