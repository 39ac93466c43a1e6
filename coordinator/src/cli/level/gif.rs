//! A solution as a picture that moves.

use std::borrow::Cow;
use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use soko::board::Cell;
use soko::level::{ClassicLevel, Lurd, Position, Tile};
use soko::picture::tile_scene;

use super::Failure;
use super::raster::pixels;

/// How a film is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Film {
    /// Side of a cell in pixels; without it what gives a board of about 600
    /// pixels, within 8 and 40.
    pub cell: Option<u32>,
    /// Hundredths of a second for each frame.
    pub delay: u16,
    /// The most frames.
    pub frames: usize,
}

/// Hundredths of a second for the first and the last frame.
const REST: u16 = 150;

/// Writes the moves as an animated GIF, frame by frame: what is kept in memory
/// is one picture of the board. Each frame holds only the rectangle that
/// changed. If there are more moves than frames, walks are shortened to every
/// so many moves, and pushes as well if there are more of them than half the
/// frames. Gives the number of frames.
pub(crate) fn write_film(
    out: impl Write,
    level: &ClassicLevel,
    lurd: &Lurd,
    film: Film,
) -> Result<usize, Failure> {
    let size = level.size();
    let longest = u32::from(size.rows().max(size.cols()));
    let cell = film.cell.unwrap_or((600 / longest).clamp(8, 40));
    let sprites = Sprites::new(cell)?;
    let mut canvas = Canvas::new(level, &sprites)?;
    let failed = |error: EncodingError| {
        Failure::new(
            "io",
            format!("cannot write the film: {error}"),
            "make sure that there is room on the disk",
        )
    };
    let mut encoder =
        Encoder::new(out, canvas.width, canvas.height, &sprites.palette).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;

    let mut position = Position::new(level);
    for cell in size.cells() {
        canvas.put(cell, position.tile(cell), &sprites);
    }
    encoder.write_frame(&canvas.frame(REST)).map_err(failed)?;
    let mut written = 1;
    let shown = Shown::new(lurd, film.frames);
    let last = lurd.len().saturating_sub(1);
    let mut since = 0;
    let mut touched: Vec<Cell> = Vec::new();
    for (index, step) in lurd.moves().iter().enumerate() {
        touched.push(position.player());
        let Some(made) = position.step(step.dir) else {
            break;
        };
        touched.push(position.player());
        touched.extend(made.pushed.map(|number| position.boxes()[number]));
        since += 1;
        let over = index == last || position.is_solved();
        if over || since >= shown.every || (shown.pushes && made.step.push) {
            since = 0;
            for cell in touched.drain(..) {
                canvas.put(cell, position.tile(cell), &sprites);
            }
            let delay = if over { REST } else { film.delay };
            encoder.write_frame(&canvas.frame(delay)).map_err(failed)?;
            written += 1;
        }
        if over {
            break;
        }
    }
    Ok(written)
}

/// Which moves get a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    /// After so many moves without one.
    every: usize,
    /// After each push.
    pushes: bool,
}

impl Shown {
    fn new(lurd: &Lurd, frames: usize) -> Self {
        // One is the start.
        let frames = frames.saturating_sub(1).max(1);
        let pushes = lurd.pushes();
        if lurd.len() <= frames {
            Self {
                every: 1,
                pushes: true,
            }
        } else if pushes <= frames / 2 {
            let walks = lurd.len() - pushes;
            Self {
                every: walks.div_ceil(frames - pushes),
                pushes: true,
            }
        } else {
            Self {
                every: lurd.len().div_ceil(frames),
                pushes: false,
            }
        }
    }
}

/// The pictures of all tiles, in the colours of one palette.
struct Sprites {
    cell: usize,
    /// For each tile of [`Tile::ALL`] the colours of its pixels.
    tiles: Vec<Vec<u8>>,
    /// Red, green and blue of each colour.
    palette: Vec<u8>,
}

impl Sprites {
    fn new(cell: u32) -> Result<Self, Failure> {
        let drawn = Tile::ALL
            .iter()
            .map(|&tile| pixels(&tile_scene(tile, cell)))
            .collect::<Result<Vec<_>, Failure>>()?;
        // Large cells have many shades at their edges; fewer bits for each
        // colour until they fit a palette.
        let mut mask = 0xff_u8;
        loop {
            let colors = |picture: &resvg::tiny_skia::Pixmap| {
                let pixels = picture.pixels().iter();
                pixels
                    .map(|pixel| {
                        [
                            pixel.red() & mask,
                            pixel.green() & mask,
                            pixel.blue() & mask,
                        ]
                    })
                    .collect::<Vec<[u8; 3]>>()
            };
            let tiles: Vec<Vec<[u8; 3]>> = drawn.iter().map(colors).collect();
            let mut palette: Vec<[u8; 3]> = tiles.iter().flatten().copied().collect();
            palette.sort_unstable();
            palette.dedup();
            if palette.len() <= 256 {
                let index = |color| palette.binary_search(color).unwrap_or(0) as u8;
                return Ok(Self {
                    cell: cell as usize,
                    tiles: tiles
                        .iter()
                        .map(|tile| tile.iter().map(index).collect())
                        .collect(),
                    palette: palette.concat(),
                });
            }
            mask <<= 1;
        }
    }

    fn of(&self, tile: Tile) -> &[u8] {
        let index = Tile::ALL.iter().position(|&known| known == tile);
        &self.tiles[index.unwrap_or(0)]
    }
}

