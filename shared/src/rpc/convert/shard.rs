//! Shards.

use super::{
    WireError,
    error::at_most,
    hunt::{around_from_wire, batch_from_wire},
};
use crate::{
    board::{Cell, Size},
    plan::{Mode, Search, Shard, Work},
    rpc::v1,
    search::growth::{Extent, FloorSet},
};

/// The most subtree roots that one shard may have. Keeps the largest shard
/// well below the megabyte that a message should not exceed.
pub const MAX_ROOTS: usize = 8192;
/// The most subtrees that one shard may leave out.
const MAX_EXCEPT: usize = 4 * MAX_ROOTS;

impl Shard {
    /// The shard as a message. `size` is the board of its search.
    pub fn to_wire(&self, size: Size) -> v1::Shard {
        use v1::shard::Work as Wire;
        let work = match &self.work {
            Work::Growth {
                goal,
                roots,
                extent,
            } => growth_to_wire(size, *goal, roots, *extent, &[]),
            Work::Recheck {
                goal,
                roots,
                extent,
                except,
            } => growth_to_wire(size, *goal, roots, *extent, except),
            &Work::Census { from, to } => Wire::Census(v1::CensusShard { from, to }),
            Work::Batch(batch) => Wire::Batch(batch.into()),
            Work::Around(around) => Wire::Around(around.into()),
        };
        v1::Shard {
            weight: self.weight,
            work: Some(work),
        }
    }

    /// Reads a shard of `search`.
    ///
    /// # Errors
    /// [`WireError`] if it is not a shard of this search, or has no work in
    /// it, or is too large.
    pub fn from_wire(wire: &v1::Shard, search: &Search) -> Result<Self, WireError> {
        use v1::shard::Work as Wire;
        if !wire.weight.is_finite() || wire.weight < 0.0 {
            return Err(WireError::invalid("weight", "not a share"));
        }
        let work = match (
            wire.work.as_ref().ok_or(WireError::Missing("work"))?,
            search.mode,
        ) {
            (Wire::Growth(growth), Mode::Exhaustive | Mode::Floor) => {
                growth_work(growth, search.size)?
            }
            (Wire::Census(census), Mode::Census) => census_work(census, search.size)?,
            (Wire::Around(around), Mode::Neighborhood) => {
                Work::Around(around_from_wire(around, search.size)?)
            }
            (Wire::Batch(batch), mode) if mode.is_heuristic() => {
                Work::Batch(batch_from_wire(batch, search.size, search.hunt.as_deref())?)
            }
            _ => {
                return Err(WireError::OtherMode {
                    field: "work",
                    mode: search.mode.name(),
                });
            }
        };
        Ok(Self {
            // A sum of shares may have come out a little above 1.
            weight: wire.weight.min(1.0),
            work,
        })
    }
}

fn growth_to_wire(
    size: Size,
    goal: Cell,
    roots: &[FloorSet],
    extent: Extent,
    except: &[FloorSet],
) -> v1::shard::Work {
    let bytes = |sets: &[FloorSet]| sets.iter().map(|set| set.to_bytes(size.area())).collect();
    v1::shard::Work::Growth(v1::GrowthShard {
        goal: goal.0,
        roots: bytes(roots),
        below: extent.limit().unwrap_or(0).into(),
        crown: matches!(extent, Extent::Crowned(_)),
        except: bytes(except),
    })
}

fn growth_work(wire: &v1::GrowthShard, size: Size) -> Result<Work, WireError> {
    let goal = cell("goal", wire.goal, size)?;
    at_most("roots", wire.roots.len(), MAX_ROOTS)?;
    if wire.roots.is_empty() {
        return Err(WireError::Missing("roots"));
    }
    let roots = wire
        .roots
        .iter()
        .map(|bytes| floor_set("roots", bytes, goal, size))
        .collect::<Result<_, _>>()?;
    let cells = u16::try_from(wire.below)
        .map_err(|_| WireError::invalid("below", format!("{} cells", wire.below)))?;
    let extent = match (cells, wire.crown) {
        (0, false) => Extent::Whole,
        (0, true) => return Err(WireError::invalid("crown", "of no number of cells")),
        (cells, false) => Extent::Below(cells),
        (cells, true) => Extent::Crowned(cells),
    };
    at_most("except", wire.except.len(), MAX_EXCEPT)?;
    let except: Vec<FloorSet> = wire
        .except
        .iter()
        .map(|bytes| floor_set("except", bytes, goal, size))
        .collect::<Result<_, _>>()?;
    if except.is_empty() {
        return Ok(Work::Growth {
            goal,
            roots,
            extent,
        });
    }
    Ok(Work::Recheck {
        goal,
        roots,
        extent,
        except,
    })
}

