//! Tables for people.

use comfy_table::{CellAlignment, Table, presets};

/// A table in the style of the product: no lines, numbers to the right.
/// `columns` are titles; those that begin with `>` hold numbers.
pub fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns.iter().map(|title| title.trim_start_matches('>')));
    for row in rows {
        table.add_row(row);
    }
    for (index, title) in columns.iter().enumerate() {
        if let Some(column) = table.column_mut(index) {
            column.set_padding((0, 2));
            if title.starts_with('>') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_numbers_to_the_right() {
        let rows = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["bc".to_owned(), "23".to_owned()],
        ];
        assert_eq!(table(&["name", ">n"], rows), "name   n\na      1\nbc    23");
    }
}
