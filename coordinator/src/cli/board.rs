//! Arguments that say what to search for.

use clap::{Args, ValueEnum};
use soko::{
    board::Size,
    plan::{Mode, Search},
};
use soko_worker::program::whole;

use super::{CliError, hunting::HuntArgs};

/// The board.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(super) struct BoardArgs {
    /// A square board with this many rows and columns.
    #[arg(long, value_name = "N", conflicts_with_all = ["rows", "cols"], value_parser = whole::<u64>)]
    n: Option<u64>,
    /// Rows of the board.
    #[arg(long, value_name = "R", requires = "cols", value_parser = whole::<u64>)]
    rows: Option<u64>,
    /// Columns of the board.
    #[arg(long, value_name = "C", requires = "rows", value_parser = whole::<u64>)]
    cols: Option<u64>,
}

impl BoardArgs {
    /// The board, if there is one of this size.
    pub(super) fn size(&self) -> Result<Size, CliError> {
        let (Some(rows), Some(cols)) = (self.rows.or(self.n), self.cols.or(self.n)) else {
            return Err(CliError::usage(
                "no board is given",
                "give --n N, or --rows R and --cols C",
            ));
        };
        Ok(Size::new(rows, cols)?)
    }

    fn is_given(&self) -> bool {
        self.n.or(self.rows).is_some()
    }
}

