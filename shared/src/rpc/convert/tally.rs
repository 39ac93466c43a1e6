//! Tallies.
//!
//! Each kind of tally has a writer and a reader here, and one arm in
//! [`Tally::to_wire`] and [`Tally::from_wire`].

use std::collections::{BTreeMap, BTreeSet};

use super::{
    WireError,
    error::at_most,
    hunt::tally_from_wire,
    shard::{cell, floor_set},
};
use crate::text::counted;
use crate::{
    board::{Cell, Size},
    plan::{Mode, Search, Tally},
    rpc::v1,
    search::{
        Convention,
        growth::{Best, GoalTally, KEPT_STARTS, Layer, Start},
    },
};

impl Tally {
    /// The tally as a message. `size` is the board of its search.
    pub fn to_wire(&self, size: Size) -> v1::Tally {
        use v1::tally::Kind;
        let kind = match self {
            Self::Growth(goals) => Kind::Growth(v1::GrowthTally {
                goals: goals
                    .iter()
                    .map(|(&goal, tally)| goal_to_wire(goal, tally, size))
                    .collect(),
            }),
            Self::Census(tally) => Kind::Census(v1::CensusTally {
                // Numbers, sets and maps: serialising them cannot fail.
                body: serde_json::to_vec(tally).unwrap_or_default(),
            }),
            Self::Hunt(tally) => Kind::Hunt((&**tally).into()),
        };
        v1::Tally { kind: Some(kind) }
    }

    /// Reads a tally of a part of `search`.
    ///
    /// # Errors
    /// [`WireError`] if no part of this search can have this tally.
    pub fn from_wire(wire: &v1::Tally, search: &Search) -> Result<Self, WireError> {
        use v1::tally::Kind;
        let kind = wire.kind.as_ref().ok_or(WireError::Missing("kind"))?;
        match (kind, search.mode) {
            (Kind::Growth(growth), Mode::Exhaustive | Mode::Floor) => {
                growth_from_wire(growth, search.size)
            }
            (Kind::Census(census), Mode::Census) => serde_json::from_slice(&census.body)
                .map(|tally| Self::Census(Box::new(tally)))
                .map_err(|error| WireError::invalid("census", error.to_string())),
            (Kind::Hunt(tally), mode) if mode.is_heuristic() => {
                tally_from_wire(tally, search.size).map(|tally| Self::Hunt(Box::new(tally)))
            }
            _ => Err(WireError::OtherMode {
                field: "kind",
                mode: search.mode.name(),
            }),
        }
    }
}

fn goal_to_wire(goal: Cell, tally: &GoalTally, size: Size) -> v1::GoalTally {
    let best = |convention| Some(best_to_wire(tally.best(convention), size));
    v1::GoalTally {
        goal: goal.0,
        layers: tally
            .layers
            .iter()
            .map(|layer| layer_to_wire(layer, size))
            .collect(),
        tested: tally.tested,
        digest: Some(tally.digest.into()),
        off_goal: best(Convention::OffGoal),
        any_start: best(Convention::AnyStart),
    }
}

fn best_to_wire(best: &Best, size: Size) -> v1::GrowthBest {
    v1::GrowthBest {
        moves: best.moves,
        pairs: best.pairs,
        starts: best
            .starts
            .iter()
            .map(|start| start_to_wire(start, size))
            .collect(),
    }
}

fn layer_to_wire(layer: &Layer, size: Size) -> v1::GrowthLayer {
    v1::GrowthLayer {
        nodes: layer.nodes,
        sets: layer.sets,
        states: layer.states,
        moves: layer.moves,
        start: layer.start.as_ref().map(|start| start_to_wire(start, size)),
    }
}

fn start_to_wire(start: &Start, size: Size) -> v1::GrowthStart {
    v1::GrowthStart {
        cells: start.set.to_bytes(size.area()),
        player: start.player.0,
        r#box: start.box_cell.0,
    }
}

fn growth_from_wire(wire: &v1::GrowthTally, size: Size) -> Result<Tally, WireError> {
    at_most("goals", wire.goals.len(), size.area())?;
    let mut goals = BTreeMap::new();
    for entry in &wire.goals {
        let goal = cell("goal", entry.goal, size)?;
        if goals
            .insert(goal, goal_from_wire(entry, goal, size)?)
            .is_some()
        {
            return Err(WireError::invalid("goals", "a goal occurs twice"));
        }
    }
    Ok(Tally::Growth(goals))
}

