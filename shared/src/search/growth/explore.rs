//! Walking parts of a goal's tree, with a stop sign and a remainder.

use super::{
    bits::Bits,
    except::Except,
    extent::Extent,
    ground::Ground,
    set::FloorSet,
    tally::GoalTally,
    tree::{Step, Walk},
};
use crate::{
    board::{Cell, Size},
    search::Convention,
};

/// Largest board of growth search, in cells. Larger ones can be searched for
/// sets of at most [`MAX_FLOOR`] cells.
pub const MAX_AREA: usize = 121;

/// Largest limit on the number of cells of a set on a board of any size.
pub const MAX_FLOOR: u16 = 63;

/// How often the observer is asked whether to go on, in tested sets.
const OBSERVE_EVERY: u64 = 2048;

/// How far an exploration is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Sets visited.
    pub sets: u64,
    /// Share of the work that is done, 0..=1.
    pub fraction: f64,
    /// Largest distance found so far in moves; 0 = none.
    pub best_moves: u32,
}

/// The root of a subtree that was not explored.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenRoot {
    /// The root.
    pub set: FloorSet,
    /// Share of the exploration's work that its subtree stands for.
    pub share: f64,
}

/// A root that is not a node of the tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a root of the shard is not a minimal set of its goal, or not under the shard")]
pub struct BadRoot;

/// The roots of a goal's tree: the goal with one of its neighbours, one per
/// orbit of the goal's stabiliser.
pub fn tree_roots(size: Size, goal: Cell) -> Vec<FloorSet> {
    let ground = Ground::new(size, goal);
    let mut roots: Vec<FloorSet> = crate::board::DIRS
        .iter()
        .filter_map(|&dir| size.step(goal, dir))
        .map(|next| {
            let images = ground.stabiliser.iter().map(|image| {
                let image = Cell(u32::from(image[next.index()]));
                FloorSet::new([goal, image])
            });
            images.min().unwrap_or_else(|| FloorSet::new([goal, next]))
        })
        .collect();
    roots.sort();
    roots.dedup();
    roots
}

/// Explores the subtrees under `roots` for one goal, their sets of this
/// extent. Asks `go_on` from time to time, and at least once
/// after some progress was made; when it says no, what is left is returned.
///
/// # Errors
/// [`BadRoot`] if a root is not a node of the tree.
pub fn explore(
    size: Size,
    goal: Cell,
    roots: &[FloorSet],
    extent: Extent,
    go_on: impl FnMut(Progress) -> bool,
) -> Result<(GoalTally, Vec<OpenRoot>), BadRoot> {
    explore_except(size, goal, roots, extent, &[], go_on)
}

/// Like [`explore`], but leaves out the subtrees under `except`, all of which
/// have to be met: so the part that an interrupted exploration has done can be
/// done again, with the same tally.
///
/// # Errors
/// [`BadRoot`] if a root is not a node of the tree, or a set of `except` is
/// not a node under the roots.
pub fn explore_except(
    size: Size,
    goal: Cell,
    roots: &[FloorSet],
    extent: Extent,
    except: &[FloorSet],
    mut go_on: impl FnMut(Progress) -> bool,
) -> Result<(GoalTally, Vec<OpenRoot>), BadRoot> {
    let ground = Ground::new(size, goal);
    // A board of 64 cells hardly needs an index for each; if one set does, the
    // work is done again with wider words.
    if size.area().min(extent.below().saturating_sub(1)) <= 64 {
        let narrow = explore_with::<u64, 64>(&ground, roots, extent, except, &mut go_on)?;
        if let Some(done) = narrow {
            return Ok(done);
        }
    }
    explore_with::<u128, 128>(&ground, roots, extent, except, &mut go_on)?.ok_or(BadRoot)
}

/// The sets with exactly `cells` cells under `roots`.
///
/// # Errors
/// [`BadRoot`] if a root is not a node of the tree.
pub fn layer(
    size: Size,
    goal: Cell,
    roots: &[FloorSet],
    cells: u16,
) -> Result<Vec<FloorSet>, BadRoot> {
    let ground = Ground::new(size, goal);
    let mut walk = Walk::<u128, 128>::new(&ground, Extent::Whole);
    let cells = usize::from(cells);
    let mut found = Vec::new();
    for root in roots {
        if !walk.enter(root, 1.0, cells + 1) {
            return Err(BadRoot);
        }
        loop {
            if walk.at_size(cells) {
                found.push(walk.present().set());
            }
            if walk.step(cells + 1) == Step::Done {
                break;
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `None` if some set had too many cells for the word.
fn explore_with<B: Bits, const N: usize>(
    ground: &Ground,
    roots: &[FloorSet],
    extent: Extent,
    except: &[FloorSet],
    go_on: &mut impl FnMut(Progress) -> bool,
) -> Result<Option<(GoalTally, Vec<OpenRoot>)>, BadRoot> {
    let below = extent.below();
    let mut walk = Walk::<B, N>::new(ground, extent);
    let Some(mut except) = Except::new(ground, &mut walk, except) else {
        return if walk.overflowed() {
            Ok(None)
        } else {
            Err(BadRoot)
        };
    };
    let mut open = Vec::new();
    let share = 1.0 / roots.len().max(1) as f64;
    let mut next_look = OBSERVE_EVERY;
    'roots: for (done, root) in roots.iter().enumerate() {
        if except.takes_root(ground, root) {
            continue;
        }
        if !walk.enter(root, share, below) {
            return Err(BadRoot);
        }
        while walk.step_unless(below, |walk| except.takes(ground, walk)) == Step::More {
            if walk.tally().tested < next_look {
                continue;
            }
            next_look = walk.tally().tested + OBSERVE_EVERY;
            let left = (roots.len() - done - 1) as f64 * share + walk.open_share();
            let progress = Progress {
                sets: walk.tally().nodes(),
                fraction: (1.0 - left).clamp(0.0, 1.0),
                best_moves: walk.tally().best(Convention::AnyStart).moves,
            };
            if !go_on(progress) {
                open = walk.leave();
                let rest = roots[done + 1..].iter().cloned();
                open.extend(rest.map(|set| OpenRoot { set, share }));
                break 'roots;
            }
        }
    }
    // Of an exploration that was stopped, some may be yet to come.
    if open.is_empty() && !walk.overflowed() && !except.is_empty() {
        return Err(BadRoot);
    }
    Ok((!walk.overflowed()).then(|| (walk.take_tally(), open)))
}
