//! What is wrong with a file of settings.

/// A file of settings that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ConfigError {
    /// The file, and line and column where they are known.
    pub place: String,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// Why a command line cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// The arguments make no sense, or ask for help.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// The file of settings makes no sense.
    #[error(transparent)]
    File(#[from] ConfigError),
}
