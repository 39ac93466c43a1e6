//! A drawing of a few shapes, written as SVG here or as pixels elsewhere.

use std::fmt::Write as _;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

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
    /// A straight line.
    Line {
        /// One end.
        from: (f64, f64),
        /// The other end.
        to: (f64, f64),
        /// Its colour.
        color: Color,
        /// Whether it is broken into dashes.
        dashed: bool,
    },
    /// A disc, with a rim if it is filled in white.
    Dot {
        /// Its middle.
        center: (f64, f64),
        /// Its radius.
        radius: f64,
        /// Its colour.
        color: Color,
        /// Only its rim in this colour, the inside white.
        hollow: bool,
    },
    /// A line of text, 14 pixels high.
    Text {
        /// Left, middle or right end of its base line.
        at: (f64, f64),
        /// Which of these.
        anchor: Anchor,
        /// The text.
        text: String,
    },
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
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        for item in &self.items {
            svg.push_str(&element(item));
            svg.push('\n');
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn element(item: &Item) -> String {
    match item {
        Item::Line {
            from,
            to,
            color,
            dashed,
        } => {
            let dashes = if *dashed {
                " stroke-dasharray=\"6 4\""
            } else {
                ""
            };
            format!(
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\"{dashes}/>",
                from.0,
                from.1,
                to.0,
                to.1,
                hex(*color)
            )
        }
        Item::Dot {
            center,
            radius,
            color,
            hollow,
        } => {
            let color = hex(*color);
            let fill = if *hollow { "white" } else { &color };
            format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{color}\"/>",
                center.0, center.1
            )
        }
        Item::Text { at, anchor, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let (x, y) = at;
            let text = escaped(text);
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
        }
    }
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
            letter if letter.is_control() => {
                let _ = write!(out, "?");
            }
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
                text: "<n> & m".into(),
            }],
        };
        assert!(scene.to_svg().contains(">&lt;n&gt; &amp; m</text>"));
    }
}
