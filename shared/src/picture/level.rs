//! A level with the way of its solution.

use super::route::Route;
use super::{Anchor, Color, Item, Scene, draw_tile};
use crate::analysis::visits;
use crate::board::Cell;
use crate::level::{ClassicLevel, Grid, Lurd};
use crate::text::counted;

/// Whose visits a heat map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeatOf {
    /// Visits of the player.
    Player,
    /// Visits of the boxes.
    Boxes,
}

/// What to draw.
#[derive(Debug, Clone)]
pub struct LevelPicture<'a> {
    /// The level.
    pub level: &'a ClassicLevel,
    /// Moves whose way is drawn.
    pub solution: Option<&'a Lurd>,
    /// Floor in the colours of how often it is visited, instead of one.
    pub heat: Option<HeatOf>,
    /// Walks of at least this many moves get their length as a label; without
    /// it those at least half as long as the longest.
    pub label_from: Option<usize>,
    /// Side of a cell in pixels; without it about 900 pixels for the board,
    /// within 18 and 64 for a cell.
    pub cell: Option<u32>,
    /// Text below the board.
    pub caption: Option<&'a str>,
    /// Also what labels and heat mean.
    pub legend: bool,
}

const SMALLEST_CELL: u32 = 18;
const LARGEST_CELL: u32 = 64;
/// Height of the letters below the board.
const LETTERS: f64 = 14.0;
/// Width of a letter, as a share of its height: that of a broad digit.
const LETTER_WIDTH: f64 = 0.64;

/// Draws a level, the way of its boxes from blue to red (of several boxes, each
/// in its own colour), and the lengths of long walks at the box that is pushed
/// after them.
pub fn level_picture(picture: &LevelPicture<'_>) -> Scene {
    let level = picture.level;
    let size = level.size();
    let sides = (u32::from(size.cols()), u32::from(size.rows()));
    let cell = picture.cell.unwrap_or_else(|| {
        let fitting = 900 / sides.0.max(sides.1);
        fitting.clamp(SMALLEST_CELL, LARGEST_CELL)
    });
    let cell = cell.max(1);
    let drawing = Drawing {
        level,
        cell: cell.into(),
        margin: (f64::from(cell) * 0.4).round(),
    };
    let width = f64::from(sides.0 * cell) + 2.0 * drawing.margin;
    let board_height = f64::from(sides.1 * cell) + 2.0 * drawing.margin;
    let route = picture.solution.map(|lurd| Route::of(level, lurd));
    let label_from = picture.label_from.or_else(|| {
        let longest = route.as_ref()?.longest_walk();
        Some(longest.div_ceil(2).max(2))
    });

    let mut items = vec![Item::rect((0.0, 0.0), (width, board_height), Color::WALL)];
    drawing.floor(&mut items);
    let most = picture
        .heat
        .map(|heat| drawing.heat(&mut items, heat, picture.solution));
    drawing.grid(&mut items);
    drawing.tiles(&mut items);
    if let Some(route) = &route {
        drawing.ways(&mut items, route);
        drawing.labels(&mut items, route, label_from.unwrap_or(1));
    }

    let mut lines: Vec<String> = Vec::new();
    let letters = ((width - 12.0) / (LETTERS * LETTER_WIDTH)) as usize;
    if let Some(caption) = picture.caption {
        lines.extend(wrapped(caption, letters));
    }
    if let (Some(route), Some(from)) = (&route, label_from)
        && picture.legend
        && route.walks.values().flatten().any(|&walk| walk >= from)
    {
        let text = format!(
            "numbers: walks of {} or more to the next push",
            counted(from, "move")
        );
        lines.extend(wrapped(&text, letters));
    }
    if let (Some(heat), Some(most)) = (picture.heat, most)
        && picture.legend
    {
        let whom = match heat {
            HeatOf::Player => "player",
            HeatOf::Boxes => "boxes",
        };
        let text = format!("heat: visits of the {whom}, at most {most}");
        lines.extend(wrapped(&text, letters));
    }
    let line_height = LETTERS * 1.4;
    for (line, text) in (1..).zip(&lines) {
        items.push(Item::Text {
            at: (6.0, board_height + line_height * f64::from(line)),
            anchor: Anchor::Start,
            size: LETTERS,
            text: text.clone(),
        });
    }
    let below = if lines.is_empty() {
        0.0
    } else {
        line_height * lines.len() as f64 + 8.0
    };
    Scene {
        width: width as u32,
        height: (board_height + below).ceil() as u32,
        items,
    }
}

struct Drawing<'a> {
    level: &'a ClassicLevel,
    cell: f64,
    margin: f64,
}

