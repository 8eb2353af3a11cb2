//! The commands of the catalogue's tools.

use throng::model::Failure;
use throng::model::flags::Flags;
use throng::model::tool::{Tool, ToolEnd, ToolRequest};

use crate::args::ToolArgs;
use crate::outcome::Outcome;
use crate::progress;
use crate::terminal::Console;

pub(crate) fn run(tool: &dyn Tool, args: &ToolArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let request = ToolRequest { input: args.input.clone(), flags: flags.clone() };
    let display = progress::display(args.verbosity);
    let mut console = Console { quiet: args.verbosity.quiet };
    match tool.run(&request, &mut console, display.as_ref())? {
        ToolEnd::Done => Ok(Outcome::Done),
        ToolEnd::Differs => Ok(Outcome::Differs),
    }
}
