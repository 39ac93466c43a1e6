//! What the command lines of both programs have in common.
//!
//! | file | idea |
//! |---|---|
//! | [`config`] | settings from flags, environment and a file |
//! | `version` | version, commit and engine |
//! | `manual` | shell completions and man pages |
//! | `examples` | examples at the end of every help text |
//! | `table` | tables |
//! | `values` | the values that options take |

pub mod config;
mod examples;
mod manual;
mod table;
mod values;
mod version;

pub use examples::{Example, with_examples};
pub use manual::{CompletionsArgs, ManArgs, completions, man_page, man_pages};
pub use table::table;
pub use values::{size, time, whole, with_negative_values};
pub use version::{VERSION, long_version};
