//! Tells whether the worker of this machine or container is well.
//!
//! A worker listens to nobody, so it writes a small file every few seconds;
//! `soko-worker health` reads it. The age of the file tells whether the worker
//! lives, its first word whether it is registered.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::time::sleep;

use crate::core::{Core, Link};

/// How often the file is written.
const EVERY: Duration = Duration::from_secs(2);
/// How old it may be.
const FRESH: Duration = Duration::from_secs(15);
/// First word of the file of a registered worker.
const REGISTERED: &str = "registered";

/// Why a worker is not well.
#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    /// No worker writes the file.
    #[error("no worker runs here: {} is missing", .0.display())]
    Missing(PathBuf),
    /// The worker has stopped writing it.
    #[error("the worker has not been heard of for {0} s")]
    Stale(u64),
    /// The worker lives but works for nobody.
    #[error("the worker is not connected: {0}")]
    Disconnected(String),
}

/// The file of the worker of this machine, if none is named.
pub fn default_health_file() -> PathBuf {
    std::env::temp_dir().join("soko-worker.health")
}

/// Whether the worker that writes `file` lives and, unless only that is asked
/// (`live_only`), is registered with its coordinator.
///
/// # Errors
/// [`HealthError`] says what is wrong.
pub fn check_health(file: &Path, live_only: bool) -> Result<(), HealthError> {
    let missing = |_| HealthError::Missing(file.to_owned());
    let modified = file.metadata().and_then(|it| it.modified());
    // A file from the future is as good as a new one.
    let age = modified.map_err(missing)?.elapsed().unwrap_or_default();
    if age > FRESH {
        return Err(HealthError::Stale(age.as_secs()));
    }
    let state = std::fs::read_to_string(file).map_err(missing)?;
    if live_only || state.starts_with(REGISTERED) {
        Ok(())
    } else {
        Err(HealthError::Disconnected(state.trim().to_owned()))
    }
}

/// Writes the file until the task is aborted.
pub(crate) async fn keep_writing(core: Arc<Core>) {
    let Some(file) = &core.config.health_file else {
        return;
    };
    let mut link = core.link.subscribe();
    loop {
        let state = match &*link.borrow_and_update() {
            Link::Up(_) => format!("{REGISTERED} as {}\n", core.config.id),
            Link::Down(why) => format!("{why}\n"),
        };
        if let Err(error) = write(file, &state) {
            tracing::warn!(file = %file.display(), %error, "cannot write the health file");
        }
        tokio::select! {
            () = sleep(EVERY) => {}
            _ = link.changed() => {}
        }
    }
}

/// The worker has ended.
pub(crate) fn remove(core: &Core) {
    if let Some(file) = &core.config.health_file {
        // It may be missing already; it would grow stale anyway.
        let _ = std::fs::remove_file(file);
    }
}

fn write(file: &Path, state: &str) -> std::io::Result<()> {
    let temporary = file.with_extension("tmp");
    std::fs::write(&temporary, state)?;
    std::fs::rename(temporary, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_is_life_and_connection() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("health");
        assert!(matches!(
            check_health(&file, true),
            Err(HealthError::Missing(_))
        ));
        write(&file, "connection refused\n").unwrap();
        assert!(check_health(&file, true).is_ok());
        assert!(matches!(
            check_health(&file, false),
            Err(HealthError::Disconnected(_))
        ));
        write(&file, "registered as w\n").unwrap();
        assert!(check_health(&file, false).is_ok());
        let old = std::time::SystemTime::now() - Duration::from_mins(1);
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(old).unwrap();
        assert!(matches!(
            check_health(&file, true),
            Err(HealthError::Stale(60..))
        ));
    }
}