/// The whole picture, and what of it changed since the last frame.
struct Canvas {
    cell: usize,
    cols: usize,
    width: u16,
    height: u16,
    pixels: Vec<u8>,
    /// What is drawn on each cell.
    tiles: Vec<Option<Tile>>,
    /// First column and row and those after the last, of the changed pixels.
    changed: Option<[usize; 4]>,
}

impl Canvas {
    fn new(level: &ClassicLevel, sprites: &Sprites) -> Result<Self, Failure> {
        let size = level.size();
        // A strip of wall around the board.
        let side = |cells: u16| {
            u16::try_from(usize::from(cells) * sprites.cell + 2 * margin(sprites.cell)).ok()
        };
        let (Some(width), Some(height)) = (side(size.cols()), side(size.rows())) else {
            return Err(Failure::new(
                "picture",
                "the film would have more than 65535 pixels on one side",
                "make the cells smaller with --cell",
            ));
        };
        let wall = sprites.of(Tile::Wall)[0];
        Ok(Self {
            cell: sprites.cell,
            cols: size.cols().into(),
            width,
            height,
            pixels: vec![wall; usize::from(width) * usize::from(height)],
            tiles: vec![None; size.area()],
            changed: Some([0, 0, width.into(), height.into()]),
        })
    }

    fn put(&mut self, cell: Cell, tile: Tile, sprites: &Sprites) {
        if self.tiles[cell.index()].replace(tile) == Some(tile) {
            return;
        }
        let side = self.cell;
        let left = cell.index() % self.cols * side + margin(side);
        let top = cell.index() / self.cols * side + margin(side);
        let width = usize::from(self.width);
        for (row, line) in (top..).zip(sprites.of(tile).chunks(side)) {
            self.pixels[row * width + left..][..side].copy_from_slice(line);
        }
        let [from_left, from_top, to_left, to_top] = self.changed.unwrap_or([left, top, left, top]);
        self.changed = Some([
            from_left.min(left),
            from_top.min(top),
            to_left.max(left + side),
            to_top.max(top + side),
        ]);
    }

    fn frame(&mut self, delay: u16) -> Frame<'static> {
        let [left, top, right, bottom] = self.changed.take().unwrap_or([0, 0, 1, 1]);
        let width = usize::from(self.width);
        let rows = self.pixels.chunks(width).skip(top).take(bottom - top);
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            buffer: Cow::Owned(
                rows.flat_map(|row| row[left..right].iter().copied())
                    .collect(),
            ),
            ..Frame::default()
        }
    }
}

/// Width of the strip of wall around the board.
const fn margin(cell: usize) -> usize {
    cell.div_ceil(3)
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    fn film(frames: usize) -> Film {
        Film {
            cell: Some(10),
            delay: 8,
            frames,
        }
    }

    /// The pixels of the last frame, put together by hand from the file, and
    /// the number of frames.
    fn played(bytes: &[u8]) -> (Vec<u8>, usize) {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut picture = vec![0; width * height];
        let mut count = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (index, &color) in frame.buffer.iter().enumerate() {
                let row = usize::from(frame.top) + index / usize::from(frame.width);
                let col = usize::from(frame.left) + index % usize::from(frame.width);
                picture[row * width + col] = color;
            }
            count += 1;
        }
        (picture, count)
    }

    #[test]
    fn the_last_frame_is_the_solved_level() {
        let level: ClassicLevel = "@$-.\n-$-.\n".parse().unwrap();
        let lurd: Lurd = "RRlldRR".parse().unwrap();
        let mut bytes = Vec::new();
        assert_eq!(write_film(&mut bytes, &level, &lurd, film(100)).unwrap(), 8);
        let (picture, count) = played(&bytes);
        assert_eq!(count, 8);
        let sprites = Sprites::new(10).unwrap();
        let mut end = Canvas::new(&level, &sprites).unwrap();
        let grid: soko::level::Grid = {
            let mut position = Position::new(&level);
            for step in lurd.moves() {
                position.step(step.dir).unwrap();
            }
            position.grid()
        };
        for (cell, &tile) in level.size().cells().zip(grid.tiles()) {
            end.put(cell, tile, &sprites);
        }
        assert_eq!(picture, end.pixels);
    }

    #[test]
    fn frames_are_capped_and_pushes_kept() {
        let moves = |text: &str| text.parse::<Lurd>().unwrap();
        let every = |text: &str, frames| Shown::new(&moves(text), frames);
        assert_eq!(
            every("10r", 11),
            Shown {
                every: 1,
                pushes: true
            }
        );
        assert_eq!(
            every("90rR", 11),
            Shown {
                every: 10,
                pushes: true
            }
        );
        assert_eq!(
            every("90r90R", 11),
            Shown {
                every: 18,
                pushes: false
            }
        );
        let level: ClassicLevel = "@-------$.\n".parse().unwrap();
        let mut bytes = Vec::new();
        let written = write_film(&mut bytes, &level, &moves("7rR"), film(4)).unwrap();
        assert!(written <= 4, "{written}");
        assert_eq!(played(&bytes).1, written);
    }

    #[test]
    fn large_cells_fit_a_palette() {
        let sprites = Sprites::new(200).unwrap();
        assert!(sprites.palette.len() <= 3 * 256);
    }
}
