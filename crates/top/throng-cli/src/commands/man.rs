//! `throng man`: a page for each command.

use std::path::Path;

use throng::model::Failure;
use throng::output::{OutputError, PendingFile};

use crate::args::ManArgs;
use crate::outcome::Outcome;
use crate::report;

pub(crate) fn run(command: clap::Command, args: &ManArgs) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| OutputError::io("create output folder", folder, error))?;
    // Needed for full names, such as `throng-generate-city`, and for inherited options.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let count = write(&command, folder)?;
    report::print(&format!("written  {count} pages to {}\n", folder.display()))
}

/// Writes the pages of a command and its subcommands, and returns their number.
fn write(command: &clap::Command, folder: &Path) -> Result<usize, Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut file = PendingFile::create(&folder.join(format!("{name}.1")))?;
    let page = clap_mangen::Man::new(command.clone());
    page.render(&mut file).map_err(|error| file.error(error))?;
    file.complete()?;
    let commands = command.get_subcommands().filter(|sub| sub.get_name() != "help");
    commands.map(|sub| write(sub, folder)).sum::<Result<usize, _>>().map(|count| count + 1)
}
