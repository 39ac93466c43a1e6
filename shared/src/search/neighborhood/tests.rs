//! Spaces from outside: what they cover, what they find, that cuts change
//! nothing.

use std::collections::BTreeSet;

use super::explore::connected;
use super::trim::{Trimmer, trim};
use super::*;
use crate::board::{Board, Cell, Size};
use crate::level::Level;
use crate::search::field::{self, Field, WithField};
use crate::search::hunt::hardest;
use crate::search::score;
use crate::solve::shortest_moves;

fn level(text: &str) -> Level {
    text.replace('/', "\n").parse().unwrap()
}

/// A 4×4 level of few moves.
fn start() -> Level {
    level("@$.-/----/####/####")
}

fn params(change: impl FnOnce(&mut Params)) -> Params {
    let mut params = Params {
        flips: 0,
        pairs: 0,
        window: 0,
        window_radius: 9,
        blocks: 0,
        shifts: 0,
        swaps: 0,
        torus: 0,
        grafts: 0,
        near: 0,
        slack: 100,
    };
    change(&mut params);
    params
}

fn layouts(space: &Space) -> Vec<Board> {
    let states = (0..space.len()).filter_map(|number| space.state(number).unwrap().1);
    states.map(|(board, _)| board).collect()
}

fn distance(one: &Board, other: &Board) -> usize {
    let cells = one.size().cells();
    cells
        .filter(|&cell| one.is_floor(cell) != other.is_floor(cell))
        .count()
}

#[test]
fn flips_pairs_and_windows_are_complete() {
    let start = start();
    let of = |params: &Params| layouts(&Space::new(&start, &[], params));
    for (count, boards) in [
        (1, of(&params(|it| it.flips = 1))),
        (2, of(&params(|it| it.pairs = 1))),
    ] {
        let different: BTreeSet<_> = boards.iter().collect();
        assert_eq!(different.len(), [16, 120][count - 1]);
        assert!(
            boards
                .iter()
                .all(|board| distance(board, start.board()) == count)
        );
    }
    let windows = of(&params(|it| it.window = 3));
    assert_eq!(windows.len(), 4 * 512);
    let radius = of(&params(|it| (it.window, it.window_radius) = (3, 2)));
    assert_eq!(radius.len(), 4 * (1 + 9 + 36));
    assert!(
        radius
            .iter()
            .all(|board| distance(board, start.board()) <= 2)
    );
    let whole = of(&params(|it| (it.window, it.window_radius) = (4, 3)));
    let different: BTreeSet<_> = whole.iter().collect();
    assert_eq!(different.len(), 1 + 16 + 120 + 560);
}

#[test]
fn moved_and_exchanged_blocks_keep_the_floor_count() {
    let start = level("@-$.#/-#--#/---#-/#----/--#--");
    for params in [
        params(|it| it.blocks = 5),
        params(|it| it.shifts = 5),
        params(|it| it.swaps = 2),
        params(|it| it.torus = 1),
    ] {
        let space = Space::new(&start, &[], &params);
        let boards = layouts(&space);
        assert!(boards.len() > 20, "{params:?}");
        assert!(
            boards
                .iter()
                .all(|board| board.floor_count() == start.floor())
        );
        let moved = (0..space.len()).filter_map(|number| space.state(number).unwrap().1);
        assert!(moved.clone().any(|(_, goal)| goal != start.goal()));
        assert!(moved.into_iter().all(|(board, goal)| board.is_floor(goal)));
    }
}

#[test]
fn grafts_come_from_the_images_of_the_others() {
    let other = level("@$.-/####/####/####");
    let params = params(|it| it.grafts = 4);
    assert!(Space::new(&start(), &[start()], &params).is_empty());
    let space = Space::new(&start(), &[start(), other.clone()], &params);
    assert_eq!(space.len(), 8 * (9 + 4 + 1));
    let boards = layouts(&space);
    assert!(boards.contains(other.board()));
    assert!(boards.iter().any(|board| *board != *start().board()));
}

#[test]
fn every_flip_is_scored_as_the_plain_scorer_does() {
    // With every goal tried on every layout, the best of all is found.
    let start = start();
    let params = params(|it| it.pairs = 1);
    let space = Space::new(&start, &[], &params);
    let explored = explore(&space, &params, 0..chunks(&space), &mut |_, _| true);
    let best = layouts(&space)
        .iter()
        .filter_map(|board| score::reference::best(board).anywhere)
        .map(|start| start.moves)
        .max();
    let found = explored
        .levels
        .iter()
        .filter_map(|level| shortest_moves(level).unwrap());
    assert_eq!(found.max(), best);
    assert_eq!(explored.covered[&Family::Pairs], 120);
    assert_eq!(explored.next, chunks(&space));
}