fn census_work(wire: &v1::CensusShard, size: Size) -> Result<Work, WireError> {
    let &v1::CensusShard { from, to } = wire;
    let end = 1u64.checked_shl(size.area() as u32).unwrap_or(u64::MAX);
    if from >= to || to > end {
        return Err(WireError::invalid(
            "census",
            format!("{from}..{to} is not a range of layouts of a {size} board"),
        ));
    }
    Ok(Work::Census { from, to })
}

/// Reads a cell of a board.
pub(super) fn cell(field: &'static str, index: u32, size: Size) -> Result<Cell, WireError> {
    if (index as usize) < size.area() {
        Ok(Cell(index))
    } else {
        Err(WireError::invalid(
            field,
            format!("a {size} board has no cell {index}"),
        ))
    }
}

/// Reads a floor set that contains the goal.
pub(super) fn floor_set(
    field: &'static str,
    bytes: &[u8],
    goal: Cell,
    size: Size,
) -> Result<FloorSet, WireError> {
    let set = FloorSet::from_bytes(bytes, size.area())
        .ok_or_else(|| WireError::invalid(field, "not an ascending list of cells of the board"))?;
    if !set.contains(goal) {
        return Err(WireError::invalid(field, "a floor set without the goal"));
    }
    Ok(set)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A board and a search on it.
    pub(crate) fn any_search(
        mode: Mode,
        sides: std::ops::Range<u64>,
    ) -> impl Strategy<Value = Search> {
        (sides.clone(), sides)
            .prop_map(move |(rows, cols)| Search::new(Size::new(rows, cols).unwrap(), mode))
    }

    /// A set of cells of a board that contains `goal`.
    pub(crate) fn any_set(size: Size, goal: Cell) -> impl Strategy<Value = FloorSet> {
        prop::collection::vec(0..size.area() as u32, 0..12)
            .prop_map(move |cells| FloorSet::new(cells.into_iter().map(Cell).chain([goal])))
    }

    fn any_extent() -> impl Strategy<Value = Extent> {
        prop_oneof![
            Just(Extent::Whole),
            (1u16..).prop_map(Extent::Below),
            (1u16..).prop_map(Extent::Crowned),
        ]
    }

    pub(crate) fn any_growth_shard(search: &Search) -> impl Strategy<Value = Shard> + use<> {
        let size = search.size;
        (0..size.area() as u32).prop_flat_map(move |goal| {
            (
                0.0..=1.0,
                prop::collection::vec(any_set(size, Cell(goal)), 1..8),
                any_extent(),
                prop::collection::vec(any_set(size, Cell(goal)), 0..4),
            )
                .prop_map(move |(weight, roots, extent, except)| {
                    let goal = Cell(goal);
                    let work = if except.is_empty() {
                        Work::Growth {
                            goal,
                            roots,
                            extent,
                        }
                    } else {
                        Work::Recheck {
                            goal,
                            roots,
                            extent,
                            except,
                        }
                    };
                    Shard { weight, work }
                })
        })
    }

    proptest! {
        #[test]
        fn growth_shards_round_trip(
            (search, shard) in any_search(Mode::Exhaustive, 1..30)
                .prop_flat_map(|search| (Just(search.clone()), any_growth_shard(&search)))
        ) {
            prop_assert_eq!(Shard::from_wire(&shard.to_wire(search.size), &search), Ok(shard));
        }

        #[test]
        fn census_shards_round_trip(search in any_search(Mode::Census, 1..7), ends: [u64; 2]) {
            let end = 1u64 << search.size.area();
            let from = ends[0] % end;
            let to = from + 1 + ends[1] % (end - from);
            let shard = Shard { weight: 0.5, work: Work::Census { from, to } };
            prop_assert_eq!(Shard::from_wire(&shard.to_wire(search.size), &search), Ok(shard));
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            search in any_search(Mode::Exhaustive, 1..20),
        ) {
            use prost::Message;
            if let Ok(wire) = v1::Shard::decode(bytes.as_slice()) {
                let _ = Shard::from_wire(&wire, &search);
            }
        }

        #[test]
        fn any_numbers_are_read_or_refused(
            goal: u32, below: u32, crown: bool, weight: f64, from: u64, to: u64, census: bool,
            roots in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 0..4),
            search in any_search(Mode::Census, 1..257),
        ) {
            use v1::shard::Work as Wire;
            let work = if census {
                Wire::Census(v1::CensusShard { from, to })
            } else {
                Wire::Growth(v1::GrowthShard { goal, except: roots.clone(), roots, below, crown })
            };
            let wire = v1::Shard { weight, work: Some(work) };
            let _ = Shard::from_wire(&wire, &search);
            let _ = Shard::from_wire(&wire, &Search { mode: Mode::Exhaustive, ..search });
        }
    }

    fn refused(change: impl FnOnce(&mut v1::GrowthShard)) -> WireError {
        let search = Search::new(Size::new(3, 3).unwrap(), Mode::Exhaustive);
        let mut growth = v1::GrowthShard {
            goal: 1,
            roots: vec![vec![0, 1]],
            below: 0,
            except: vec![],
            crown: false,
        };
        change(&mut growth);
        let wire = v1::Shard {
            weight: 0.0,
            work: Some(v1::shard::Work::Growth(growth)),
        };
        Shard::from_wire(&wire, &search).unwrap_err()
    }

    #[test]
    fn growth_shards_that_make_no_sense_are_refused() {
        let field = |error| match error {
            WireError::Invalid { field, .. }
            | WireError::Missing(field)
            | WireError::TooMany { field, .. } => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(refused(|s| s.goal = 9)), "goal");
        assert_eq!(field(refused(|s| s.roots.clear())), "roots");
        assert_eq!(field(refused(|s| s.roots[0] = vec![1, 9])), "roots");
        assert_eq!(field(refused(|s| s.roots[0] = vec![1, 0])), "roots");
        assert_eq!(field(refused(|s| s.roots[0] = vec![2, 3])), "roots");
        assert_eq!(field(refused(|s| s.below = 1 << 16)), "below");
        assert_eq!(field(refused(|s| s.crown = true)), "crown");
        let many = refused(|s| s.roots = vec![vec![0, 1]; MAX_ROOTS + 1]);
        assert!(matches!(many, WireError::TooMany { .. }));
    }

    #[test]
    fn a_shard_of_another_mode_is_refused() {
        let wire = v1::Shard {
            weight: 0.0,
            work: Some(v1::shard::Work::Census(v1::CensusShard { from: 0, to: 1 })),
        };
        let size = Size::new(3, 3).unwrap();
        let read = |mode| Shard::from_wire(&wire, &Search::new(size, mode));
        assert!(read(Mode::Census).is_ok());
        assert!(matches!(
            read(Mode::Exhaustive),
            Err(WireError::OtherMode { .. })
        ));
    }

    #[test]
    fn a_census_range_ends_with_the_board() {
        let search = Search::new(Size::new(2, 2).unwrap(), Mode::Census);
        let read = |from, to| {
            let census = v1::CensusShard { from, to };
            let work = Some(v1::shard::Work::Census(census));
            Shard::from_wire(&v1::Shard { weight: 0.0, work }, &search).is_ok()
        };
        assert!(read(0, 16));
        assert!(!read(0, 17));
        assert!(!read(3, 3));
        assert!(!read(4, 3));
    }

    #[test]
    fn a_weight_is_a_share() {
        let search = Search::new(Size::new(2, 2).unwrap(), Mode::Census);
        let read = |weight| {
            let work = Some(v1::shard::Work::Census(v1::CensusShard { from: 0, to: 1 }));
            Shard::from_wire(&v1::Shard { weight, work }, &search).map(|shard| shard.weight)
        };
        assert_eq!(read(1.000_001), Ok(1.0));
        assert!(read(-0.1).is_err());
        assert!(read(f64::NAN).is_err());
        assert!(read(f64::INFINITY).is_err());
    }
}
