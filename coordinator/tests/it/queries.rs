//! What a question to the record table costs while a search goes on. Run by
//! hand, in release:
//! `cargo test --release -p soko-coord --test it -- --ignored --nocapture queries`.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use soko::{
    board::Size,
    plan::{Mode, Search},
    rpc::v1,
};
use soko_coord::{hub::SokoEngine, records::seed_level, store::Catalog};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::cluster::Cluster;

/// How long each question is asked.
const ASKED: Duration = Duration::from_secs(10);
/// Questions under way at the same time, each on a connection of its own.
const CLIENTS: usize = 4;

/// CPU seconds of the threads whose names start so, of this process.
fn cpu_of(prefix: &str) -> f64 {
    let ticks = rustix::param::clock_ticks_per_second();
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let spent = tasks.filter_map(|task| {
        let stat = fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.split_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let used: u64 =
            fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        name.starts_with(prefix).then_some(used)
    });
    spent.sum::<u64>() as f64 / ticks as f64
}

#[test]
#[ignore = "a measurement"]
fn queries_of_the_record_table() {
    // The coordinator has a runtime of its own, whose threads are counted.
    let (told, hears) = oneshot::channel();
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let served = thread::Builder::new()
        .name("coord-main".to_owned())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("coord")
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let mut catalog = Catalog::in_memory().unwrap();
                let seeds = soko::records::known();
                let mut rows: Vec<_> = seeds.iter().map(|seed| seed_level(seed).unwrap()).collect();
                rows.sort_by_key(|row| row.max_moves);
                let rows = rows
                    .into_iter()
                    .map(|row| soko_coord::model::Write::Record(Box::new(row)));
                catalog.apply(&rows.collect::<Vec<_>>()).unwrap();
                let cluster = Cluster::start(catalog, |options| {
                    options.hub.engine = Arc::new(SokoEngine);
                    options.hub.config.engine = soko::plan::ENGINE.to_owned();
                })
                .await;
                let _ = told.send(cluster.address);
                stopped.cancelled().await;
                cluster.shut_down().await;
            });
        });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = runtime.block_on(hears).unwrap();
    let cluster = Remote(address);
    runtime.block_on(async {
        let search = Search::new(Size::new(7, 7).unwrap(), Mode::Exhaustive);
        cluster.submit(&search).await;
        let worker = soko_worker::Config {
            threads: 1,
            ..soko_worker::Config::new(format!("http://{address}"))
        };
        let working = tokio::spawn(soko_worker::run(worker, stop.clone()));
        tokio::time::sleep(Duration::from_secs(2)).await;
        let idle = cpu_of("coord");
        tokio::time::sleep(ASKED).await;
        let idle = cpu_of("coord") - idle;
        println!("no questions: {:.2} % of a core", 100.0 * idle / ASKED.as_secs_f64());
        for (name, question) in [("GetRecord 20x20", Question::Get), ("ListRecords", Question::List)] {
            let before = cpu_of("coord");
            let began = Instant::now();
            let answers = cluster.ask(question).await;
            let (took, cpu) = (began.elapsed(), cpu_of("coord") - before - idle);
            println!(
                "{name}: {answers} answers in {took:.1?}, {:.0} µs of CPU each, {:.0}/s for a core, {:.0}/s here",
                cpu * 1e6 / answers as f64,
                answers as f64 / cpu,
                answers as f64 / took.as_secs_f64(),
            );
        }
        stop.cancel();
        let _ = working.await;
    });
    served.unwrap().join().unwrap();
}

#[derive(Debug, Clone, Copy)]
enum Question {
    Get,
    List,
}

/// A coordinator on another runtime.
struct Remote(std::net::SocketAddr);

impl Remote {
    async fn channel(&self) -> tonic::transport::Channel {
        let url = format!("http://{}", self.0);
        let endpoint = tonic::transport::Channel::from_shared(url).unwrap();
        endpoint.connect().await.unwrap()
    }

    async fn submit(&self, search: &Search) {
        let request = v1::SubmitJobRequest {
            request_id: "measured".to_owned(),
            search: Some(search.into()),
            ..v1::SubmitJobRequest::default()
        };
        let channel = self.channel().await;
        let mut jobs = v1::job_service_client::JobServiceClient::new(channel);
        jobs.submit_job(request).await.unwrap();
    }

    /// Asks as often as there are answers; how many there were.
    async fn ask(&self, question: Question) -> u64 {
        let over = Arc::new(AtomicBool::new(false));
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            let channel = self.channel().await;
            let mut records = v1::record_service_client::RecordServiceClient::new(channel);
            let over = Arc::clone(&over);
            clients.push(tokio::spawn(async move {
                let mut answers = 0;
                while !over.load(Ordering::Relaxed) {
                    match question {
                        Question::Get => {
                            let board = v1::GetRecordRequest { rows: 20, cols: 20 };
                            records.get_record(board).await.unwrap();
                        }
                        Question::List => {
                            let all = v1::ListRecordsRequest::default();
                            records.list_records(all).await.unwrap();
                        }
                    }
                    answers += 1;
                }
                answers
            }));
        }
        tokio::time::sleep(ASKED).await;
        over.store(true, Ordering::Relaxed);
        let mut all = 0;
        for client in clients {
            all += client.await.unwrap();
        }
        all
    }
}
