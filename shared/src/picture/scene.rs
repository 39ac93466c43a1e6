//! A drawing of a few shapes, written as SVG here or as pixels elsewhere.

use std::fmt::Write as _;

use super::Color;

/// Which end of a text its position is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// A shape. Lengths are in pixels, y grows downwards.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// Straight lines from point to point.
    Line {
        /// The points.
        points: Vec<(f64, f64)>,
        /// Its colour.
        color: Color,
        /// Its width.
        width: f64,
        /// Whether it is broken into dashes.
        dashed: bool,
    },
    /// A filled polygon.
    Area {
        /// Its corners.
        points: Vec<(f64, f64)>,
        /// Its colour.
        color: Color,
    },
    /// A rectangle.
    Rect {
        /// Its upper left corner.
        at: (f64, f64),
        /// Width and height.
        size: (f64, f64),
        /// Its colour.
        color: Color,
        /// Radius of its corners.
        round: f64,
        /// Colour and width of its edge.
        edge: Option<(Color, f64)>,
    },
    /// A disc.
    Dot {
        /// Its middle.
        center: (f64, f64),
        /// Its radius.
        radius: f64,
        /// Its colour.
        color: Color,
        /// Colour and width of its edge.
        edge: Option<(Color, f64)>,
    },
    /// A line of text.
    Text {
        /// Left, middle or right end of its base line.
        at: (f64, f64),
        /// Which of these.
        anchor: Anchor,
        /// Height of the letters in pixels.
        size: f64,
        /// The text.
        text: String,
    },
}

impl Item {
    /// A line of width 1 between two points.
    pub fn line(from: (f64, f64), to: (f64, f64), color: Color) -> Self {
        Self::Line {
            points: vec![from, to],
            color,
            width: 1.0,
            dashed: false,
        }
    }

    /// A rectangle without edge and round corners.
    pub fn rect(at: (f64, f64), size: (f64, f64), color: Color) -> Self {
        Self::Rect {
            at,
            size,
            color,
            round: 0.0,
            edge: None,
        }
    }
}

/// A drawing on white.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The shapes, later ones over earlier ones.
    pub items: Vec<Item>,
}

impl Scene {
    /// The drawing as an SVG document.
    pub fn to_svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        for item in &self.items {
            element(&mut svg, item);
            svg.push('\n');
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn element(svg: &mut String, item: &Item) {
    // Writing to a string cannot fail.
    let _ = match item {
        Item::Line {
            points,
            color,
            width,
            dashed,
        } => {
            let dashes = if *dashed {
                " stroke-dasharray=\"6 4\""
            } else {
                ""
            };
            write!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dashes}/>",
                listed(points),
                hex(*color),
                number(*width)
            )
        }
        Item::Area { points, color } => write!(
            svg,
            "<polygon points=\"{}\" fill=\"{}\"/>",
            listed(points),
            hex(*color)
        ),
        Item::Rect {
            at,
            size,
            color,
            round,
            edge,
        } => {
            let round = if *round > 0.0 {
                format!(" rx=\"{}\"", number(*round))
            } else {
                String::new()
            };
            write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{round} fill=\"{}\"{}/>",
                number(at.0),
                number(at.1),
                number(size.0),
                number(size.1),
                hex(*color),
                stroke(*edge)
            )
        }
        Item::Dot {
            center,
            radius,
            color,
            edge,
        } => write!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>",
            number(center.0),
            number(center.1),
            number(*radius),
            hex(*color),
            stroke(*edge)
        ),
        Item::Text {
            at,
            anchor,
            size,
            text,
        } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            write!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"{}\" fill=\"{}\">{}</text>",
                number(at.0),
                number(at.1),
                number(*size),
                hex(Color::INK),
                escaped(text)
            )
        }
    };
}

fn listed(points: &[(f64, f64)]) -> String {
    let points = points.iter();
    let points = points.map(|&(x, y)| format!("{},{}", number(x), number(y)));
    points.collect::<Vec<_>>().join(" ")
}

fn stroke(edge: Option<(Color, f64)>) -> String {
    edge.map_or_else(String::new, |(color, width)| {
        format!(
            " stroke=\"{}\" stroke-width=\"{}\"",
            hex(color),
            number(width)
        )
    })
}

/// One digit behind the point at most: a tenth of a pixel is enough.
fn number(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn hex(color: Color) -> String {
    format!("#{:02x}{:02x}{:02x}", color.0, color.1, color.2)
}

/// Text without what means something in XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            letter if letter.is_control() => out.push('?'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let scene = Scene {
            width: 10,
            height: 10,
            items: vec![Item::Text {
                at: (1.0, 2.0),
                anchor: Anchor::End,
                size: 14.0,
                text: "<n> & m\u{1}".into(),
            }],
        };
        assert!(scene.to_svg().contains(">&lt;n&gt; &amp; m?</text>"));
    }

    #[test]
    fn numbers_are_short() {
        let item = Item::line((1.0 / 3.0, 2.0), (10.0, -0.04), Color::INK);
        let mut svg = String::new();
        element(&mut svg, &item);
        assert!(svg.contains("points=\"0.3,2 10,-0\""), "{svg}");
    }
}
