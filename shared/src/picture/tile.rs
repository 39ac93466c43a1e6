//! A single cell.

use super::{Color, Item, Scene};
use crate::level::Tile;

/// Draws what stands on a cell whose upper left corner is `at`, without the
/// floor or wall below.
pub fn draw_tile(items: &mut Vec<Item>, tile: Tile, at: (f64, f64), cell: f64) {
    let center = (at.0 + cell / 2.0, at.1 + cell / 2.0);
    let line = (cell / 18.0).max(1.0);
    if tile.has_goal() {
        items.push(Item::Dot {
            center,
            radius: cell * 0.36,
            color: Color::PAPER,
            edge: Some((Color::GOAL, line * 1.5)),
        });
        items.push(Item::Dot {
            center,
            radius: cell * 0.13,
            color: Color::GOAL,
            edge: None,
        });
    }
    if tile.has_box() {
        let side = cell * 0.68;
        let color = if tile.has_goal() {
            Color::BOX_ON_GOAL
        } else {
            Color::BOX
        };
        items.push(Item::Rect {
            at: (center.0 - side / 2.0, center.1 - side / 2.0),
            size: (side, side),
            color,
            round: cell * 0.08,
            edge: Some((Color::BOX_EDGE, line)),
        });
    }
    if tile.has_player() {
        items.push(Item::Dot {
            center,
            radius: cell * 0.3,
            color: Color::PLAYER,
            edge: Some((Color::PAPER, line)),
        });
    }
}

/// A cell as a picture of its own, for pictures that move.
pub fn tile_scene(tile: Tile, cell: u32) -> Scene {
    let side = f64::from(cell);
    let ground = if tile.is_floor() {
        Color::FLOOR
    } else {
        Color::WALL
    };
    let mut items = vec![Item::rect((0.0, 0.0), (side, side), ground)];
    if tile.is_floor() {
        let line = |from, to| Item::line(from, to, Color::GRID);
        let far = side - 0.5;
        items.push(line((0.0, far), (side, far)));
        items.push(line((far, 0.0), (far, side)));
    }
    draw_tile(&mut items, tile, (0.0, 0.0), side);
    Scene {
        width: cell,
        height: cell,
        items,
    }
}
