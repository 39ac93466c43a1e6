//! The counts of an answer. They only travel from the coordinator to people,
//! so there is no way back.

use crate::{
    plan::{FloorCount, FloorLimit, HistogramBin, Optimum},
    rpc::v1,
    search::Counts,
};

impl From<Counts> for v1::LevelCount {
    fn from(count: Counts) -> Self {
        Self {
            levels: count.levels,
            level_classes: count.level_classes,
            layouts: count.layouts,
            layout_classes: count.layout_classes,
        }
    }
}

impl From<FloorCount> for v1::FloorCount {
    fn from(line: FloorCount) -> Self {
        Self {
            floor: line.floor,
            count: Some(line.count.into()),
        }
    }
}

impl From<&Optimum> for v1::Optimum {
    fn from(optimum: &Optimum) -> Self {
        Self {
            max_moves: optimum.max_moves,
            total: Some(optimum.total.into()),
            by_floor: optimum.by_floor.iter().map(|&line| line.into()).collect(),
            counts_are_lower_bounds: optimum.counts_are_lower_bounds,
        }
    }
}

impl From<FloorLimit> for v1::FloorLimit {
    fn from(limit: FloorLimit) -> Self {
        Self {
            floor: limit.floor,
            max_moves: limit.max_moves,
        }
    }
}

impl From<HistogramBin> for v1::HistogramBin {
    fn from(bin: HistogramBin) -> Self {
        Self {
            moves: bin.moves,
            canonical_layouts: bin.canonical_layouts,
            layouts: bin.layouts,
        }
    }
}