/// How to search, by the names of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// Growth search over minimal floor sets: exact, proves the maximum.
    Exhaustive,
    /// Every wall layout up to symmetry, one by one: exact and slow.
    Census,
    /// Simulated annealing: finds good levels, proves nothing.
    Anneal,
    /// Growth search in the unbounded plane: exact, gives the maximum for each
    /// number of floor cells up to --floor.
    Floor,
    /// Exact local search around given levels.
    Neighborhood,
    /// Populations of levels on islands: proves nothing.
    Genetic,
    /// Levels grown cell by cell, the best of each layer kept: proves nothing.
    Beam,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Exhaustive => Self::Exhaustive,
            ModeArg::Census => Self::Census,
            ModeArg::Anneal => Self::Anneal,
            ModeArg::Floor => Self::Floor,
            ModeArg::Neighborhood => Self::Neighborhood,
            ModeArg::Genetic => Self::Genetic,
            ModeArg::Beam => Self::Beam,
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
    /// The most floor cells, 3 to 63: mode floor takes it instead of a board.
    #[arg(long, value_name = "F", value_parser = whole::<u64>)]
    floor: Option<u64>,
    /// Mode census: only layouts whose floor is in one piece. Enough for the
    /// maximum; levels with floor out of reach are then not counted.
    #[arg(long)]
    connected: bool,
    /// Seed of the heuristic modes.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
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
    #[command(flatten)]
    hunt: HuntArgs,
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
        let mode = Mode::from(self.mode);
        let search = match (mode, self.floor) {
            (Mode::Floor, Some(limit)) if !self.board.is_given() => Search::floor(limit)?,
            (Mode::Floor, _) => {
                return Err(CliError::usage(
                    "mode floor searches the unbounded plane",
                    "give --floor F, the most floor cells, and no board",
                ));
            }
            (_, Some(_)) => {
                return Err(CliError::usage(
                    "--floor goes with --mode floor only",
                    "leave it out, or use --mode floor",
                ));
            }
            (mode, None) if mode.is_heuristic() => {
                self.hunt.search(mode, self.board.size()?, self.seed)?
            }
            (mode, None) => Search::new(self.board.size()?, mode),
        };
        if search.hunt.is_none()
            && let Some(given) = self.hunt.given()
        {
            return Err(CliError::usage(
                format!(
                    "{given} is for the heuristic modes, not for {}",
                    search.mode.name()
                ),
                "leave it out, or choose --mode anneal",
            ));
        }
        let search = Search {
            seed: self.seed,
            connected: self.connected,
            shard_ms: self.shard_ms,
            ..search
        };
        search.validate()?;
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use soko::search::hunt::{Hunt, Method};

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
        for line in [
            "--n 0",
            "--n 99999999999",
            "--n 12",
            "--n 7 --mode census",
            "--mode floor --floor 2",
            "--mode floor --floor 64",
            "--mode floor --floor 99999999999",
            "--n 6 --connected",
        ] {
            let error = search(line).unwrap_err();
            assert_eq!((error.code, error.exit), ("bad_input", 2), "{line}");
        }
    }

    #[test]
    fn a_mode_has_either_a_board_or_a_limit() {
        for line in [
            "--mode census",
            "--mode floor",
            "--mode floor --n 7",
            "--mode floor --n 7 --floor 7",
            "--n 7 --floor 7",
        ] {
            let error = search(line).unwrap_err();
            assert_eq!((error.code, error.exit), ("usage", 2), "{line}");
        }
    }

    #[test]
    fn a_budget_becomes_a_number_of_batches() {
        let hunt = |line: &str| *search(line).unwrap().hunt.unwrap();
        let total = |hunt: &Hunt| {
            let Method::Anneal(params) = hunt.method else {
                panic!()
            };
            u64::from(hunt.batches) * params.evaluations
        };
        let minute = hunt("--n 8 --mode anneal --seed 3");
        assert_eq!(minute, hunt("--n 8 --mode anneal --budget 1m"));
        assert!(minute.batches >= 8);
        let two = total(&hunt("--n 8 --mode anneal --budget 2m"));
        assert!(two.abs_diff(2 * total(&minute)) < two / 8);
        assert_eq!(hunt("--n 8 --mode anneal --batches 5").batches, 5);
        let small = hunt("--n 8 --mode anneal --budget 1ms");
        assert_eq!((small.batches, total(&small)), (1, 1200));
        let set = hunt("--n 8 --mode anneal --param run=77 --param evaluations=5000");
        let Method::Anneal(params) = set.method else {
            panic!()
        };
        let shared = hunt("--n 8 --mode anneal --share --batches 16");
        assert_eq!((shared.rounds, shared.batches), (8, 2));
        assert_eq!((params.run, params.evaluations), (77, 5000));
    }

    #[test]
    fn rounds_and_islands_share_a_small_budget() {
        for (line, pays_for) in [
            ("--n 20 --mode anneal --budget 1s --share", 10_000),
            ("--n 20 --mode anneal --budget 1s --rounds 50", 10_000),
            ("--n 20 --mode genetic --budget 1s", 10_000),
            ("--n 10 --mode genetic --budget 1s", 300_000),
            ("--n 10 --mode genetic --budget 1s --rounds 1", 300_000),
        ] {
            let hunt = *search(line).unwrap().hunt.unwrap();
            let evaluations = match hunt.method {
                Method::Anneal(params) => params.evaluations,
                Method::Genetic(params) => {
                    assert!(10 * params.polish < params.evaluations, "{line}");
                    params.evaluations
                }
                _ => unreachable!(),
            };
            let total = u64::from(hunt.batches) * u64::from(hunt.rounds) * evaluations;
            assert!(
                (pays_for / 2..=pays_for).contains(&total),
                "{line}: {total}"
            );
        }
    }

    #[test]
    fn genetic_searches_have_islands_and_beams_have_batches() {
        let hunt = |line: &str| *search(line).unwrap().hunt.unwrap();
        let genetic = hunt("--n 7 --mode genetic --batches 5 --rounds 4");
        assert_eq!((genetic.batches, genetic.rounds), (5, 4));
        let genetic = hunt("--n 7 --mode genetic --budget 1m");
        assert_eq!(genetic.batches, 8);
        assert!(genetic.rounds > 1);
        assert_eq!(hunt("--n 7 --mode beam --batches 5").batches, 5);
        assert!(hunt("--n 7 --mode beam --budget 1m").batches > 1);
    }

    #[test]
    fn hunts_that_make_no_sense_are_bad_input() {
        for line in [
            "--n 8 --mode anneal --budget 0s",
            "--n 8 --mode anneal --batches 0",
            "--n 8 --mode anneal --batches 100001",
            "--n 2 --mode anneal",
            "--n 65 --mode anneal",
            "--n 8 --mode anneal --param heat=3",
            "--n 8 --mode anneal --param run=0",
            "--n 8 --mode anneal --rounds 0",
            "--n 8 --mode anneal --rounds 1001",
            "--n 8 --mode neighborhood",
            "--n 8 --mode genetic --batches 257",
            "--n 8 --mode genetic --param population=1",
            "--n 12 --mode beam",
            "--n 8 --mode beam --param width=0",
            "--n 8 --mode neighborhood --param window=65",
            "--n 20 --mode neighborhood --param window=20",
            "--n 8 --mode anneal --start /nowhere/at/all.xsb",
        ] {
            let error = search(line).unwrap_err();
            assert_eq!((error.code, error.exit), ("bad_input", 2), "{line}");
        }
        for line in [
            "--n 6 --budget 3s",
            "--n 6 --share",
            "--n 6 --mode neighborhood --budget 1s",
        ] {
            let error = search(line).unwrap_err();
            assert_eq!((error.code, error.exit), ("usage", 2), "{line}");
        }
    }

    #[test]
    fn starts_are_read_and_placed_on_the_board() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let start = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            let name = file.path().display();
            search(&format!("--n 5 --mode anneal --start {name}"))
        };
        let hunt = *start("@$.\n").unwrap().hunt.unwrap();
        assert_eq!(hunt.starts.len(), 1);
        assert_eq!(hunt.starts[0].to_xsb().lines().nth(2), Some("#@$.#"));
        for bad in ["", "@$-#.", "@-$-.-", "@$$.", "@$#\n#.-"] {
            let error = start(bad).unwrap_err();
            assert_eq!((error.code, error.exit), ("bad_input", 2), "{bad}");
        }
    }

    #[test]
    fn a_board_is_square_or_has_both_sides() {
        let parse = |line: &str| Line::try_parse_from(line.split(' ')).is_ok();
        assert!(!parse("x --rows 3"));
        assert!(!parse("x --n 3 --rows 3"));
        assert!(!parse("x --n 3 --rows 3 --cols 3"));
        assert!(!parse("x --n 3 --mode nonsense"));
        assert!(!parse("x --n 3 --priority 101"));
        assert!(parse("x --n 3 --priority -100"));
    }
}
