//! Commands that are no runs: tools, such as a solver of a game.

use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress, printable};

use crate::{Failure, Flag, Flags};

/// The texts of a tool, and how it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolHelp {
    /// The command, such as `solve`. Tools may share one.
    pub command: &'static str,
    /// What the command does, in one line; of tools that share it, the text of the first one is shown.
    pub about_command: &'static str,
    /// The word after the command, such as `kalah` of `throng solve kalah`; `None` for a command of one word.
    pub name: Option<&'static str>,
    /// What the tool does, in one line.
    pub about: &'static str,
    /// The file that it takes, if it takes one.
    pub input: Option<ToolInput>,
    /// Its flags.
    pub flags: &'static [Flag],
    /// Further help with examples, for the end.
    pub more: &'static str,
}

/// The file that a tool takes, by its place in the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolInput {
    /// What it is called, such as `KERNELS.cl`.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Whether it may be left out.
    pub is_optional: bool,
}

impl ToolHelp {
    /// The whole command, such as `solve kalah`.
    pub fn words(&self) -> String {
        [Some(self.command), self.name].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A request to a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolRequest {
    /// The file, if one was given.
    pub input: Option<PathBuf>,
    /// The flags that were given.
    pub flags: Flags,
}

impl ToolRequest {
    /// Refuses flags that a tool does not declare, and a missing file or one that it does not take. The command line does
    /// so itself; a program may misspell a flag.
    ///
    /// # Errors
    /// All of them.
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

/// Where a tool prints its results and asks for input. Control characters other than tabs and line feeds are printed as
/// escapes, such as `\u{1b}`: parts of a text may come from a file, which must not command the terminal. Line feeds of such
/// parts are the business of the tool, see [`one_line`](crate::names::one_line).
pub trait Terminal {
    /// Prints text on standard output.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn print(&mut self, text: &str) -> Result<(), Failure>;

    /// Prints text in which the tool itself has set styles by escape sequences, such as `\x1b[1m` for bold, which remain. Parts
    /// that come from a file have to be [`printable`] before.
    ///
    /// # Errors
    /// As for [`Terminal::print`].
    fn print_styled(&mut self, text: &str) -> Result<(), Failure> {
        self.print(text)
    }

    /// Prints what a tool has done beside writing its files, unless only errors are to be printed.
    ///
    /// # Errors
    /// As for [`Terminal::print`].
    fn summarise(&mut self, text: &str) -> Result<(), Failure> {
        self.print(text)
    }

    /// Prints a prompt and reads a line; `None` at the end of the input.
    ///
    /// # Errors
    /// Standard output cannot be written, or standard input not read.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure>;

    /// Whether a person is at the other end: input and output are a terminal.
    fn is_interactive(&self) -> bool;
}

/// A terminal without a person and without input, for programs that use a tool: it keeps what is printed.
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

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEnd {
    /// All is well.
    Done,
    /// What was examined is not as it should be; the exit code is 1.
    Differs,
}

/// A command of the command line besides runs, generators and papers, as a value for lists of tools.
pub trait Tool: Sync {
    /// The texts, and how it is called.
    fn help(&self) -> ToolHelp;

    /// Does it. Begins with [`ToolRequest::check`].
    ///
    /// # Errors
    /// A flag or a file that cannot be used, or something that the machine lacks.
    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure>;
}
