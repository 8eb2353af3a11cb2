//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::{AREA, STEP};
use super::defects::{CheckVariant, Defects};
use super::method::{FOUR_STEPS, Method, OPTIMISED};
use super::published_figures::{CHECK_IN_BASELINE, RELATIVE_TIMES, SORT_IN_OPTIMISED, TEXTURE};
use super::reproduce::ViguerasMeasurements;
use crate::experiment::{Cell, Table, cells, percent};

/// Builds the document with all tables.
pub fn table(measurements: &ViguerasMeasurements) -> String {
    let mut text = String::new();
    times(measurements, &mut text);
    ratios(measurements, &mut text);
    kernels(measurements, &mut text);
    rates(measurements, &mut text);
    densities(measurements, &mut text);
    defects(measurements, &mut text);
    text
}

/// One row per number of agents and method.
fn times(measurements: &ViguerasMeasurements, text: &mut String) {
    let moves = measurements.options.moves;
    let _ = writeln!(
        text,
        "{moves} moves of each agent, area fraction {AREA}, steps of {STEP} cells. Seconds for all moves, drawn and \
         carried out where the check runs; the same with wishes copied to the device and flags back in each step; \
         fraction of the time spent sorting; fraction of wishes granted; overlapping pairs after the last move. \
         Without a check, discs pass through each other, and pairs are not counted.\n"
    );
    let mut table =
        Table::new(2, ["agents", "check", "s", "s, with copies", "sort", "ns per move", "granted", "pairs"]);
    for case in measurements.options.cases_of_agents() {
        for row in measurements.rows.iter().filter(|row| row.case == case) {
            let (found, sort) = (&row.figures, row.sort_share().map(percent));
            let times = cells![row.times.median(), found.with_copies, sort, row.ns_per_move()];
            table.row(
                [cells![case.agents, row.program.name()], times, cells![percent(found.moved), found.pairs]].concat(),
            );
        }
    }
    text.push_str(&table.markdown());
}

/// The paper's ratios next to those measured on this machine, if there is a device.
fn ratios(measurements: &ViguerasMeasurements, text: &mut String) {
    let Some(case) = measurements.options.published_case() else { return };
    let row = |method| measurements.rows.row(case, method);
    let Some(baseline) = row(Method::Baseline) else { return };
    let _ = writeln!(
        text,
        "Time of the check relative to the baseline, {} agents, without the time of drawing and moving; with copies, the \
         total time, relative to the baseline with one bit per pass. The baseline with the fast sort is closer to the \
         paper's.\n",
        case.agents
    );
    let columns = [
        "check",
        "the paper, C870",
        "the paper, C1060",
        "here, over the baseline with the fast sort",
        "here, over the baseline with one bit per pass",
        "here, with copies",
    ];
    let mut table = Table::new(1, columns);
    let is_check = |method: &Method| method.is_on_device() && *method != Method::NoCheck;
    for method in measurements.options.methods().into_iter().filter(is_check) {
        let Some(found) = row(method) else { continue };
        let copies =
            found.figures.with_copies.zip(baseline.figures.with_copies).map(|(found, baseline)| found / baseline);
        let here = [Method::FastSortBaseline, Method::Baseline]
            .map(|baseline| Cell::from(measurements.relative_time(case, method, baseline).map(percent)));
        let [c870, c1060] = published(method);
        let there = [c870, c1060].map(|ratio| Cell::from(ratio.map(percent)));
        table.row([cells![method.name()], there.to_vec(), here.to_vec(), cells![copies.map(percent)]].concat());
        if method == Method::Baseline {
            let hardly = "hardly less";
            table.row(cells!["baseline, texture memory", percent(TEXTURE), hardly, "not repeated", "not repeated", ""]);
        }
    }
    if let (Some(sort), Some(check)) =
        (row(OPTIMISED).and_then(|row| row.figures.sort), measurements.check_seconds(case, OPTIMISED))
    {
        let share = percent(sort / check);
        table.row(cells!["sort in the optimised baseline", percent(SORT_IN_OPTIMISED), "", share, "", ""]);
    }
    text.push_str(&table.markdown());
}

/// The paper's times relative to the baseline. Those of the four steps are repeated for each reading.
fn published(method: Method) -> [Option<f64>; 2] {
    let method = if let Method::FourSteps(_) = method { FOUR_STEPS } else { method };
    RELATIVE_TIMES.into_iter().find(|(of, _)| *of == method).map_or([None, None], |(_, ratios)| ratios)
}

/// Figures 3 and 6: the kernels of each program.
fn kernels(measurements: &ViguerasMeasurements, text: &mut String) {
    let (Some(case), false) = (measurements.options.published_case(), measurements.kernels.is_empty()) else { return };
    let _ = writeln!(
        text,
        "Kernels of the paper's programs, {} agents: microseconds per move without the time between launches, and \
         fraction of all kernels of the check. The host times them, launch by launch, which underestimates short \
         kernels and sorts of many launches. The paper names no card for its fractions.\n",
        case.agents
    );
    let mut table = Table::of(2, "check, kernel, µs per move, fraction, the paper");
    for found in &measurements.kernels {
        for (kernel, _) in &found.kernels {
            let there = match (found.method, *kernel) {
                (Method::FastSortBaseline, "check") => Some(percent(CHECK_IN_BASELINE)),
                (OPTIMISED, "sort") => Some(percent(SORT_IN_OPTIMISED)),
                _ => None,
            };
            let us = found.times(&[*kernel]).map(|times| times.median() * 1e6);
            table.row(cells![found.method.name(), *kernel, us, found.share(kernel).map(percent), there]);
        }
    }
    text.push_str(&table.markdown());
}

