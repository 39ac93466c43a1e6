//! Every state of a level, step by step: the slow method that shares nothing
//! with the others and that they are compared with.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

use super::request::{Effort, Order, Search, Unfinished};
use crate::board::{Cell, DIRS};
use crate::level::{ClassicLevel, Lurd, Move};

/// Where the boxes are, in ascending order, and the player.
type Key = (Box<[Cell]>, Cell);

/// Cost of the best way to a state, the state before, the move between.
type Note = ((u32, u32), Option<(u32, Move)>);

/// Dijkstra's algorithm over single steps, without any pruning: fewest moves
/// and among these pushes, or fewest pushes and among these moves.
pub(super) fn search(level: &ClassicLevel, order: Order, effort: &Effort<'_>) -> Search {
    let board = level.board();
    let start: Key = (level.boxes().into(), level.player());
    let mut keys: Vec<Key> = vec![start.clone()];
    let mut notes: Vec<Note> = vec![((0, 0), None)];
    let mut numbers: HashMap<Key, u32> = HashMap::from([(start, 0)]);
    let mut open = BinaryHeap::from([Reverse(((0, 0), 0))]);
    // Twice the boxes and the player, with the overheads of three tables.
    let per_state = 2 * (16 + 4 * level.boxes().len() as u64 + 8) + 96;
    let mut search = Search {
        found: None,
        unfinished: None,
        states: 0,
        bytes: 0,
    };
    while let Some(Reverse((cost, number))) = open.pop() {
        if cost > notes[number as usize].0 {
            continue;
        }
        let (boxes, player) = keys[number as usize].clone();
        if boxes.iter().all(|&cell| level.is_goal(cell)) {
            search.found = Some(traced(&notes, number));
            break;
        }
        if keys.len() as u64 * per_state > effort.memory {
            search.unfinished = Some(Unfinished::Memory);
            break;
        }
        if number.is_multiple_of(256) && effort.is_stopped() {
            search.unfinished = Some(Unfinished::Stopped);
            break;
        }
        for dir in DIRS {
            let Some(next) = board.floor_step(player, dir) else {
                continue;
            };
            let mut moved = boxes.clone();
            let pushed = moved.iter().position(|&cell| cell == next);
            if let Some(index) = pushed {
                let Some(beyond) = board.floor_step(next, dir) else {
                    continue;
                };
                if moved.contains(&beyond) {
                    continue;
                }
                moved[index] = beyond;
                moved.sort_unstable();
            }
            let push = pushed.is_some();
            let cost = match order {
                Order::Moves => (cost.0 + 1, cost.1 + u32::from(push)),
                Order::Pushes => (cost.0 + u32::from(push), cost.1 + 1),
            };
            let note = (cost, Some((number, Move { dir, push })));
            match numbers.entry((moved, next)) {
                Entry::Vacant(place) => {
                    let new = keys.len() as u32;
                    keys.push(place.key().clone());
                    place.insert(new);
                    notes.push(note);
                    open.push(Reverse((cost, new)));
                }
                Entry::Occupied(known) if cost < notes[*known.get() as usize].0 => {
                    notes[*known.get() as usize] = note;
                    open.push(Reverse((cost, *known.get())));
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    search.states = keys.len() as u64;
    search.bytes = search.states * per_state;
    search
}

fn traced(notes: &[Note], last: u32) -> Lurd {
    let mut moves = Vec::new();
    let mut number = last;
    while let Some((before, step)) = notes[number as usize].1 {
        moves.push(step);
        number = before;
    }
    moves.into_iter().rev().collect()
}
