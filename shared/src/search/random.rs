//! Random numbers that are the same on every machine and in every version.

/// The generator xoshiro256++ of Blackman and Vigna, seeded through
/// `SplitMix64` as its authors advise.
///
/// The searches own their generator because a batch has to be bit-identical
/// wherever and whenever it is computed; library generators promise less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Self {
        let mut word = seed;
        let mut next = || {
            word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = word;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        Self {
            state: [next(), next(), next(), next()],
        }
    }

    /// The generator of one shard of a job: streams of different shards have
    /// nothing to do with each other.
    pub fn for_shard(job_seed: u64, shard: u64) -> Self {
        let mut job = Self::new(job_seed);
        Self::new(job.word() ^ shard.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `bound`, which must be positive and fit 32 bits. Off from
    /// uniform by less than `bound / 2^32`.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0 && u32::try_from(bound).is_ok());
        (((self.word() >> 32) * bound as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // First outputs of the authors' C code for the state 1, 2, 3, 4.
        let mut random = Random {
            state: [1, 2, 3, 4],
        };
        assert_eq!(
            [random.word(), random.word(), random.word(), random.word()],
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386
            ]
        );
    }

    #[test]
    fn case_v7_shards_have_their_own_streams() {
        let first: std::collections::HashSet<u64> = (0..10)
            .flat_map(|job| (0..1000).map(move |shard| Random::for_shard(job, shard).word()))
            .collect();
        assert_eq!(first.len(), 10_000);
    }

    #[test]
    fn every_number_below_the_bound_comes_up() {
        let mut random = Random::new(5);
        let mut count = [0; 7];
        for _ in 0..7000 {
            count[random.below(7)] += 1;
        }
        assert!(count.iter().all(|&c| (800..1200).contains(&c)), "{count:?}");
    }
}
