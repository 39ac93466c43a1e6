//! Kill -9 of the coordinator and of a worker in the middle of a job.

use std::{
    collections::BTreeSet,
    fs::File,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::program::{Said, program, say, worker};

/// A child that is killed when it goes out of scope.
struct Process(Child);

impl Process {
    fn start(command: &mut Command, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).unwrap();
        let child = command.stdout(Stdio::null()).stderr(log).spawn();
        Self(child.unwrap())
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The shards that a coordinator's log says were done.
fn done(log: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(log).unwrap();
    text.lines()
        .filter(|line| line.contains("shard done"))
        .filter_map(|line| line.split("lease=").nth(1)?.split_whitespace().next())
        // job/shard@epoch: the shard, whatever the epoch.
        .filter_map(|lease| lease.split('@').next().map(str::to_owned))
        .collect()
}

#[test]
fn l9_r6_a_killed_coordinator_and_worker_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // Bound without listening, so that nobody else gets the port while the
    // coordinator is away.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.set_reuseaddr(true).unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = held.local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let serve = |log: &str| {
        let data = dir.path().join("data");
        let line = format!("serve --listen 127.0.0.1:{port} --data {}", data.display());
        let mut command = program(&line);
        command
            .env("SOKO_LOG", "soko_coord=debug")
            .env("NO_COLOR", "1");
        Process::start(&mut command, &dir.path().join(log))
    };
    let work = |id: &str| {
        let settings = "--threads 1 --max-backoff 500ms";
        let mut command = worker(&format!("--coordinator {url} {settings} --id {id}"));
        Process::start(&mut command, &dir.path().join(id))
    };
    let first = serve("first");
    let workers = [work("w1"), work("w2")];
    let progress = || {
        let said = say(&format!("jobs list --coordinator {url} -o json"));
        let jobs = said.code.map(|_| said.out).unwrap_or_default();
        let jobs: serde_json::Value = serde_json::from_str(&jobs).unwrap_or_default();
        jobs["jobs"][0]["progress"].as_f64().unwrap_or(0.0)
    };
    let begun = Instant::now();
    while say(&format!("health --coordinator {url}")).code != Some(0) {
        assert!(begun.elapsed() < Duration::from_secs(30), "no coordinator");
        sleep(Duration::from_millis(20));
    }
    let submit = format!("submit --n 6 --mode exhaustive --wait -o json --coordinator {url}");
    let submit = program(&submit)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();

    while progress() < 0.3 {
        assert!(begun.elapsed() < Duration::from_mins(5), "no progress");
        sleep(Duration::from_millis(20));
    }
    first.kill();
    let [w1, w2] = workers;
    w1.kill();
    let second = serve("second");
    let said = Said::from(submit.wait_with_output().unwrap());
    drop((second, w2));

    let answer = said.document();
    assert_eq!(said.code, Some(0));
    assert_eq!(answer["max_moves"], 78);
    assert_eq!(answer["effort"]["floor_sets"], 1_538_278);
    assert_eq!(answer["effort"]["states"], 4_438_870);
    assert_eq!(answer["optimal"]["levels"], 8);
    assert_eq!(answer["digest"], "77004796ad7a548b6e1916807e587bb6");
    let before = done(&dir.path().join("first"));
    let after = done(&dir.path().join("second"));
    assert!(
        before.len() >= 5 && !after.is_empty(),
        "{before:?} {after:?}"
    );
    // The one result of each worker that was on its way to the disk may be
    // computed, or sent, again.
    let again: Vec<_> = before.intersection(&after).collect();
    assert!(again.len() <= 2, "computed again: {again:?}");
}
