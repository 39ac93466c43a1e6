//! A checkpoint as a file: its messages, each with its length before it,
//! compressed with zstd, which also guards them with a checksum.

use std::io::{self, Read, Write};

use prost::Message;
use soko::rpc::v1;

use super::{BadCheckpoint, Checkpoint, Collector};

/// The largest message of a file, in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The medium.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content.
    #[error(transparent)]
    Content(#[from] BadCheckpoint),
}

/// Writes a checkpoint.
///
/// # Errors
/// What the writer says.
pub fn write(checkpoint: &Checkpoint, to: impl Write) -> Result<(), FileError> {
    let mut encoder = zstd::Encoder::new(to, 0)?;
    encoder.include_checksum(true)?;
    for entry in checkpoint.entries() {
        encoder.write_all(&entry.encode_length_delimited_to_vec())?;
    }
    encoder.finish()?.flush()?;
    Ok(())
}

/// Reads a checkpoint.
///
/// # Errors
/// [`FileError`].
pub fn read(from: impl Read) -> Result<Checkpoint, FileError> {
    let mut decoder = zstd::Decoder::new(from)?;
    let mut collector = Collector::default();
    while let Some(length) = read_length(&mut decoder)? {
        let mut message = vec![0; length];
        decoder.read_exact(&mut message)?;
        let entry = v1::CheckpointEntry::decode(message.as_slice())
            .map_err(|error| BadCheckpoint::Unreadable(error.to_string()))?;
        collector.push(entry)?;
    }
    Ok(collector.finish()?)
}

/// The length of the next message; `None` at the end of the file.
fn read_length(from: &mut impl Read) -> Result<Option<usize>, FileError> {
    let mut length = 0;
    for shift in (0..35).step_by(7) {
        let mut byte = [0];
        if from.read(&mut byte)? == 0 {
            if shift == 0 {
                return Ok(None);
            }
            return Err(BadCheckpoint::Incomplete("it ends within a message".to_owned()).into());
        }
        length |= usize::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            if length > MAX_MESSAGE {
                break;
            }
            return Ok(Some(length));
        }
    }
    Err(BadCheckpoint::Unreadable("a message is too long".to_owned()).into())
}
