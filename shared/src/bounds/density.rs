//! The density plot: how much room the longest known levels take.

use super::{best_parameters, construction_moves};
use crate::picture::{Anchor, Color, Item, Scene};

/// The longest known level of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPoint {
    /// Side of the square board.
    pub n: u64,
    /// Moves of its shortest solution.
    pub moves: u64,
    /// Whether M(n) is proven to be this.
    pub exact: bool,
}

const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
const RECORD: Color = Color(0xb5, 0x3c, 0x38);
const CURVE: Color = Color(0x25, 0x6d, 0x85);
const LIMIT: Color = Color(0x55, 0x55, 0x55);
const GRID: Color = Color(0xdd, 0xdd, 0xdd);
/// What the construction's n⁴/moves tends to.
const LIMIT_VALUE: f64 = 56.0;
/// The construction is drawn for these n.
const CURVE_RANGE: std::ops::Range<u64> = 30..500;

/// Draws n⁴/M(n) over n for the records (hollow where M(n) is exact), for the
/// construction, and the construction's limit 56. Sizes below 1 and records of
/// no moves are left out.
pub fn density_plot(records: &[RecordPoint]) -> Scene {
    let points: Vec<(RecordPoint, f64)> = records
        .iter()
        .filter(|record| record.n > 0 && record.moves > 0)
        .map(|&record| (record, (record.n as f64).powi(4) / record.moves as f64))
        .collect();
    let curve: Vec<(f64, f64)> = CURVE_RANGE
        .filter_map(|n| {
            let (m, bands) = best_parameters(n)?;
            let moves = construction_moves(m, bands) as f64;
            Some((n as f64, (n as f64).powi(4) / moves))
        })
        .collect();
    let values = points.iter().map(|&(_, value)| value);
    let highest = values
        .chain(curve.iter().map(|&(_, value)| value))
        .fold(LIMIT_VALUE, f64::max);
    let first = points.iter().map(|(record, _)| record.n).min();
    let last = points.iter().map(|(record, _)| record.n).max();
    let axes = Axes {
        n: (
            first.unwrap_or(3).min(3) as f64,
            last.unwrap_or(0).max(CURVE_RANGE.end) as f64,
        ),
        top: (highest / 20.0).ceil() * 20.0,
    };
    let mut items = axes.items();
    items.extend(
        curve
            .iter()
            .map(|&(n, value)| dot(axes.place(n, value), 1.0, CURVE)),
    );
    items.push(limit(
        axes.place(axes.n.0, LIMIT_VALUE),
        axes.place(axes.n.1, LIMIT_VALUE),
    ));
    items.extend(
        points
            .iter()
            .map(|&(record, value)| mark(axes.place(record.n as f64, value), record.exact)),
    );
    items.extend(legend());
    Scene {
        width: WIDTH as u32,
        height: HEIGHT as u32,
        items,
    }
}

fn dot(center: (f64, f64), radius: f64, color: Color) -> Item {
    Item::Dot {
        center,
        radius,
        color,
        edge: None,
    }
}

/// A record, hollow if it is exact.
fn mark(center: (f64, f64), exact: bool) -> Item {
    Item::Dot {
        center,
        radius: 4.0,
        color: if exact { Color::PAPER } else { RECORD },
        edge: Some((RECORD, 1.0)),
    }
}

fn limit(from: (f64, f64), to: (f64, f64)) -> Item {
    Item::Line {
        points: vec![from, to],
        color: LIMIT,
        width: 1.0,
        dashed: true,
    }
}

fn text(at: (f64, f64), anchor: Anchor, text: impl Into<String>) -> Item {
    Item::Text {
        at,
        anchor,
        size: 14.0,
        text: text.into(),
    }
}

/// n on a logarithmic axis to the right, n⁴/moves on a linear one upwards.
struct Axes {
    n: (f64, f64),
    top: f64,
}

impl Axes {
    fn place(&self, n: f64, value: f64) -> (f64, f64) {
        let along = (n / self.n.0).ln() / (self.n.1 / self.n.0).ln();
        let up = value / self.top;
        (
            LEFT + along * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM),
        )
    }

    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for value in (0..=self.top as u32).step_by(20) {
            let (x, y) = self.place(self.n.0, value.into());
            items.push(Item::line((x, y), (WIDTH - RIGHT, y), GRID));
            items.push(text((x - 8.0, y + 5.0), Anchor::End, value.to_string()));
        }
        for n in [3, 4, 5, 6, 8, 10, 20, 30, 50, 100, 200, 500, 1000] {
            let n = f64::from(n);
            if n < self.n.0 || n > self.n.1 {
                continue;
            }
            let (x, y) = self.place(n, 0.0);
            items.push(Item::line((x, y), (x, TOP), GRID));
            items.push(text((x, y + 20.0), Anchor::Middle, n.to_string()));
        }
        let corner = self.place(self.n.0, 0.0);
        for to in [(corner.0, TOP), (WIDTH - RIGHT, corner.1)] {
            items.push(Item::line(corner, to, Color::INK));
        }
        items.push(text(
            (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 15.0),
            Anchor::Middle,
            "board side n",
        ));
        items.push(text((12.0, 24.0), Anchor::Start, "n⁴ / moves"));
        items
    }
}

fn legend() -> Vec<Item> {
    let place = |row: f64| (LEFT + 30.0, TOP + 20.0 + 22.0 * row);
    let text = |row: f64, what| text((LEFT + 50.0, TOP + 25.0 + 22.0 * row), Anchor::Start, what);
    vec![
        mark(place(0.0), false),
        text(0.0, "longest known level"),
        mark(place(1.0), true),
        text(1.0, "M(n), proven"),
        dot(place(2.0), 1.0, CURVE),
        text(2.0, "construction"),
        limit((LEFT + 20.0, TOP + 86.0), (LEFT + 40.0, TOP + 86.0)),
        text(3.0, "limit of the construction, 56"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_is_a_dot_and_exact_ones_are_hollow() {
        let record = |n, moves, exact| RecordPoint { n, moves, exact };
        let records = [
            record(3, 10, true),
            record(20, 3582, false),
            record(48, 107_593, false),
            record(0, 0, false),
        ];
        let scene = density_plot(&records);
        let dots = |wanted: bool| {
            let items = scene.items.iter();
            let found = items.filter(|item| {
                matches!(item, Item::Dot { radius, color, .. } if *radius > 2.0 && (*color == Color::PAPER) == wanted)
            });
            found.count()
        };
        // One of each in the legend.
        assert_eq!((dots(true), dots(false)), (2, 3));
        for item in &scene.items {
            if let Item::Dot { center: (x, y), .. } = item {
                assert!((0.0..WIDTH).contains(x) && (0.0..HEIGHT).contains(y));
            }
        }
    }

    #[test]
    fn without_records_there_still_is_the_curve() {
        assert!(density_plot(&[]).items.len() > 400);
    }
}
