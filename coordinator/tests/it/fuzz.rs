//! Every call of the contract, with messages made from the contract itself:
//! whatever comes, the answer is typed, and what is refused changes nothing.

use std::sync::Arc;

use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use soko::{
    plan::{Answer, Control, Outcome, Plan, Search, Shard, Tally},
    rpc::{DESCRIPTORS, v1},
};
use soko_coord::{
    hub::Engine,
    service::{MESSAGE_LIMIT, Reason},
    store::Catalog,
};
use tonic::Status;
use tonic_types::StatusExt;

use super::{
    cluster::{Cluster, Puppet},
    raw::call,
    toy::{self, Toy},
};

/// Messages for each call.
const CASES: usize = 40;

/// The toy, with few shards whatever is asked for.
#[derive(Debug)]
struct Tame;

fn tamed(search: &Search) -> Search {
    Search {
        shard_ms: search.shard_ms % 8,
        ..search.clone()
    }
}

impl Engine for Tame {
    fn name(&self) -> &'static str {
        Toy.name()
    }

    fn plan(&self, search: &Search) -> Result<Plan, String> {
        Toy.plan(&Search {
            seed: search.seed % 13,
            ..tamed(search)
        })
    }

    fn compute(
        &self,
        search: &Search,
        shard: &Shard,
        control: &Control,
    ) -> Result<Outcome, String> {
        Toy.compute(search, shard, control)
    }

    fn finish(&self, search: &Search, tally: &Tally, control: &Control) -> Option<Answer> {
        Toy.finish(&tamed(search), tally, control)
    }
}

struct Generator {
    dice: StdRng,
    /// Ids and names that mean something to the coordinator.
    known: Vec<String>,
}

impl Generator {
    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.dice.random_range(0..values.len())].clone()
    }

    fn chance(&mut self, per_cent: u32) -> bool {
        self.dice.random_range(0..100) < per_cent
    }

    fn text(&mut self) -> String {
        match self.dice.random_range(0..8) {
            0..=3 => {
                let known = self.known.clone();
                self.one_of(&known)
            }
            4 => String::new(),
            5 => self
                .one_of(&[
                    "@$.",
                    "---\n-$-\n@-.\n",
                    "3r4U",
                    "soko-growth 2",
                    "toy 1",
                    "\0",
                    "ä\u{202e}\u{1b}[2J",
                ])
                .to_owned(),
            6 => "x".repeat(self.one_of(&[64, 65, 100, 101, 201, 501, 70_000])),
            _ => {
                let length = self.dice.random_range(0..30);
                (0..length).map(|_| self.dice.random::<char>()).collect()
            }
        }
    }

    fn number(&mut self) -> u64 {
        let edges = [
            0,
            1,
            2,
            3,
            4,
            5,
            7,
            16,
            64,
            100,
            255,
            256,
            257,
            4096,
            4097,
            65_535,
            65_536,
            i32::MAX as u64,
            u64::from(u32::MAX),
            i64::MAX as u64,
            u64::MAX - 1,
            u64::MAX,
        ];
        if self.chance(80) {
            self.one_of(&edges)
        } else {
            self.dice.random()
        }
    }

    fn value(&mut self, kind: &Kind, depth: u32) -> Value {
        let number = self.number();
        match kind {
            Kind::Double => {
                Value::F64(self.one_of(&[0.0, 0.5, 1.0, -1.0, f64::NAN, f64::INFINITY, 1e308]))
            }
            Kind::Float => Value::F32(f32::NAN),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number as i32),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number as i64),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(number as u32),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(number),
            Kind::Bool => Value::Bool(number.is_multiple_of(2)),
            Kind::String => Value::String(self.text()),
            Kind::Bytes => {
                let length = self.one_of(&[0, 1, 2, 4, 9, 32, 70_000]);
                Value::Bytes((0..length).map(|_| self.dice.random()).collect())
            }
            Kind::Message(descriptor) => Value::Message(self.message(descriptor, depth + 1)),
            Kind::Enum(known) => {
                let numbers: Vec<i32> = known.values().map(|value| value.number()).collect();
                let strange = [99, -1, i32::MIN, i32::MAX];
                Value::EnumNumber(if self.chance(75) {
                    self.one_of(&numbers)
                } else {
                    self.one_of(&strange)
                })
            }
        }
    }

    fn count(&mut self, field: &FieldDescriptor, depth: u32) -> usize {
        let small = self.dice.random_range(0..4);
        match field.kind() {
            // Long lists of short things, or a case would take minutes.
            Kind::Message(_) if depth > 2 => small.min(1),
            Kind::String | Kind::Bytes | Kind::Message(_) => small,
            _ if self.chance(10) => self.one_of(&[33, 1025, 4097, 20_000]),
            _ => small,
        }
    }

    fn message(&mut self, descriptor: &MessageDescriptor, depth: u32) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        for field in descriptor.fields() {
            // Deep messages end.
            if !self.chance(if depth < 6 { 85 } else { 20 }) || depth > 8 {
                continue;
            }
            let value = if field.is_list() {
                let count = self.count(&field, depth);
                let mut list: Vec<Value> = (0..count)
                    .map(|_| self.value(&field.kind(), depth))
                    .collect();
                // Sometimes thousands of empty messages, which are small.
                if let Kind::Message(inner) = field.kind()
                    && self.chance(4)
                {
                    list = vec![Value::Message(DynamicMessage::new(inner)); 20_000];
                }
                Value::List(list)
            } else if field.is_map() {
                Value::Map([(MapKey::Bool(true), Value::Bool(true))].into())
            } else {
                self.value(&field.kind(), depth)
            };
            message.set_field(&field, value);
        }
        message
    }

    /// A message as bytes, now and then with some of them damaged.
    fn bytes(&mut self, descriptor: &MessageDescriptor) -> Vec<u8> {
        let mut bytes = self.message(descriptor, 0).encode_to_vec();
        if !bytes.is_empty() && self.chance(10) {
            let at = self.dice.random_range(0..bytes.len());
            if self.chance(50) {
                bytes.truncate(at);
            } else {
                bytes[at] ^= 0xff;
            }
        }
        bytes
    }
}

