//! Generators: what `throng generate` makes.

use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress};

use crate::{Failure, Flag, Flags};

/// A request to a generator.
#[derive(Debug, Clone, Default)]
pub struct GenerateRequest {
    /// The folder for the scenario.
    pub out: PathBuf,
    /// Whether the folder may already contain files.
    pub overwrite: bool,
    /// The flags of the generator that were given.
    pub flags: Flags,
}

impl GenerateRequest {
    /// Refuses flags that a generator does not declare. The command line does so itself; a program may misspell one.
    ///
    /// # Errors
    /// All of them, each with the nearest flag of the generator, and all its flags.
    pub fn check(&self, generator: &dyn Generator) -> Result<(), InputError> {
        let mut problems = Problems::new();
        self.flags.refuse_unknown(&format!("generator {}", generator.name()), generator.flags(), &mut problems);
        problems.into_result()
    }
}

/// A generator of scenarios, as a value for lists of generators.
pub trait Generator: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// What it generates, in one line, for `--help`.
    fn about(&self) -> &'static str;

    /// Further help with examples, for the end of `--help`; may be empty.
    fn more(&self) -> &'static str {
        ""
    }

    /// Its flags besides `--out` and `--overwrite`.
    fn flags(&self) -> &'static [Flag] {
        &[]
    }

    /// Generates a scenario, writes it to the folder, and returns a summary of it in lines of text. Begins with
    /// [`GenerateRequest::check`].
    ///
    /// # Errors
    /// A flag or a folder that cannot be used, before anything is written; a resource that the machine lacks.
    fn generate(&self, request: &GenerateRequest, progress: &dyn Progress) -> Result<String, Failure>;
}
