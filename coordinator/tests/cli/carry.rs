//! A job is carried from one coordinator to another as a file, and checked.

use std::path::Path;

use crate::cluster::{Cluster, Worker};

fn file(dir: &Path, name: &str) -> String {
    dir.join(name).display().to_string()
}

#[test]
fn a_half_done_job_goes_on_elsewhere_and_has_the_same_answer() {
    let (here, there) = (Cluster::start(), Cluster::start());
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), "job.checkpoint");

    // Half done: the worker leaves as soon as something is.
    let said = here.say("submit --n 5 --shard-ms 1 --name carried -o quiet");
    let job = said.out.trim().to_owned();
    let worker = Worker::start(&here.url);
    while here.say(&format!("jobs show {job} -o json")).document()["shards"]["done"] == 0 {}
    worker.stop();
    let export = here.say(&format!("jobs export-checkpoint {job} {path} -o json"));
    assert_eq!(export.code, Some(0), "{export:?}");

    let import = there.say(&format!("jobs import-checkpoint {path} -o json"));
    let copy = import.document();
    assert_eq!(copy["name"], "carried");
    let copy = copy["job"].as_str().unwrap().to_owned();
    assert_ne!(copy, job);

    // Both go on, and come to the same.
    let workers = [Worker::start(&here.url), Worker::start(&there.url)];
    let mut answers = Vec::new();
    for (cluster, job) in [(&here, &job), (&there, &copy)] {
        assert_eq!(cluster.say(&format!("jobs wait {job}")).code, Some(0));
        let said = cluster.say(&format!("jobs result {job} -o json"));
        let mut answer = said.document();
        assert_eq!(answer["max_moves"], 41);
        assert_eq!(answer["effort"]["floor_sets"], 39_505);
        for field in ["job", "effort", "double_checked"] {
            answer.as_object_mut().unwrap().remove(field);
        }
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1]);
    for worker in workers {
        worker.stop();
    }

    // The ledger of the finished one, and an audit of it.
    let ledger = there.say(&format!("jobs ledger {copy} -o json")).document();
    assert_eq!(ledger["digest"], answers[0]["digest"]);
    assert_eq!(ledger["shards_open"], 0);
    let goals = ledger["goals"].as_array().unwrap();
    assert_eq!(goals.len(), 6);
    let sets: u64 = goals
        .iter()
        .map(|goal| goal["floor_sets"].as_u64().unwrap())
        .sum();
    assert_eq!(sets, 39_505);
    assert!(goals.iter().all(|goal| goal["finished"] == true));
    let audit = there.say(&format!("jobs audit {copy} --sample 5 -o json"));
    assert_eq!(audit.code, Some(0), "{audit:?}");
    assert_eq!(audit.document()["audited"], 5);

    // A half-done file can be audited without a coordinator too.
    let said = crate::program::say(&format!("jobs ledger --checkpoint {path}"));
    assert!(said.out.starts_with("5x5 exhaustive"), "{said:?}");
}

#[test]
fn files_that_are_no_checkpoints_are_refused() {
    let cluster = Cluster::start();
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), "no.checkpoint");
    std::fs::write(&path, "soko").unwrap();
    for line in [
        format!("jobs import-checkpoint {path} -o json"),
        format!("jobs ledger --checkpoint {path} -o json"),
        format!("jobs audit --checkpoint {path} -o json"),
        "jobs import-checkpoint /does/not/exist -o json".to_owned(),
    ] {
        cluster.say(&line).failed(2, "bad_input");
    }
    let job = cluster.say("submit --n 3 -o quiet").out;
    // A job without a plan is refused for another reason.
    let show = format!("jobs show {} -o json", job.trim());
    let waits = |state: &serde_json::Value| state == "queued" || state == "planning";
    while waits(&cluster.say(&show).document()["state"]) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let missing = format!(
        "jobs export-checkpoint {} /does/not/exist -o json",
        job.trim()
    );
    cluster.say(&missing).failed(2, "bad_input");
    // What is no file, such as a device, is not replaced by one.
    let socket = file(dir.path(), "socket");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let special = format!("jobs export-checkpoint {} {socket} -o json", job.trim());
    cluster.say(&special).failed(2, "bad_input");
    drop(listener);
    assert!(!Path::new(&socket).is_file());
    // Nothing is done yet.
    let audit = format!("jobs audit {} -o json", job.trim());
    cluster.say(&audit).failed(2, "bad_input");
    assert_eq!(
        cluster.say("jobs list -o json").document()["jobs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
