//! Commands other than runs, such as a solver of a game.

use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress, printable};

use crate::Failure;
use crate::flags::{Flag, Flags};

/// The help and the invocation of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolHelp {
    /// Command, such as `solve`. Several tools may share one.
    pub command: &'static str,
    /// One-line description of the command; if several tools share it, the first description is shown.
    pub about_command: &'static str,
    /// Word after the command, such as `kalah` in `throng solve kalah`; `None` for a command of one word.
    pub name: Option<&'static str>,
    /// One-line description of the tool.
    pub about: &'static str,
    /// Input file, if the tool takes one.
    pub input: Option<ToolInput>,
    /// Flags of the tool.
    pub flags: &'static [Flag],
    /// Further help with examples, printed last.
    pub more: &'static str,
}

/// The input file of a tool, a positional argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolInput {
    /// Placeholder, such as `KERNELS.cl`.
    pub name: &'static str,
    /// Description.
    pub help: &'static str,
    /// Whether it may be omitted.
    pub is_optional: bool,
}

impl ToolHelp {
    /// Returns the whole command, such as `solve kalah`.
    pub fn words(&self) -> String {
        [Some(self.command), self.name].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A request to a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolRequest {
    /// The given input file, if any.
    pub input: Option<PathBuf>,
    /// Flags with their values, as typed.
    pub flags: Flags,
}

impl ToolRequest {
    /// Rejects flags that a tool does not declare, a missing file, or a file that it does not take. The command line
    /// already does so; programs using the library may misspell a flag.
    ///
    /// # Errors
    /// When a flag is undeclared, or the file is missing or not accepted; the error lists all problems.
    pub fn check(&self, tool: &dyn Tool) -> Result<(), InputError> {
        let help = tool.help();
        let mut problems = Problems::new();
        self.flags.refuse_unknown(&help.words(), help.flags, &mut problems);
        match (&self.input, help.input) {
            (Some(input), None) => {
                let place = input.display().to_string();
                problems.push(place, format!("{} takes no file", help.words()), "leave it out");
            }
            (None, Some(ToolInput { name, is_optional: false, .. })) => {
                problems.push(help.words(), "needs a file", format!("give {name}"));
            }
            _ => {}
        }
        problems.into_result()
    }
}

/// The output and input of a tool. Control characters other than tabs and line feeds are printed as escapes, such as
/// `\u{1b}`, because parts of a text may come from a file, which must not control the terminal. Tools themselves must
/// handle line feeds in such parts; see [`one_line`](crate::names::one_line).
pub trait Terminal {
    /// Prints text on standard output.
    ///
    /// # Errors
    /// When standard output cannot be written.
    fn print(&mut self, text: &str) -> Result<(), Failure>;

    /// Prints text that contains escape sequences for styles set by the tool, such as `\x1b[1m` for bold, which are
    /// kept. Parts that come from a file must first be escaped with [`printable`].
    ///
    /// # Errors
    /// As for [`Terminal::print`].
    fn print_styled(&mut self, text: &str) -> Result<(), Failure> {
        self.print(text)
    }

    /// Prints a summary of the tool's actions other than writing files, unless only errors are to be printed.
    ///
    /// # Errors
    /// As for [`Terminal::print`].
    fn summarise(&mut self, text: &str) -> Result<(), Failure> {
        self.print(text)
    }

    /// Prints a prompt and reads a line; `None` at the end of the input.
    ///
    /// # Errors
    /// When standard output cannot be written, or standard input cannot be read.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure>;

    /// Whether the session is interactive: input and output are a terminal.
    fn is_interactive(&self) -> bool;
}

/// A non-interactive terminal without input, for programs that use a tool: it stores the printed text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed(pub String);

impl Terminal for Printed {
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.0 += &printable(text);
        Ok(())
    }

    fn ask(&mut self, _prompt: &str) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    fn is_interactive(&self) -> bool {
        false
    }
}

/// Outcome of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEnd {
    /// Success.
    Done,
    /// The examined data failed the check; the exit code is 1.
    Differs,
}

/// A command besides runs, generators and papers. Tools can be stored in lists.
pub trait Tool: Sync {
    /// Returns the help and the invocation.
    fn help(&self) -> ToolHelp;

    /// Executes the tool. Implementations call [`ToolRequest::check`] first.
    ///
    /// # Errors
    /// When a flag or a file cannot be used, or when the machine lacks a resource.
    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure>;
}
