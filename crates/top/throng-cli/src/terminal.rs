//! Standard input and output, for tools with prompts.

use std::io::{BufRead as _, IsTerminal as _, Read as _};

use throng::model::Failure;
use throng::model::tool::Terminal;

use crate::report;

/// Maximum length of an answer in bytes; the rest becomes the next answer.
const MAX_LINE: u64 = 1 << 16;

/// The process's own standard streams.
pub(crate) struct Console {
    /// Whether summaries are omitted.
    pub quiet: bool,
}

impl Terminal for Console {
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        report::print(text).map(|_| ())
    }

    fn print_styled(&mut self, text: &str) -> Result<(), Failure> {
        report::print_styled(text).map(|_| ())
    }

    fn summarise(&mut self, text: &str) -> Result<(), Failure> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        report::print(prompt)?;
        let mut line = Vec::new();
        match std::io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => Ok(None),
            // Bytes that are not UTF-8 cannot be a valid answer, so the tool asks again.
            Ok(_) => Ok(Some(String::from_utf8_lossy(&line).trim().to_owned())),
            Err(error) => {
                Err(Failure::resource(format!("standard input: {error}"), "check where the input comes from"))
            }
        }
    }

    fn is_interactive(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }
}
