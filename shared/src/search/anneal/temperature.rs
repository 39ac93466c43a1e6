//! Cooling and acceptance, the same bits on every machine.
//!
//! Only additions, multiplications, divisions and square roots are used: IEEE
//! 754 fixes their results, unlike those of exponentials and powers, which
//! depend on the mathematics library of the machine.

use crate::search::random::Random;

/// Steps of a cooling; a power of two, so that the ratio of a step is a chain
/// of square roots.
const STEPS: u64 = 64;

/// Losses beyond this many moves are never accepted.
const MAX_LOSS: u32 = 128;

/// A temperature: how likely a loss is accepted.
#[derive(Debug, Clone)]
pub(super) struct Temperature {
    /// By loss in moves, 1 first: accepted when a random word is below.
    accept: [u64; MAX_LOSS as usize],
}

impl Temperature {
    /// The temperature at which a loss of `t` moves is accepted with
    /// probability 1/e.
    pub(super) fn new(t: f64) -> Self {
        // exp(-1/t) as (1 - 1/(2^k t))^(2^k), k = 16.
        let mut one = (1.0 - 1.0 / (65_536.0 * t)).max(0.0);
        for _ in 0..16 {
            one *= one;
        }
        let mut chance = 18_446_744_073_709_551_615.0;
        let accept = std::array::from_fn(|_| {
            chance *= one;
            chance as u64
        });
        Self { accept }
    }

    /// The temperature at which no loss is accepted.
    pub(super) fn frozen() -> Self {
        Self {
            accept: [0; MAX_LOSS as usize],
        }
    }

    /// The lowest score to go to from one of score `from`. Below it nothing is drawn,
    /// so it makes no difference to a batch how much below it a score is.
    #[inline]
    pub(super) const fn least(from: u32) -> u32 {
        from.saturating_sub(MAX_LOSS)
    }

    /// Whether to go from a state of score `from` to one of score `to`.
    #[inline]
    pub(super) fn accepts(&self, from: u32, to: u32, random: &mut Random) -> bool {
        if to >= from {
            return true;
        }
        match self.accept.get((from - to - 1) as usize) {
            Some(&limit) => random.word() < limit,
            None => false,
        }
    }
}

/// A geometric cooling.
#[derive(Debug, Clone)]
pub(super) struct Cooling {
    t: f64,
    ratio: f64,
    /// Evaluations at each temperature.
    stay: u64,
    /// The evaluation at which the next temperature begins.
    next: u64,
    temperature: Temperature,
}

impl Cooling {
    /// From `hot` to `cold` in that many evaluations.
    pub(super) fn new(hot: f64, cold: f64, evaluations: u64) -> Self {
        let mut ratio = cold / hot;
        for _ in 0..STEPS.ilog2() {
            ratio = ratio.sqrt();
        }
        let stay = evaluations.div_ceil(STEPS);
        Self {
            t: hot,
            ratio,
            stay,
            next: stay,
            temperature: Temperature::new(hot),
        }
    }

    /// The temperature at this evaluation; they must be asked for in order.
    #[inline]
    pub(super) fn at(&mut self, evaluation: u64) -> &Temperature {
        while evaluation >= self.next {
            self.next += self.stay;
            self.t *= self.ratio;
            self.temperature = Temperature::new(self.t);
        }
        &self.temperature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_accepted_as_metropolis_says() {
        for t in [0.3_f64, 1.0, 4.0, 20.0] {
            let temperature = Temperature::new(t);
            for loss in [1, 2, 7] {
                let expected = (-f64::from(loss) / t).exp();
                let chance = temperature.accept[loss as usize - 1] as f64 / 2.0_f64.powi(64);
                assert!(
                    (chance - expected).abs() < 2e-4,
                    "t {t} loss {loss}: {chance}"
                );
            }
        }
    }

    #[test]
    fn gains_always_and_losses_never_when_frozen() {
        let mut random = Random::new(1);
        let frozen = Temperature::frozen();
        assert!(frozen.accepts(5, 5, &mut random));
        assert!(frozen.accepts(5, 6, &mut random));
        assert!(!frozen.accepts(5, 4, &mut random));
        assert!(!Temperature::new(1e9).accepts(500, 0, &mut random));
        let (least, before) = (Temperature::least(500), random.clone());
        assert!(!Temperature::new(1e9).accepts(500, least - 1, &mut random));
        assert_eq!(random, before);
        assert!(Temperature::new(1e9).accepts(500, least, &mut random));
        assert_ne!(random, before);
    }

    #[test]
    fn cooling_ends_at_the_cold_temperature() {
        let mut cooling = Cooling::new(3.0, 0.5, 6400);
        cooling.at(0);
        assert!((cooling.t - 3.0).abs() < 1e-12);
        cooling.at(6399);
        assert!((cooling.t * cooling.ratio - 0.5).abs() < 1e-9);
    }
}
