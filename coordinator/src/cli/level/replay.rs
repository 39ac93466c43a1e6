//! `level replay`: watching a solution in the terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, queue, style, terminal};
use serde_json::json;
use soko::board::Cell;
use soko::level::ClassicLevel;
use soko::picture::Color;
use soko::text::counted;

use super::input::{AnyLevel, InputArgs, MovesArgs};
use super::screen::Screen;
use super::shown::shown_moves;
use super::tape::Tape;
use super::{Failure, Report};

/// What the keys do.
const KEYS: &str = "\
Keys:
  right, l, .      one move on            left, h, ,      one move back
  down, n          to the next push       up, p           to the push before
  space            play, or pause         + -             faster, slower
  home, g          to the start           end, G          to the end
  q, escape        leave

Boxes are $ and * on a goal, the player is @ and + on a goal, goals are dots. A
board larger than the terminal is shown around the player. A signal that ends the
replay puts the terminal back; the exit code is 128 and the signal's number.";

/// Arguments of `level replay`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = KEYS)]
pub(crate) struct Args {
    /// The level; of a file with several, the one that --level names.
    #[command(flatten)]
    pub input: InputArgs,
    /// The moves to watch; without any the level is solved.
    #[command(flatten)]
    pub moves: MovesArgs,
    /// Moves in a second.
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=MAX_SPEED as i64))]
    pub speed: u32,
}

/// Fastest replay, in moves per second.
const MAX_SPEED: u32 = 4096;

/// Shows the moves until the user leaves.
///
/// # Errors
/// [`Failure`] on bad input, or if input or output is no terminal.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let entry = args.input.single()?;
    let level = AnyLevel::of(&entry)?;
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(Failure::new(
            "usage",
            "a replay needs a terminal, for its keys and for the board",
            "give the level as a file, or write a film with level render --out FILE.gif",
        ));
    }
    let lurd = shown_moves(&level, &entry, &args.moves)?;
    let classic = level.classic();
    let mut player = Player {
        name: entry.name().unwrap_or("replay").to_owned(),
        tape: Tape::new(&classic, &lurd),
        playing: false,
        speed: args.speed,
    };
    let screen = Screen::open().map_err(|error| broken(&error))?;
    let watched = player.watch();
    drop(screen);
    watched.map_err(|error| broken(&error))?;
    let (at, moves) = (player.tape.at(), player.tape.len());
    Ok(Report {
        text: format!("left at move {at} of {moves}\n"),
        json: json!({"at": at, "moves": moves, "solved": player.tape.position().is_solved()}),
        quiet: format!("{at}\n"),
        exit_code: 0,
    })
}

fn broken(error: &std::io::Error) -> Failure {
    Failure::new(
        "io",
        format!("the terminal failed: {error}"),
        "write a film with level render --out FILE.gif",
    )
}

struct Player<'a> {
    name: String,
    tape: Tape<'a>,
    playing: bool,
    /// Moves per second.
    speed: u32,
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Forward,
    Back,
    NextPush,
    PushBefore,
    Play,
    Faster,
    Slower,
    Start,
    End,
    Leave,
}

impl Wish {
    fn of(key: KeyEvent) -> Option<Self> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(Self::Leave);
        }
        Some(match key.code {
            KeyCode::Right | KeyCode::Char('l' | '.') => Self::Forward,
            KeyCode::Left | KeyCode::Char('h' | ',') => Self::Back,
            KeyCode::Down | KeyCode::Char('n' | 'j') => Self::NextPush,
            KeyCode::Up | KeyCode::Char('p' | 'k') => Self::PushBefore,
            KeyCode::Char(' ') => Self::Play,
            KeyCode::Char('+' | '=') => Self::Faster,
            KeyCode::Char('-') => Self::Slower,
            KeyCode::Home | KeyCode::Char('g') => Self::Start,
            KeyCode::End | KeyCode::Char('G') => Self::End,
            KeyCode::Esc | KeyCode::Char('q') => Self::Leave,
            _ => return None,
        })
    }
}

