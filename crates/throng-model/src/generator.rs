//! Generators: what `throng generate` makes.

use std::path::PathBuf;

use throng_core::Progress;

use crate::{Failure, Flag, Flags};

/// What a user asks of a generator.
#[derive(Debug, Clone, Default)]
pub struct GenerateRequest {
    /// The folder for the scenario.
    pub out: PathBuf,
    /// Whether the folder may hold something already.
    pub overwrite: bool,
    /// The flags of the generator that were given.
    pub flags: Flags,
}

/// A generator of scenarios: one value that stands for it in lists.
pub trait Generator: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// What it makes, in a line, for `--help`.
    fn about(&self) -> &'static str;

    /// What else a user should know, with examples, for the end of `--help`; may be empty.
    fn more(&self) -> &'static str {
        ""
    }

    /// Its flags beside `--out` and `--overwrite`.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Makes a scenario, writes it to the folder, and gives what a user wants to know about it: lines of text.
    ///
    /// # Errors
    /// A flag or a folder that cannot be used, before anything is written; whatever the machine lacks.
    fn generate(&self, request: &GenerateRequest, progress: &dyn Progress) -> Result<String, Failure>;
}
