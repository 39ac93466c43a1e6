//! Colours, and the scales and sets of them that pictures use.

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Around the board and wherever there is no floor.
    pub const WALL: Self = Self(0x3e, 0x47, 0x56);
    /// Empty floor.
    pub const FLOOR: Self = Self(0xf6, 0xf2, 0xe8);
    /// Lines between floor cells.
    pub const GRID: Self = Self(0xdd, 0xd6, 0xc6);
    /// The ring of a goal.
    pub const GOAL: Self = Self(0x1f, 0x8a, 0x4c);
    /// A box beside the goals.
    pub const BOX: Self = Self(0xd9, 0xa0, 0x5b);
    /// A box on a goal.
    pub const BOX_ON_GOAL: Self = Self(0x8f, 0xbf, 0x6a);
    /// The edge of a box.
    pub const BOX_EDGE: Self = Self(0x6b, 0x45, 0x1a);
    /// The player.
    pub const PLAYER: Self = Self(0x24, 0x5f, 0xc9);
    /// Letters.
    pub const INK: Self = Self(0x1b, 0x1f, 0x27);
    /// The ground of a picture.
    pub const PAPER: Self = Self(0xff, 0xff, 0xff);

    /// The way of the only box, from its start to its goal.
    const WAY: [Self; 3] = [
        Self(0x1b, 0x7f, 0xbd),
        Self(0x8b, 0x4b, 0xb8),
        Self(0xd9, 0x2f, 0x4b),
    ];
    /// From few visits to many.
    const HEAT: [Self; 4] = [
        Self(0xff, 0xf6, 0xcf),
        Self(0xfd, 0xc2, 0x6a),
        Self(0xee, 0x6c, 0x3c),
        Self(0xa5, 0x1c, 0x30),
    ];
    /// The ways of several boxes.
    const BOXES: [Self; 6] = [
        Self(0x1b, 0x7f, 0xbd),
        Self(0xd9, 0x2f, 0x4b),
        Self(0x8b, 0x4b, 0xb8),
        Self(0xc8, 0x6a, 0x0a),
        Self(0x0f, 0x8b, 0x8d),
        Self(0x7a, 0x6c, 0x1d),
    ];

    /// Along the way of the only box; `share` from 0 at its start to 1.
    pub(super) fn of_way(share: f64) -> Self {
        Self::along(&Self::WAY, share)
    }

    /// For a share of the most visits, from 0 to 1.
    pub(super) fn of_heat(share: f64) -> Self {
        Self::along(&Self::HEAT, share)
    }

    /// For the way of one of several boxes.
    pub(super) fn of_box(number: usize) -> Self {
        Self::BOXES[number % Self::BOXES.len()]
    }

    fn along(stops: &[Self], share: f64) -> Self {
        let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let index = (place as usize).min(stops.len() - 2);
        let part = place - index as f64;
        let (from, to) = (stops[index], stops[index + 1]);
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round();
        Self(
            mix(from.0, to.0) as u8,
            mix(from.1, to.1) as u8,
            mix(from.2, to.2) as u8,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_begin_and_end_with_their_ends() {
        assert_eq!(Color::of_way(0.0), Color::WAY[0]);
        assert_eq!(Color::of_way(0.5), Color::WAY[1]);
        assert_eq!(Color::of_way(1.0), Color::WAY[2]);
        assert_eq!(Color::of_heat(7.0), Color::HEAT[3]);
    }
}
