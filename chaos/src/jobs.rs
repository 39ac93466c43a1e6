//! What is computed, and the answers that are known.

use std::{
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::process::{ask, command};

/// How long one command may take: admin calls answer at any time.
const PATIENCE: Duration = Duration::from_secs(90);

/// A job, and the answer of a single process to it.
#[derive(Debug)]
pub(crate) struct Known {
    words: Vec<String>,
    answer: Value,
}

/// One job of each exact mode, and one on a smaller board. Most have many small
/// shards; those of the floor job are so large that they are split on the way.
pub(crate) fn known(n: u32, dir: &Path) -> anyhow::Result<Vec<Known>> {
    let fine = if n == 6 { "30" } else { "2" };
    let lines = [
        format!("--n {} --shard-ms 2", n - 1),
        format!("--n {n} --shard-ms {fine}"),
        "--mode floor --floor 17 --shard-ms 5000".to_owned(),
        "--mode census --n 4 --shard-ms 2".to_owned(),
    ];
    let known = lines.iter().map(|line| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let answer = baseline(&words, dir)?;
        Ok(Known { words, answer })
    });
    known.collect()
}

/// The answer of a single process, without what differs from run to run.
fn baseline(words: &[String], dir: &Path) -> anyhow::Result<Value> {
    let out = command("soko-coord")?
        .arg("run")
        .args(words)
        .args(["-o", "json", "--data"])
        .arg(dir.join("baseline"))
        .stderr(Stdio::null())
        .output()?;
    ensure!(out.status.success(), "the single process failed");
    Ok(essence(serde_json::from_slice(&out.stdout)?))
}

/// An answer without what may differ between two computations of it.
fn essence(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("job");
        fields.remove("double_checked");
        if let Some(effort) = fields.get_mut("effort").and_then(Value::as_object_mut) {
            effort.remove("shards");
            effort.remove("core_seconds");
            effort.remove("wall_seconds");
        }
    }
    answer
}

/// A client that is patient with a coordinator that is away.
#[derive(Debug)]
pub(crate) struct Client {
    url: String,
    known: Vec<Known>,
    /// Jobs that have not ended, each with its number among the known ones.
    open: Vec<(String, usize)>,
    /// Jobs whose answers were right.
    pub(crate) right: Vec<String>,
    /// Results computed twice, and all results.
    pub(crate) double_checked: (u64, u64),
    /// Shards that were given up and tried again.
    pub(crate) retried: u64,
    next: usize,
}

impl Client {
    pub(crate) fn new(url: String, known: Vec<Known>) -> Self {
        Self {
            url,
            known,
            open: Vec::new(),
            right: Vec::new(),
            double_checked: (0, 0),
            retried: 0,
            next: 0,
        }
    }

    /// Keeps a few jobs going, each kind in turn.
    pub(crate) fn keep_busy(&mut self) -> anyhow::Result<()> {
        while self.open.len() < 2 {
            let which = self.next % self.known.len();
            self.next += 1;
            let words = self.known[which].words.iter().map(String::as_str);
            let words: Vec<&str> = std::iter::once("submit").chain(words).collect();
            let job = self.say(&words)?["job"].as_str().map(str::to_owned);
            self.open.push((job.context("no job")?, which));
        }
        Ok(())
    }

    /// Looks at the jobs that have not ended; checks the answers of those that
    /// have. Gives back how many are left.
    pub(crate) fn look(&mut self) -> anyhow::Result<usize> {
        for (job, which) in std::mem::take(&mut self.open) {
            let shown = self.say(&["jobs", "show", &job])?;
            match shown["state"].as_str() {
                Some("done") => self.check(&job, which)?,
                Some("incomplete") => {
                    self.retried += shown["shards"]["poisoned"].as_u64().unwrap_or(0);
                    self.say(&["jobs", "retry", &job])?;
                    self.open.push((job, which));
                }
                Some("failed" | "cancelled") => bail!("job {job}: {shown}"),
                _ => self.open.push((job, which)),
            }
        }
        Ok(self.open.len())
    }

    /// Pauses and resumes, or cancels and resumes, some job.
    pub(crate) fn steer(&mut self, cancel: bool) -> anyhow::Result<()> {
        let Some((job, _)) = self.open.first().cloned() else {
            return Ok(());
        };
        let verb = if cancel { "cancel" } else { "pause" };
        // It may not be running, or have ended by now.
        if ask(&self.url, &["jobs", verb, &job]).is_ok() {
            self.say(&["jobs", "resume", &job])?;
        }
        Ok(())
    }

    fn check(&mut self, job: &str, which: usize) -> anyhow::Result<()> {
        let answer = self.say(&["jobs", "result", job])?;
        let double = answer["double_checked"].as_str().unwrap_or("0/0");
        if let Some((twice, all)) = double.split_once('/') {
            self.double_checked.0 += twice.parse::<u64>()?;
            self.double_checked.1 += all.parse::<u64>()?;
        }
        let (is, wanted) = (essence(answer), &self.known[which].answer);
        ensure!(
            is == *wanted,
            "job {job} has another answer than a single process:\n{is}\ninstead of\n{wanted}"
        );
        self.right.push(job.to_owned());
        Ok(())
    }

    /// Repeats a command until the coordinator answers.
    fn say(&self, words: &[&str]) -> anyhow::Result<Value> {
        let begun = Instant::now();
        loop {
            match ask(&self.url, words) {
                Ok(answer) => return Ok(answer),
                Err(error) if begun.elapsed() > PATIENCE => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }
}
