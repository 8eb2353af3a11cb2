//! `throng check`: verification cases of the models.

use std::fmt::Write as _;

use clap::ValueEnum as _;
use throng_core::Verified;
use throng_device::{AnyDevice, DeviceChoice, inventory, open};

use crate::args::{CheckArgs, Model};
use crate::exit::{Failure, Outcome};
use crate::report;

pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let models = if args.models.is_empty() { Model::value_variants() } else { &args.models[..] };
    let mut count = Count::default();
    for device in executors(args)? {
        for &model in models {
            check(model, device.as_ref(), args, &mut count)?;
        }
    }
    report::print(&count.text())?;
    Ok(if count.failed == 0 { Outcome::Done } else { Outcome::Differs })
}

/// The CPU (`None`) and devices that were asked for.
fn executors(args: &CheckArgs) -> Result<Vec<Option<AnyDevice>>, Failure> {
    Ok(match args.device {
        DeviceChoice::Cpu => vec![None],
        DeviceChoice::Device(id) => vec![Some(open(id)?)],
        DeviceChoice::Auto => {
            let all = inventory();
            for missing in all.missing.iter().filter(|_| !args.verbosity.quiet) {
                report::tell(format_args!("not checked on {}: {}", missing.backend.name(), missing.reason));
            }
            let devices = all.devices.iter().map(|info| info.open().map(Some));
            std::iter::once(Ok(None)).chain(devices).collect::<Result<_, _>>()?
        }
    })
}

/// Checks one model on the CPU or a device.
fn check(model: Model, device: Option<&AnyDevice>, args: &CheckArgs, count: &mut Count) -> Result<(), Failure> {
    let label = device.map_or_else(|| "cpu".to_owned(), |device| device.info().label());
    let name = model.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    if model == Model::Traffic && device.is_some_and(|device| !device.info().has_f64) {
        report::tell(format_args!("{name} is not checked on {label}: it has no double precision"));
        return Ok(());
    }
    let quiet = args.verbosity.quiet;
    if !quiet {
        report::print(&format!("{name} on {label}\n{}", line(["", "expected", "found", ""])))?;
    }
    let mut printed = Ok(Outcome::Done);
    let mut tell = |verified: Verified| {
        let holds = verified.finding.holds;
        count.add(holds);
        if printed.is_ok() && (!quiet || !holds) {
            // Without headings each line has to say where it belongs.
            let place = if quiet { format!("{name} on {label}:\n") } else { String::new() };
            printed = report::print(&format!("{place}{}", row(&verified, args.verbosity.verbose)));
        }
    };
    match model {
        Model::Traffic => throng_traffic::verification::verify(device, &mut tell),
        Model::Fields => throng::fields::verification::verify(device, &mut tell),
    }
    printed.map(drop)
}

#[derive(Debug, Default)]
struct Count {
    all: usize,
    failed: usize,
}

impl Count {
    fn add(&mut self, holds: bool) {
        self.all += 1;
        self.failed += usize::from(!holds);
    }

    fn text(&self) -> String {
        match self.failed {
            0 => format!("all {} cases hold\n", self.all),
            failed => format!("{failed} of {} cases do not hold\n", self.all),
        }
    }
}

/// A case, and on a line of its own what it promises.
fn row(verified: &Verified, with_promise: bool) -> String {
    let finding = &verified.finding;
    let verdict = if finding.holds { "holds" } else { "FAILS" };
    let mut text = line([verified.case, &finding.expected, &finding.found, verdict]);
    if with_promise {
        let _ = writeln!(text, "      {}", verified.promise);
    }
    text
}

fn line([case, expected, found, verdict]: [&str; 4]) -> String {
    let text = format!("  {case:<34}{expected:<34}{found:<34}{verdict}");
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Finding;

    #[test]
    fn rows_and_the_end() {
        let verified = Verified { case: "a", promise: "b", finding: Finding::at_most(1.0, 2.0) };
        let text = row(&verified, true);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a", "at", "most", "1", "2", "FAILS", "b"]);
        let mut count = Count::default();
        count.add(true);
        assert_eq!(count.text(), "all 1 cases hold\n");
        count.add(false);
        assert_eq!(count.text(), "1 of 2 cases do not hold\n");
    }
}
