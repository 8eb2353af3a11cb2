//! Output files of the measurements.

use throng_output::svg::{Axis, Chart};

use super::method::{FOUR_STEPS, Method, OPTIMISED};
use super::reproduce::{Measured, ViguerasMeasurements};
use super::table::table;
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{Table, cells, file};

/// Charts of times (the paper's figures 8 and 9) and of rates (figures 10 and 11).
const CHARTS: [&str; 2] = ["vigueras_times.svg", "vigueras_rates.svg"];

/// Returns `vigueras.csv`, `vigueras_overlaps.csv`, `vigueras.md`; if a device was measured, `vigueras_kernels.csv`;
/// and with at least three numbers of agents, charts.
pub fn files(measurements: &ViguerasMeasurements) -> Vec<(String, Vec<u8>)> {
    let tables = [
        file("vigueras.csv", csv(measurements).csv()),
        file("vigueras_overlaps.csv", overlaps_csv(measurements).csv()),
        file("vigueras.md", table(measurements)),
    ];
    let kernels = || file("vigueras_kernels.csv", kernels_csv(measurements).csv());
    let kernels = (!measurements.kernels.is_empty()).then(kernels);
    let charts = CHARTS.into_iter().zip([times(measurements), rates(measurements)]);
    tables.into_iter().chain(kernels).chain(charts.filter_map(|(name, chart)| chart_file(name, &chart))).collect()
}

/// The names of all files, those of charts included, with spaces between them.
pub(super) fn all_names() -> String {
    format!("vigueras.csv vigueras_overlaps.csv vigueras.md vigueras_kernels.csv {}", CHARTS.join(" "))
}

/// Time of all moves over the number of agents.
fn times(measurements: &ViguerasMeasurements) -> Chart {
    let y = Axis::new("time of all moves", "s");
    by_agents(measurements, "Time of all moves, drawing and moving included", y, |row| Some(row.times.median()))
}

/// Tests per second over the number of agents.
fn rates(measurements: &ViguerasMeasurements) -> Chart {
    let rate = |row: &Measured| Some(row.figures.tests? as f64 / row.times.median()).filter(|&rate| rate > 0.0);
    by_agents(measurements, "Comparisons of discs per second", Axis::new("tests", "1/s"), rate)
}

/// A chart with a line for each program of the paper's charts that is measured here, the static grid, and the
/// sequential rule.
fn by_agents(
    measurements: &ViguerasMeasurements,
    label: &str,
    y: Axis,
    value: impl Fn(&Measured) -> Option<f64>,
) -> Chart {
    let mut cases = measurements.options.cases_of_agents();
    cases.sort_by_key(|case| case.agents);
    let methods = [Method::AtomicGrid, Method::Baseline, OPTIMISED, FOUR_STEPS, Method::FourStepsAtomic];
    let lines = methods.into_iter().chain([Method::SequentialOnDevice]).map(|method| {
        line(method.name(), &cases, |case| Some((f64::from(case.agents), value(measurements.rows.row(case, method)?)?)))
    });
    let label = format!("{label}, over the number of agents");
    chart(label, Axis::count("agents"), y, true, lines.collect())
}

/// One row per measurement.
fn csv(measurements: &ViguerasMeasurements) -> Table {
    let columns = "agents, area_fraction, step_cells, check, moves, runs, median_s, fastest_s, slowest_s, with_copies_s, \
                   sort_s, ns_per_move, granted, overlapping_pairs, tests";
    let mut table = Table::of(0, columns);
    for row in &*measurements.rows {
        let (case, found) = (row.case, &row.figures);
        let what = cells![case.agents, case.area, case.step, row.program.name(), found.moves];
        let figures = cells![found.with_copies, found.sort, row.ns_per_move(), found.moved, found.pairs, found.tests];
        table.row([what, row.times.cells(1.0), figures].concat());
    }
    table
}

/// One row per count of overlapping pairs.
fn overlaps_csv(measurements: &ViguerasMeasurements) -> Table {
    let mut table = Table::of(0, "agents, area_fraction, step_cells, check, pairs_per_step, granted");
    for found in &measurements.defects {
        let case = found.case;
        table.row(cells![case.agents, case.area, case.step, found.check.name(), found.pairs, found.moved]);
    }
    table
}

