//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::{AREA, Case, STEP};
use super::defects::{CheckVariant, Defects};
use super::method::Method;
use super::published::Restore;
use super::reproduce::{Measured, ViguerasMeasurements};
use crate::experiment::{Cell, Table, cells, percent};

/// The paper's times relative to its baseline for a million agents, on the C870 and the C1060. Absolute times are only
/// in its charts.
const PUBLISHED: [(Method, [Option<f64>; 2]); 4] = [
    (Method::Baseline, [Some(1.0), Some(1.0)]),
    (Method::OptimisedBaseline, [Some(0.30), Some(0.47)]),
    (Method::FourSteps(Restore::Immediate), [Some(0.15), Some(0.25)]),
    (Method::FourStepsAtomic, [None, Some(0.35)]),
];
/// Sorting time as a fraction of the time of the optimised baseline, in the paper.
const PUBLISHED_SORT: f64 = 0.54;
/// Number of agents in the paper's ratios.
const PUBLISHED_AGENTS: u32 = 1_000_000;

/// Builds the document with all tables.
pub fn table(measurements: &ViguerasMeasurements) -> String {
    let mut text = String::new();
    times(measurements, &mut text);
    ratios(measurements, &mut text);
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
    for &agents in &measurements.options.agents {
        let case = Case { agents, area: AREA, step: STEP };
        for row in measurements.rows.iter().filter(|row| row.case == case) {
            let (found, sort) = (&row.figures, row.sort_share().map(percent));
            let times = cells![row.times.median(), found.with_copies, sort, row.ns_per_move()];
            table.row([cells![agents, row.program.name()], times, cells![percent(found.moved), found.pairs]].concat());
        }
    }
    text.push_str(&table.markdown());
}

/// The case compared with the paper's ratios: a million agents, or the largest number measured.
fn case_of_published_ratios(measurements: &ViguerasMeasurements) -> Option<Case> {
    let agents = &measurements.options.agents;
    let count = if agents.contains(&PUBLISHED_AGENTS) { Some(PUBLISHED_AGENTS) } else { agents.iter().copied().max() };
    count.map(|agents| Case { agents, area: AREA, step: STEP })
}

/// The paper's ratios next to those measured on this machine, if there is a device.
fn ratios(measurements: &ViguerasMeasurements, text: &mut String) {
    let Some(case) = case_of_published_ratios(measurements) else { return };
    let row = |method| measurements.rows.row(case, method);
    let (Some(baseline), Some(no_check)) = (row(Method::Baseline), row(Method::NoCheck)) else { return };
    let check = |row: &Measured| row.times.median() - no_check.times.median();
    let _ = writeln!(
        text,
        "Time of the check relative to the baseline, {} agents; on the device, without the time of drawing and moving; \
         with copies, the total time.\n",
        case.agents
    );
    let columns = ["check", "the paper, C870", "the paper, C1060", "here, on the device", "here, with copies"];
    let mut table = Table::new(1, columns);
    // The paper's ratios for the four steps are repeated for each reading that was timed.
    let readings = |(method, figures): (Method, [Option<f64>; 2])| match method {
        Method::FourSteps(_) => {
            measurements.options.restore.iter().map(|&how| (Method::FourSteps(how), figures)).collect()
        }
        method => vec![(method, figures)],
    };
    let ours = (Method::SequentialOnDevice, [None, None]);
    for (method, [c870, c1060]) in PUBLISHED.into_iter().flat_map(readings).chain([ours]) {
        let Some(found) = row(method) else { continue };
        let copies =
            found.figures.with_copies.zip(baseline.figures.with_copies).map(|(found, baseline)| found / baseline);
        let here = percent(check(found) / check(baseline));
        table.row(cells![method.name(), c870.map(percent), c1060.map(percent), here, copies.map(percent)]);
    }
    if let Some(optimised) = row(Method::OptimisedBaseline) {
        let here = optimised.figures.sort.map(|sort| percent(sort / check(optimised)));
        table.row(cells!["sort in the optimised baseline", percent(PUBLISHED_SORT), "", here, ""]);
    }
    text.push_str(&table.markdown());
}

fn densities(measurements: &ViguerasMeasurements, text: &mut String) {
    let options = &measurements.options;
    let cases = options.densities(options.density_agents);
    let ran = |method: &Method| cases.iter().any(|&case| measurements.rows.row(case, *method).is_some());
    let methods: Vec<Method> = options.methods().into_iter().filter(ran).collect();
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
    use crate::vigueras::report::tests::measurements;

    #[test]
    fn ratios_exclude_the_time_outside_the_check() {
        let text = table(&measurements());
        for line in [
            "| 1000000 | baseline | 4.00 | 9.00 | 25.0 % | 40.0 | 50.0 % | 7 |",
            "| 1000000 | no check | 1.00 | 5.00 |  | 10.0 | 50.0 % |  |",
            "| baseline | 100 % | 100 % | 100 % | 100 % |",
            "| optimised baseline | 30.0 % | 47.0 % | 50.0 % | 66.7 % |",
            "| four steps | 15.0 % | 25.0 % | 33.3 % | 100 % |",
            "| sort in the optimised baseline | 54.0 % |  | 66.7 % |  |",
            "| 0.2 | 1 | 3.50, 58.0 % | 3.50, 58.0 % | 0, 61.0 % |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
