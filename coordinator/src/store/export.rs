//! The whole store as JSON lines, and back.
//!
//! The first line says what the file is, the last one how many lines there
//! are; so a file that was cut short is noticed. Each line between them is a
//! change: a tree, a key in hexadecimal and a value in base64, or `null` where
//! the key was removed. Lines are in an order in which they can be applied one
//! after the other: a page of entries shows the store as it was when the page
//! was read, and every change made since the export began follows, so that the
//! last line about a key is right.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Instant,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::{Batch, Change, Store, StoreError, StoreHandle, Tree, catalog::SCHEMA};

/// Version of the format.
const FORMAT: u32 = 1;
/// Entries read at a time.
const PAGE: usize = 1024;
/// Exports that are kept.
const KEPT: usize = 3;
/// Compression: the quickest level halves the size and more.
const LEVEL: i32 = 1;

/// What can go wrong with an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// The file is not a whole export.
    #[error("{} is not a whole export: {detail}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There was no time to finish it.
    #[error("there was no time to finish the export")]
    Late,
}

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    soko_export: u32,
    schema: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    tree: String,
    key: String,
    value: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct End {
    lines: u64,
}

fn hex(bytes: &[u8]) -> String {
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    let pairs = bytes
        .iter()
        .map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    pairs.flatten().collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}

/// Directory of the exports of a data directory.
pub fn exports_dir(data: &Path) -> PathBuf {
    data.join("exports")
}

/// The exports of a data directory, newest first.
///
/// # Errors
/// If the directory cannot be read.
pub fn list_exports(data: &Path) -> io::Result<Vec<PathBuf>> {
    let dir = exports_dir(data);
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if number_of(&path).is_some() {
            files.push(path);
        }
    }
    files.sort_by_key(|path| std::cmp::Reverse(number_of(path)));
    Ok(files)
}

fn number_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix("export-")?
        .strip_suffix(".jsonl.zst")?
        .parse()
        .ok()
}

/// An export that is being written.
struct Writer {
    path: PathBuf,
    file: zstd::Encoder<'static, BufWriter<File>>,
    lines: u64,
}

impl Writer {
    fn create(path: &Path) -> Result<Self, ExportError> {
        let create = || {
            let file = BufWriter::new(File::create(path)?);
            zstd::Encoder::new(file, LEVEL)
        };
        let mut writer = Self {
            file: create().map_err(|source| io_error(path, source))?,
            path: path.to_owned(),
            lines: 0,
        };
        writer.line(&Head {
            soko_export: FORMAT,
            schema: SCHEMA,
        })?;
        Ok(writer)
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), ExportError> {
        let written = serde_json::to_writer(&mut self.file, line).map_err(io::Error::from);
        written
            .and_then(|()| self.file.write_all(b"\n"))
            .map_err(|source| io_error(&self.path, source))
    }

    fn change(&mut self, tree: Tree, key: &[u8], value: Option<&[u8]>) -> Result<(), ExportError> {
        self.lines += 1;
        self.line(&Line {
            tree: tree.name().to_owned(),
            key: hex(key),
            value: value.map(|value| STANDARD.encode(value)),
        })
    }

    /// Writes the last line; the file is on the disk when this returns.
    fn finish(mut self) -> Result<u64, ExportError> {
        let lines = self.lines;
        self.line(&End { lines })?;
        let finish = || {
            let file = self.file.finish()?.into_inner()?;
            file.sync_all()
        };
        finish().map_err(|source| io_error(&self.path, source))?;
        Ok(lines)
    }
}

