//! Run lengths: a count before the item or the group that it repeats, as in
//! `3#4-p.#` or `2(3(dr)R)`. Groups nest.

/// Groups within groups; each one costs stack.
const MAX_DEPTH: usize = 32;

/// What is wrong with a run-length text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunLengthError {
    /// A number with nothing to repeat.
    #[error("the count {0} is not followed by anything that it could repeat; remove it")]
    CountAlone(String),
    /// A count of nothing.
    #[error("a count of 0; leave it out with what it stands before")]
    ZeroCount,
    /// More items than are read.
    #[error("this expands to more than {0}, the most that is read")]
    TooLong(usize),
    /// `(` without `)`.
    #[error("'(' is never closed; add ')'")]
    Unclosed,
    /// `)` without `(`.
    #[error("')' closes nothing; remove it or add '('")]
    Unopened,
    /// `()`.
    #[error("'()' holds nothing; remove it")]
    EmptyGroup,
    /// Groups within groups within groups.
    #[error("more than {MAX_DEPTH} groups within each other")]
    TooDeep,
    /// A character that stands for no item.
    #[error("{0:?} stands for nothing here; remove or correct it")]
    Unknown(char),
}

/// Expands a text of items, at most `limit` of them. The error comes with the
/// index of the letter that it is about.
pub(super) fn expand<T: Copy>(
    letters: &[char],
    limit: usize,
    item: impl Fn(char) -> Option<T>,
) -> Result<Vec<T>, (usize, RunLengthError)> {
    let mut parser = Parser {
        letters,
        next: 0,
        limit,
        item,
        found: Vec::new(),
    };
    parser.items(0)?;
    if parser.next < letters.len() {
        return Err((parser.next, RunLengthError::Unopened));
    }
    Ok(parser.found)
}

struct Parser<'a, T, F> {
    letters: &'a [char],
    next: usize,
    limit: usize,
    item: F,
    found: Vec<T>,
}

impl<T: Copy, F: Fn(char) -> Option<T>> Parser<'_, T, F> {
    /// Items up to the end or a `)`.
    fn items(&mut self, depth: usize) -> Result<(), (usize, RunLengthError)> {
        while let Some(&letter) = self.letters.get(self.next) {
            if letter == ')' {
                break;
            }
            let start = self.next;
            let count = self.count()?;
            let first = self.found.len();
            match self.letters.get(self.next) {
                Some('(') => self.group(depth)?,
                Some(&letter) if letter != ')' => match (self.item)(letter) {
                    Some(item) => {
                        self.found.push(item);
                        self.next += 1;
                    }
                    None => return Err((self.next, RunLengthError::Unknown(letter))),
                },
                _ => {
                    let digits = self.letters[start..self.next].iter().collect();
                    return Err((start, RunLengthError::CountAlone(digits)));
                }
            }
            let unit = self.found.len() - first;
            if first + unit.saturating_mul(count) > self.limit {
                return Err((start, RunLengthError::TooLong(self.limit)));
            }
            for _ in 1..count {
                self.found.extend_from_within(first..first + unit);
            }
        }
        Ok(())
    }

    /// The number before an item, 1 if there is none.
    fn count(&mut self) -> Result<usize, (usize, RunLengthError)> {
        let start = self.next;
        let mut count = None;
        while let Some(digit) = self.letters.get(self.next).and_then(|c| c.to_digit(10)) {
            // Any count beyond the limit is refused later; no overflow.
            let so_far: usize = count.unwrap_or(0);
            count = Some(so_far.min(self.limit + 1).saturating_mul(10) + digit as usize);
            self.next += 1;
        }
        match count {
            Some(0) => Err((start, RunLengthError::ZeroCount)),
            Some(count) => Ok(count),
            None => Ok(1),
        }
    }

    fn group(&mut self, depth: usize) -> Result<(), (usize, RunLengthError)> {
        let open = self.next;
        if depth == MAX_DEPTH {
            return Err((open, RunLengthError::TooDeep));
        }
        self.next += 1;
        let first = self.found.len();
        self.items(depth + 1)?;
        if self.letters.get(self.next) != Some(&')') {
            return Err((open, RunLengthError::Unclosed));
        }
        self.next += 1;
        if self.found.len() == first {
            return Err((open, RunLengthError::EmptyGroup));
        }
        Ok(())
    }
}

/// Writes letters with counts where that is shorter.
pub(super) fn compress(letters: impl IntoIterator<Item = char>) -> String {
    let mut text = String::new();
    let mut letters = letters.into_iter().peekable();
    while let Some(letter) = letters.next() {
        let mut count = 1;
        while letters.next_if_eq(&letter).is_some() {
            count += 1;
        }
        if count > 2 {
            text.push_str(&count.to_string());
            text.push(letter);
        } else {
            text.extend(std::iter::repeat_n(letter, count));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_compressed_expands_back(text in "[a-c]{0,60}") {
            let letters: Vec<char> = compress(text.chars()).chars().collect();
            let item = |c: char| c.is_ascii_alphabetic().then_some(c);
            let found: String = expand(&letters, 60, item).unwrap().into_iter().collect();
            prop_assert_eq!(found, text);
        }
    }
}
