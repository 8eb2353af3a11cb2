//! The measurements beside the published ones, as a document in Markdown.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::{AREA, Case, STEP};
use super::defects::Counted;
use super::method::Method;
use super::published::Restore;
use super::reproduce::{Measurements, Row};

/// What the paper says about times, relative to its baseline, for a million agents: C870, C1060. Absolute times are
/// only in its charts.
const PUBLISHED: [(Method, [Option<f64>; 2]); 4] = [
    (Method::Baseline, [Some(1.0), Some(1.0)]),
    (Method::OptimisedBaseline, [Some(0.30), Some(0.47)]),
    (Method::FourSteps(Restore::Immediate), [Some(0.15), Some(0.25)]),
    (Method::FourStepsAtomic, [None, Some(0.35)]),
];
/// The share of the sort in the time of the optimised baseline, in the paper.
const PUBLISHED_SORT: f64 = 0.54;
/// Agents in the paper's ratios.
const PUBLISHED_AGENTS: u32 = 1_000_000;

/// All tables.
pub fn table(measurements: &Measurements) -> String {
    let mut text = String::new();
    times(measurements, &mut text);
    ratios(measurements, &mut text);
    densities(measurements, &mut text);
    defects(measurements, &mut text);
    text
}

fn or_empty(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or_else(String::new, show)
}

fn percent(share: f64) -> String {
    format!("{} %", three_figures(share * 100.0))
}

/// A row for each method and number of agents.
fn times(measurements: &Measurements, text: &mut String) {
    let moves = measurements.options.moves;
    let _ = writeln!(
        text,
        "{moves} moves of each agent, area fraction {AREA}, steps of {STEP} cells. Seconds for all moves, drawn and \
         carried out where the check runs; with wishes copied to the device and flags back in each step; share of the \
         sort; share of wishes granted; pairs that overlap after the last move. Without a check discs pass through each \
         other, and pairs are not counted.\n"
    );
    text.push_str("| agents | check | s | s, with copies | sort | ns per move | granted | pairs |\n");
    text.push_str("|---:|---|---:|---:|---:|---:|---:|---:|\n");
    let shown = |row: &&Row| {
        measurements.options.agents.contains(&row.case.agents) && (row.case.area, row.case.step) == (AREA, STEP)
    };
    for row in measurements.rows.iter().filter(shown) {
        let pairs = row.pairs.map_or_else(String::new, |pairs| pairs.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {pairs} |",
            row.case.agents,
            row.method.name(),
            three_figures(row.median_s()),
            or_empty(row.with_copies, three_figures),
            or_empty(row.sort_share(), percent),
            three_figures(row.ns_per_move()),
            percent(row.moved),
        );
    }
    text.push('\n');
}

/// The case whose times stand beside the paper's ratios: a million agents, or as many as there are.
fn compared(measurements: &Measurements) -> Option<Case> {
    let agents = &measurements.options.agents;
    let most = if agents.contains(&PUBLISHED_AGENTS) { Some(PUBLISHED_AGENTS) } else { agents.iter().copied().max() };
    most.map(|agents| Case { agents, area: AREA, step: STEP })
}

