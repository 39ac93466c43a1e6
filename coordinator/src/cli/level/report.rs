//! What a command hands back.

use serde_json::{Value, json};

/// The result of a command in all three renderings.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// For eyes.
    pub text: String,
    /// One stable document.
    pub json: Value,
    /// The one value.
    pub quiet: String,
    /// 0 done; 1 the answer is no; 2 bad input for one level of several.
    pub exit_code: u8,
}

impl Report {
    /// Puts the reports on several levels together: the json of one level is
    /// an object, that of several a list.
    pub(super) fn join(mut reports: Vec<Self>) -> Self {
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

/// Why a command did not get as far as a result. Exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Stable name of the kind of failure.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Failure {
    /// Bad input or usage: exit code 2.
    pub const EXIT_CODE: u8 = 2;

    pub(super) fn new(
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
    pub(super) fn report(&self, title: Option<&str>) -> Report {
        let mut json = self.json();
        json["title"] = title.into();
        Report {
            text: format!("{}\nhint: {}\n", self.message, self.hint),
            json,
            quiet: format!("{}\n", self.code),
            exit_code: Self::EXIT_CODE,
        }
    }

    /// The failure as a document.
    pub fn json(&self) -> Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}