fn io_error(path: &Path, source: io::Error) -> ExportError {
    ExportError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Exports the store of a running coordinator into its data directory, while
/// it goes on. Blocks; gives back the file. With a deadline it gives up when
/// that has passed.
///
/// # Errors
/// [`ExportError`].
pub fn export(
    store: &StoreHandle,
    data: &Path,
    deadline: Option<Instant>,
) -> Result<PathBuf, ExportError> {
    let dir = exports_dir(data);
    fs::create_dir_all(&dir).map_err(|source| io_error(&dir, source))?;
    let known = list_exports(data).map_err(|source| io_error(&dir, source))?;
    let number = known.first().and_then(|it| number_of(it)).unwrap_or(0) + 1;
    let path = dir.join(format!("export-{number:06}.jsonl.zst"));
    let unfinished = dir.join("unfinished.tmp");
    let written = write_all(store, &unfinished, deadline);
    if written.is_err() {
        // It may never have been created.
        let _ = fs::remove_file(&unfinished);
    }
    let lines = written?;
    let settle = || {
        fs::rename(&unfinished, &path)?;
        for old in known.iter().skip(KEPT - 1) {
            fs::remove_file(old)?;
        }
        File::open(&dir)?.sync_all()
    };
    settle().map_err(|source| io_error(&path, source))?;
    tracing::info!(file = %path.display(), lines, "store exported");
    Ok(path)
}

fn write_all(
    store: &StoreHandle,
    path: &Path,
    deadline: Option<Instant>,
) -> Result<u64, ExportError> {
    let mut writer = Writer::create(path)?;
    let (tap, changes) = mpsc::channel::<Batch>();
    store.tap(tap);
    let drain = |writer: &mut Writer| -> Result<(), ExportError> {
        for batch in changes.try_iter() {
            for Change { tree, key, value } in batch {
                writer.change(tree, &key, value.as_deref())?;
            }
        }
        Ok(())
    };
    for tree in Tree::ALL {
        let mut after: Option<Vec<u8>> = None;
        loop {
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(ExportError::Late);
            }
            let from = after.take();
            let page =
                store.read_blocking(move |catalog| catalog.page(tree, from.as_deref(), PAGE))?;
            for (key, value) in &page {
                writer.change(tree, key, Some(value))?;
            }
            drain(&mut writer)?;
            match page.into_iter().last() {
                Some((key, _)) => after = Some(key),
                None => break,
            }
        }
    }
    // After this answer no more changes can come that are needed.
    store.read_blocking(|_| Ok(()))?;
    drain(&mut writer)?;
    writer.finish()
}

/// Reads an export and hands its changes on, some at a time.
///
/// # Errors
/// [`ExportError`]. Some changes may have been handed on by then.
fn read_export(
    path: &Path,
    mut visit: impl FnMut(Batch) -> Result<(), StoreError>,
) -> Result<u64, ExportError> {
    let broken = |detail: &str| ExportError::Broken {
        path: path.to_owned(),
        detail: detail.to_owned(),
    };
    let open = || zstd::Decoder::new(File::open(path)?);
    let file = open().map_err(|source| io_error(path, source))?;
    let mut lines = BufReader::new(file).lines();
    let mut next = || match lines.next() {
        Some(Ok(line)) => Ok(Some(line)),
        Some(Err(error)) => Err(broken(&error.to_string())),
        None => Ok(None),
    };
    let head = next()?.ok_or_else(|| broken("it is empty"))?;
    let head: Head = serde_json::from_str(&head).map_err(|_| broken("it has no head"))?;
    if head.soko_export != FORMAT || head.schema > SCHEMA {
        return Err(broken("it was written by a newer version"));
    }
    let mut count = 0;
    let mut batch = Batch::new();
    while let Some(line) = next()? {
        if let Ok(end) = serde_json::from_str::<End>(&line) {
            if end.lines != count || next()?.is_some() {
                return Err(broken("lines are missing"));
            }
            visit(batch)?;
            return Ok(count);
        }
        count += 1;
        let change =
            change_of(&line).ok_or_else(|| broken(&format!("line {count} is no change")))?;
        batch.push(change);
        if batch.len() == PAGE {
            visit(std::mem::take(&mut batch))?;
        }
    }
    Err(broken("its end is missing"))
}

fn change_of(line: &str) -> Option<Change> {
    let line: Line = serde_json::from_str(line).ok()?;
    let tree = Tree::ALL.into_iter().find(|it| it.name() == line.tree)?;
    let value = match line.value {
        None => None,
        Some(text) => Some(STANDARD.decode(text).ok()?),
    };
    Some(Change {
        tree,
        key: unhex(&line.key)?,
        value,
    })
}

/// Fills an empty store with what an export holds.
///
/// # Errors
/// [`ExportError`].
pub(super) fn import(path: &Path, store: &mut dyn Store) -> Result<u64, ExportError> {
    read_export(path, |batch| store.commit(&batch))
}
