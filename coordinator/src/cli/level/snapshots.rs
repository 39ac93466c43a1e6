//! Pictures compared with ones that were looked at.
//!
//! A picture that changes on purpose is made anew with the command that its
//! test names, and looked at.

use resvg::tiny_skia::Pixmap;

use super::tests::ok;

const SIX: &str = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n";
const FOUR_BOXES: &str = "########\n#--.-.-#\n#--$-$-#\n#--@---#\n#--$-$-#\n#--.-.-#\n########\n";

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/level/snapshots");

/// Draws with these options and compares with the kept picture: as many pixels,
/// and none further from its model than rounding goes.
fn compare(level: &str, options: &str, kept: &str) {
    let kept = format!("{SNAPSHOTS}/{kept}.png");
    let kept = std::fs::read(&kept).unwrap_or_else(|error| panic!("{kept}: {error}"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawn.png");
    ok(
        &format!("level render FILE --out {} {options}", path.display()),
        level,
    );
    let drawn = Pixmap::decode_png(&std::fs::read(&path).unwrap()).unwrap();
    let kept = Pixmap::decode_png(&kept).unwrap();
    assert_eq!(
        (drawn.width(), drawn.height()),
        (kept.width(), kept.height())
    );
    let far = |a: u8, b: u8| a.abs_diff(b) > 8;
    let pairs = drawn.pixels().iter().zip(kept.pixels());
    let wrong = pairs.filter(|(a, b)| {
        far(a.red(), b.red()) || far(a.green(), b.green()) || far(a.blue(), b.blue())
    });
    assert_eq!(wrong.count(), 0, "pixels differ: render FILE {options}");
}

#[test]
fn a_level_with_its_way_and_walks() {
    compare(SIX, "--cell 40", "six");
}

#[test]
fn a_heat_map() {
    compare(SIX, "--cell 24 --heat player --no-caption", "six-heat");
}

#[test]
fn several_boxes_in_their_colours() {
    compare(
        FOUR_BOXES,
        "--cell 24 --title four --lurd UdDurrUdD",
        "four",
    );
}