fn goal_from_wire(wire: &v1::GoalTally, goal: Cell, size: Size) -> Result<GoalTally, WireError> {
    let best = |field, best: &Option<v1::GrowthBest>| match best {
        Some(best) => best_from_wire(field, best, goal, size),
        None => Ok(Best::default()),
    };
    let off_goal = best("off_goal", &wire.off_goal)?;
    let any_start = best("any_start", &wire.any_start)?;
    if off_goal.starts.iter().any(|start| start.player == goal) {
        return Err(WireError::invalid("off_goal", "a player on the goal"));
    }
    if off_goal.moves > any_start.moves {
        return Err(WireError::invalid("any_start", "less than off_goal"));
    }
    at_most("layers", wire.layers.len(), size.area() + 1)?;
    // Tallies written by engine 1 had no layers.
    if wire.layers.is_empty() && wire.tested > 0 {
        return Err(WireError::Missing("layers"));
    }
    let layers = wire.layers.iter();
    Ok(GoalTally {
        layers: layers
            .map(|layer| layer_from_wire(layer, goal, size))
            .collect::<Result<_, _>>()?,
        tested: wire.tested,
        digest: wire.digest.ok_or(WireError::Missing("digest"))?.into(),
        best: [off_goal, any_start],
    })
}

fn best_from_wire(
    field: &'static str,
    wire: &v1::GrowthBest,
    goal: Cell,
    size: Size,
) -> Result<Best, WireError> {
    at_most(field, wire.starts.len(), KEPT_STARTS)?;
    let starts = wire
        .starts
        .iter()
        .map(|start| start_from_wire(field, start, goal, size))
        .collect::<Result<BTreeSet<_>, _>>()?;
    if starts.len() != wire.starts.len() {
        return Err(WireError::invalid(field, "a start occurs twice"));
    }
    if starts.is_empty() != (wire.moves == 0) || wire.pairs < starts.len() as u64 {
        return Err(WireError::invalid(
            field,
            "moves, pairs and starts contradict each other",
        ));
    }
    moves_fit(field, wire.moves, size)?;
    Ok(Best {
        moves: wire.moves,
        pairs: wire.pairs,
        starts,
    })
}

fn layer_from_wire(wire: &v1::GrowthLayer, goal: Cell, size: Size) -> Result<Layer, WireError> {
    let start = wire.start.as_ref();
    if start.is_none() != (wire.moves == 0) {
        return Err(WireError::invalid(
            "layers",
            "moves and start contradict each other",
        ));
    }
    moves_fit("layers", wire.moves, size)?;
    Ok(Layer {
        nodes: wire.nodes,
        sets: wire.sets,
        states: wire.states,
        moves: wire.moves,
        start: start
            .map(|start| start_from_wire("layers", start, goal, size))
            .transpose()?,
    })
}

/// A shortest solution visits no state (player, box) twice.
fn moves_fit(field: &'static str, moves: u32, size: Size) -> Result<(), WireError> {
    if moves as usize > size.area() * size.area() {
        return Err(WireError::invalid(
            field,
            format!("{} on a {size} board", counted(moves, "move")),
        ));
    }
    Ok(())
}

