//! `throng reproduce`: the experiment of a paper, on this machine.

mod elmir;
mod strippgen;

use std::fmt::Display;

use throng_device::{AnyDevice, DeviceChoice, inventory, open};

use crate::args::{Reproduce, ReproduceArgs, Verbosity};
use crate::exit::{Failure, Outcome};
use crate::report;

pub(crate) fn run(args: &ReproduceArgs) -> Result<Outcome, Failure> {
    match &args.paper {
        Reproduce::Strippgen(args) => strippgen::run(args),
        Reproduce::Elmir(args) => elmir::run(args),
    }
}

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses a list in which something is twice: a table has one column for it.
fn each_once<T: PartialEq + Display>(option: &str, list: &[T]) -> Result<(), Failure> {
    match list.iter().enumerate().find(|(i, item)| list[..*i].contains(item)) {
        Some((_, twice)) => {
            let remedy = "give each once, and --repeat for more measurements";
            Err(Failure::input(option, format!("{twice} is there twice"), remedy))
        }
        None => Ok(()),
    }
}

/// The device that was asked for, opened; says which one it is.
fn device(choice: DeviceChoice, verbosity: Verbosity) -> Result<Option<AnyDevice>, Failure> {
    let (id, why) = match choice {
        DeviceChoice::Cpu => (None, "as asked for"),
        DeviceChoice::Device(id) => (Some(id), "as asked for"),
        DeviceChoice::Auto => match inventory().fastest() {
            Some(info) => (Some(info.id), "the fastest here"),
            None => (None, "there is no GPU; software devices only when asked for, such as --device vulkan:0"),
        },
    };
    let opened = id.map(open).transpose()?;
    if !verbosity.quiet {
        let name = opened.as_ref().map_or_else(|| "cpu".to_owned(), |device| device.info().label());
        report::tell(format_args!("device: {name}, {why}"));
    }
    Ok(opened)
}
