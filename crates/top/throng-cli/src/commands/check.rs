//! `throng check`: verification cases of the models.

use std::fmt::Write as _;

use throng::model::paper::Paper;
use throng::model::{Check, Failure, Model};
use throng_core::Verified;
use throng_device::{DeviceChoice, Executor, inventory};

use crate::args::{CheckArgs, Verbosity};
use crate::outcome::Outcome;
use crate::report;

pub(crate) fn run(
    models: &[&'static dyn Model],
    papers: &[&'static dyn Paper],
    args: &CheckArgs,
) -> Result<Outcome, Failure> {
    let of_papers = papers.iter().filter_map(|paper| paper.checks());
    let all = models.iter().map(|&model| model as &dyn Check).chain(of_papers);
    let is_selected = |checked: &&dyn Check| {
        let names = [Some(checked.name()), checked.group()];
        args.models.is_empty() || args.models.iter().any(|name| names.contains(&Some(name)))
    };
    let checked: Vec<&dyn Check> = all.filter(is_selected).collect();
    let mut count = Count::default();
    let check_all = |on: &Executor, count: &mut Count| {
        checked.iter().try_for_each(|checked| check(*checked, on, args.verbosity, count))
    };
    match args.device {
        DeviceChoice::Cpu | DeviceChoice::Device(_) => check_all(&Executor::open(args.device)?, &mut count)?,
        DeviceChoice::Auto => {
            check_all(&Executor::cpu(), &mut count)?;
            let all = inventory();
            for info in &all.devices {
                match info.open() {
                    Ok(device) => check_all(&device.into(), &mut count)?,
                    Err(error) => count.not_opened(&info.label(), error.into()),
                }
            }
            let missing = all.missing.iter().map(|missing| format!("{}: {}", missing.backend.name(), missing.reason));
            count.not_checked.extend(missing);
        }
    }
    report::print(&count.text())?;
    count.outcome(matches!(args.device, DeviceChoice::Device(_)))
}

/// Checks a model or a paper on the CPU or a device.
fn check(checked: &dyn Check, on: &Executor, verbosity: Verbosity, count: &mut Count) -> Result<(), Failure> {
    let label = on.label();
    let name = checked.name();
    let quiet = verbosity.quiet;
    if let Some(reason) = on.device().and_then(|device| checked.unsuitable(device.info())) {
        let not_checked = format!("{name} on {label}: {reason}");
        if !quiet {
            report::print(&format!("not checked: {not_checked}\n"))?;
        }
        count.not_checked.push(not_checked);
        return Ok(());
    }
    if !quiet {
        report::print(&format!("{name} on {label}\n{}", line(["", "expected", "found", ""])))?;
    }
    let mut printed = Ok(Outcome::Done);
    let mut tell = |verified: Verified| {
        let holds = verified.finding.holds;
        count.add(holds);
        if printed.is_ok() && (!quiet || !holds) {
            // Without headings, each line must name its model and device.
            let place = if quiet { format!("{name} on {label}:\n") } else { String::new() };
            printed = report::print(&format!("{place}{}", row(&verified, verbosity.verbose)));
        }
    };
    checked.verify(on, &mut tell);
    printed.map(drop)
}

#[derive(Debug, Default)]
struct Count {
    all: usize,
    failed: usize,
    /// Models, devices and backends that were not checked, each with the reason.
    not_checked: Vec<String>,
    /// The first failure to open an existing device, if any.
    not_opened: Option<Failure>,
}

impl Count {
    fn add(&mut self, holds: bool) {
        self.all += 1;
        self.failed += usize::from(!holds);
    }

    fn not_opened(&mut self, label: &str, failure: Failure) {
        self.not_checked.push(format!("{label}: it cannot be opened"));
        self.not_opened.get_or_insert(failure);
    }

    fn text(&self) -> String {
        let mut text = match (self.failed, self.all) {
            (_, 0) => "no case was checked\n".to_owned(),
            (0, 1) => "the case holds\n".to_owned(),
            (0, all) => format!("all {all} cases hold\n"),
            (failed, all) => format!("{failed} of {all} cases do not hold\n"),
        };
        for not_checked in &self.not_checked {
            let _ = writeln!(text, "not checked: {not_checked}");
        }
        text
    }

    /// Returns the outcome of the command. A device that cannot be opened is a failure; if the user `named` the device,
    /// so is a model that cannot be checked on it.
    fn outcome(&self, named: bool) -> Result<Outcome, Failure> {
        match (&self.not_opened, self.not_checked.first()) {
            _ if self.failed > 0 => Ok(Outcome::Differs),
            (Some(failure), _) => Err(failure.clone()),
            (None, Some(not_checked)) if named => Err(Failure::resource(
                format!("not checked: {not_checked}"),
                "choose another device with --device (`throng doctor` lists them), or only models that it supports",
            )),
            _ => Ok(Outcome::Done),
        }
    }
}

/// Formats a case, with its description on a separate line.
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
    let text = format!("  {case:<32}  {expected:<32}  {found:<32}  {verdict}");
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Finding;

    fn outcome(count: &Count, named: bool) -> Result<Outcome, String> {
        count.outcome(named).map_err(|failure| failure.text())
    }

    #[test]
    fn rows_and_totals_are_formatted() {
        let verified = Verified { case: "a", promise: "b", finding: Finding::at_most(1.0, 2.0) };
        let text = row(&verified, true);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a", "at", "most", "1", "2", "FAILS", "b"]);
        let mut count = Count::default();
        count.add(true);
        assert_eq!(count.text(), "the case holds\n");
        count.add(false);
        assert_eq!(count.text(), "1 of 2 cases do not hold\n");
        assert_eq!(outcome(&count, true), Ok(Outcome::Differs));
    }

    #[test]
    fn a_device_that_cannot_be_opened_gives_exit_code_3_after_all_others() {
        let mut count = Count::default();
        count.add(true);
        count.not_opened("vulkan:1 (x)", Failure::resource("lost", "restart"));
        count.not_opened("vulkan:2 (y)", Failure::resource("lost, too", ""));
        let lines = "not checked: vulkan:1 (x): it cannot be opened\nnot checked: vulkan:2 (y): it cannot be opened\n";
        assert_eq!(count.text(), format!("the case holds\n{lines}"));
        assert_eq!(outcome(&count, false), Err("error: lost\n    restart".to_owned()));
    }

    #[test]
    fn an_unusable_device_is_listed_in_the_total_and_fails_if_requested() {
        let mut count = Count::default();
        count.not_checked.push("traffic on vulkan:0 (x): the device has no double precision".to_owned());
        let line = "not checked: traffic on vulkan:0 (x): the device has no double precision\n";
        assert_eq!(count.text(), format!("no case was checked\n{line}"));
        let failure = count.outcome(true).unwrap_err();
        assert!(matches!(failure, Failure::Resource { .. }), "exit code 3: {failure:?}");
        count.add(true);
        assert_eq!(count.text(), format!("the case holds\n{line}"));
        assert_eq!(outcome(&count, false), Ok(Outcome::Done));
        count.add(false);
        assert_eq!(outcome(&count, true), Ok(Outcome::Differs));
    }
}