/// One row per kernel.
fn kernels_csv(measurements: &ViguerasMeasurements) -> Table {
    let mut table = Table::of(0, "agents, check, kernel, runs, median_us, fastest_us, slowest_us, fraction");
    let agents = measurements.options.published_case().map(|case| case.agents);
    for found in &measurements.kernels {
        for (kernel, _) in &found.kernels {
            let Some(times) = found.times(&[*kernel]) else { continue };
            let what = cells![agents, found.method.name(), *kernel];
            table.row([what, times.cells(1e6), cells![found.share(kernel)]].concat());
        }
    }
    table
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::{Row, Rows, Times};
    use crate::vigueras::cases::{Case, Options};
    use crate::vigueras::defects::{CheckVariant, Defects};
    use crate::vigueras::kernel_times::KernelTimes;
    use crate::vigueras::reproduce::CheckResults;

    /// Measurements of a million agents, and counts of one case.
    pub(in super::super) fn measurements() -> ViguerasMeasurements {
        let case = Case { agents: 1_000_000, area: 0.2, step: 0.25 };
        let row = |program, seconds: f64, with_copies, sort| Row {
            case,
            program,
            times: Times::of(vec![seconds / 2.0, seconds, 2.0 * seconds]),
            figures: CheckResults {
                moves: 100,
                with_copies: Some(with_copies),
                sort,
                tests: (program != Method::NoCheck).then_some(150_000_000),
                moved: 0.5,
                pairs: (program != Method::NoCheck).then_some(7),
                positions: 1,
            },
        };
        let defects = CheckVariant::ALL.map(|check| {
            let case = Case { agents: 9, area: 0.2, step: 1.0 };
            let (pairs, moved) = if check == CheckVariant::Sequential { (0.0, 0.61) } else { (3.5, 0.58) };
            Defects { case, check, pairs, moved }
        });
        ViguerasMeasurements {
            options: Options { agents: vec![10, 1_000_000], ..Options::default() },
            rows: Rows(vec![
                row(Method::NoCheck, 1.0, 5.0, None),
                row(Method::Baseline, 4.0, 9.0, Some(1.0)),
                row(OPTIMISED, 2.5, 6.0, Some(1.0)),
                row(FOUR_STEPS, 2.0, 9.0, None),
            ]),
            defects: defects[3..].to_vec(),
            kernels: vec![KernelTimes {
                method: Method::Baseline,
                kernels: vec![("check", vec![2e-6, 3e-6, 9e-6]), ("sort", vec![1e-6; 3])],
            }],
        }
    }

    #[test]
    fn a_row_has_its_spread_and_empty_fields_for_missing_values() {
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        let expected = "1000000;0.2;0.25;no check;100;3;1;0.5;2;5;;10;0.5;;";
        assert_eq!(lines[1], expected);
        assert!(lines[2].ends_with(";baseline;100;3;4;2;8;9;1;40;0.5;7;150000000"));
        let text = String::from_utf8(overlaps_csv(&measurements()).csv()).unwrap();
        assert!(text.contains("\n9;0.2;1;four steps, full walk;3.5;0.58"), "{text}");
        let text = String::from_utf8(kernels_csv(&measurements()).csv()).unwrap();
        assert!(text.contains("\n1000000;baseline;check;3;3;2;9;0.75\r\n"), "{text}");
    }

    #[test]
    fn charts_show_the_measured_programs_over_the_number_of_agents() {
        let of_one_number: Vec<String> = files(&measurements()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(of_one_number.len(), 4, "{of_one_number:?}");
        let mut measurements = measurements();
        let first = measurements.rows.0.clone();
        for agents in [10, 2_000_000] {
            let of_case = first.iter().map(|row| Row { case: Case { agents, ..row.case }, ..row.clone() });
            measurements.rows.0.extend(of_case);
        }
        measurements.options.agents.push(2_000_000);
        let names: Vec<String> = files(&measurements).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.join(" "), all_names());
        let chart = rates(&measurements);
        let lines: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(lines, ["baseline", "optimised baseline", "four steps"]);
        let expected = [10.0, 1e6, 2e6].map(|agents| (agents, libm::log10(150e6 / 4.0)));
        assert_eq!(chart.series[0].points, expected);
        assert_eq!(times(&measurements).series[2].points[0], (10.0, libm::log10(2.0)));
    }
}