impl Drawing<'_> {
    /// Upper left corner of a cell.
    fn corner(&self, cell: Cell) -> (f64, f64) {
        let size = self.level.size();
        self.place(f64::from(size.row(cell)), f64::from(size.col(cell)))
    }

    fn place(&self, row: f64, col: f64) -> (f64, f64) {
        (self.margin + col * self.cell, self.margin + row * self.cell)
    }

    fn center(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    fn is_floor(&self, row: u16, col: u16) -> bool {
        let size = self.level.size();
        row < size.rows() && col < size.cols() && self.level.board().is_floor(size.cell(row, col))
    }

    /// One rectangle for each run of floor in a row.
    fn floor(&self, items: &mut Vec<Item>) {
        let size = self.level.size();
        for row in 0..size.rows() {
            for (from, to) in runs(size.cols(), |col| self.is_floor(row, col)) {
                let at = self.place(row.into(), from.into());
                let width = f64::from(to - from) * self.cell;
                items.push(Item::rect(at, (width, self.cell), Color::FLOOR));
            }
        }
    }

    /// Colours visited floor; gives the most visits.
    fn heat(&self, items: &mut Vec<Item>, heat: HeatOf, solution: Option<&Lurd>) -> u32 {
        let nothing = Lurd::default();
        let found = visits(self.level, solution.unwrap_or(&nothing));
        let counts = match heat {
            HeatOf::Player => found.player,
            HeatOf::Boxes => found.boxes,
        };
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        for cell in self.level.board().floor_cells() {
            let count = counts[cell.index()];
            if count > 0 {
                // The first visit is the step that matters most.
                let share = f64::from(count).ln_1p() / f64::from(most).ln_1p();
                items.push(Item::rect(
                    self.corner(cell),
                    (self.cell, self.cell),
                    Color::of_heat(share),
                ));
            }
        }
        most
    }

    /// Thin lines between floor cells, in as few pieces as possible.
    fn grid(&self, items: &mut Vec<Item>) {
        let size = self.level.size();
        for col in 1..size.cols() {
            let between = |row| self.is_floor(row, col) && self.is_floor(row, col - 1);
            for (from, to) in runs(size.rows(), between) {
                let (x, y) = self.place(from.into(), col.into());
                let end = (x, y + f64::from(to - from) * self.cell);
                items.push(Item::line((x, y), end, Color::GRID));
            }
        }
        for row in 1..size.rows() {
            let between = |col| self.is_floor(row, col) && self.is_floor(row - 1, col);
            for (from, to) in runs(size.cols(), between) {
                let (x, y) = self.place(row.into(), from.into());
                let end = (x + f64::from(to - from) * self.cell, y);
                items.push(Item::line((x, y), end, Color::GRID));
            }
        }
    }

    fn tiles(&self, items: &mut Vec<Item>) {
        let grid = Grid::from(self.level);
        for (cell, &tile) in self.level.size().cells().zip(grid.tiles()) {
            draw_tile(items, tile, self.corner(cell), self.cell);
        }
    }

    /// The way of each box as a line through the middles of its cells, with a
    /// head where it ends.
    fn ways(&self, items: &mut Vec<Item>, route: &Route) {
        let boxes = self.level.boxes().len();
        let all = route.pushes.len() as f64;
        let width = (self.cell * 0.13).max(1.5);
        // Beside each other where several go the same way.
        let center = |number: usize, cell| {
            let share = (number as f64 + 0.5) / boxes as f64 - 0.5;
            let (x, y) = self.center(cell);
            (x + share * self.cell * 0.4, y + share * self.cell * 0.4)
        };
        let mut last = vec![None; boxes];
        for (index, &(number, from, to)) in route.pushes.iter().enumerate() {
            let color = if boxes == 1 {
                Color::of_way(index as f64 / (all - 1.0).max(1.0))
            } else {
                Color::of_box(number)
            };
            items.push(Item::Line {
                points: vec![center(number, from), center(number, to)],
                color,
                width,
                dashed: false,
            });
            last[number] = Some((center(number, from), center(number, to), color));
        }
        for ((x0, y0), (x, y), color) in last.into_iter().flatten() {
            let (along, across) = ((x - x0) / self.cell, (y - y0) / self.cell);
            let half = self.cell * 0.2;
            items.push(Item::Area {
                points: vec![
                    (x + along * half, y + across * half),
                    (
                        x - along * half - across * half,
                        y - across * half + along * half,
                    ),
                    (
                        x - along * half + across * half,
                        y - across * half - along * half,
                    ),
                ],
                color,
            });
        }
    }

    /// The lengths of long walks, on a light ground.
    fn labels(&self, items: &mut Vec<Item>, route: &Route, from: usize) {
        let letters = (self.cell * 0.44).clamp(7.0, 16.0);
        for (&cell, walks) in &route.walks {
            let long: Vec<usize> = walks.iter().copied().filter(|&walk| walk >= from).collect();
            let Some(text) = label(&long) else { continue };
            let (x, mut y) = self.center(cell);
            if self.level.boxes().contains(&cell) {
                // So that the box is seen below it.
                y -= self.cell * 0.34;
            }
            let width = text.chars().count() as f64 * letters * LETTER_WIDTH + letters * 0.3;
            let height = letters * 1.15;
            items.push(Item::Rect {
                at: (x - width / 2.0, y - height / 2.0),
                size: (width, height),
                color: Color::PAPER,
                round: letters * 0.3,
                edge: Some((Color::INK, 0.5)),
            });
            items.push(Item::Text {
                at: (x, y + letters * 0.36),
                anchor: Anchor::Middle,
                size: letters,
                text,
            });
        }
    }
}

