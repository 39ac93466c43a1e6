//! Jobs as files: their ledger, carrying them elsewhere, computing parts again.

use std::{
    fs::{File, Permissions},
    io::{BufReader, BufWriter, Write as _},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Serialize;
use soko::rpc::v1;
use soko_worker::program::whole;

use super::{
    CliError,
    client::{Client, ClientArgs, request},
    ledger::LedgerDocument,
    lists::JobDocument,
    output::{Output, Show},
    text::table,
};
use crate::checkpoint::{self, Audited, Checkpoint, Collector, FileError};

/// A job of a coordinator, or one in a file.
#[derive(Debug, Args)]
#[group(skip)]
pub(super) struct SourceArgs {
    /// Id of the job, or the start of it.
    #[arg(value_name = "JOB", required_unless_present = "checkpoint")]
    job: Option<String>,
    /// A file written by `jobs export-checkpoint`, instead of a job.
    #[arg(long, value_name = "FILE", conflicts_with = "job")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// How many shards to compute again.
    #[arg(long, value_name = "K", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,
    /// Seed of the choice of shards.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
    /// Threads that compute [default: the CPUs that the process may use].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Id of the job, or the start of it.
    #[arg(value_name = "JOB")]
    job: String,
    /// The file to write; replaced only when all is written.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    client: ClientArgs,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// A file written by `jobs export-checkpoint`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    client: ClientArgs,
}

pub(super) async fn ledger(args: SourceArgs, output: Output) -> Result<u8, CliError> {
    let checkpoint = load(&args).await?;
    output.show(&LedgerDocument::from(&checkpoint))?;
    Ok(0)
}

pub(super) async fn export(args: ExportArgs, output: Output) -> Result<u8, CliError> {
    let client = args.client.connect().await?;
    let checkpoint = fetch(&client, &args.job).await?;
    save(&checkpoint, &args.file).map_err(|error| bad_file("written", &args.file, &error))?;
    output.show(&LedgerDocument::from(&checkpoint))?;
    Ok(0)
}

pub(super) async fn import(args: ImportArgs, output: Output) -> Result<u8, CliError> {
    let checkpoint = open(&args.file)?;
    let client = args.client.connect().await?;
    let entries: Vec<v1::CheckpointEntry> = checkpoint.entries().collect();
    let mut jobs = client.jobs();
    let filed = jobs.import_job(tokio_stream::iter(entries)).await;
    let job = filed.map_err(|status| client.error(&status))?;
    output.show(&JobDocument::from(job.into_inner()))?;
    Ok(0)
}

pub(super) async fn audit(args: AuditArgs, output: Output) -> Result<u8, CliError> {
    let checkpoint = load(&args.source).await?;
    let engine = soko::plan::ENGINE;
    if checkpoint.engine != engine {
        return Err(CliError::bad_input(
            format!("the job was computed by engine {}", checkpoint.engine),
            format!("this program has {engine}; audit it with the version that computed it"),
        ));
    }
    let shards = checkpoint::choose(&checkpoint, args.sample as usize, args.seed);
    if shards.is_empty() {
        return Err(CliError::bad_input(
            "no shard of the job is done with all its parts",
            "wait until some are done: `soko-coord jobs ledger` shows how far it is",
        ));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| CliError::internal(format!("cannot start threads: {error}")))?;
    let audited = tokio::task::spawn_blocking(move || {
        pool.install(|| {
            checkpoint::audit(&checkpoint, &shards, |audited| {
                output.note(&format!("shard {}: {}", audited.shard.0, verdict(audited)));
            })
        })
    });
    let audited = audited
        .await
        .map_err(|error| CliError::internal(format!("the audit ended badly: {error}")))?;
    let document = AuditDocument::from(audited);
    output.show(&document)?;
    Ok(u8::from(document.disagree > 0))
}

async fn load(args: &SourceArgs) -> Result<Checkpoint, CliError> {
    match (&args.checkpoint, &args.job) {
        (Some(file), _) => open(file),
        (None, job) => {
            let client = args.client.connect().await?;
            fetch(&client, job.as_deref().unwrap_or_default()).await
        }
    }
}

async fn fetch(client: &Client, job: &str) -> Result<Checkpoint, CliError> {
    let mut jobs = client.jobs();
    let mut entries = client.call(jobs.export_job(request(job))).await?;
    let mut collector = Collector::default();
    let bad = |error: checkpoint::BadCheckpoint| {
        CliError::internal(format!("the coordinator's answer makes no sense: {error}"))
    };
    while let Some(entry) = entries
        .message()
        .await
        .map_err(|status| client.error(&status))?
    {
        collector.push(entry).map_err(bad)?;
    }
    collector.finish().map_err(bad)
}

fn open(path: &Path) -> Result<Checkpoint, CliError> {
    let read = || checkpoint::read(BufReader::new(File::open(path)?));
    read().map_err(|error: FileError| bad_file("read", path, &error))
}

/// Writes beside the file first, so that an old one stays until the new one
/// is whole.
fn save(checkpoint: &Checkpoint, path: &Path) -> Result<(), FileError> {
    // A link stays one; what is no file, such as a device, is not replaced.
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    if path.exists() && !path.is_file() {
        return Err(std::io::Error::other("it is there and is no regular file").into());
    }
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    // For whom the user's mask lets in, not for the user alone.
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(dir.unwrap_or_else(|| Path::new(".")))?;
    let mut writer = BufWriter::new(file.as_file_mut());
    checkpoint::write(checkpoint, &mut writer)?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn bad_file(done: &str, path: &Path, error: &FileError) -> CliError {
    CliError::bad_input(
        format!(
            "the checkpoint {} cannot be {done}: {error}",
            path.display()
        ),
        "name a file that `soko-coord jobs export-checkpoint` wrote, or may write",
    )
}

fn verdict(audited: &Audited) -> &'static str {
    if audited.agrees { "agrees" } else { "DIFFERS" }
}

/// The outcome of an audit.
#[derive(Debug, Serialize)]
struct AuditDocument {
    audited: usize,
    disagree: usize,
    shards: Vec<AuditLine>,
}

#[derive(Debug, Serialize)]
struct AuditLine {
    shard: u64,
    nodes: u64,
    digest: String,
    agrees: bool,
}

impl From<Vec<Audited>> for AuditDocument {
    fn from(audited: Vec<Audited>) -> Self {
        Self {
            audited: audited.len(),
            disagree: audited.iter().filter(|it| !it.agrees).count(),
            shards: audited
                .into_iter()
                .map(|it| AuditLine {
                    shard: it.shard.0,
                    nodes: it.work,
                    digest: format!("{:032x}", it.digest),
                    agrees: it.agrees,
                })
                .collect(),
        }
    }
}

impl Show for AuditDocument {
    fn text(&self) -> String {
        let rows = self.shards.iter().map(|line| {
            let agrees = if line.agrees { "agrees" } else { "DIFFERS" };
            vec![
                line.shard.to_string(),
                line.nodes.to_string(),
                line.digest.clone(),
                agrees.to_owned(),
            ]
        });
        let columns = [">shard", ">visited", "digest", "computed again"];
        let table = table(&columns, rows.collect::<Vec<_>>());
        let end = if self.disagree == 0 {
            format!("all {} agree", self.audited)
        } else {
            format!(
                "{} of {} differ: do not trust this job's answer",
                self.disagree, self.audited
            )
        };
        format!("{table}\n\n{end}")
    }

    fn quiet(&self) -> String {
        self.disagree.to_string()
    }
}
