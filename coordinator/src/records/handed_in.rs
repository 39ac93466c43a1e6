//! A level from outside: read, placed, replayed and solved, or refused with the
//! reason. Nothing that is said about it is believed.

use soko::{
    board::{Size, SizeError},
    level::{
        Level, LevelError, Lurd, LurdError,
        format::{Entry, FormatError, ReadOptions, read_xsb},
    },
    plan::ENGINE,
    rpc::v1::{self, RefusalReason},
    solve::{SolveError, replay},
    text::counted,
};

use super::{
    NotALevel,
    solved::{solve_within, unix_ms},
};

/// Most memory of the solver's tables for a level from outside, in bytes. An
/// open board of 50×50 takes 80 MiB and a second.
pub const SOLVER_MEMORY: u64 = 128 << 20;
/// Most bytes of a level with its solution: with the levels beside it, a row
/// has to fit into a message.
const MAX_TEXTS: usize = 2 << 20;
/// Longest title that is kept, in characters.
const MAX_TITLE: usize = 200;
/// Longest author that is taken from the text, in characters.
const MAX_AUTHOR: usize = 100;

/// What was handed in.
#[derive(Debug, Clone, Default)]
pub struct HandedIn {
    /// XSB text.
    pub xsb: String,
    /// Claimed solution; empty if there is none.
    pub lurd: String,
    /// Side of the board; `None` = what the player can reach.
    pub n: Option<u16>,
    /// Who made it; may be empty.
    pub author: String,
    /// What people should know of it; may be empty.
    pub note: String,
}

/// Why a level is no candidate for the record table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCandidate {
    /// The text is no XSB.
    #[error("the level is malformed: {0}")]
    Malformed(#[from] FormatError),
    /// More levels than one, or none.
    #[error("the text holds {0} levels where one is expected; hand in one at a time")]
    NotOne(usize),
    /// It is no level with one box.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// Its board is not square, and no size is given.
    #[error(
        "the player can reach {size}, which is not square; give n, {} or more, to hand it in for \
         that board",
        size.rows().max(size.cols())
    )]
    NotSquare {
        /// The smallest board around it.
        size: Size,
    },
    /// It is too large for the size given.
    #[error("the player can reach {size}, which does not fit on {n}x{n}; give a larger n")]
    DoesNotFit {
        /// The smallest board around it.
        size: Size,
        /// The size given.
        n: u16,
    },
    /// The size given is none.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// It is too large to be solved here.
    #[error("{0}")]
    TooLarge(SolveError),
    /// Its solution is too long to be shown.
    #[error("the shortest solution has {0} moves, too many for the table")]
    TooLong(u32),
    /// It has no solution.
    #[error("the level has no solution")]
    Unsolvable,
    /// The claimed solution is no move string.
    #[error("the solution is malformed: {0}")]
    MalformedSolution(#[from] LurdError),
    /// The claimed solution has run lengths.
    #[error(
        "the solution is malformed: line {line}, column {column}: write every move as a letter, \
         run lengths are not read here"
    )]
    RunLengths {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
    },
    /// The claimed solution does not solve the level.
    #[error("the solution does not solve the level: {0}")]
    WrongSolution(String),
}

impl NoCandidate {
    /// Its name on the wire.
    pub const fn reason(&self) -> RefusalReason {
        match self {
            Self::Malformed(_) => RefusalReason::Malformed,
            Self::Level(LevelError::SeveralBoxes(_)) => RefusalReason::SeveralBoxes,
            Self::Level(LevelError::TooLarge { .. }) | Self::TooLarge(_) | Self::TooLong(_) => {
                RefusalReason::TooLarge
            }
            Self::NotOne(_) | Self::Level(_) => RefusalReason::NotOneLevel,
            Self::NotSquare { .. } => RefusalReason::NotSquare,
            Self::DoesNotFit { .. } | Self::Size(_) => RefusalReason::DoesNotFit,
            Self::Unsolvable => RefusalReason::Unsolvable,
            Self::MalformedSolution(_) | Self::RunLengths { .. } => {
                RefusalReason::MalformedSolution
            }
            Self::WrongSolution(_) => RefusalReason::WrongSolution,
        }
    }

    /// Line and column, from 1, if it is about a place in the text.
    pub const fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::Malformed(error) => Some((error.line, error.column)),
            Self::MalformedSolution(error) => Some((error.line, error.column)),
            Self::RunLengths { line, column } => Some((*line, *column)),
            _ => None,
        }
    }
}

