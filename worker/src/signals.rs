//! SIGTERM and Ctrl-C.

use tokio_util::sync::CancellationToken;

/// Exit code of a process that was interrupted twice.
const INTERRUPTED: i32 = 130;

/// Cancels `shutdown` at the first SIGTERM or Ctrl-C; a second Ctrl-C ends the
/// process at once.
///
/// # Errors
/// If the signals cannot be listened to.
pub fn stop_on_signals(shutdown: &CancellationToken) -> std::io::Result<()> {
    let mut signals = Signals::listen()?;
    let shutdown = shutdown.clone();
    tokio::spawn(async move {
        signals.next().await;
        shutdown.cancel();
        loop {
            if signals.next().await == Signal::Interrupt {
                std::process::exit(INTERRUPTED);
            }
        }
    });
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Interrupt,
    Terminate,
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}
