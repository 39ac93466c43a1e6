//! .slc files: XML with one `L` element for each row.

use std::borrow::Cow;
use std::fmt::Write as _;

use roxmltree::{Document, Node, ParsingOptions};

use super::assemble::{RawRow, assemble};
use super::rle::{RawTile, RowLine, row_line};
use super::write::{WriteOptions, board};
use super::{Collection, Dialect, Entry, FormatError, FormatErrorKind, MAX_BYTES, ReadOptions};
use crate::level::Tile;

/// The elements above the levels that are kept as keys of the collection.
const HEADINGS: [&str; 4] = ["Title", "Description", "Email", "Url"];

/// Reads an .slc file. Files that say so are read as ISO-8859-1, all others as
/// UTF-8.
///
/// # Errors
/// [`FormatError`] with line and column: not well-formed, no level collection,
/// rows that are no board rows.
pub fn read_slc(bytes: &[u8], options: &ReadOptions) -> Result<Collection, FormatError> {
    let at = |line, column, kind| FormatError { line, column, kind };
    if bytes.len() > MAX_BYTES {
        return Err(at(1, 1, FormatErrorKind::TooManyBytes(bytes.len())));
    }
    let text = decode(bytes)?;
    let text = text.trim_start_matches('\u{feff}');
    let parsing = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, parsing).map_err(|error| {
        let place = error.pos();
        at(
            place.row as usize,
            place.col as usize,
            FormatErrorKind::Xml(error.to_string()),
        )
    })?;
    let mut collection = Collection::default();
    for node in document.root_element().children() {
        let name = node.tag_name().name();
        if HEADINGS.contains(&name) {
            let value = node.text().unwrap_or_default().trim();
            if !value.is_empty() {
                collection.fields.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    let mut found = false;
    let levels = document
        .descendants()
        .filter(|node| is(*node, "LevelCollection"));
    for group in levels {
        found = true;
        let copyright = group.attribute("Copyright").map(str::to_owned);
        for level in group.children().filter(|node| is(*node, "Level")) {
            if let Some(mut entry) = read_level(&document, level, *options)? {
                let own = level.attribute("Copyright").map(str::to_owned);
                entry.author = own.or_else(|| copyright.clone());
                collection.entries.push(entry);
            }
        }
    }
    if !found {
        return Err(at(1, 1, FormatErrorKind::NotSlc));
    }
    Ok(collection)
}

fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// Bytes to text.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, FormatError> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) if head.contains("iso-8859-1") => Ok(Cow::Owned(
            bytes.iter().map(|&byte| char::from(byte)).collect(),
        )),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let last = good.rsplit('\n').next().unwrap_or_default();
            Err(FormatError {
                line: good.matches('\n').count() + 1,
                column: last.chars().count() + 1,
                kind: FormatErrorKind::NotUtf8,
            })
        }
    }
}

fn read_level(
    document: &Document<'_>,
    level: Node<'_, '_>,
    options: ReadOptions,
) -> Result<Option<Entry>, FormatError> {
    let mut rows = Vec::new();
    let mut first_line = None;
    for node in level.children().filter(|node| is(*node, "L")) {
        let place = document.text_pos_at(node.range().start);
        let line = place.row as usize;
        first_line.get_or_insert(line);
        let tiles = row(node.text().unwrap_or_default(), options.dialect);
        let tiles = tiles.map_err(|(column, kind)| FormatError {
            line,
            // Behind the start tag.
            column: place.col as usize + "<L>".len() + column - 1,
            kind,
        })?;
        rows.push(RawRow { line, tiles });
    }
    if rows.iter().all(|row| row.tiles.is_empty()) {
        return Ok(None);
    }
    let mut entry = Entry::new(assemble(&rows, options.pad)?);
    entry.title = level
        .attribute("Id")
        .filter(|id| !id.is_empty())
        .map(str::to_owned);
    entry.line = first_line.unwrap_or(1);
    Ok(Some(entry))
}

/// One row. Unlike in text files, spaces alone are a row too.
fn row(text: &str, dialect: Dialect) -> Result<Vec<RawTile>, (usize, FormatErrorKind)> {
    if text.chars().all(|letter| letter == ' ') {
        let blank = RawTile {
            tile: Tile::Floor,
            blank: true,
        };
        return Ok(vec![blank; text.len()]);
    }
    match row_line(text, dialect) {
        RowLine::Rows(rows) => Ok(rows.into_iter().flatten().collect()),
        RowLine::Other(Some(damage)) => Err(damage),
        RowLine::Other(None) => {
            let mut letters = text.chars().enumerate();
            let stranger = letters.find(|&(_, letter)| dialect.tile(letter).is_none());
            let (index, letter) = stranger.unwrap_or((0, ' '));
            Err((index + 1, FormatErrorKind::NotATile(letter)))
        }
    }
}

