//! Arguments that say what to search for.

use clap::{Args, ValueEnum};
use soko::{
    board::Size,
    plan::{Mode, Search},
};

use super::CliError;

/// The board.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(super) struct BoardArgs {
    /// A square board with this many rows and columns.
    #[arg(long, value_name = "N", conflicts_with_all = ["rows", "cols"],
          required_unless_present_all = ["rows", "cols"])]
    n: Option<u64>,
    /// Rows of the board.
    #[arg(long, value_name = "R", requires = "cols")]
    rows: Option<u64>,
    /// Columns of the board.
    #[arg(long, value_name = "C", requires = "rows")]
    cols: Option<u64>,
}

impl BoardArgs {
    /// The board, if there is one of this size.
    pub(super) fn size(&self) -> Result<Size, CliError> {
        let side = |it: Option<u64>| it.or(self.n).unwrap_or(0);
        Ok(Size::new(side(self.rows), side(self.cols))?)
    }
}

/// How to search, by the names of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// Growth search over minimal floor sets: exact, proves the maximum.
    Exhaustive,
    /// Every wall layout up to symmetry, one by one: exact and slow.
    Census,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Exhaustive => Self::Exhaustive,
            ModeArg::Census => Self::Census,
        }
    }
}

/// What to search for and how.
#[derive(Debug, Clone, Args)]
pub(super) struct JobArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// How to search.
    #[arg(long, value_enum, default_value = "exhaustive")]
    mode: ModeArg,
    /// Seed of the heuristic modes.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// About how many core-milliseconds a piece of work takes; changes how the
    /// work is cut, never the answer [default: the mode's own].
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 0,
        hide_default_value = true
    )]
    shard_ms: u32,
    /// A name for people, at most 200 characters.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(super) name: String,
    /// Jobs of higher priority get workers first, -100 to 100.
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-100..=100))]
    pub(super) priority: i32,
}

impl JobArgs {
    /// The search, if its engine can handle the board.
    pub(super) fn search(&self) -> Result<Search, CliError> {
        let search = Search {
            seed: self.seed,
            shard_ms: self.shard_ms,
            ..Search::new(self.board.size()?, self.mode.into())
        };
        search.validate()?;
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        job: JobArgs,
    }

    fn search(line: &str) -> Result<Search, CliError> {
        let args = std::iter::once("x").chain(line.split(' '));
        Line::try_parse_from(args).unwrap().job.search()
    }

    #[test]
    fn arguments_become_a_search() {
        let square = search("--n 6").unwrap();
        let expected = Search::new(Size::new(6, 6).unwrap(), Mode::Exhaustive);
        assert_eq!(square, expected);
        let other = search("--rows 3 --cols 4 --mode census --seed 9 --shard-ms 50").unwrap();
        assert_eq!((other.size.rows(), other.size.cols()), (3, 4));
        assert_eq!(
            (other.mode, other.seed, other.shard_ms),
            (Mode::Census, 9, 50)
        );
    }

    #[test]
    fn boards_that_do_not_exist_are_bad_input() {
        for line in ["--n 0", "--n 99999999999", "--n 12", "--n 7 --mode census"] {
            let error = search(line).unwrap_err();
            assert_eq!((error.code, error.exit), ("bad_input", 2), "{line}");
        }
    }

    #[test]
    fn a_board_is_square_or_has_both_sides() {
        let parse = |line: &str| Line::try_parse_from(line.split(' ')).is_ok();
        assert!(!parse("x --mode census"));
        assert!(!parse("x --rows 3"));
        assert!(!parse("x --n 3 --rows 3"));
        assert!(!parse("x --n 3 --rows 3 --cols 3"));
        assert!(!parse("x --n 3 --mode nonsense"));
        assert!(!parse("x --n 3 --priority 101"));
        assert!(parse("x --n 3 --priority -100"));
    }
}
