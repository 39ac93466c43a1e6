//! Settings from flags, environment and a file.
//!
//! A setting is an argument with a variable: whatever can be set in the
//! environment can be set in the file, under the name of the flag, and nothing
//! else can. The first of flag, environment, file and default that is there
//! counts; `Setting::origin` decides it, for [`parse`] and for [`shown`].
//!
//! | file | idea |
//! |---|---|
//! | `file` | the file: sections, keys, values and their places |
//! | `setting` | which settings there are, and where a value comes from |
//! | `parse` | arguments completed from the file |
//! | `show` | all values and their origins |

mod error;
mod file;
mod parse;
mod setting;
mod show;
#[cfg(test)]
mod tests;

pub use error::{ConfigError, ParseError};
pub use parse::{ConfigArgs, parse};
pub use setting::{Program, SECTIONS, Setting, settings};
pub use show::{ShowArgs, Shown, ShownSetting, shown};