/// Writes levels as an .slc file that [`read_slc`] reads back. Titles become
/// ids, authors copyrights; comments, other keys and solutions have no place
/// in this format.
pub fn write_slc(collection: &Collection) -> String {
    let heading = |name: &str| {
        let found = collection.fields.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SokobanLevels>\n");
    for name in HEADINGS {
        let value = heading(name);
        if !value.is_empty() || matches!(name, "Title" | "Description") {
            let _ = writeln!(text, "  <{name}>{}</{name}>", escaped(value));
        }
    }
    let size = |side: fn(&crate::level::Grid) -> usize| {
        let sides = collection.entries.iter().map(|entry| side(&entry.grid));
        sides.max().unwrap_or(0)
    };
    let (width, height) = (
        size(crate::level::Grid::cols),
        size(crate::level::Grid::rows),
    );
    let _ = writeln!(
        text,
        "  <LevelCollection MaxWidth=\"{width}\" MaxHeight=\"{height}\">"
    );
    for entry in &collection.entries {
        write_level(&mut text, entry);
    }
    text.push_str("  </LevelCollection>\n</SokobanLevels>\n");
    text
}

fn write_level(text: &mut String, entry: &Entry) {
    let _ = write!(
        text,
        "    <Level Id=\"{}\" Width=\"{}\" Height=\"{}\"",
        escaped(entry.name().unwrap_or_default()),
        entry.grid.cols(),
        entry.grid.rows()
    );
    if let Some(author) = &entry.author {
        let _ = write!(text, " Copyright=\"{}\"", escaped(author));
    }
    text.push_str(">\n");
    // The usual alphabet has a letter for every tile.
    let rows = board(&entry.grid, WriteOptions::default()).unwrap_or_default();
    for row in rows.lines() {
        let _ = writeln!(text, "      <L>{row}</L>");
    }
    text.push_str("    </Level>\n");
}

/// Text without what means something in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace(|letter: char| letter.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <Title>Small &amp; closed</Title>
  <Description>Two levels</Description>
  <LevelCollection Copyright="A. B." MaxWidth="6" MaxHeight="5">
    <Level Id="one" Width="6" Height="5">
      <L>  ####</L>
      <L>  #  #</L>
      <L>###$@#</L>
      <L>#  . #</L>
      <L>######</L>
    </Level>
    <Level Id="two" Width="5" Height="3" Copyright="C.">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
  </LevelCollection>
</SokobanLevels>
"#;

    fn read(text: &str) -> Result<Collection, FormatError> {
        read_slc(text.as_bytes(), &ReadOptions::default())
    }

    #[test]
    fn a_collection() {
        let found = read(FILE).unwrap();
        assert_eq!(found.fields[0], ("Title".into(), "Small & closed".into()));
        let [one, two] = found.entries.as_slice() else {
            panic!()
        };
        assert_eq!(one.title.as_deref(), Some("one"));
        assert_eq!(one.author.as_deref(), Some("A. B."));
        assert_eq!(two.author.as_deref(), Some("C."));
        assert_eq!(
            one.grid.to_xsb(),
            "######\n###--#\n###$@#\n#--.-#\n######\n"
        );
        assert_eq!((one.line, two.line), (7, 14));
    }

    #[test]
    fn latin_1_where_the_file_says_so() {
        let mut bytes = FILE.replace("A. B.", "Zo?").into_bytes();
        let at = bytes.windows(3).position(|part| part == b"Zo?").unwrap();
        bytes[at + 2] = 0xeb;
        let found = read_slc(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(found.entries[0].author.as_deref(), Some("Zoë"));
        let text = String::from_utf8_lossy(&bytes).replace("ISO-8859-1", "UTF-8");
        assert!(read(&text).is_ok());
    }

    #[test]
    fn errors_have_their_place() {
        let error = read(&FILE.replace("###$@#", "###x@#")).unwrap_err();
        assert_eq!((error.line, error.column), (9, 13));
        let error = read(&FILE.replace("</SokobanLevels>", "")).unwrap_err();
        assert!(matches!(error.kind, FormatErrorKind::Xml(_)));
        assert_eq!(read("<a/>").unwrap_err().kind, FormatErrorKind::NotSlc);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_slc(&bytes, &ReadOptions::default());
        }

        #[test]
        fn any_rows_are_read_or_refused(row in "[#@$.*+ _0-9()|x-]{0,20}", pad in 0..3) {
            let text = format!("<S><LevelCollection><Level><L>{row}</L><L>#@$.</L></Level></LevelCollection></S>");
            let pad = [super::super::Pad::Error, super::super::Pad::Floor, super::super::Pad::Wall][pad as usize];
            let _ = read_slc(text.as_bytes(), &ReadOptions { pad, ..ReadOptions::default() });
        }
    }
}
