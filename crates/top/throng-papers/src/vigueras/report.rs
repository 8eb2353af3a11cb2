//! The measurements as files.

use throng_output::csv as tables;

use super::reproduce::Measurements;
use super::table::table;

/// `vigueras.csv`, `vigueras_overlaps.csv` and `vigueras.md`.
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    vec![
        ("vigueras.csv".to_owned(), csv(measurements)),
        ("vigueras_overlaps.csv".to_owned(), overlaps_csv(measurements)),
        ("vigueras.md".to_owned(), table(measurements).into_bytes()),
    ]
}

const COLUMNS: [&str; 14] = [
    "agents",
    "area_fraction",
    "step_cells",
    "check",
    "moves",
    "runs",
    "median_s",
    "fastest_s",
    "slowest_s",
    "with_copies_s",
    "sort_s",
    "ns_per_move",
    "granted",
    "overlapping_pairs",
];

/// A row per measurement.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &COLUMNS);
    for row in &measurements.rows {
        let mut line = tables::Row::new(&mut out);
        line.integer(row.case.agents.into()).number(row.case.area).number(row.case.step).text(row.method.name());
        line.integer(row.moves.into()).integer(row.seconds.len() as i64).number(row.median_s());
        line.number(row.seconds[0]).number(row.seconds[row.seconds.len() - 1]);
        // What is not finite is an empty field.
        line.number(row.with_copies.unwrap_or(f64::NAN)).number(row.sort.unwrap_or(f64::NAN));
        line.number(row.ns_per_move()).number(row.moved);
        line.number(row.pairs.map_or(f64::NAN, |pairs| pairs as f64)).end();
    }
    out
}

/// A row per count of overlapping pairs.
pub fn overlaps_csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &["agents", "area_fraction", "step_cells", "check", "pairs_per_step", "granted"]);
    for found in &measurements.defects {
        let mut line = tables::Row::new(&mut out);
        line.integer(found.case.agents.into()).number(found.case.area).number(found.case.step);
        line.text(&found.check.name()).number(found.pairs).number(found.moved).end();
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::vigueras::cases::{Case, Options};
    use crate::vigueras::defects::{Counted, Defects};
    use crate::vigueras::method::Method;
    use crate::vigueras::published::Restore;
    use crate::vigueras::reproduce::Row;

    /// A million agents, and counts of one case.
    pub(in super::super) fn measurements() -> Measurements {
        let case = Case { agents: 1_000_000, area: 0.2, step: 0.25 };
        let row = |method, seconds: f64, with_copies, sort| Row {
            case,
            method,
            moves: 100,
            seconds: vec![seconds / 2.0, seconds, 2.0 * seconds],
            with_copies: Some(with_copies),
            sort,
            moved: 0.5,
            pairs: (method != Method::NoCheck).then_some(7),
            positions: 1,
        };
        let defects = Counted::ALL.map(|check| {
            let case = Case { agents: 9, area: 0.2, step: 1.0 };
            let (pairs, moved) = if check == Counted::Sequential { (0.0, 0.61) } else { (3.5, 0.58) };
            Defects { case, check, pairs, moved }
        });
        Measurements {
            options: Options { agents: vec![10, 1_000_000], ..Options::default() },
            device: Some("cuda:0 (Card)".into()),
            rows: vec![
                row(Method::NoCheck, 1.0, 5.0, None),
                row(Method::Baseline, 4.0, 9.0, Some(1.0)),
                row(Method::OptimisedBaseline, 2.5, 6.0, Some(1.0)),
                row(Method::FourSteps(Restore::Immediate), 2.0, 9.0, None),
            ],
            defects: defects[3..].to_vec(),
        }
    }

    #[test]
    fn a_row_has_its_spread_and_empty_fields_for_what_there_is_not() {
        let text = String::from_utf8(csv(&measurements())).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        let expected = "1000000;0.2;0.25;no check;100;3;1;0.5;2;5;;10;0.5;";
        assert_eq!(lines[1], expected);
        assert!(lines[2].ends_with(";baseline;100;3;4;2;8;9;1;40;0.5;7"));
        assert!(lines.iter().all(|line| line.split(';').count() == COLUMNS.len()), "{text}");
        let text = String::from_utf8(overlaps_csv(&measurements())).unwrap();
        assert!(
            text.contains("\n9;0.2;1;\"four steps, full walk\";3.5;0.58")
                || text.contains("\n9;0.2;1;four steps, full walk;3.5;0.58"),
            "{text}"
        );
    }
}
