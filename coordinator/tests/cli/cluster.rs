//! `serve` with workers and clients.

use std::{thread::JoinHandle, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::program::{Running, Said, data, say};

/// A served coordinator.
pub(crate) struct Cluster {
    server: Running,
    pub(crate) url: String,
    dir: tempfile::TempDir,
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = data(dir.path());
        let mut server = Running::start(&format!("serve --listen 127.0.0.1:0 {data} -o json"));
        let line: serde_json::Value = serde_json::from_str(&server.first_line()).unwrap();
        let url = line["coordinator"].as_str().unwrap().to_owned();
        Self { server, url, dir }
    }

    pub(crate) fn say(&self, line: &str) -> Said {
        say(&format!("{line} --coordinator {}", self.url))
    }
}

/// A worker in this process.
pub(crate) struct Worker {
    stop: CancellationToken,
    thread: JoinHandle<soko_worker::Summary>,
}

impl Worker {
    pub(crate) fn start(url: &str) -> Self {
        let stop = CancellationToken::new();
        let config = soko_worker::Config {
            id: "w1".into(),
            threads: 1,
            ..soko_worker::Config::new(url)
        };
        let run = soko_worker::run(config, stop.clone());
        let thread = std::thread::spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(run).unwrap()
        });
        Self { stop, thread }
    }

    pub(crate) fn stop(self) -> soko_worker::Summary {
        self.stop.cancel();
        self.thread.join().unwrap()
    }
}

#[test]
fn jobs_are_submitted_followed_and_ended() {
    let cluster = Cluster::start();
    let health = cluster.say("health");
    assert_eq!((health.code, health.out.as_str()), (Some(0), "ok\n"));

    // No worker yet: the job waits.
    let said = cluster.say("submit --n 4 --name first -o quiet");
    let job = said.out.trim();
    assert_eq!(said.code, Some(0), "{said:?}");
    let shown = cluster.say(&format!("jobs show {job} -o json")).document();
    assert_eq!(
        (&shown["job"], &shown["name"]),
        (&job.into(), &"first".into())
    );
    assert!(shown["best_moves"].is_null());
    cluster
        .say(&format!("jobs result {job} -o json"))
        .failed(2, "bad_input");

    let worker = Worker::start(&cluster.url);
    let waited = cluster.say(&format!("jobs wait {job} -o json"));
    assert_eq!(
        (waited.code, waited.document()["state"].as_str()),
        (Some(0), Some("done"))
    );
    let result = cluster
        .say(&format!("jobs result {job} -o json"))
        .document();
    assert_eq!(
        (&result["max_moves"], &result["job"]),
        (&25.into(), &job.into())
    );
    assert_eq!(result["effort"]["floor_sets"], 840);
    // The start of an id will do.
    assert_eq!(
        cluster
            .say(&format!("jobs result {} -o quiet", &job[..8]))
            .out,
        "25\n"
    );

    let said = cluster.say("submit --rows 3 --cols 4 --wait -o json");
    assert_eq!(said.document()["max_moves"], 18, "{said:?}");
    assert_eq!(cluster.say("submit --n 2 --wait -o quiet").code, Some(1));

    let list = cluster.say("jobs list -o json").document();
    assert_eq!(list["jobs"].as_array().unwrap().len(), 3);
    assert_eq!(list["jobs"][2]["job"], job, "newest first");
    assert_eq!(
        cluster
            .say("jobs list --limit 1 -o quiet")
            .out
            .lines()
            .count(),
        1
    );

    let workers = cluster.say("workers list -o json").document();
    assert_eq!(workers["workers"][0]["worker"], "w1");
    assert_eq!(workers["workers"][0]["threads"], 1);
    assert!(workers["workers"][0]["quarantined"].is_null());

    let record = cluster.say("records show --n 4 -o json").document();
    assert_eq!(
        (&record["max_moves"], &record["exact"]),
        (&25.into(), &true.into())
    );
    let records = cluster.say("records list -o json").document();
    assert!(records["records"].as_array().unwrap().len() >= 2);
    assert!(worker.stop().stored > 0);
}

#[test]
fn a_cancelled_job_is_exit_code_4() {
    let cluster = Cluster::start();
    let job = cluster.say("submit --n 4 -o quiet").out;
    let job = job.trim();
    let watching = Running::start(&format!(
        "jobs watch {job} --coordinator {} -o json",
        cluster.url
    ));
    let cancelled = cluster.say(&format!("jobs cancel {job} -o json"));
    assert_eq!(cancelled.document()["state"], "cancelled");
    let (status, _) = watching.ends_within(Duration::from_secs(5));
    assert_eq!(status.code(), Some(4));
    cluster
        .say(&format!("jobs wait {job} -o json"))
        .failed(4, "cancelled");
    cluster
        .say(&format!("jobs result {job} -o json"))
        .failed(4, "cancelled");
    cluster
        .say("jobs show ffffffffffffffff -o json")
        .failed(2, "not_found");
    cluster
        .say("records show --rows 9 --cols 5 -o json")
        .failed(2, "not_found");
}

