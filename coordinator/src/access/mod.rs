//! Who may do what: tokens with roles, TLS, and what is refused by default.
//!
//! | file | what it holds |
//! |---|---|
//! | `role` | roles, and which one a call needs |
//! | `tokens` | the file of tokens |
//! | `guard` | the check before every call |
//! | `tls` | certificates of the server |
//! | `connections` | so many at a time, and none that only takes up a place |
//! | `no_place` | what those hear for whom there is no place |
//! | `exposure` | what may listen where |
//! | `authority` | a private authority, made on the spot |

mod authority;
mod connections;
mod exposure;
mod guard;
mod no_place;
mod role;
mod tls;
mod tokens;

pub use authority::{Authority, AuthorityError};
pub use connections::{Connection, Gate, Limits};
pub use exposure::{Exposed, check_exposure};
pub use guard::{Guard, GuardLayer};
pub use no_place::NoPlace;
pub use role::{Role, needed};
pub use tls::{TlsError, TlsFiles, TlsListener};
pub use tokens::{Tokens, TokensError};
