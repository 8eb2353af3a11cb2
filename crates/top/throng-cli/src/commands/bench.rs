//! `throng bench`: repeats a run, and prints the median time of each phase.

use throng::model::flags::Flags;
use throng::model::{Failure, Model};
use throng_core::Alignment::{Left, Right};
use throng_core::text_table;

use crate::args::{BenchArgs, ScenarioArgs};
use crate::child_run::{ChildRun, Phase};
use crate::commands::doctor::machine;
use crate::outcome::Outcome;
use crate::report;
use crate::scenario::{command, scenario};

pub(crate) fn run(models: &[&'static dyn Model], args: &BenchArgs) -> Result<Outcome, Failure> {
    // Faults of the scenario are reported once, before the first run.
    let BenchArgs { scenario: path, changes, threads, out, .. } = args;
    let parsed = ScenarioArgs {
        scenario: Some(path.clone()),
        changes: changes.clone(),
        threads: *threads,
        out: Some(out.clone()),
        ..ScenarioArgs::default()
    };
    scenario(models, &parsed, None, "throng bench", &Flags::default())?.0.check_inputs()?;
    let (mut runs, mut device) = (Vec::new(), String::new());
    for number in 1..=args.repeats {
        let ChildRun { phases, manifest } = timed_run(args)?;
        let all: f64 = phases.iter().map(|(_, seconds)| seconds).sum();
        report::print_to_stderr(format_args!("run {number} of {}: {all:.3} s", args.repeats));
        runs.push(phases);
        manifest["device"].as_str().unwrap_or_default().clone_into(&mut device);
    }
    let text = format!(
        "{}\ncommand    {}\ndevice     {device}\n\n{}",
        machine(),
        command(),
        text_table(&rows(&runs), &[Left, Right, Right, Right, Right])
    );
    report::print(&text)
}

/// Runs the scenario in a separate process.
fn timed_run(args: &BenchArgs) -> Result<ChildRun, Failure> {
    ChildRun::start(&args.out, |command| {
        command.arg("run").arg(&args.scenario).arg("--out").arg(&args.out).args(["--quiet", "--device"]);
        command.arg(args.execution.device.to_string());
        for change in &args.changes {
            command.args(["--set", change]);
        }
        let numbers = [("--threads", args.threads.map(|n| n as u64)), ("--steps", args.execution.steps)];
        for (flag, value) in numbers.into_iter().filter_map(|(flag, value)| Some((flag, value?))) {
            command.arg(flag).arg(value.to_string());
        }
        command.args(args.execution.no_cache.then_some("--no-cache"));
        command.args(args.overwrite.then_some("--overwrite"))
    })
}

/// Returns the rows of the table: each phase that occurs in any run, and the whole run.
fn rows(runs: &[Vec<Phase>]) -> Vec<[String; 5]> {
    let heading = ["seconds", "median", "min", "max", "first run"].map(str::to_owned);
    let of_phase = |name: &str| {
        let is_named = |(phase, _): &&Phase| phase == name;
        // The sum of no numbers is -0.0, which is added to 0.0.
        let of_run = |run: &Vec<Phase>| 0.0 + run.iter().filter(is_named).map(|(_, seconds)| seconds).sum::<f64>();
        row(name, runs.iter().map(of_run).collect())
    };
    // Only the first run may fill a cache, so its phases come first.
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in runs.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let whole = runs.iter().map(|run| run.iter().map(|(_, seconds)| seconds).sum()).collect();
    std::iter::once(heading).chain(names.into_iter().map(of_phase)).chain([row("whole run", whole)]).collect()
}

/// Returns a row with the median of `seconds`, their extremes, and the first.
fn row(name: &str, seconds: Vec<f64>) -> [String; 5] {
    let first = seconds.first().copied().unwrap_or(0.0);
    let mut sorted = seconds;
    sorted.sort_by(f64::total_cmp);
    let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
    let last = sorted.len().saturating_sub(1);
    // The middle value, or the mean of the two in the middle.
    let median = f64::midpoint(at(last / 2), at(last.div_ceil(2)));
    let [median, min, max, first] = [median, at(0), at(last), first].map(|seconds| format!("{seconds:.3}"));
    [name.to_owned(), median, min, max, first]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_extremes_are_listed_for_each_phase() {
        let run = |loading: f64, simulation: f64| {
            vec![("loading".to_owned(), loading), ("simulation".to_owned(), simulation)]
        };
        let table = rows(&[run(4.0, 1.0), run(1.0, 2.0), run(2.0, 8.0), run(1.5, 1.0)]);
        assert_eq!(table[0][..2], ["seconds", "median"]);
        assert_eq!(table[1], ["loading", "1.750", "1.000", "4.000", "4.000"]);
        assert_eq!(table[2], ["simulation", "1.500", "1.000", "8.000", "1.000"]);
        assert_eq!(table[3], ["whole run", "4.000", "2.500", "10.000", "5.000"]);
        let cached = [vec![("loading".to_owned(), 3.0)], vec![("saving".to_owned(), 1.0)]];
        assert_eq!(rows(&cached)[2], ["saving", "0.500", "0.000", "1.000", "0.000"]);
        assert_eq!(rows(&[run(1.0, 2.0)])[1], ["loading", "1.000", "1.000", "1.000", "1.000"]);
    }
}
