//! Numbers in texts for people.

use std::fmt::Display;

/// A number of things, named by what one of them is called: `1 push`, `2 pushes`.
///
/// For nouns of this field; the rules of English end where those do.
pub fn counted(number: impl Display, one: &str) -> String {
    let number = number.to_string();
    let hissing = ["s", "x", "ch", "sh"];
    let end = match &*number {
        "1" => "",
        _ if hissing.iter().any(|end| one.ends_with(end)) => "es",
        _ => "s",
    };
    format!("{number} {one}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_all_others_are_not() {
        assert_eq!(counted(1, "move"), "1 move");
        assert_eq!(counted(0_usize, "move"), "0 moves");
        assert_eq!(counted("21", "floor cell"), "21 floor cells");
        for (one, more) in [
            ("push", "2 pushes"),
            ("batch", "2 batches"),
            ("box", "2 boxes"),
            ("other class", "2 other classes"),
            ("shortest solution", "2 shortest solutions"),
        ] {
            assert_eq!(counted(2, one), more);
        }
    }
}
