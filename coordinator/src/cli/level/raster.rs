//! Drawings as pixels.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use soko::picture::Scene;

use super::Failure;

/// The letters of all pictures, so that they look the same everywhere.
const FONT: &[u8] = include_bytes!("font/DejaVuSans-latin.ttf");

/// The most pixels of a picture: 256 MB while it is drawn.
const MAX_PIXELS: u64 = 64 << 20;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// The drawing as pixels, by way of its SVG document.
pub(crate) fn pixels(scene: &Scene) -> Result<Pixmap, Failure> {
    let failed = |what: &str, hint: &str| {
        Failure::new("picture", format!("cannot make the picture: {what}"), hint)
    };
    if u64::from(scene.width) * u64::from(scene.height) > MAX_PIXELS {
        return Err(failed(
            &format!("{}×{} pixels are too many", scene.width, scene.height),
            "write an .svg file, or make the cells smaller with --cell",
        ));
    }
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let tree = Tree::from_str(&scene.to_svg(), &options)
        .map_err(|error| failed(&error.to_string(), "write an .svg file instead"))?;
    let mut pixels = Pixmap::new(scene.width, scene.height)
        .ok_or_else(|| failed("it has no size", "draw a level with at least one cell"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Ok(pixels)
}

/// The drawing as a PNG picture.
pub(crate) fn to_png(scene: &Scene) -> Result<Vec<u8>, Failure> {
    pixels(scene)?.encode_png().map_err(|error| {
        Failure::new(
            "picture",
            format!("cannot make the picture: {error}"),
            "write an .svg file instead",
        )
    })
}

#[cfg(test)]
mod tests {
    use soko::picture::{Anchor, Item};

    use super::*;

    fn inked(pixels: &Pixmap) -> usize {
        let pixels = pixels.pixels().iter();
        pixels.filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn a_picture_of_the_right_size_with_ink() {
        let scene = soko::bounds::density_plot(&soko::records::best_squares());
        let png = to_png(&scene).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!(
            (pixels.width(), pixels.height()),
            (scene.width, scene.height)
        );
        let inked = inked(&pixels);
        assert!(inked > 1000 && inked < pixels.pixels().len() / 4);
    }

    /// Every letter that pictures use is in the font.
    #[test]
    fn letters_are_drawn() {
        for letter in "0123456789·×²³⁴≥+-/()≤,.:ABCxyz".chars() {
            let scene = Scene {
                width: 40,
                height: 40,
                items: vec![Item::Text {
                    at: (20.0, 30.0),
                    anchor: Anchor::Middle,
                    size: 30.0,
                    text: letter.to_string(),
                }],
            };
            assert!(inked(&pixels(&scene).unwrap()) > 4, "{letter:?}");
        }
    }

    #[test]
    fn too_large_a_picture_is_refused() {
        let scene = Scene {
            width: 1 << 16,
            height: 1 << 16,
            items: Vec::new(),
        };
        assert_eq!(pixels(&scene).unwrap_err().code, "picture");
    }
}