/// The record that a level from outside would make. Takes up to a second and
/// [`SOLVER_MEMORY`].
///
/// # Errors
/// [`NoCandidate`].
pub fn candidate(handed: &HandedIn) -> Result<v1::Record, NoCandidate> {
    let entry = the_one(read_xsb(handed.xsb.as_bytes(), &ReadOptions::default())?.entries)?;
    let level = Level::try_from(&entry.grid)?;
    let saved = entry.solutions.first().map_or("", String::as_str);
    match (handed.lurd.trim(), saved) {
        ("", "") => {}
        ("", claim) | (claim, _) => check_claim(&level, claim)?,
    }
    let level = on_board(&level, handed.n)?;
    let solved = solve_within(&level, SOLVER_MEMORY).map_err(|error| match error {
        NotALevel::Unsolvable => NoCandidate::Unsolvable,
        NotALevel::Solve(error) => NoCandidate::TooLarge(error),
    })?;
    let solved = short_enough(solved)?;
    let author = match handed.author.as_str() {
        "" => one_line(entry.author.as_deref(), MAX_AUTHOR),
        author => author.to_owned(),
    };
    Ok(v1::Record {
        rows: level.size().rows().into(),
        cols: level.size().cols().into(),
        max_moves: solved.moves,
        level: Some(solved),
        title: one_line(entry.name(), MAX_TITLE),
        source: match author.as_str() {
            "" => "handed in".to_owned(),
            author => format!("handed in, by {author}"),
        },
        author,
        provenance: Some(v1::Provenance {
            mode: "handed-in".to_owned(),
            engine: ENGINE.to_owned(),
            unix_ms: unix_ms(),
            note: handed.note.clone(),
            ..v1::Provenance::default()
        }),
        ..v1::Record::default()
    })
}

fn the_one(mut entries: Vec<Entry>) -> Result<Entry, NoCandidate> {
    let count = entries.len();
    entries
        .pop()
        .filter(|_| count == 1)
        .ok_or(NoCandidate::NotOne(count))
}

/// The level on the board that it is for, without the walls around it.
fn on_board(level: &Level, n: Option<u16>) -> Result<Level, NoCandidate> {
    let level = level.cropped().ok_or(NoCandidate::Unsolvable)?;
    let size = level.size();
    match n {
        None if size.rows() == size.cols() => Ok(level),
        None => Err(NoCandidate::NotSquare { size }),
        Some(n) => {
            let board = Size::new(n.into(), n.into())?;
            let placed = level.placed(board, 0, 0);
            placed.ok_or(NoCandidate::DoesNotFit { size, n })
        }
    }
}

fn short_enough(solved: v1::Level) -> Result<v1::Level, NoCandidate> {
    let bytes = solved.xsb.len() + solved.lurd.len() + solved.shortest_solutions.len();
    if bytes > MAX_TEXTS {
        return Err(NoCandidate::TooLong(solved.moves));
    }
    Ok(solved)
}

/// Replays a claimed solution. It need not be a shortest one.
fn check_claim(level: &Level, claim: &str) -> Result<(), NoCandidate> {
    // A few letters could stand for millions of moves.
    for (line, content) in (1..).zip(claim.lines()) {
        let run = |letter: char| letter.is_ascii_digit() || letter == '(';
        if let Some(at) = content.chars().position(run) {
            let column = at + 1;
            return Err(NoCandidate::RunLengths { line, column });
        }
    }
    let lurd: Lurd = claim.parse()?;
    let replay = replay(level, &lurd);
    match (replay.first_bad_move, replay.solved_after) {
        (Some(index), _) => {
            let why = format!("move {} of {} is not possible", index + 1, lurd.len());
            Err(NoCandidate::WrongSolution(why))
        }
        (None, None) => {
            let why = format!(
                "after its {} the box is not on the goal",
                counted(lurd.len(), "move")
            );
            Err(NoCandidate::WrongSolution(why))
        }
        (None, Some(_)) => Ok(()),
    }
}

/// A text of the file, fit for one line.
fn one_line(text: Option<&str>, limit: usize) -> String {
    let letters = text.unwrap_or_default().chars();
    let shown = letters.filter(|letter| is_shown(*letter)).take(limit);
    shown.collect::<String>().trim().to_owned()
}

