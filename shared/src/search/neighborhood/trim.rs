//! Floor that no longest solution needs.

use crate::board::{Board, Cell};
use crate::search::field::Field;

/// What trimming works with.
pub(super) trait Trimmer {
    /// The field that scores.
    type Field: Field;
    /// The field that scores.
    fn field(&mut self) -> &mut Self::Field;
    /// An evaluation was made; whether to go on.
    fn go_on(&mut self) -> bool;
}

/// Fills floor of a layout, one cell after the other in reading order and from
/// the start again until nothing changes, as long as the goal keeps a start of as
/// many moves.
///
/// Filling a cell may make solutions longer; then no less is kept from there on.
pub(super) fn trim(trimmer: &mut impl Trimmer, board: &mut Board, goal: Cell) {
    let field = trimmer.field();
    field.load(board);
    let number = field.number(goal);
    let mut moves = field.score(number, 0);
    let mut changed = true;
    while changed {
        changed = false;
        for cell in board.clone().floor_cells().filter(|&cell| cell != goal) {
            let field = trimmer.field();
            let filled = field.number(cell);
            field.toggle(filled);
            let score = field.score(number, moves);
            if score < moves {
                field.toggle(filled);
            } else {
                moves = score;
                board.set_floor(cell, false);
                changed = true;
            }
            trimmer.field().keep();
            if !trimmer.go_on() {
                return;
            }
        }
    }
}