#[test]
fn a_cut_changes_nothing() {
    let start = level("@-$.#/-#--#/---#-/#----/--#--");
    let params = Params::for_size(Size::new(5, 5).unwrap());
    let space = Space::new(&start, &[], &params);
    let whole = explore(&space, &params, 0..chunks(&space), &mut |_, _| true);
    let mut parts = Explored::default();
    while parts.next < chunks(&space) {
        let mut looks = 0;
        let next = parts.next;
        let part = explore(&space, &params, next..chunks(&space), &mut |_, asked| {
            // Every third time it is a chunk that is given up.
            looks += u64::from(asked == Asked::Between);
            looks < 1 + next % 5 && (looks == 0 || asked == Asked::Between || next % 3 > 0)
        });
        parts.levels.extend(part.levels);
        parts.evaluations += part.evaluations;
        parts.accepted += part.accepted;
        for (family, layouts) in part.covered {
            *parts.covered.entry(family).or_default() += layouts;
        }
        parts.digest = parts.digest.wrapping_add(part.digest);
        parts.next = part.next;
    }
    assert_eq!(parts, whole);
    assert_eq!(whole.covered, space.families());
    assert!(whole.accepted > 0);
}

#[test]
fn trimming_keeps_the_moves_and_nothing_more_can_go() {
    let open = level("@$.--/-----/-----/-----/-----");
    let trimmed = trimmed_alone(&open).unwrap();
    let before = score::reference::best_for_goal(open.board(), open.goal());
    let moves = shortest_moves(&trimmed).unwrap().unwrap();
    assert!(moves >= before.anywhere.unwrap().moves);
    assert!(trimmed.floor() < open.floor());
    for cell in trimmed
        .board()
        .floor_cells()
        .filter(|&cell| cell != trimmed.goal())
    {
        let mut board = trimmed.board().clone();
        board.set_floor(cell, false);
        let best = score::reference::best_for_goal(&board, trimmed.goal());
        assert!(
            best.anywhere.is_none_or(|start| start.moves < moves),
            "{cell:?}"
        );
    }
    assert_eq!(
        trimmed_alone(&level("@$#/-#./---")).map(|it| it.floor()),
        None
    );
}

#[test]
fn parameters_are_set_by_name_and_have_limits() {
    let mut params = Params::for_size(Size::new(8, 8).unwrap());
    params.set("near", 2).unwrap();
    assert_eq!(params.near, 2);
    assert_eq!(
        params.set("window", 65),
        Err(ParamsError::TooLarge("window", 64))
    );
    let board = Size::new(20, 20).unwrap();
    let whole = self::params(|it| (it.window, it.window_radius) = (20, 5));
    assert_eq!(whole.check(board), Ok(()));
    let too_many = self::params(|it| (it.window, it.window_radius) = (20, 9));
    assert_eq!(too_many.check(board), Err(ParamsError::Radius(20, 5)));
    // Windows are no larger than the board.
    let small = self::params(|it| (it.window, it.window_radius) = (64, 9));
    assert_eq!(small.check(Size::new(8, 30).unwrap()), Ok(()));
    assert!(matches!(params.set("x", 1), Err(ParamsError::Unknown(_))));
    assert_eq!(self::params(|_| ()).check(board), Err(ParamsError::Nothing));
}

struct Alone<F>(F);

impl<F: Field> Trimmer for Alone<F> {
    type Field = F;

    fn field(&mut self) -> &mut F {
        &mut self.0
    }

    fn go_on(&mut self) -> bool {
        true
    }
}

struct Trim(Board, Cell);

impl WithField for Trim {
    type Out = Board;

    fn run<F: Field>(self, field: F) -> Board {
        let Self(mut board, goal) = self;
        trim(&mut Alone(field), &mut board, goal);
        board
    }
}

/// The level without redundant floor: cells are filled in reading order as long
/// as its goal keeps a start of as many moves; box and player are the hardest
/// start of what is left. `None` if the level has no solution.
fn trimmed_alone(level: &Level) -> Option<Level> {
    let board = connected(level)?;
    let board = field::with(level.size(), Trim(board, level.goal()));
    hardest(&board, level.goal())
}
