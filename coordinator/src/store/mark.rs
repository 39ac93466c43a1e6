//! A mark beside the database: how many commits it has seen.
//!
//! When the end of sled's log is gone, sled opens what is left as if nothing
//! had ever followed; totals kept inside agree with that. The mark does not.
//! It is written after each commit and never synced, so it costs nothing: it
//! may lag behind after a power cut, but it is never ahead of a whole store.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    path::Path,
};

/// The mark's file.
#[derive(Debug)]
pub(super) struct Mark(File);

impl Mark {
    /// Opens, or creates, the mark; gives back the number that it holds. One
    /// that cannot be read says nothing.
    pub(super) fn open(dir: &Path) -> io::Result<(Self, u64)> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(dir.join("mark"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let known = match bytes.first_chunk::<8>() {
            Some(number) if bytes[8..] == crc32fast::hash(number).to_be_bytes() => {
                u64::from_be_bytes(*number)
            }
            _ => 0,
        };
        Ok((Self(file), known))
    }

    /// Notes the number of commits.
    pub(super) fn set(&self, commits: u64) -> io::Result<()> {
        let mut bytes = [0; 12];
        let number = commits.to_be_bytes();
        bytes[..8].copy_from_slice(&number);
        bytes[8..].copy_from_slice(&crc32fast::hash(&number).to_be_bytes());
        self.0.write_all_at(&bytes, 0)
    }
}
