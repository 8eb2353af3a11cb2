//! Generators of scenarios, for `throng generate`.

use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress};

use crate::Failure;
use crate::flags::{Flag, Flags};

/// A request to a generator.
#[derive(Debug, Clone, Default)]
pub struct GenerateRequest {
    /// Output folder for the scenario.
    pub out: PathBuf,
    /// Whether the folder may already contain files.
    pub overwrite: bool,
    /// The given flags of the generator.
    pub flags: Flags,
}

impl GenerateRequest {
    /// Rejects flags that a generator does not declare. The command line already does so; programs using the library
    /// may misspell a flag.
    ///
    /// # Errors
    /// When flags are undeclared; the error lists them, each with the nearest flag, and all flags of the generator.
    pub fn check(&self, generator: &dyn Generator) -> Result<(), InputError> {
        let mut problems = Problems::new();
        self.flags.refuse_unknown(&format!("generator {}", generator.name()), generator.flags(), &mut problems);
        problems.into_result()
    }
}

/// A generator of scenarios. The trait is dyn-compatible, so generators can be stored in lists.
pub trait Generator: Sync {
    /// Returns the name in lower case, as typed by users.
    fn name(&self) -> &'static str;

    /// Returns a one-line description for `--help`.
    fn about(&self) -> &'static str;

    /// Returns further help with examples, for the end of `--help`; may be empty.
    fn more(&self) -> &'static str {
        ""
    }

    /// Returns its flags besides `--out` and `--overwrite`.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Generates a scenario, writes it to the folder, and returns a textual summary. Implementations call
    /// [`GenerateRequest::check`] first.
    ///
    /// # Errors
    /// When a flag or the folder cannot be used, before anything is written; when the machine lacks a resource.
    fn generate(&self, request: &GenerateRequest, progress: &dyn Progress) -> Result<String, Failure>;
}
