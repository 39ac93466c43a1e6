//! Which build this is.

/// Version and, if it is known, commit.
pub const VERSION: &str = env!("SOKO_VERSION");

/// That, and the engine: coordinator and workers must have the same one.
pub fn long_version() -> String {
    format!("{VERSION}\nengine: {}", soko::plan::ENGINE)
}