#[test]
fn jobs_are_paused_resumed_explained_and_deleted() {
    let cluster = Cluster::start();
    let job = cluster.say("submit --n 4 -o quiet").out.trim().to_owned();
    let jobs = |verb: &str| cluster.say(&format!("jobs {verb} {job} -o json"));
    let state = |verb: &str| jobs(verb).document()["state"].clone();
    // Without a worker a running job is starved after a while.
    let goes_on = |state: serde_json::Value| state == "running" || state == "starved";
    while !goes_on(state("show")) {
        std::thread::sleep(Duration::from_millis(20));
    }

    let explained = jobs("explain").document();
    let reason = explained["reasons"][0].as_str().unwrap();
    assert!(reason.contains("no worker"), "U1: {explained}");
    assert_eq!(state("pause"), "paused");
    assert!(goes_on(state("resume")));
    jobs("delete").failed(2, "not_possible");
    assert_eq!(state("cancel"), "cancelled");
    assert!(
        jobs("explain").document()["hint"]
            .to_string()
            .contains("jobs resume")
    );
    // A cancelled job goes on, to the same end as any.
    assert!(goes_on(state("resume")));
    let worker = Worker::start(&cluster.url);
    assert_eq!(jobs("wait").code, Some(0));
    assert_eq!(jobs("result").document()["effort"]["floor_sets"], 840);
    jobs("resume").failed(2, "not_possible");
    jobs("retry").failed(2, "not_possible");
    assert_eq!(jobs("explain").document()["state"], "done");
    cluster
        .say(&format!("jobs explain {job} --shard 1 -o json"))
        .failed(2, "not_found");
    assert_eq!(jobs("delete").document()["deleted"], job.as_str());
    jobs("show").failed(2, "not_found");

    let shown = cluster.say("workers show w1 -o json").document();
    assert_eq!(
        (&shown["worker"], &shown["state"]),
        (&"w1".into(), &"connected".into())
    );
    cluster
        .say("workers show nobody -o json")
        .failed(2, "not_found");
    cluster
        .say("workers drain nobody -o json")
        .failed(2, "not_found");
    let drained = cluster.say("workers drain w1 -o json").document();
    assert_eq!(drained["state"], "draining");
    // It leaves by itself.
    let summary = worker.thread.join().unwrap();
    assert_eq!(summary.left, 0);
    assert_eq!(cluster.say("workers show w1 -o quiet").out, "gone\n");
}

#[test]
fn a_data_directory_or_port_in_use_is_refused() {
    let cluster = Cluster::start();
    let data = data(cluster.dir.path());
    say(&format!("run --n 3 {data} -o json")).failed(2, "data_in_use");
    let other = tempfile::tempdir().unwrap();
    let address = cluster.url.trim_start_matches("http://");
    let other = crate::program::data(other.path());
    say(&format!("serve --listen {address} {other} -o json")).failed(2, "bad_input");
    let said = say(&format!(
        "serve --listen 127.0.0.1:0 --http {address} {other} -o json"
    ));
    said.failed(2, "bad_input");
    assert!(said.err.contains("--http HOST:PORT"), "{said:?}");
}

#[test]
fn s4_a_terminated_coordinator_ends_with_0_within_eight_seconds() {
    let cluster = Cluster::start();
    let worker = Worker::start(&cluster.url);
    cluster.say("submit --n 3 --wait -o quiet");
    cluster.server.signal("-TERM");
    let (status, _) = cluster.server.ends_within(Duration::from_secs(8));
    assert_eq!(status.code(), Some(0));
    worker.stop();
}

#[test]
fn s6_a_worker_that_leaves_when_idle_ends_by_itself() {
    let cluster = Cluster::start();
    let config = soko_worker::Config {
        exit_when_idle: true,
        ..soko_worker::Config::new(&cluster.url)
    };
    let job = cluster.say("submit --n 4 -o quiet").out;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let run = soko_worker::run(config, CancellationToken::new());
    let summary = runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(20), run).await })
        .unwrap()
        .unwrap();
    assert_eq!(summary.left, 0);
    let waited = cluster.say(&format!("jobs wait {}", job.trim()));
    assert_eq!(waited.code, Some(0), "{waited:?}");
}

#[test]
fn a_hunt_fills_the_record_table_and_its_history() {
    let cluster = Cluster::start();
    let worker = Worker::start(&cluster.url);
    let params = "--param run=200 --param evaluations=400 --batches 24 --seed 4 --share";
    let said = cluster.say(&format!(
        "submit --rows 4 --cols 5 --mode anneal {params} --wait -o json"
    ));
    let result = said.document();
    let moves = result["max_moves"].as_u64().unwrap();
    assert_eq!(result["hunt"]["rounds"].as_array().unwrap().len(), 8);

    let board = "--rows 4 --cols 5 -o json";
    let record = cluster.say(&format!("records show {board}")).document();
    assert_eq!(record["max_moves"], moves);
    assert_eq!(record["exact"], false);
    let classes = result["witnesses"].as_array().unwrap().len();
    let others = record
        .get("others")
        .map_or(0, |it| it.as_array().unwrap().len());
    assert_eq!(others + 1, classes.min(17));

    let history = cluster.say(&format!("records history {board}")).document();
    let history = history["records"].as_array().unwrap().clone();
    let steps: Vec<u64> = history
        .iter()
        .map(|it| it["max_moves"].as_u64().unwrap())
        .collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    assert_eq!(steps.last(), Some(&moves));
    let first = &history[0]["provenance"];
    assert_eq!((&first["job"], &first["seed"]), (&result["job"], &4.into()));
    assert!(first["shard"].as_u64() > Some(0), "{first}");
    assert_eq!(first["engine"], result["engine"]);
    let text = cluster.say("records history --rows 4 --cols 5").out;
    assert!(text.contains("lower bound"), "{text}");
    cluster
        .say("records history --rows 5 --cols 9 -o json")
        .failed(2, "not_found");
    worker.stop();
}
