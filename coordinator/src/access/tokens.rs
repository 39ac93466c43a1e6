//! The file of tokens.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::Role;

/// Shortest token, in characters.
const MIN_LENGTH: usize = 16;

/// The tokens that are accepted, as hashes: neither a memory dump nor the time
/// of a comparison tells one.
#[derive(Debug, Clone)]
pub struct Tokens(Vec<([u8; 32], Role)>);

/// Why a file of tokens cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// It cannot be read.
    #[error("the file of tokens {} cannot be read: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is not a role and a token.
    #[error(
        "line {line} of the file of tokens is not `ROLE TOKEN`, with ROLE one of admin, \
         submitter, worker, reader and a TOKEN of at least {MIN_LENGTH} visible ASCII characters"
    )]
    BadLine {
        /// The line, from 1.
        line: usize,
    },
    /// It holds no token.
    #[error("the file of tokens holds none: nobody could connect")]
    Empty,
}

impl Tokens {
    /// Reads a file: on each line a role and a token; `#` begins a comment.
    ///
    /// # Errors
    /// [`TokensError`].
    pub fn load(file: &Path) -> Result<Self, TokensError> {
        let text = fs::read_to_string(file).map_err(|error| TokensError::Unreadable {
            file: file.to_owned(),
            error,
        })?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, TokensError> {
        let mut tokens = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = TokensError::BadLine { line: index + 1 };
            let parts: Vec<&str> = line.split_whitespace().collect();
            let [role, token] = parts[..] else {
                return Err(bad);
            };
            let Ok(role) = role.parse() else {
                return Err(bad);
            };
            if token.len() < MIN_LENGTH || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(bad);
            }
            tokens.push((hash(token), role));
        }
        if tokens.is_empty() {
            return Err(TokensError::Empty);
        }
        Ok(Self(tokens))
    }

    /// The role of a token, if it is one of them. Takes the same time for
    /// every token.
    pub fn role(&self, token: &str) -> Option<Role> {
        let hash = hash(token);
        let mut found = u8::MAX;
        for (known, role) in &self.0 {
            let equal: Choice = known.ct_eq(&hash);
            found = u8::conditional_select(&found, &(*role as u8), equal);
        }
        Role::ALL.get(usize::from(found)).copied()
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_roles() {
        let text = "# two\nadmin 0123456789abcdef\n\n  reader  fedcba9876543210  \n";
        let tokens = Tokens::parse(text).unwrap();
        assert_eq!(tokens.role("0123456789abcdef"), Some(Role::Admin));
        assert_eq!(tokens.role("fedcba9876543210"), Some(Role::Reader));
        assert_eq!(tokens.role("0123456789abcde"), None);
        assert_eq!(tokens.role(""), None);
        assert!(!format!("{tokens:?}").contains("0123456789abcdef"));
    }

    #[test]
    fn lines_that_make_no_sense_are_refused_by_number_and_not_shown() {
        for text in [
            "admin",
            "root 0123456789abcdef",
            "admin short",
            "admin 0123456789abcdef more",
            "admin 0123456789abcdeä",
        ] {
            let error = Tokens::parse(&format!("#\n{text}\n")).unwrap_err();
            assert!(matches!(error, TokensError::BadLine { line: 2 }), "{text}");
            assert!(!error.to_string().contains("0123456789"), "{error}");
        }
        assert!(matches!(Tokens::parse("# none\n"), Err(TokensError::Empty)));
    }
}
