//! Subtrees that an exploration leaves out.

use std::collections::{HashMap, HashSet};

use super::{bits::Bits, ground::Ground, set::FloorSet, tree::Walk};
use crate::board::Cell;

/// The roots of the subtrees that are still to be met.
#[derive(Debug)]
pub(super) struct Except {
    /// By hash of the smallest image; the sets themselves decide.
    by_hash: HashMap<u64, HashSet<FloorSet>>,
}

impl Except {
    /// The subtrees under these sets; `None` if one of them is not a node of
    /// any tree of the goal, or is there twice.
    pub(super) fn new<B: Bits, const N: usize>(
        ground: &Ground,
        walk: &mut Walk<'_, B, N>,
        sets: &[FloorSet],
    ) -> Option<Self> {
        let mut by_hash: HashMap<u64, HashSet<FloorSet>> = HashMap::new();
        for set in sets {
            if !walk.enter(set, 0.0, 0) || walk.overflowed() {
                return None;
            }
            let hash = walk.present().smallest_hash();
            walk.leave();
            walk.take_tally();
            if !by_hash
                .entry(hash)
                .or_default()
                .insert(smallest(ground, set))
            {
                return None;
            }
        }
        Some(Self { by_hash })
    }

    /// Whether none is left.
    pub(super) fn is_empty(&self) -> bool {
        self.by_hash.is_empty()
    }

    /// Whether the subtree of a root is left out; each is once.
    pub(super) fn takes_root(&mut self, ground: &Ground, root: &FloorSet) -> bool {
        if self.is_empty() {
            return false;
        }
        let root = smallest(ground, root);
        let found = self.by_hash.iter().find(|(_, sets)| sets.contains(&root));
        let hash = found.map(|(&hash, _)| hash);
        hash.is_some_and(|hash| self.take(hash, &root))
    }

    /// Whether the subtree of the set that the walk is on is left out; each is
    /// once.
    pub(super) fn takes<B: Bits, const N: usize>(
        &mut self,
        ground: &Ground,
        walk: &Walk<'_, B, N>,
    ) -> bool {
        if self.is_empty() {
            return false;
        }
        let hash = walk.present().smallest_hash();
        self.by_hash.contains_key(&hash)
            && self.take(hash, &smallest(ground, &walk.present().set()))
    }

    fn take(&mut self, hash: u64, set: &FloorSet) -> bool {
        let Some(sets) = self.by_hash.get_mut(&hash) else {
            return false;
        };
        let taken = sets.remove(set);
        if sets.is_empty() {
            self.by_hash.remove(&hash);
        }
        taken
    }
}

/// The smallest image of a set under the goal's stabiliser.
fn smallest(ground: &Ground, set: &FloorSet) -> FloorSet {
    let images = ground.stabiliser.iter().map(|image| {
        let cells = set.cells();
        FloorSet::new(cells.map(|cell| Cell(u32::from(image[cell.index()]))))
    });
    images.min().unwrap_or_else(|| set.clone())
}
