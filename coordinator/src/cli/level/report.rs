//! What a command hands back.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::cli::{CliError, output::Show};

/// The result of a command in all three renderings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    /// For eyes.
    pub text: String,
    /// One stable document.
    pub json: Value,
    /// The one value.
    pub quiet: String,
    /// 0 done; 1 the answer is no; 2 bad input for one level of several; 4 a
    /// search ended without an answer.
    pub exit_code: u8,
}

impl Report {
    /// A picture as the document itself.
    pub(crate) fn svg(svg: String) -> Self {
        Self {
            json: json!({"format": "svg", "svg": svg}),
            quiet: svg.clone(),
            text: svg,
            exit_code: 0,
        }
    }

    /// Puts the reports on several levels together: the json of one level is
    /// an object, that of several a list.
    pub(crate) fn join(mut reports: Vec<Self>) -> Self {
        if reports.len() == 1
            && let Some(only) = reports.pop()
        {
            return only;
        }
        let lines = |part: fn(&Self) -> &str, between: &str| {
            let parts: Vec<&str> = reports.iter().map(part).collect();
            parts.join(between)
        };
        Self {
            text: lines(|report| &report.text, "\n"),
            quiet: lines(|report| &report.quiet, ""),
            exit_code: reports
                .iter()
                .map(|report| report.exit_code)
                .max()
                .unwrap_or(0),
            json: reports.iter().map(|report| report.json.clone()).collect(),
        }
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl Show for Report {
    fn text(&self) -> String {
        self.text.trim_end_matches('\n').to_owned()
    }

    fn quiet(&self) -> String {
        self.quiet.trim_end_matches('\n').to_owned()
    }
}

/// Why a command did not get as far as a result. Exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    /// Stable name of the kind of failure.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Failure {
    /// Bad input or usage.
    pub(crate) const EXIT_CODE: u8 = 2;

    pub(crate) fn new(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// The failure as what came of one of several levels.
    pub(crate) fn report(&self, title: Option<&str>) -> Report {
        Report {
            text: format!("{}\nhint: {}\n", self.message, self.hint),
            json: json!({
                "error": {"code": self.code, "message": self.message, "hint": self.hint},
                "title": title,
            }),
            quiet: format!("{}\n", self.code),
            exit_code: Self::EXIT_CODE,
        }
    }
}

impl From<Failure> for CliError {
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code,
            message: failure.message,
            hint: failure.hint,
            exit: Failure::EXIT_CODE,
        }
    }
}