/// What a refused call must leave as it is.
async fn state(cluster: &Cluster) -> String {
    let list = v1::ListJobsRequest { limit: 1000 };
    let jobs = cluster.jobs().await.list_jobs(list).await.unwrap();
    let jobs = jobs.into_inner().jobs.into_iter();
    let jobs: Vec<_> = jobs
        .map(|job| (job.job, job.name, job.priority, job.search))
        .collect();
    let workers = cluster
        .jobs()
        .await
        .list_workers(v1::ListWorkersRequest {})
        .await;
    let workers = workers.unwrap().into_inner().workers.into_iter();
    let workers: Vec<_> = workers
        .map(|it| (it.worker, it.engine, it.draining))
        .collect();
    let records = v1::ListRecordsRequest::default();
    let records = cluster.records().await.list_records(records).await;
    format!("{jobs:?} {workers:?} {:?}", records.unwrap().into_inner())
}

/// Checks that a refusal is one that the contract knows.
fn check(status: &Status, shown: &str) {
    let info = status.get_details_error_info();
    let info = info.unwrap_or_else(|| panic!("{status:?} to {shown}"));
    let reason = Reason::ALL.iter().find(|it| it.name() == info.reason);
    let reason = reason.unwrap_or_else(|| panic!("{status:?} to {shown}"));
    assert_eq!(reason.code(), status.code(), "{shown}");
    assert_ne!(*reason, Reason::Internal, "{status:?} to {shown}");
    let retry = status
        .get_details_retry_info()
        .and_then(|it| it.retry_delay);
    assert_eq!(retry, reason.retry_after(), "{shown}");
}

/// The message with an unknown field that makes it so long.
fn padded(length: usize) -> Vec<u8> {
    // Field 1000, length-delimited; four bytes say how long the rest is.
    let mut bytes = vec![0xc2, 0x3e];
    let rest = length - 6;
    bytes.extend([0, 7, 14, 21].map(|shift| (rest >> shift & 0x7f) as u8 | 0x80));
    bytes[5] &= 0x7f;
    bytes.resize(length, 0);
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_comes_the_answer_is_typed_and_a_refusal_changes_nothing() {
    let catalog = Catalog::in_memory().unwrap();
    let cluster = Cluster::start(catalog, |options| options.hub.engine = Arc::new(Tame)).await;
    let mut search = toy::search(3);
    search.shard_ms = 3;
    let job = cluster.submit(&search).await;
    let mut puppet = Puppet::connect(&cluster, "a").await;
    puppet.work(true).await;
    let known = vec![
        job.job.clone(),
        job.job[..4].to_owned(),
        "a".to_owned(),
        puppet.instance.clone(),
    ];
    let mut generator = Generator {
        dice: StdRng::seed_from_u64(1),
        known,
    };
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let channel = cluster.channel().await;
    let (mut calls, mut refused, mut answered) = (0, 0, 0);
    for service in pool.services().filter(|it| it.package_name() == "soko.v1") {
        for method in service.methods() {
            let path = format!("/{}/{}", service.full_name(), method.name());
            calls += 1;
            for case in 0..CASES {
                let count = if method.is_client_streaming() {
                    generator.dice.random_range(1..4)
                } else {
                    1
                };
                let messages = (0..count).map(|_| generator.bytes(&method.input()));
                let messages: Vec<_> = messages.collect();
                let shown = format!("{path}, case {case}");
                let before = state(&cluster).await;
                match call(&channel, &path, messages).await {
                    Ok(_) => answered += 1,
                    Err(status) => {
                        refused += 1;
                        check(&status, &shown);
                        assert_eq!(state(&cluster).await, before, "{status:?} to {shown}");
                    }
                }
            }
            // Up to the limit a message is read, beyond it is not.
            if let Err(status) = call(&channel, &path, vec![padded(MESSAGE_LIMIT)]).await {
                check(&status, &path);
                assert_ne!(
                    status.get_details_error_info().unwrap().reason,
                    "MESSAGE_TOO_LARGE"
                );
            }
            let status = call(&channel, &path, vec![padded(MESSAGE_LIMIT + 1)]).await;
            let status = status.unwrap_err();
            check(&status, &path);
            assert_eq!(
                status.get_details_error_info().unwrap().reason,
                "MESSAGE_TOO_LARGE"
            );
        }
    }
    println!("{calls} calls, {answered} answered, {refused} refused");
    assert!(calls >= 25 && refused > 200 && answered > 100);
    cluster.shut_down().await;
}
