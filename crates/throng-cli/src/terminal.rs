//! Standard input and output, for tools that ask.

use std::io::IsTerminal as _;

use throng::model::{Failure, Terminal};

use crate::report;

/// The process's own standard streams.
pub(crate) struct Console {
    /// Whether summaries are left out.
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
        let mut line = String::new();
        match std::io::stdin().read_line(&mut line) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(line.trim().to_owned())),
            Err(error) => {
                Err(Failure::resource(format!("standard input: {error}"), "check where the input comes from"))
            }
        }
    }

    fn is_interactive(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }
}
