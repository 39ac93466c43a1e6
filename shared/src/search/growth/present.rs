//! The set that a walk is on: its table, and its images under the goal's
//! stabiliser.

use super::{
    bits::Bits,
    ground::{Ground, Hashes, NO_CELL},
    set::FloorSet,
    table::Table,
    tally::Start,
};
use crate::board::Cell;

/// A state, as local indices (box, player).
pub(super) type State = (u8, u8);

/// A floor set that changes by one cell at a time.
#[derive(Debug)]
pub(super) struct Present<'a, B, const N: usize> {
    pub(super) ground: &'a Ground,
    pub(super) table: Table<B, N>,
    /// Hash of the set's image under each symmetry of the stabiliser.
    pub(super) hashes: Hashes,
}

impl<'a, B: Bits, const N: usize> Present<'a, B, N> {
    /// The set of the goal alone.
    pub(super) fn new(ground: &'a Ground) -> Self {
        let mut present = Self {
            ground,
            table: Table::new(ground),
            hashes: Hashes::default(),
        };
        present.clear();
        present
    }

    /// Goes back to the set of the goal alone.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.hashes = self.ground.hashes[self.ground.goal.index()];
    }

    /// Adds a cell beside the set; gives back the mark that takes it away again.
    pub(super) fn push(&mut self, cell: u16) -> usize {
        let of_cell = &self.ground.hashes[cell as usize];
        self.hashes = std::array::from_fn(|k| self.hashes[k].wrapping_add(of_cell[k]));
        self.table.add(self.ground, cell)
    }

    /// Takes the newest cell away.
    pub(super) fn pop(&mut self, mark: usize) {
        let cell = self.table.board_cell((self.table.len() - 1) as u8);
        self.hashes = self.hashes_without(cell);
        self.table.remove(mark);
    }

    /// Whether a cell is beside the set.
    pub(super) fn touches(&self, cell: Cell) -> bool {
        self.ground.neighbours[cell.index()]
            .iter()
            .any(|&n| n != NO_CELL && self.table.local(n) != Table::<B, N>::NONE)
    }

    /// Whether the player's cell of a minimal state is real: some successor
    /// can be solved without it.
    pub(super) fn is_real(&self, (box_at, player): State) -> bool {
        self.table
            .successors(box_at, player)
            .any(|(b, p)| !self.table.ess(b, p).has(player))
    }

    /// The hashes without a cell of the set.
    fn hashes_without(&self, cell: u16) -> Hashes {
        let of_cell = &self.ground.hashes[cell as usize];
        std::array::from_fn(|k| self.hashes[k].wrapping_sub(of_cell[k]))
    }

    /// Hash of the smallest image of the present set; equal for all images.
    pub(super) fn smallest_hash(&self) -> u64 {
        self.hashes.into_iter().fold(u64::MAX, u64::min)
    }

    /// Symmetry that takes the present set to its canonical image.
    pub(super) fn smallest_image(&self) -> usize {
        let least = self.smallest_hash();
        let images = &self.ground.stabiliser;
        let smallest = (0..images.len())
            .filter(|&k| self.hashes[k] == least)
            .min_by(|&a, &b| self.image_set(&images[a]).cmp(&self.image_set(&images[b])));
        smallest.unwrap_or(0)
    }

    /// The set itself.
    pub(super) fn set(&self) -> FloorSet {
        self.image_set(&self.ground.stabiliser[0])
    }

    /// The image of the set under a symmetry.
    pub(super) fn image_set(&self, image: &[u16]) -> FloorSet {
        let cells = self.table.board_cells().iter();
        FloorSet::new(cells.map(|&cell| Cell(u32::from(image[cell as usize]))))
    }

    /// Number of images of the present set under the stabiliser.
    pub(super) fn orbit(&self) -> u64 {
        let images = self.ground.stabiliser.len();
        let fixing = (1..images)
            .filter(|&k| self.hashes[k] == self.hashes[0])
            .filter(|&k| {
                let image = &self.ground.stabiliser[k];
                let mut cells = self.table.board_cells().iter();
                cells.all(|&cell| self.table.local(image[cell as usize]) != Table::<B, N>::NONE)
            })
            .count();
        (images / (1 + fixing)) as u64
    }

    /// Whether the set without cell `first` is an image of the set without
    /// cell `new`, whose smallest hash is `parent`.
    pub(super) fn same_without(&self, first: u8, new: u8, parent: u64) -> bool {
        let without_first = self.table.board_cell(first);
        let without_new = self.table.board_cell(new);
        let smallest = self.hashes_without(without_first).into_iter().min();
        if smallest != Some(parent) {
            return false;
        }
        self.ground.stabiliser.iter().any(|image| {
            self.table
                .board_cells()
                .iter()
                .filter(|&&cell| cell != without_first)
                .map(|&cell| image[cell as usize])
                .all(|to| to != without_new && self.table.local(to) != Table::<B, N>::NONE)
        })
    }

    /// The smallest image of a start under the stabiliser.
    pub(super) fn smallest_start(&self, (box_at, player): State) -> Start {
        let image_of = |image: &Vec<u16>| {
            let at = |local| Cell(u32::from(image[self.table.board_cell(local) as usize]));
            Start {
                set: self.image_set(image),
                player: at(player),
                box_cell: at(box_at),
            }
        };
        let (identity, others) = (&self.ground.stabiliser[0], &self.ground.stabiliser[1..]);
        others
            .iter()
            .map(image_of)
            .fold(image_of(identity), Start::min)
    }
}