/// Figures 10 and 11: wishes and tests per second.
fn rates(measurements: &ViguerasMeasurements, text: &mut String) {
    let rows = measurements.rows.iter();
    let counted: Vec<_> = rows.filter(|row| measurements.options.cases_of_agents().contains(&row.case)).collect();
    if counted.iter().all(|row| row.figures.tests.is_none()) {
        return;
    }
    text.push_str(
        "Wishes checked per second, and tests per second: comparisons of a disc with another one, counted in a \
         separate run. The times include drawing and moving.\n\n",
    );
    let mut table = Table::of(2, "agents, check, tests per wish, wishes in millions per s, tests in millions per s");
    for row in counted {
        let Some(tests) = row.figures.tests else { continue };
        let per_wish = tests as f64 / row.wishes();
        let [wishes, tests] = [row.wishes(), tests as f64].map(|count| count / row.times.median() / 1e6);
        table.row(cells![row.case.agents, row.program.name(), per_wish, wishes, tests]);
    }
    text.push_str(&table.markdown());
}

fn densities(measurements: &ViguerasMeasurements, text: &mut String) {
    let options = &measurements.options;
    let cases = options.densities(options.density_agents);
    let ran = |method: &Method| cases.iter().any(|&case| measurements.rows.row(case, *method).is_some());
    let methods: Vec<Method> =
        options.methods().into_iter().filter(|method| !method.is_variant() && ran(method)).collect();
    let agents = options.density_agents;
    let _ = writeln!(text, "Nanoseconds per move of an agent, and fraction of wishes granted; {agents} agents.\n");
    let mut table = by_density(methods.iter().map(|method| method.name().to_owned()));
    for case in cases {
        let cell = |method: &Method| {
            let row = measurements.rows.row(case, *method);
            Cell::from(row.map(|row| format!("{}, {}", three_figures(row.ns_per_move()), percent(row.figures.moved))))
        };
        table.row([cells![case.area.to_string(), case.step.to_string()], methods.iter().map(cell).collect()].concat());
    }
    text.push_str(&table.markdown());
}

/// A table with one row per density and step length.
fn by_density(checks: impl IntoIterator<Item = String>) -> Table {
    Table::new(0, ["area fraction", "step, cells"]).and(checks)
}

fn defects(measurements: &ViguerasMeasurements, text: &mut String) {
    let options = &measurements.options;
    let _ = writeln!(
        text,
        "Pairs of discs that overlap after one step that began without overlaps, and fraction of wishes granted; {} \
         agents, mean of {} steps, on the CPU.\n",
        options.counted_agents, options.counted_steps
    );
    let mut table = by_density(CheckVariant::ALL.map(CheckVariant::name));
    for found in measurements.defects.chunks(CheckVariant::ALL.len()) {
        let Some(Defects { case, .. }) = found.first() else { continue };
        let cell = |found: &Defects| {
            let pairs = if found.pairs == 0.0 { "0".to_owned() } else { three_figures(found.pairs) };
            Cell::from(format!("{pairs}, {}", percent(found.moved)))
        };
        table.row([cells![case.area.to_string(), case.step.to_string()], found.iter().map(cell).collect()].concat());
    }
    text.push_str(table.markdown().trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Row, Times};
    use crate::vigueras::kernel_times::KernelTimes;
    use crate::vigueras::report::tests::measurements;

    #[test]
    fn ratios_exclude_the_time_outside_the_check() {
        let mut measurements = measurements();
        let baseline = measurements.rows.0[1].clone();
        let (program, times) = (Method::FastSortBaseline, Times::of(vec![3.0]));
        measurements.rows.0.push(Row { program, times, ..baseline });
        measurements.kernels.push(KernelTimes { method: program, kernels: vec![("check", vec![2e-6; 3])] });
        let text = table(&measurements);
        for line in [
            "| 1000000 | baseline | 4.00 | 9.00 | 25.0 % | 40.0 | 50.0 % | 7 |",
            "| 1000000 | no check | 1.00 | 5.00 |  | 10.0 | 50.0 % |  |",
            "| baseline | 100 % | 100 % | 150 % | 100 % | 100 % |",
            "| baseline, fast sort |  |  | 100 % | 66.7 % | 100 % |",
            "| optimised baseline | 30.0 % | 47.0 % | 75.0 % | 50.0 % | 66.7 % |",
            "| four steps | 15.0 % | 25.0 % | 50.0 % | 33.3 % | 100 % |",
            "| sort in the optimised baseline | 54.0 % |  | 66.7 % |  |  |",
            "| baseline, texture memory | 50.0 % | hardly less | not repeated | not repeated |  |",
            "| baseline | check | 3.00 | 75.0 % |  |",
            "| baseline, fast sort | check | 2.00 | 100 % | 63.0 % |",
            "| baseline | sort | 1.00 | 25.0 % |  |",
            "| 1000000 | four steps | 1.50 | 50.0 | 75.0 |",
            "| 0.2 | 1 | 3.50, 58.0 % | 3.50, 58.0 % | 0, 61.0 % |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