/// Whether a character stands for itself on a line: neither a control character
/// nor one that turns the direction of what follows, nor one without a width,
/// which would make different texts look the same.
pub fn is_shown(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let empty = matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    let breaks = matches!(letter, '\u{2028}' | '\u{2029}');
    !(letter.is_control() || turns || empty || breaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "---\n-$-\n@-.\n";

    fn handed(xsb: &str) -> HandedIn {
        HandedIn {
            xsb: xsb.to_owned(),
            ..HandedIn::default()
        }
    }

    fn refused(handed: &HandedIn) -> (RefusalReason, String) {
        let error = candidate(handed).unwrap_err();
        (error.reason(), error.to_string())
    }

    #[test]
    fn a_level_is_solved_on_its_board() {
        let record = candidate(&handed(SQUARE)).unwrap();
        assert_eq!((record.rows, record.cols), (3, 3));
        let level = record.level.unwrap();
        assert_eq!(record.max_moves, level.moves);
        assert_eq!(level.lurd.len(), level.moves as usize);
        // Walls around it make no difference, a given board does.
        let framed = "#####\n#---#\n#-$-#\n#@-.#\n#####\n";
        assert_eq!(candidate(&handed(framed)).unwrap().rows, 3);
        let larger = HandedIn {
            n: Some(5),
            ..handed(SQUARE)
        };
        let larger = candidate(&larger).unwrap();
        assert_eq!((larger.rows, larger.max_moves), (5, record.max_moves));
    }

    #[test]
    fn each_refusal_has_its_reason() {
        use RefusalReason as Reason;
        let huge = format!(
            "@{}\n{}\n-$.{}\n",
            "-".repeat(299),
            "-".repeat(300),
            "-".repeat(297)
        );
        let mut open = vec!["-".repeat(100); 100];
        open[0].replace_range(0..1, "@");
        open[5].replace_range(5..6, "$");
        open[9].replace_range(9..10, ".");
        let cases = [
            ("--.\n#-x\n-$@\n", Reason::Malformed, "line 2, column 3"),
            ("", Reason::NotOneLevel, "holds 0 levels"),
            ("@$.\n\n@$.\n", Reason::NotOneLevel, "holds 2 levels"),
            ("@$-\n---\n---\n", Reason::NotOneLevel, "no goal"),
            ("@$.\n-$.\n---\n", Reason::SeveralBoxes, "2 boxes"),
            ("--.-\n#---\n-$@-\n", Reason::NotSquare, "3x4"),
            ("$-.\n---\n@--\n", Reason::Unsolvable, "no solution"),
            ("@#-\n##$\n--.\n", Reason::Unsolvable, "no solution"),
            (&huge, Reason::TooLarge, "3x300"),
            (&open.join("\n"), Reason::TooLarge, "bytes"),
        ];
        for (xsb, reason, text) in cases {
            let (found, message) = refused(&handed(xsb));
            assert_eq!(found, reason, "{message}");
            assert!(message.contains(text), "{message}");
        }
        let small = HandedIn {
            n: Some(2),
            ..handed(SQUARE)
        };
        assert_eq!(refused(&small).0, Reason::DoesNotFit);
    }

    #[test]
    fn what_cannot_be_seen_is_not_shown() {
        let hidden = "\u{0}\u{1b}\n\u{61c}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\
                      \u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{e0000}\u{e0041}\u{e007f}";
        for letter in hidden.chars() {
            assert!(!is_shown(letter), "{letter:?}");
        }
        for letter in "a ä雪\u{301}\u{e0080}".chars() {
            assert!(is_shown(letter), "{letter:?}");
        }
        assert_eq!(one_line(Some("Ann\u{200b}a\u{e0041}"), 9), "Anna");
    }

    #[test]
    fn a_solution_has_to_fit_into_a_message() {
        let of = |letters: usize| v1::Level {
            lurd: "r".repeat(letters),
            moves: 7,
            ..v1::Level::default()
        };
        assert!(short_enough(of(MAX_TEXTS)).is_ok());
        let error = short_enough(of(MAX_TEXTS + 1)).unwrap_err();
        assert_eq!(error, NoCandidate::TooLong(7));
        assert_eq!(error.reason(), RefusalReason::TooLarge);
    }

    #[test]
    fn a_claim_is_replayed_and_not_believed() {
        use RefusalReason as Reason;
        let with = |lurd: &str| HandedIn {
            lurd: lurd.to_owned(),
            ..handed("---\n---\n@$.\n")
        };
        assert_eq!(candidate(&with("R")).unwrap().max_moves, 1);
        // Longer than need be, and yet a solution.
        assert_eq!(candidate(&with("udR")).unwrap().max_moves, 1);
        for (lurd, reason, text) in [
            ("u", Reason::WrongSolution, "not on the goal"),
            ("uuuR", Reason::WrongSolution, "move 3 of 4"),
            ("uxR", Reason::MalformedSolution, "line 1, column 2"),
            ("u\nd99(u)", Reason::MalformedSolution, "line 2, column 2"),
        ] {
            let (found, message) = refused(&with(lurd));
            assert_eq!(found, reason, "{message}");
            assert!(message.contains(text), "{message}");
        }
        let saved = handed("---\n---\n@$.\nSolution: lll\n");
        assert_eq!(refused(&saved).0, Reason::WrongSolution);
    }

    #[test]
    fn hostile_text_stays_data() {
        let level = format!(
            "{SQUARE}Title: \u{1b}[2J<script>\u{202e}{}\n",
            "x".repeat(500)
        );
        let record = candidate(&handed(&level)).unwrap();
        assert!(record.title.starts_with("[2J<script>x"), "{}", record.title);
        assert_eq!(record.title.chars().count(), MAX_TITLE);
        let level = format!("{SQUARE}Author: a\u{7}b\n");
        let record = candidate(&handed(&level)).unwrap();
        assert_eq!(record.source, "handed in, by ab");
        assert_eq!(record.provenance.unwrap().mode, "handed-in");
    }
}
