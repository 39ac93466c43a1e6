//! Bytes to lines.

use super::{FormatError, FormatErrorKind, MAX_BYTES};

/// The lines of a text without their ends, which may be LF, CRLF or CR. A byte
/// order mark at the start is dropped.
pub(super) fn lines(bytes: &[u8]) -> Result<Vec<&str>, FormatError> {
    let at = |line, column, kind| FormatError { line, column, kind };
    if bytes.len() > MAX_BYTES {
        return Err(at(1, 1, FormatErrorKind::TooManyBytes(bytes.len())));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let (line, column) = place(&String::from_utf8_lossy(good));
            return Err(at(line, column, FormatErrorKind::NotUtf8));
        }
    };
    if let Some(index) = text.find('\0') {
        let (line, column) = place(&text[..index]);
        return Err(at(line, column, FormatErrorKind::Nul));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(split(text))
}

fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\r', '\n']) {
        lines.push(&rest[..end]);
        let width = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + width..];
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Line and column of what follows `before`.
fn place(before: &str) -> (usize, usize) {
    let lines = split(before);
    match lines.last() {
        Some(last) if !before.ends_with(['\r', '\n']) => (lines.len(), last.chars().count() + 1),
        _ => (lines.len() + 1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_all_kinds() {
        assert_eq!(lines(b"a\r\nb\rc\n\nd").unwrap(), ["a", "b", "c", "", "d"]);
        assert_eq!(lines(b"").unwrap(), Vec::<&str>::new());
        assert_eq!(lines(b"a\n").unwrap(), ["a"]);
    }

    #[test]
    fn case_19_a_byte_order_mark_is_not_part_of_row_1() {
        assert_eq!(lines("\u{feff}##-@\n".as_bytes()).unwrap(), ["##-@"]);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_place() {
        let error = lines(b"ab\ncd\xff").unwrap_err();
        assert_eq!((error.line, error.column), (2, 3));
        assert_eq!(error.kind, FormatErrorKind::NotUtf8);
        let error = lines(b"ab\n\0").unwrap_err();
        assert_eq!((error.line, error.column), (2, 1));
        assert_eq!(error.kind, FormatErrorKind::Nul);
    }
}
