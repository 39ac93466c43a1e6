//! The replay in a terminal, with a user at its keys.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

const ROWS: u16 = 24;
const COLS: u16 = 80;

/// A terminal with a replay running in it.
struct Session {
    master: Box<dyn MasterPty + Send>,
    /// Keeps the terminal open, and so its modes.
    slave: Box<dyn SlavePty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    child: Box<dyn Child + Send + Sync>,
    _file: tempfile::TempPath,
}

impl Session {
    fn new(level: &str, arguments: &[&str]) -> Self {
        let pair = native_pty_system()
            .openpty(PtySize {
                rows: ROWS,
                cols: COLS,
                ..PtySize::default()
            })
            .unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(level.as_bytes()).unwrap();
        let file = file.into_temp_path();
        let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin!("soko-coord"));
        command.args(["level", "replay"]);
        command.arg(&file);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            keys: pair.master.take_writer().unwrap(),
            master: pair.master,
            slave: pair.slave,
            output,
            screen: vt100::Parser::new(ROWS.try_into().unwrap(), COLS.try_into().unwrap(), 0),
            child,
            _file: file,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen shows a text.
    fn shows(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_mins(1);
        while !self.screen.screen().contents().contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(end) => panic!(
                    "no {text:?}, {end}, in\n{}",
                    self.screen.screen().contents()
                ),
            }
        }
    }

    /// Whether the terminal waits for whole lines, as it does for a shell.
    fn is_cooked(&self) -> bool {
        let modes = format!("{:?}", self.master.get_termios().unwrap().local_flags);
        modes.contains("ICANON") && modes.contains("ECHO")
    }

    /// Sends a signal, as others do who want the process to end.
    fn is_told_to_end(&self, signal: Signal) {
        let id = self.child.process_id().unwrap().try_into().unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    fn ends(mut self) -> u32 {
        let end = Instant::now() + Duration::from_mins(1);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(self.is_cooked());
        drop(self.slave);
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_mins(1)) {
            self.screen.process(&bytes);
        }
        assert!(!self.screen.screen().alternate_screen());
        assert!(!self.screen.screen().hide_cursor());
        status.exit_code()
    }
}

const TWO_BOXES: &str = "@$-.\n-$-.\n";

#[test]
fn every_key_does_what_it_says() {
    let mut session = Session::new(TWO_BOXES, &["--lurd", "RRlldRR"]);
    session.shows("move 0 of 7, push 0 of 4");
    session.shows("left: RRlldRR");
    session.shows("@$ .\n $ .");
    // The arrow to the right, twice.
    session.press("\x1b[C\x1b[C");
    session.shows("move 2 of 7, push 2 of 4");
    session.shows("  @*\n $ .");
    session.press("h");
    session.shows("move 1 of 7");
    session.shows(" @$.");
    session.press("n");
    session.shows("move 2 of 7");
    session.press("n");
    session.shows("move 6 of 7, push 3 of 4");
    session.shows("left: R\n");
    session.press("p");
    session.shows("move 2 of 7");
    session.press("+");
    session.shows("16 moves a second");
    session.press("--");
    session.shows("4 moves a second");
    session.press("G");
    session.shows("move 7 of 7");
    session.shows("solved");
    session.press("g");
    session.shows("move 0 of 7");
    session.press("q");
    assert_eq!(session.ends(), 0);
}

#[test]
fn it_plays_to_the_end_by_itself() {
    let mut session = Session::new(TWO_BOXES, &["--speed", "1000"]);
    session.shows("move 0 of 7");
    session.press(" ");
    session.shows("move 7 of 7");
    session.shows("solved");
    // Ctrl-C, which a terminal in raw mode hands on as a key.
    session.press("\x03");
    assert_eq!(session.ends(), 0);
}

#[test]
fn a_board_larger_than_the_terminal_is_shown_around_the_player() {
    let mut rows = vec!["-".repeat(120); 60];
    rows[59].replace_range(100..103, "@$.");
    let mut session = Session::new(&rows.join("\n"), &[]);
    session.shows("@$.");
    session.press("l");
    session.shows("@*");
    session.shows("solved");
    session.press("q");
    assert_eq!(session.ends(), 0);
}

#[test]
fn a_signal_puts_the_terminal_back() {
    for (signal, code) in [
        (Signal::HUP, 129),
        (Signal::INT, 130),
        (Signal::QUIT, 131),
        (Signal::TERM, 143),
    ] {
        let mut session = Session::new(TWO_BOXES, &[]);
        session.shows("move 0 of 7");
        assert!(!session.is_cooked());
        session.is_told_to_end(signal);
        assert_eq!(session.ends(), code, "{signal:?}");
    }
}
