//! A*: fewest moves or fewest pushes, proven.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ground::{Ground, Spot};
use super::request::{Effort, Order, Search, Unfinished};
use super::route::Board;
use super::scratch::{Push, Scratch};
use super::states::{States, vector_bytes};
use crate::level::Lurd;

/// No state came before.
const NO_PARENT: u32 = u32::MAX;

/// Searches push by push in the order of cost plus a lower bound of what is
/// left, the [`Assignment`](super::assign::Assignment) of boxes to goals, which
/// never overestimates and falls by at most one with each push: the first
/// solution is the cheapest. States that cannot lead to one cheaper than
/// `known`, in moves and pushes, are left out.
///
/// For moves a state is boxes and player, and the pushes break ties. For pushes
/// it is the boxes and where the player can walk; moves are not minimised.
pub(super) fn search(
    ground: &Ground,
    order: Order,
    known: Option<(u32, u32)>,
    effort: &Effort<'_>,
) -> Search {
    let mut scratch = Scratch::new(ground);
    let mut nodes = Nodes {
        states: States::new(ground.boxes.len()),
        costs: Vec::new(),
        parents: Vec::new(),
        open: BinaryHeap::new(),
    };
    let below = known.map_or(u64::MAX, |(moves, pushes)| cost(order, moves, pushes));
    let start: Vec<u16> = ground.boxes.iter().map(|&spot| spot as u16).collect();
    let mut found = None;
    let mut unfinished = None;
    if let Some(left) = scratch.left(&start) {
        // The player's cell counts before the first push, too.
        let player = key(order, &mut scratch, &start, ground.player);
        nodes.reach(&start, player, 0, NO_PARENT, cost(order, left, left), below);
    }
    let mut boxes: Vec<u16> = Vec::new();
    let mut next: Vec<Push> = Vec::new();
    // The boxes after each of these pushes, one state after the other.
    let mut after: Vec<u16> = Vec::new();
    let mut looked = 0_u32;
    while let Some(Reverse((_, Reverse(so_far), number))) = nodes.open.pop() {
        if so_far > nodes.costs[number as usize] {
            continue;
        }
        let (here, player) = nodes.states.get(number);
        if here.iter().all(|&spot| ground.is_goal(spot.into())) {
            found = Some(number);
            break;
        }
        looked += 1;
        if looked.is_multiple_of(256) && effort.is_stopped() {
            unfinished = Some(Unfinished::Stopped);
            break;
        }
        boxes.clear();
        boxes.extend_from_slice(here);
        next.clear();
        after.clear();
        scratch.pushes(&boxes, player, |push, boxes| {
            next.push(push);
            after.extend_from_slice(boxes);
        });
        for (push, after) in next.iter().zip(after.chunks(boxes.len())) {
            if nodes.bytes(true) > effort.memory || nodes.states.len() >= NO_PARENT as usize {
                unfinished = Some(Unfinished::Memory);
                break;
            }
            let player = key(order, &mut scratch, after, push.from);
            let reached = so_far + cost(order, push.moves, 1);
            let whole = reached + cost(order, push.left, push.left);
            nodes.reach(after, player, reached, number, whole, below);
        }
        if unfinished.is_some() {
            break;
        }
    }
    Search {
        found: found.map(|number| nodes.route(ground, number)),
        unfinished,
        states: nodes.states.len() as u64,
        bytes: nodes.bytes(false),
    }
}

/// Moves first and pushes second, or pushes alone.
const fn cost(order: Order, moves: u32, pushes: u32) -> u64 {
    match order {
        Order::Moves => ((moves as u64) << 32) + pushes as u64,
        Order::Pushes => pushes as u64,
    }
}

/// What of the player's place tells states apart.
fn key(order: Order, scratch: &mut Scratch<'_>, boxes: &[u16], player: Spot) -> Spot {
    match order {
        Order::Moves => player,
        Order::Pushes => scratch.lowest(boxes, player),
    }
}

struct Nodes {
    states: States,
    costs: Vec<u64>,
    parents: Vec<u32>,
    /// Cost and bound together, cost so far, state; of equal sums first the
    /// one that is nearer to the end.
    open: BinaryHeap<Reverse<(u64, Reverse<u64>, u32)>>,
}

impl Nodes {
    /// Notes a way to a state, if it is the cheapest so far.
    fn reach(
        &mut self,
        boxes: &[u16],
        player: Spot,
        so_far: u64,
        parent: u32,
        whole: u64,
        below: u64,
    ) {
        if whole >= below {
            return;
        }
        let (number, new) = self.states.insert(boxes, player);
        if new {
            self.costs.push(so_far);
            self.parents.push(parent);
        } else if so_far < self.costs[number as usize] {
            self.costs[number as usize] = so_far;
            self.parents[number as usize] = parent;
        } else {
            return;
        }
        self.open.push(Reverse((whole, Reverse(so_far), number)));
    }

    fn bytes(&self, room: bool) -> u64 {
        let more = room.then_some(1);
        // A heap grows as a vector does.
        let open = self.open.capacity() as u64 * 24;
        let full = room && self.open.len() == self.open.capacity();
        self.states.bytes(room)
            + vector_bytes(&self.costs, more)
            + vector_bytes(&self.parents, more)
            + if full { open * 3 } else { open }
    }

    fn route(&self, ground: &Ground, last: u32) -> Lurd {
        let mut numbers = vec![last];
        let mut number = last;
        while self.parents[number as usize] != NO_PARENT {
            number = self.parents[number as usize];
            numbers.push(number);
        }
        let mut board = Board::new(ground);
        for &number in numbers.iter().rev() {
            board.push_to(self.states.get(number).0);
        }
        board.into_moves()
    }
}
