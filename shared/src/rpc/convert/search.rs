//! Searches, modes and 128-bit numbers.

use super::{WireError, hunt::hunt_from_wire};
use crate::{
    board::Size,
    plan::{Mode, Search},
    rpc::v1,
};

impl From<u128> for v1::U128 {
    fn from(value: u128) -> Self {
        Self {
            high: (value >> 64) as u64,
            low: value as u64,
        }
    }
}

impl From<v1::U128> for u128 {
    fn from(wire: v1::U128) -> Self {
        Self::from(wire.high) << 64 | Self::from(wire.low)
    }
}

impl From<Mode> for v1::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Exhaustive => Self::Exhaustive,
            Mode::Census => Self::Census,
            Mode::Anneal => Self::Anneal,
            Mode::Floor => Self::Floor,
            Mode::Neighborhood => Self::Neighborhood,
            Mode::Genetic => Self::Genetic,
            Mode::Beam => Self::Beam,
        }
    }
}

impl TryFrom<v1::Mode> for Mode {
    type Error = WireError;

    fn try_from(wire: v1::Mode) -> Result<Self, WireError> {
        match wire {
            v1::Mode::Unspecified => Err(WireError::Missing("mode")),
            v1::Mode::Exhaustive => Ok(Self::Exhaustive),
            v1::Mode::Census => Ok(Self::Census),
            v1::Mode::Anneal => Ok(Self::Anneal),
            v1::Mode::Floor => Ok(Self::Floor),
            v1::Mode::Neighborhood => Ok(Self::Neighborhood),
            v1::Mode::Genetic => Ok(Self::Genetic),
            v1::Mode::Beam => Ok(Self::Beam),
        }
    }
}

impl From<&Search> for v1::Search {
    fn from(search: &Search) -> Self {
        Self {
            rows: search.size.rows().into(),
            cols: search.size.cols().into(),
            mode: v1::Mode::from(search.mode).into(),
            seed: search.seed,
            connected: search.connected,
            shard_ms: search.shard_ms,
            hunt: search.hunt.as_deref().map(v1::Hunt::from),
        }
    }
}

/// Checks that the search is well-formed; whether the engine of its mode can
/// handle the board is the business of [`Search::validate`].
impl TryFrom<&v1::Search> for Search {
    type Error = WireError;

    fn try_from(wire: &v1::Search) -> Result<Self, WireError> {
        let mode = v1::Mode::try_from(wire.mode).map_err(|_| WireError::UnknownValue {
            field: "mode",
            value: wire.mode,
        })?;
        let size = Size::new(wire.rows.into(), wire.cols.into())?;
        let hunt = wire.hunt.as_ref();
        let hunt = hunt.map(|hunt| hunt_from_wire(hunt, size)).transpose()?;
        Ok(Self {
            size,
            mode: mode.try_into()?,
            seed: wire.seed,
            connected: wire.connected,
            shard_ms: wire.shard_ms,
            hunt: hunt.map(Box::new),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_of_128_bits_round_trip(value: u128) {
            prop_assert_eq!(u128::from(v1::U128::from(value)), value);
        }

        #[test]
        fn searches_round_trip(rows in 1u64..=256, cols in 1u64..=256, mode in 0usize..3, seed: u64, connected: bool, shard_ms: u32) {
            let mode = [Mode::Census, Mode::Exhaustive, Mode::Floor][mode];
            let search = Search { seed, connected, shard_ms, ..Search::new(Size::new(rows, cols).unwrap(), mode) };
            prop_assert_eq!(Search::try_from(&v1::Search::from(&search)), Ok(search));
        }
    }

    #[test]
    fn searches_that_make_no_sense_are_refused() {
        let good = v1::Search {
            rows: 3,
            cols: 3,
            mode: 1,
            ..v1::Search::default()
        };
        assert!(Search::try_from(&good).is_ok());
        let with = |change: fn(&mut v1::Search)| {
            let mut search = good.clone();
            change(&mut search);
            Search::try_from(&search).unwrap_err()
        };
        assert!(matches!(with(|s| s.rows = 0), WireError::Size(_)));
        assert!(matches!(with(|s| s.cols = u32::MAX), WireError::Size(_)));
        assert_eq!(with(|s| s.mode = 0), WireError::Missing("mode"));
        assert!(matches!(
            with(|s| s.mode = 77),
            WireError::UnknownValue { value: 77, .. }
        ));
    }
}
