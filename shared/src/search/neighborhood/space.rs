//! All families around one level, in a row.

use std::collections::BTreeMap;

use super::family::{List, State};
use super::{Family, Params};
use crate::board::{Board, Symmetry};
use crate::level::Level;

/// The smallest side of blocks that are worth moving.
const FEWEST: u16 = 2;

/// The layouts around a level: all families in a row, numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    level: Level,
    lists: Vec<(List, u64)>,
}

impl Space {
    /// The layouts around `level`; `others` are what is grafted onto it and must
    /// have its size.
    pub fn new(level: &Level, others: &[Level], params: &Params) -> Self {
        let size = level.size();
        let side = |side: u32| (side as u16).min(size.rows().min(size.cols()));
        let squares = |largest: u32| FEWEST..=side(largest);
        let mut lists = Vec::new();
        if params.flips > 0 {
            lists.push(List::Flips);
        }
        if params.pairs > 0 {
            lists.push(List::Pairs);
        }
        if side(params.window) > 0 && params.window_radius > 0 {
            lists.push(List::Windows {
                side: side(params.window),
                radius: params.window_radius,
            });
        }
        for rows in squares(params.blocks) {
            lists.extend(squares(params.blocks).map(|cols| List::Blocks { rows, cols }));
        }
        lists.extend(squares(params.shifts).map(|side| List::Shifts { side }));
        lists.extend(squares(params.swaps).map(|side| List::Swaps { side }));
        if params.torus > 0 {
            lists.push(List::Torus);
        }
        let images: Vec<Board> = others
            .iter()
            .filter(|other| *other != level)
            .flat_map(|other| {
                let symmetries = Symmetry::of(size).iter();
                symmetries.map(|symmetry| symmetry.apply_board(other.board()))
            })
            .collect();
        if !images.is_empty() {
            lists.extend(squares(params.grafts).map(|side| List::Grafts {
                side,
                images: images.clone(),
            }));
        }
        let lists = lists.into_iter().map(|list| {
            let len = list.len(size);
            (list, len)
        });
        Self {
            level: level.clone(),
            lists: lists.collect(),
        }
    }

    /// The level in the middle.
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// Number of layouts.
    pub fn len(&self) -> u64 {
        self.lists.iter().map(|(_, len)| len).sum()
    }

    /// Whether there is no layout.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of layouts by family.
    pub fn families(&self) -> BTreeMap<Family, u64> {
        let mut families = BTreeMap::new();
        for (list, len) in &self.lists {
            *families.entry(list.family()).or_default() += len;
        }
        families
    }

    /// Family, layout and goal of a number; the layout is `None` where the
    /// number stands for no change.
    pub(super) fn state(&self, mut number: u64) -> Option<(Family, Option<State>)> {
        for (list, len) in &self.lists {
            if number < *len {
                return Some((list.family(), list.state(&self.level, number)));
            }
            number -= len;
        }
        None
    }
}