fn start_from_wire(
    field: &'static str,
    wire: &v1::GrowthStart,
    goal: Cell,
    size: Size,
) -> Result<Start, WireError> {
    let start = Start {
        set: floor_set(field, &wire.cells, goal, size)?,
        player: cell(field, wire.player, size)?,
        box_cell: cell(field, wire.r#box, size)?,
    };
    let on_floor = start.set.contains(start.player) && start.set.contains(start.box_cell);
    if !on_floor || start.player == start.box_cell || start.box_cell == goal {
        return Err(WireError::invalid(field, "a start that is not a level"));
    }
    Ok(start)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::{
        super::shard::tests::{any_search, any_set},
        *,
    };
    use crate::search::growth::FloorSet;

    /// A start off the goal on a board of at least 2×2.
    fn any_start(size: Size, goal: Cell) -> impl Strategy<Value = Start> {
        (any_set(size, goal), any::<[prop::sample::Index; 2]>()).prop_filter_map(
            "needs two more cells",
            move |(set, picks)| {
                let others: Vec<_> = set.cells().filter(|&cell| cell != goal).collect();
                (others.len() >= 2).then(|| {
                    let player = picks[0].index(others.len());
                    let box_cell = (player + 1 + picks[1].index(others.len() - 1)) % others.len();
                    Start {
                        set: set.clone(),
                        player: others[player],
                        box_cell: others[box_cell],
                    }
                })
            },
        )
    }

    fn any_best(size: Size, goal: Cell) -> impl Strategy<Value = Best> {
        (
            1..=size.area() as u32,
            0..1u64 << 60,
            prop::collection::btree_set(any_start(size, goal), 0..4),
        )
            .prop_map(|(moves, more, starts)| match starts.len() as u64 {
                0 => Best::default(),
                pairs => Best {
                    moves,
                    pairs: pairs + more,
                    starts,
                },
            })
    }

    fn any_layer(size: Size, goal: Cell) -> impl Strategy<Value = Layer> {
        let start = prop::option::of((1u32..4, any_start(size, goal)));
        (any::<[u64; 3]>(), start).prop_map(|(counts, start)| Layer {
            nodes: counts[0],
            sets: counts[1],
            states: counts[2],
            moves: start.as_ref().map_or(0, |(moves, _)| *moves),
            start: start.map(|(_, start)| start),
        })
    }

    fn any_goal_tally(size: Size, goal: Cell) -> impl Strategy<Value = GoalTally> {
        (
            any::<u64>(),
            prop::collection::vec(any_layer(size, goal), 1..4),
            any::<u128>(),
            any_best(size, goal),
            any_best(size, goal),
        )
            .prop_map(|(tested, layers, digest, one, other)| GoalTally {
                layers,
                tested,
                digest,
                best: if one.moves <= other.moves {
                    [one, other]
                } else {
                    [other, one]
                },
            })
    }

    pub(crate) fn any_growth_tally(search: &Search) -> impl Strategy<Value = Tally> + use<> {
        let size = search.size;
        prop::collection::btree_set(0..size.area() as u32, 0..4)
            .prop_flat_map(move |goals| {
                let entries: Vec<_> = goals
                    .into_iter()
                    .map(|goal| (Just(Cell(goal)), any_goal_tally(size, Cell(goal))))
                    .collect();
                entries
            })
            .prop_map(|entries| Tally::Growth(entries.into_iter().collect()))
    }

    proptest! {
        #[test]
        fn growth_tallies_round_trip(
            (search, tally) in any_search(Mode::Exhaustive, 2..20)
                .prop_flat_map(|search| (Just(search.clone()), any_growth_tally(&search)))
        ) {
            prop_assert_eq!(Tally::from_wire(&tally.to_wire(search.size), &search), Ok(tally));
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            search in any_search(Mode::Exhaustive, 1..20),
        ) {
            use prost::Message;
            if let Ok(wire) = v1::Tally::decode(bytes.as_slice()) {
                let _ = Tally::from_wire(&wire, &search);
            }
        }
    }

    fn read(change: impl FnOnce(&mut v1::GoalTally)) -> Result<Tally, WireError> {
        let search = Search::new(Size::new(1, 4).unwrap(), Mode::Exhaustive);
        let start = Start {
            set: FloorSet::new([0, 1, 2, 3].map(Cell)),
            player: Cell(0),
            box_cell: Cell(1),
        };
        let best = Best {
            moves: 2,
            pairs: 1,
            starts: BTreeSet::from([start]),
        };
        let tally = GoalTally {
            best: [best.clone(), best],
            ..GoalTally::default()
        };
        let mut goal = goal_to_wire(Cell(3), &tally, search.size);
        change(&mut goal);
        let kind = Some(v1::tally::Kind::Growth(v1::GrowthTally {
            goals: vec![goal],
        }));
        Tally::from_wire(&v1::Tally { kind }, &search)
    }

    fn change_best(change: impl FnOnce(&mut v1::GrowthBest)) -> Result<Tally, WireError> {
        read(|goal| change(goal.any_start.as_mut().unwrap()))
    }

    #[test]
    fn tallies_that_make_no_sense_are_refused() {
        assert!(read(|_| ()).is_ok());
        assert!(read(|goal| goal.goal = 4).is_err());
        let on_goal = read(|goal| goal.goal = 0);
        assert!(on_goal.is_err(), "off_goal has a player on the goal");
        let on_goal = read(|goal| (goal.goal, goal.off_goal) = (0, None));
        assert!(on_goal.is_ok(), "any_start may");
        assert!(read(|goal| goal.goal = 1).is_err(), "the box stands on it");
        assert!(read(|goal| goal.digest = None).is_err());
        assert!(read(|goal| goal.any_start = None).is_err());
        assert!(read(|goal| goal.off_goal = None).is_ok());
        assert!(change_best(|best| best.moves = 17).is_err());
        assert!(change_best(|best| best.moves = 0).is_err());
        assert!(change_best(|best| best.pairs = 0).is_err());
        assert!(change_best(|best| best.starts.clear()).is_err());
        assert!(change_best(|best| best.starts.push(best.starts[0].clone())).is_err());
        assert!(change_best(|best| best.starts[0].player = 1).is_err());
        assert!(change_best(|best| best.starts[0].r#box = 9).is_err());
        assert!(change_best(|best| best.starts[0].cells = vec![0, 1]).is_err());
        assert!(
            change_best(|best| best.starts = vec![best.starts[0].clone(); KEPT_STARTS + 1])
                .is_err()
        );
    }

    #[test]
    fn a_goal_occurs_once() {
        let search = Search::new(Size::new(2, 2).unwrap(), Mode::Exhaustive);
        let goal = goal_to_wire(Cell(0), &GoalTally::default(), search.size);
        let with = |goals| {
            let kind = Some(v1::tally::Kind::Growth(v1::GrowthTally { goals }));
            Tally::from_wire(&v1::Tally { kind }, &search)
        };
        assert!(with(vec![goal.clone()]).is_ok());
        assert!(with(vec![goal.clone(), goal]).is_err());
    }

    #[test]
    fn a_tally_of_another_mode_is_refused() {
        let search = Search::new(Size::new(2, 2).unwrap(), Mode::Census);
        let growth = Tally::Growth(BTreeMap::new()).to_wire(search.size);
        assert!(matches!(
            Tally::from_wire(&growth, &search),
            Err(WireError::OtherMode { .. })
        ));
    }
}