impl Player<'_> {
    fn watch(&mut self) -> std::io::Result<()> {
        let mut due = Instant::now();
        loop {
            self.draw()?;
            // Nothing but a key changes a replay that pauses.
            let wait = if self.playing {
                due.saturating_duration_since(Instant::now())
            } else {
                Duration::from_hours(1)
            };
            if event::poll(wait)? {
                if let Event::Key(key) = event::read()?
                    && let Some(wish) = Wish::of(key)
                {
                    if wish == Wish::Leave {
                        return Ok(());
                    }
                    self.grant(wish);
                    due = Instant::now() + self.step_time();
                }
            } else if self.playing {
                // Faster than the terminal can draw: several moves at once.
                let now = Instant::now();
                while due <= now && self.playing {
                    self.playing = self.tape.forward();
                    due += self.step_time();
                }
            }
        }
    }

    fn step_time(&self) -> Duration {
        Duration::from_secs(1) / self.speed.max(1)
    }

    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Play => {
                self.playing = !self.playing;
                if self.playing && self.tape.at() == self.tape.len() {
                    self.tape.go_to(0);
                }
            }
            Wish::Faster => self.speed = (self.speed * 2).min(MAX_SPEED),
            Wish::Slower => self.speed = (self.speed / 2).max(1),
            Wish::Leave => {}
            Wish::Forward => {
                self.tape.forward();
                self.playing = false;
            }
            Wish::Back => {
                self.tape.back();
                self.playing = false;
            }
            Wish::NextPush => self.tape.jump_to_next_push(),
            Wish::PushBefore => self.tape.jump_to_push_before(),
            Wish::Start => self.tape.go_to(0),
            Wish::End => self.tape.go_to(self.tape.len()),
        }
    }

    fn draw(&self) -> std::io::Result<()> {
        let (cols, rows) = terminal::size()?;
        let mut out = std::io::stdout().lock();
        queue!(out, cursor::MoveTo(0, 0))?;
        // Two lines above the board, three below.
        let window = Window::around(self.tape.position().player(), self.tape.level(), cols, rows);
        let mut lines: Vec<String> = vec![self.name.clone(), self.state()];
        lines.extend(vec![String::new(); usize::from(window.rows)]);
        lines.push(format!(
            "left: {}",
            self.tape.rest(usize::from(cols).saturating_sub(6))
        ));
        lines.push("arrows or h l: move  n p: push  space: play  + -: speed  q: leave".to_owned());
        for (row, line) in (0..rows).zip(&lines) {
            let shown: String = line.chars().take(cols.into()).collect();
            queue!(
                out,
                cursor::MoveTo(0, row),
                style::Print(shown),
                terminal::Clear(terminal::ClearType::UntilNewLine)
            )?;
        }
        self.draw_board(&mut out, &window)?;
        queue!(out, terminal::Clear(terminal::ClearType::FromCursorDown))?;
        out.flush()
    }

    fn state(&self) -> String {
        let tape = &self.tape;
        let (pushed, pushes) = tape.pushes();
        let state = if tape.position().is_solved() {
            "solved"
        } else if self.playing {
            "playing"
        } else {
            "paused"
        };
        format!(
            "move {} of {}, push {pushed} of {pushes}, {} a second, {state}",
            tape.at(),
            tape.len(),
            counted(self.speed, "move")
        )
    }

    fn draw_board(&self, out: &mut impl Write, window: &Window) -> std::io::Result<()> {
        let position = self.tape.position();
        let size = self.tape.level().size();
        for row in 0..window.rows {
            queue!(out, cursor::MoveTo(0, 2 + row))?;
            for col in 0..window.cols {
                let tile = position.tile(size.cell(window.top + row, window.left + col));
                // Dots for goals, nothing for floor, are what the eye skips.
                let letter = match tile.xsb() {
                    '-' => ' ',
                    letter => letter,
                };
                let color = if tile.has_player() {
                    Some(Color::PLAYER)
                } else if tile.has_box() {
                    Some(Color::BOX)
                } else if tile.has_goal() {
                    Some(Color::GOAL)
                } else {
                    None
                };
                if let Some(Color(r, g, b)) = color {
                    let color = style::Color::Rgb { r, g, b };
                    queue!(
                        out,
                        style::SetForegroundColor(color),
                        style::Print(letter),
                        style::ResetColor
                    )?;
                } else {
                    queue!(out, style::Print(letter))?;
                }
            }
        }
        let below = window.rows + 4;
        queue!(out, cursor::MoveTo(0, below))
    }
}

/// The part of the board that fits the terminal.
#[derive(Debug, PartialEq, Eq)]
struct Window {
    top: u16,
    left: u16,
    rows: u16,
    cols: u16,
}

impl Window {
    /// With the player as near to its middle as the board's edges allow.
    fn around(player: Cell, level: &ClassicLevel, cols: u16, rows: u16) -> Self {
        let size = level.size();
        // Four lines are for text.
        let rows = size.rows().min(rows.saturating_sub(4).max(1));
        let cols = size.cols().min(cols.max(1));
        let start = |at: u16, shown: u16, all: u16| at.saturating_sub(shown / 2).min(all - shown);
        Self {
            top: start(size.row(player), rows, size.rows()),
            left: start(size.col(player), cols, size.cols()),
            rows,
            cols,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_player() {
        let mut rows = vec!["-".repeat(100); 50];
        rows[0].replace_range(0..3, "@$.");
        let level: ClassicLevel = rows.join("\n").parse().unwrap();
        let window = |row, col| Window::around(level.size().cell(row, col), &level, 80, 24);
        let place = |row, col| (window(row, col).top, window(row, col).left);
        assert_eq!(place(0, 0), (0, 0));
        assert_eq!(place(25, 50), (15, 10));
        assert_eq!(place(49, 99), (30, 20));
        assert_eq!((window(0, 0).rows, window(0, 0).cols), (20, 80));
        let tiny = Window::around(Cell(0), &level, 1, 1);
        assert_eq!((tiny.rows, tiny.cols), (1, 1));
    }

    #[test]
    fn keys_have_meanings() {
        let wish = |code| Wish::of(KeyEvent::new(code, KeyModifiers::NONE));
        assert_eq!(wish(KeyCode::Right), Some(Wish::Forward));
        assert_eq!(wish(KeyCode::Char('n')), Some(Wish::NextPush));
        assert_eq!(wish(KeyCode::Char('x')), None);
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(Wish::of(interrupt), Some(Wish::Leave));
    }
}