/// The paper's ratios beside those of this machine, if there is a device.
fn ratios(measurements: &Measurements, text: &mut String) {
    let Some(case) = compared(measurements) else { return };
    let row = |method| measurements.row(case, method);
    let (Some(baseline), Some(no_check)) = (row(Method::Baseline), row(Method::NoCheck)) else { return };
    let check = |row: &Row| row.median_s() - no_check.median_s();
    let _ = writeln!(
        text,
        "Time of the check relative to the baseline, {} agents; on the device, without the time of drawing and moving; \
         with copies, of all.\n",
        case.agents
    );
    text.push_str("| check | the paper, C870 | the paper, C1060 | here, on the device | here, with copies |\n");
    text.push_str("|---|---:|---:|---:|---:|\n");
    // The paper's figures for the four steps are beside each reading that was timed.
    let readings = |(method, figures): (Method, [Option<f64>; 2])| match method {
        Method::FourSteps(_) => {
            measurements.options.restore.iter().map(|&how| (Method::FourSteps(how), figures)).collect()
        }
        method => vec![(method, figures)],
    };
    for (method, [c870, c1060]) in PUBLISHED.into_iter().flat_map(readings) {
        let Some(found) = row(method) else { continue };
        let copies = found.with_copies.zip(baseline.with_copies).map(|(found, baseline)| found / baseline);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            method.name(),
            or_empty(c870, percent),
            or_empty(c1060, percent),
            percent(check(found) / check(baseline)),
            or_empty(copies, percent),
        );
    }
    if let Some(ours) = row(Method::SequentialOnDevice) {
        let copies = ours.with_copies.zip(baseline.with_copies).map(|(ours, baseline)| ours / baseline);
        let here = percent(check(ours) / check(baseline));
        let _ = writeln!(text, "| {} | | | {here} | {} |", ours.method.name(), or_empty(copies, percent));
    }
    if let Some(optimised) = row(Method::OptimisedBaseline) {
        let here = optimised.sort.map(|sort| sort / check(optimised));
        let _ = writeln!(
            text,
            "| sort in the optimised baseline | {} | | {} | |",
            percent(PUBLISHED_SORT),
            or_empty(here, percent)
        );
    }
    text.push('\n');
}

fn densities(measurements: &Measurements, text: &mut String) {
    let cases = measurements.options.densities(measurements.options.density_agents);
    let methods: Vec<Method> = measurements
        .options
        .methods()
        .into_iter()
        .filter(|&method| cases.iter().any(|&case| measurements.row(case, method).is_some()))
        .collect();
    let _ = writeln!(
        text,
        "Nanoseconds of a move of an agent, and share of wishes granted; {} agents.\n",
        measurements.options.density_agents
    );
    text.push_str("| area fraction | step, cells |");
    for method in &methods {
        let _ = write!(text, " {} |", method.name());
    }
    text.push_str("\n|---:|---:|");
    text.push_str(&"---:|".repeat(methods.len()));
    text.push('\n');
    for case in cases {
        let _ = write!(text, "| {} | {} |", case.area, case.step);
        for &method in &methods {
            let cell = measurements.row(case, method);
            let cell = cell.map(|row| format!("{}, {}", three_figures(row.ns_per_move()), percent(row.moved)));
            let _ = write!(text, " {} |", cell.unwrap_or_default());
        }
        text.push('\n');
    }
    text.push('\n');
}

fn defects(measurements: &Measurements, text: &mut String) {
    let options = &measurements.options;
    let _ = writeln!(
        text,
        "Pairs of discs that overlap after one step that began without overlaps, and share of wishes granted; {} \
         agents, mean of {} steps, on the CPU.\n",
        options.counted_agents, options.counted_steps
    );
    text.push_str("| area fraction | step, cells |");
    for check in Counted::ALL {
        let _ = write!(text, " {} |", check.name());
    }
    text.push_str("\n|---:|---:|");
    text.push_str(&"---:|".repeat(Counted::ALL.len()));
    text.push('\n');
    for found in measurements.defects.chunks(Counted::ALL.len()) {
        let Some(first) = found.first() else { continue };
        let _ = write!(text, "| {} | {} |", first.case.area, first.case.step);
        for found in found {
            let pairs = if found.pairs == 0.0 { "0".to_owned() } else { three_figures(found.pairs) };
            let _ = write!(text, " {pairs}, {} |", percent(found.moved));
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vigueras::report::tests::measurements;

    #[test]
    fn ratios_are_those_of_the_check_alone() {
        let text = table(&measurements());
        for line in [
            "| 1000000 | baseline | 4.00 | 9.00 | 25.0 % | 40.0 | 50.0 % | 7 |",
            "| 1000000 | no check | 1.00 | 5.00 |  | 10.0 | 50.0 % |  |",
            "| baseline | 100 % | 100 % | 100 % | 100 % |",
            "| optimised baseline | 30.0 % | 47.0 % | 50.0 % | 66.7 % |",
            "| four steps | 15.0 % | 25.0 % | 33.3 % | 100 % |",
            "| sort in the optimised baseline | 54.0 % | | 66.7 % | |",
            "| 0.2 | 1 | 3.50, 58.0 % | 3.50, 58.0 % | 0, 61.0 % |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
