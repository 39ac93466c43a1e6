//! Drawings as pixels.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use soko::bounds::{Anchor, Color, Item, Scene};
use tiny_skia::{
    Color as SkiaColor, FillRule, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Stroke,
    StrokeDash, Transform,
};

use super::Failure;

/// The drawing as a PNG picture.
pub(crate) fn to_png(scene: &Scene) -> Result<Vec<u8>, Failure> {
    let failed = |what: &str| {
        Failure::new(
            "plot",
            format!("cannot make the picture: {what}"),
            "write an .svg file instead",
        )
    };
    let mut pixels =
        Pixmap::new(scene.width, scene.height).ok_or_else(|| failed("it has no size"))?;
    pixels.fill(SkiaColor::WHITE);
    for item in &scene.items {
        draw(&mut pixels, item);
    }
    pixels
        .encode_png()
        .map_err(|error| failed(&error.to_string()))
}

fn draw(pixels: &mut Pixmap, item: &Item) {
    match item {
        Item::Line {
            from,
            to,
            color,
            dashed,
        } => {
            let mut path = PathBuilder::new();
            path.move_to(from.0 as f32, from.1 as f32);
            path.line_to(to.0 as f32, to.1 as f32);
            let stroke = Stroke {
                dash: dashed
                    .then(|| StrokeDash::new(vec![6.0, 4.0], 0.0))
                    .flatten(),
                ..Stroke::default()
            };
            if let Some(path) = path.finish() {
                pixels.stroke_path(&path, &paint(*color), &stroke, Transform::identity(), None);
            }
        }
        Item::Dot {
            center,
            radius,
            color,
            hollow,
        } => {
            let (x, y) = (center.0 as f32, center.1 as f32);
            let Some(circle) = PathBuilder::from_circle(x, y, *radius as f32) else {
                return;
            };
            let inside = if *hollow {
                Color(255, 255, 255)
            } else {
                *color
            };
            let identity = Transform::identity();
            pixels.fill_path(&circle, &paint(inside), FillRule::Winding, identity, None);
            pixels.stroke_path(&circle, &paint(*color), &Stroke::default(), identity, None);
        }
        Item::Text { at, anchor, text } => write(pixels, *at, *anchor, text),
    }
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color.0, color.1, color.2, 255);
    paint.anti_alias = true;
    paint
}

/// Writes black letters; those that the font lacks are left blank.
fn write(pixels: &mut Pixmap, at: (f64, f64), anchor: Anchor, text: &str) {
    const HEIGHT: RasterHeight = RasterHeight::Size16;
    let width = get_raster_width(FontWeight::Regular, HEIGHT) as i64;
    let whole = width * text.chars().count() as i64;
    let left = at.0 as i64
        - match anchor {
            Anchor::Start => 0,
            Anchor::Middle => whole / 2,
            Anchor::End => whole,
        };
    // The base line lies at three quarters of the letters' height.
    let top = at.1 as i64 - HEIGHT.val() as i64 * 3 / 4;
    for (letter, x) in text.chars().zip((left..).step_by(width as usize)) {
        let Some(raster) = get_raster(letter, FontWeight::Regular, HEIGHT) else {
            continue;
        };
        for (row, y) in raster.rows().zip(top..) {
            for (&ink, x) in row.iter().zip(x..) {
                darken(pixels, x, y, ink);
            }
        }
    }
}

/// Puts black ink, 0 to 255, onto a pixel.
fn darken(pixels: &mut Pixmap, x: i64, y: i64, ink: u8) {
    let (width, height) = (i64::from(pixels.width()), i64::from(pixels.height()));
    if !(0..width).contains(&x) || !(0..height).contains(&y) {
        return;
    }
    let pixel = &mut pixels.pixels_mut()[(y * width + x) as usize];
    let dark = |value: u8| (u16::from(value) * u16::from(255 - ink) / 255) as u8;
    let (red, green, blue) = (dark(pixel.red()), dark(pixel.green()), dark(pixel.blue()));
    if let Some(darker) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
        *pixel = darker;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_the_right_size_with_ink() {
        let scene = soko::bounds::density_plot(&soko::records::best_squares());
        let png = to_png(&scene).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!(
            (pixels.width(), pixels.height()),
            (scene.width, scene.height)
        );
        let white = pixels
            .pixels()
            .iter()
            .filter(|pixel| pixel.red() == 255)
            .count();
        assert!(white < pixels.pixels().len() && white > 0);
    }
}
