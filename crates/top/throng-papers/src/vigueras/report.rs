//! Output files of the measurements.

use super::reproduce::ViguerasMeasurements;
use super::table::table;
use crate::experiment::{Table, cells, file};

/// Returns `vigueras.csv`, `vigueras_overlaps.csv` and `vigueras.md`.
pub fn files(measurements: &ViguerasMeasurements) -> Vec<(String, Vec<u8>)> {
    vec![
        file("vigueras.csv", csv(measurements).csv()),
        file("vigueras_overlaps.csv", overlaps_csv(measurements).csv()),
        file("vigueras.md", table(measurements)),
    ]
}

/// One row per measurement.
fn csv(measurements: &ViguerasMeasurements) -> Table {
    let columns = "agents, area_fraction, step_cells, check, moves, runs, median_s, fastest_s, slowest_s, with_copies_s, \
                   sort_s, ns_per_move, granted, overlapping_pairs";
    let mut table = Table::of(0, columns);
    for row in &*measurements.rows {
        let (case, found) = (row.case, &row.figures);
        let what = cells![case.agents, case.area, case.step, row.program.name(), found.moves];
        let figures = cells![found.with_copies, found.sort, row.ns_per_move(), found.moved, found.pairs];
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::experiment::{Row, Rows, Times};
    use crate::vigueras::cases::{Case, Options};
    use crate::vigueras::defects::{CheckVariant, Defects};
    use crate::vigueras::method::Method;
    use crate::vigueras::published::Restore;
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
                row(Method::OptimisedBaseline, 2.5, 6.0, Some(1.0)),
                row(Method::FourSteps(Restore::Immediate), 2.0, 9.0, None),
            ]),
            defects: defects[3..].to_vec(),
        }
    }

    #[test]
    fn a_row_has_its_spread_and_empty_fields_for_missing_values() {
        let text = String::from_utf8(csv(&measurements()).csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        let expected = "1000000;0.2;0.25;no check;100;3;1;0.5;2;5;;10;0.5;";
        assert_eq!(lines[1], expected);
        assert!(lines[2].ends_with(";baseline;100;3;4;2;8;9;1;40;0.5;7"));
        let text = String::from_utf8(overlaps_csv(&measurements()).csv()).unwrap();
        assert!(text.contains("\n9;0.2;1;four steps, full walk;3.5;0.58"), "{text}");
    }
}
