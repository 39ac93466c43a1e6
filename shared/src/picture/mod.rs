//! Pictures of levels and their solutions, as drawings that are written as SVG
//! here and turned into pixels elsewhere.

mod color;
mod level;
mod route;
mod scene;
mod tile;

pub use color::Color;
pub use level::{HeatOf, LevelPicture, level_picture};
pub use scene::{Anchor, Item, Scene};
pub use tile::{draw_tile, tile_scene};