/// The walks at one cell: `17`, `17·2` for two of the same length, `17+14` for
/// two others, `5×≤17` for more.
fn label(walks: &[usize]) -> Option<String> {
    Some(match walks {
        [] => return None,
        [one] => one.to_string(),
        [first, rest @ ..] if rest.iter().all(|walk| walk == first) => {
            format!("{first}·{}", walks.len())
        }
        [first, second] => format!("{first}+{second}"),
        many => format!(
            "{}×≤{}",
            many.len(),
            many.iter().copied().max().unwrap_or(0)
        ),
    })
}

/// Runs of numbers below `end` that fulfil a condition, each as its first
/// number and the one after its last.
fn runs(end: u16, condition: impl Fn(u16) -> bool) -> Vec<(u16, u16)> {
    let mut found: Vec<(u16, u16)> = Vec::new();
    for number in (0..end).filter(|&number| condition(number)) {
        match found.last_mut() {
            Some((_, after)) if *after == number => *after += 1,
            _ => found.push((number, number + 1)),
        }
    }
    found
}

/// Cuts a text into lines of at most so many letters, between words.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture<'a>(level: &'a ClassicLevel, solution: Option<&'a Lurd>) -> LevelPicture<'a> {
        LevelPicture {
            level,
            solution,
            heat: None,
            label_from: None,
            cell: None,
            caption: None,
            legend: true,
        }
    }

    fn labels(scene: &Scene) -> Vec<&str> {
        let texts = scene.items.iter().filter_map(|item| match item {
            Item::Text { anchor, text, .. } if *anchor == Anchor::Middle => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    const SIX: &str = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n";

    #[test]
    fn long_walks_of_the_6x6_optimum_are_labelled() {
        let one = SIX.parse().unwrap();
        let solution = crate::solve::shortest(&one).unwrap().unwrap();
        let level = ClassicLevel::from(&one);
        let scene = level_picture(&picture(&level, Some(&solution.lurd)));
        // Those of 17, 14, 18 and 16; the one of 4 is short.
        let mut found = labels(&scene);
        found.sort_unstable();
        assert_eq!(found, ["14", "16", "17", "18"]);
        let all = LevelPicture {
            label_from: Some(1),
            ..picture(&level, Some(&solution.lurd))
        };
        assert_eq!(labels(&level_picture(&all)).len(), 5);
    }

    #[test]
    fn every_push_is_a_piece_of_the_way() {
        let level: ClassicLevel = "@$-.\n-$-.\n".parse().unwrap();
        let lurd = "RRlldRR".parse().unwrap();
        let with = level_picture(&picture(&level, Some(&lurd)));
        let without = level_picture(&picture(&level, None));
        let pieces = |scene: &Scene| {
            let items = scene.items.iter();
            items
                .filter(|item| matches!(item, Item::Line { width, .. } if *width > 1.0))
                .count()
        };
        assert_eq!((pieces(&without), pieces(&with)), (0, 4));
    }

    #[test]
    fn heat_colours_each_visited_cell() {
        let level: ClassicLevel = "@$.\n---\n".parse().unwrap();
        let lurd = "R".parse().unwrap();
        let plain = level_picture(&picture(&level, Some(&lurd)));
        let heat = level_picture(&LevelPicture {
            heat: Some(HeatOf::Player),
            ..picture(&level, Some(&lurd))
        });
        let colored = |scene: &Scene| {
            let items = scene.items.iter();
            items
                .filter(|item| matches!(item, Item::Rect { color, .. } if *color == Color::of_heat(1.0)))
                .count()
        };
        assert_eq!((colored(&plain), colored(&heat)), (0, 2));
    }

    #[test]
    fn boards_of_every_size_fit_their_picture() {
        for side in [1_u16, 3, 50, 256] {
            let rows = format!(
                "@$.{}\n{}",
                "-".repeat(side.into()),
                "#\n".repeat(side.into())
            );
            let grid = rows.parse::<ClassicLevel>();
            let Ok(level) = grid else { continue };
            let scene = level_picture(&picture(&level, None));
            let cells = u32::from(level.size().cols());
            assert!(scene.width >= cells * SMALLEST_CELL);
        }
    }

    #[test]
    fn labels_of_one_cell_are_put_together() {
        assert_eq!(label(&[]), None);
        assert_eq!(label(&[17]).as_deref(), Some("17"));
        assert_eq!(label(&[17, 17]).as_deref(), Some("17·2"));
        assert_eq!(label(&[17, 14]).as_deref(), Some("17+14"));
        assert_eq!(label(&[17, 14, 18]).as_deref(), Some("3×≤18"));
    }

    #[test]
    fn captions_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("longer", 2), ["longer"]);
    }
}
