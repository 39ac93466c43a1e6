//! Results on disk: one file each, so that none can damage another.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use prost::Message;
use soko::rpc::v1;

/// First bytes of a file: the format and its version.
const MAGIC: &[u8; 8] = b"sokores1";
/// Name ending of a result.
const SUFFIX: &str = "result";
/// Name ending of a file that could not be read and is set aside.
const DAMAGED: &str = "damaged";

/// A directory of results.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    dir: PathBuf,
}

impl Disk {
    /// Opens or creates the directory, and sees whether it can be written.
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let disk = Self {
            dir: dir.to_owned(),
        };
        let probe = disk.dir.join("probe.tmp");
        File::create(&probe)?;
        fs::remove_file(probe)?;
        Ok(disk)
    }

    /// All results, oldest first. Files that cannot be read are renamed and
    /// reported: their shards are computed again by somebody else.
    pub(super) fn load(&self) -> io::Result<Vec<v1::ShardResult>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == SUFFIX) {
                let modified = path.metadata()?.modified()?;
                files.push((modified, path));
            }
        }
        files.sort();
        let mut results = Vec::new();
        for (_, path) in files {
            if let Some(result) = decode(&fs::read(&path)?) {
                results.push(result);
            } else {
                tracing::error!(file = %path.display(), "damaged result in the outbox; set aside");
                fs::rename(&path, path.with_extension(DAMAGED))?;
            }
        }
        Ok(results)
    }

    /// Writes a result; it is on disk when this returns. A failure is logged
    /// only: the result is still in memory.
    pub(super) async fn write(&self, result: &v1::ShardResult) {
        let path = self.path(&result.request_id);
        let bytes = encode(result);
        let dir = self.dir.clone();
        let write = move || {
            // Renaming makes it appear whole or not at all.
            let temporary = path.with_extension("tmp");
            let mut file = File::create(&temporary)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            File::open(dir)?.sync_all()
        };
        self.log("write", tokio::task::spawn_blocking(write).await);
    }

    /// Removes a result. If that fails it is handed in once more after the
    /// next start, which does no harm.
    pub(super) async fn remove(&self, request_id: &str) {
        let path = self.path(request_id);
        let remove = move || fs::remove_file(path);
        self.log("remove", tokio::task::spawn_blocking(remove).await);
    }

    fn path(&self, request_id: &str) -> PathBuf {
        self.dir.join(request_id).with_extension(SUFFIX)
    }

    fn log(&self, what: &str, end: Result<io::Result<()>, tokio::task::JoinError>) {
        let error = match end {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::error!(dir = %self.dir.display(), error, "cannot {what} a result in the outbox");
    }
}

fn encode(result: &v1::ShardResult) -> Vec<u8> {
    let body = result.encode_to_vec();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(checksum(&body).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn decode(bytes: &[u8]) -> Option<v1::ShardResult> {
    let (sum, body) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    if u64::from_be_bytes(*sum) != checksum(body) {
        return None;
    }
    let result = v1::ShardResult::decode(body).ok()?;
    // The id becomes a file name again.
    let id_is_plain = result
        .request_id
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-');
    id_is_plain.then_some(result)
}

/// FNV-1a with 64 bits: enough to notice a damaged file.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result() -> v1::ShardResult {
        v1::ShardResult {
            request_id: "a-1".into(),
            engine: "e".into(),
            ..v1::ShardResult::default()
        }
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let bytes = encode(&result());
        assert_eq!(decode(&bytes), Some(result()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(decode(&damaged), None, "byte {at}");
            assert_eq!(decode(&bytes[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn damaged_files_are_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::open(dir.path()).unwrap();
        fs::write(disk.path("a-1"), encode(&result())).unwrap();
        fs::write(disk.path("b"), b"rubbish").unwrap();
        fs::write(dir.path().join("c.tmp"), b"half a result").unwrap();
        assert_eq!(disk.load().unwrap(), [result()]);
        assert!(dir.path().join("b.damaged").exists());
        assert_eq!(disk.load().unwrap(), [result()]);
    }
}
