//! The terminal while something is played in it.

use std::{io::Write, time::Duration};

use crossterm::{cursor, execute, terminal};
use tokio::signal::unix::{SignalKind, signal};

/// How long a terminal that takes no text may keep a process that a signal ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// A terminal that hands keys on at once and shows nothing but what it is told;
/// put back when this goes, or when a signal ends the process.
#[derive(Debug)]
pub(super) struct Screen;

impl Screen {
    /// # Errors
    /// If the terminal does not take it, or signals cannot be listened to.
    ///
    /// # Panics
    /// Outside a runtime of tokio.
    pub(super) fn open() -> std::io::Result<Self> {
        for kind in [
            SignalKind::hangup(),
            SignalKind::interrupt(),
            SignalKind::quit(),
            SignalKind::terminate(),
        ] {
            put_back_at(kind)?;
        }
        terminal::enable_raw_mode()?;
        // From here on the terminal is put back even if the next line fails.
        let screen = Self;
        execute!(
            std::io::stdout(),
            terminal::EnterAlternateScreen,
            cursor::Hide
        )?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        put_back(&mut std::io::stdout());
    }
}

fn put_back(out: &mut impl Write) {
    // If the terminal is gone there is nothing to put back.
    let _ = terminal::disable_raw_mode();
    let _ = execute!(out, cursor::Show, terminal::LeaveAlternateScreen);
}

/// Puts the terminal back and ends the process, with the exit code that shells
/// give it, when this signal comes. Nothing can be left to whoever waits for
/// keys: after a hang-up the wait never ends.
fn put_back_at(kind: SignalKind) -> std::io::Result<()> {
    let mut signals = signal(kind)?;
    let code = 128 + kind.as_raw_value();
    tokio::spawn(async move {
        signals.recv().await;
        std::thread::spawn(move || {
            // Held to the end, so that nothing is drawn after this.
            put_back(&mut std::io::stdout().lock());
            std::process::exit(code);
        });
        tokio::time::sleep(PATIENCE).await;
        std::process::exit(code);
    });
    Ok(())
}
