//! The symmetries of a rectangle and the canonical form of a wall layout.

use super::{Board, Cell, Size};

/// A rotation or reflection of a board.
///
/// Every symmetry is written as an optional transposition (rows become
/// columns) followed by optional reversals of the row order and of the column
/// order. The four without a transposition map every rectangle to itself, all
/// eight map a square to itself; a transposing one turns an `h`×`w` rectangle
/// into a `w`×`h` one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// Left and right change places.
    MirrorCols,
    /// Top and bottom change places.
    MirrorRows,
    /// Half a turn.
    Rotate180,
    /// Reflection in the main diagonal.
    Transpose,
    /// Quarter turn clockwise.
    Rotate90,
    /// Quarter turn counter-clockwise.
    Rotate270,
    /// Reflection in the other diagonal.
    AntiTranspose,
}

/// All eight, those that keep a rectangle first.
const ALL: [Symmetry; 8] = [
    Symmetry::Identity,
    Symmetry::MirrorCols,
    Symmetry::MirrorRows,
    Symmetry::Rotate180,
    Symmetry::Transpose,
    Symmetry::Rotate90,
    Symmetry::Rotate270,
    Symmetry::AntiTranspose,
];

impl Symmetry {
    /// The symmetries that map a board of this size to one of the same size:
    /// eight for a square, four for any other rectangle. The identity is first.
    pub fn of(size: Size) -> &'static [Self] {
        if size.is_square() { &ALL } else { &ALL[..4] }
    }

    /// Whether rows become columns.
    pub const fn transposes(self) -> bool {
        matches!(
            self,
            Self::Transpose | Self::Rotate90 | Self::Rotate270 | Self::AntiTranspose
        )
    }

    /// After the transposition: whether the row order is reversed.
    const fn reverses_rows(self) -> bool {
        matches!(
            self,
            Self::MirrorRows | Self::Rotate180 | Self::Rotate270 | Self::AntiTranspose
        )
    }

    /// After the transposition: whether the column order is reversed.
    const fn reverses_cols(self) -> bool {
        matches!(
            self,
            Self::MirrorCols | Self::Rotate180 | Self::Rotate90 | Self::AntiTranspose
        )
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Rotate90 => Self::Rotate270,
            Self::Rotate270 => Self::Rotate90,
            other => other,
        }
    }

    /// Size of the image of a board of this size.
    pub const fn image_size(self, size: Size) -> Size {
        if self.transposes() {
            size.transposed()
        } else {
            size
        }
    }

    /// Where `cell` of a board of this size goes; a cell of a board of
    /// [`image_size`](Self::image_size).
    pub const fn apply(self, size: Size, cell: Cell) -> Cell {
        let image = self.image_size(size);
        let (mut row, mut col) = (size.row(cell), size.col(cell));
        if self.transposes() {
            (row, col) = (col, row);
        }
        if self.reverses_rows() {
            row = image.rows() - 1 - row;
        }
        if self.reverses_cols() {
            col = image.cols() - 1 - col;
        }
        image.cell(row, col)
    }

    /// The image of a whole layout.
    pub fn apply_board(self, board: &Board) -> Board {
        let size = board.size();
        Board::from_floor(
            self.image_size(size),
            board.floor_cells().map(|cell| self.apply(size, cell)),
        )
    }
}

impl Board {
    /// The images of this layout under the symmetries of its size, in the
    /// order of [`Symmetry::of`], repetitions included.
    fn images(&self) -> impl Iterator<Item = Self> + '_ {
        Symmetry::of(self.size())
            .iter()
            .map(|symmetry| symmetry.apply_board(self))
    }

    /// The smallest image of this layout in the order of [`Board`]: floor
    /// masks compared as numbers, 64 cells at a time in reading order, the
    /// first 64 cells first. Two layouts of one size are symmetric exactly
    /// when their canonical forms are equal.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.images().min().unwrap_or_else(|| self.clone())
    }

    /// Number of different layouts symmetric to this one, itself included.
    pub fn orbit_size(&self) -> usize {
        let mut images: Vec<Self> = self.images().collect();
        images.sort_unstable();
        images.dedup();
        images.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn board() -> impl Strategy<Value = Board> {
        (1u64..12, 1u64..12).prop_flat_map(|(rows, cols)| {
            let size = Size::new(rows, cols).unwrap();
            proptest::collection::vec(any::<bool>(), size.area()).prop_map(move |floor| {
                Board::from_floor(size, size.cells().filter(|cell| floor[cell.index()]))
            })
        })
    }

    #[test]
    fn quarter_turn_is_clockwise() {
        let size = Size::new(2, 3).unwrap();
        // 0 1 2      3 0
        // 3 4 5  ->  4 1
        //            5 2
        let image: Vec<u32> = size
            .cells()
            .map(|cell| Symmetry::Rotate90.apply(size, cell).0)
            .collect();
        assert_eq!(image, [1, 3, 5, 0, 2, 4]);
    }

    /// Burnside and the enumeration must agree, and both with the published
    /// class counts; sums of orbit sizes give the raw count back.
    #[test]
    fn case_10_and_26_layout_classes() {
        for (n, expected) in [(1u32, 2usize), (2, 6), (3, 102), (4, 8548)] {
            let size = Size::new(n.into(), n.into()).unwrap();
            let total = 1u64 << size.area();
            let mut classes = 0;
            let mut raw = 0;
            for mask in 0..total {
                let board =
                    Board::from_floor(size, size.cells().filter(|cell| mask >> cell.0 & 1 == 1));
                if board.canonical() == board {
                    classes += 1;
                    raw += board.orbit_size() as u64;
                }
            }
            assert_eq!(classes, expected, "n = {n}");
            assert_eq!(raw, total, "n = {n}");
        }
    }

    proptest! {
        #[test]
        fn inverse_undoes(board in board()) {
            for symmetry in ALL {
                let image = symmetry.apply_board(&board);
                prop_assert_eq!(image.size(), symmetry.image_size(board.size()));
                prop_assert_eq!(&symmetry.inverse().apply_board(&image), &board);
            }
        }

        #[test]
        fn canonical_form_is_shared_by_the_orbit(board in board()) {
            let canonical = board.canonical();
            for &symmetry in Symmetry::of(board.size()) {
                let image = symmetry.apply_board(&board);
                prop_assert_eq!(&image.canonical(), &canonical);
                prop_assert_eq!(image.orbit_size(), board.orbit_size());
            }
            prop_assert_eq!(Symmetry::of(board.size()).len() % board.orbit_size(), 0);
        }

        #[test]
        fn neighbours_stay_neighbours(board in board()) {
            let size = board.size();
            for symmetry in ALL {
                let image = symmetry.image_size(size);
                for cell in size.cells() {
                    for dir in crate::board::DIRS {
                        if let Some(next) = size.step(cell, dir) {
                            let (a, b) = (symmetry.apply(size, cell), symmetry.apply(size, next));
                            prop_assert!(crate::board::DIRS.iter().any(|&d| image.step(a, d) == Some(b)));
                        }
                    }
                }
            }
        }
    }
}
