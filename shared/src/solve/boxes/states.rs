//! A set of states, compared word by word.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::ground::Spot;

/// States numbered in the order in which they come: the boxes in ascending
/// order, then the player. Whether two are equal is decided by all their
/// words, never by a hash alone, so there may be any number of cells and boxes.
#[derive(Debug)]
pub(super) struct States {
    /// Words of one state.
    width: usize,
    words: Vec<u16>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    key: Vec<u16>,
}

impl States {
    /// An empty set for levels with so many boxes.
    pub(super) fn new(boxes: usize) -> Self {
        Self {
            width: boxes + 1,
            words: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            key: Vec::with_capacity(boxes + 1),
        }
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// The boxes of a state in ascending order, and the player.
    pub(super) fn get(&self, number: u32) -> (&[u16], Spot) {
        let words = &self.words[number as usize * self.width..][..self.width];
        (&words[..self.width - 1], words[self.width - 1].into())
    }

    /// Takes a state in, if it is new: its number, and whether it is new.
    pub(super) fn insert(&mut self, boxes: &[u16], player: Spot) -> (u32, bool) {
        self.key.clear();
        self.key.extend_from_slice(boxes);
        self.key.push(player as u16);
        let hash = self.hasher.hash_one(&self.key);
        let (words, width) = (&self.words, self.width);
        let state = |number: u32| &words[number as usize * width..][..width];
        if let Some(&known) = self.numbers.find(hash, |&number| state(number) == self.key) {
            return (known, false);
        }
        let number = self.len() as u32;
        let hasher = &self.hasher;
        self.numbers
            .insert_unique(hash, number, |&number| hasher.hash_one(state(number)));
        self.words.extend_from_slice(&self.key);
        (number, true)
    }

    /// Bytes that the set takes; with `room`, once it had to make room for one
    /// more state.
    pub(super) fn bytes(&self, room: bool) -> u64 {
        let words = vector_bytes(&self.words, room.then_some(self.width));
        // A slot is a number and a byte, and one in eight is empty.
        let slots = self.numbers.capacity() as u64 * 6;
        let full = room && self.numbers.len() == self.numbers.capacity();
        words + if full { slots * 3 } else { slots }
    }
}

/// Bytes that a vector takes; with `more`, once it had to make room for so many
/// more entries. It doubles then, and what it had goes last.
pub(super) fn vector_bytes<T>(vector: &Vec<T>, more: Option<usize>) -> u64 {
    let bytes = (vector.capacity() * size_of::<T>()) as u64;
    if vector.len() + more.unwrap_or(0) > vector.capacity() {
        bytes * 3
    } else {
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::search::random::Random;

    /// Against a map of whole keys, over the whole range of cells.
    #[test]
    fn states_are_told_apart_exactly() {
        let mut random = Random::new(7);
        let mut states = States::new(3);
        let mut reference: HashMap<(Vec<u16>, Spot), u32> = HashMap::new();
        for _ in 0..20_000 {
            let mut word = || (random.below(4) * 21_845) as u16;
            let (boxes, player) = (vec![word(), word(), word()], Spot::from(word()));
            let expected = reference.len() as u32;
            let key = (boxes, player);
            let (number, new) = states.insert(&key.0, player);
            assert_eq!(new, !reference.contains_key(&key));
            assert_eq!(number, *reference.entry(key).or_insert(expected));
        }
        assert_eq!(states.len(), 256);
        for ((boxes, player), number) in &reference {
            assert_eq!(states.get(*number), (boxes.as_slice(), *player));
        }
        assert!(states.bytes(false) >= 256 * 8 && states.bytes(true) >= states.bytes(false));
    }
}
