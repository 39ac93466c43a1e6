//! What viewers of the web page cost. A measurement, not run by default:
//!
//! `cargo test --release -p soko-coord --test cli -- --ignored --nocapture viewers`

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::program::{data, program, say, worker};

const VIEWERS: usize = 500;
const LENGTH: Duration = Duration::from_secs(30);

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Ended {
    /// CPU seconds so far.
    fn cpu(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        // utime and stime, in ticks of 10 ms.
        let ticks = |index: usize| fields[index].parse::<f64>().unwrap();
        (ticks(11) + ticks(12)) / 100.0
    }

    /// Resident memory in MiB.
    fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        let kib: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kib / 1024.0
    }
}

fn follow(address: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: soko\r\n\r\n").unwrap();
    stream.set_nonblocking(true).unwrap();
    stream
}

#[test]
#[ignore = "a measurement"]
fn viewers() {
    let dir = tempfile::tempdir().unwrap();
    let line = format!(
        "serve --listen 127.0.0.1:0 {} --log warn -o json",
        data(dir.path())
    );
    let child = program(&line).stdout(Stdio::piped()).spawn().unwrap();
    let mut server = Ended(child);
    let mut said = String::new();
    let out = server.0.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut said).unwrap();
    let said: Value = serde_json::from_str(&said).unwrap();
    let url = said["coordinator"].as_str().unwrap().to_owned();
    let http = said["http"]
        .as_str()
        .unwrap()
        .trim_start_matches("http://")
        .to_owned();
    let job = say(&format!(
        "submit --n 7 --mode exhaustive --coordinator {url} -o quiet"
    ));
    let job = job.out.trim().to_owned();
    let line = format!("--coordinator {url} --id w --log warn");
    let worker = Ended(worker(&line).spawn().unwrap());
    thread::sleep(Duration::from_secs(10));
    let work = || {
        let shown = say(&format!("jobs show {job} --coordinator {url} -o json"));
        shown.document()["work_done"].as_f64().unwrap()
    };
    let measure = |viewers: usize| {
        let (began, cpu, searching, sets) = (Instant::now(), server.cpu(), worker.cpu(), work());
        thread::sleep(LENGTH);
        let seconds = began.elapsed().as_secs_f64();
        let cpu = (server.cpu() - cpu) / seconds;
        let searching = worker.cpu() - searching;
        println!(
            "{viewers} viewers: coordinator {:.2} % of a core, {:.0} MiB; worker {:.2} cores, \
             {:.0} sets per CPU second",
            cpu * 100.0,
            server.memory(),
            searching / seconds,
            (work() - sets) / searching
        );
        cpu
    };
    let alone = measure(0);
    let stop = AtomicBool::new(false);
    let bytes = AtomicU64::new(0);
    let with = thread::scope(|scope| {
        let path = format!("/live/jobs/{job}");
        let mut streams: Vec<TcpStream> = (0..VIEWERS)
            .map(|index| {
                follow(
                    &http,
                    if index % 2 == 0 {
                        "/live/overview"
                    } else {
                        &path
                    },
                )
            })
            .collect();
        let (stop, bytes) = (&stop, &bytes);
        scope.spawn(move || {
            let mut buffer = vec![0; 65536];
            while !stop.load(Ordering::Relaxed) {
                for stream in &mut streams {
                    while let Ok(read) = stream.read(&mut buffer) {
                        assert!(read > 0, "a stream ended");
                        bytes.fetch_add(read as u64, Ordering::Relaxed);
                    }
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        let with = measure(VIEWERS);
        stop.store(true, Ordering::Relaxed);
        with
    });
    println!(
        "each viewer: {:.4} % of a core, {:.1} kB/s",
        (with - alone) * 100.0 / VIEWERS as f64,
        bytes.load(Ordering::Relaxed) as f64 / 1e3 / LENGTH.as_secs_f64() / VIEWERS as f64
    );
}
