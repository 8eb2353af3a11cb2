//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use throng_core::{counted, three_figures};
use throng_pedestrians::SectorMap;

use super::caching::{PARTIAL_SUMS, published_bytes};
use super::cases::directions;
use super::fan_out::{SIDES, TABLE_I, TABLE_II, hits};
use super::memory::{DENSITY, FLOW};
use super::method::Method;
use super::published::{FIRST_AT_MOST, FIRST_MOSTLY, FIRST_OVER_SECOND, SECOND_AT_MOST, SECOND_MOSTLY};
use super::ratios::Ratios;
use super::reproduce::YuMeasurements;
use crate::experiment::{Cell, Table, cells};

/// Builds the document with all tables.
pub fn table(measurements: &YuMeasurements) -> String {
    let mut text = String::new();
    speed_ups(measurements, &mut text);
    caches(measurements, &mut text);
    partial_sums(measurements, &mut text);
    ablation(measurements, &mut text);
    times(measurements, &mut text);
    memory(measurements, &mut text);
    fan_outs(&mut text);
    text
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// The programs compared with the single-threaded one.
fn compared(measurements: &YuMeasurements) -> Vec<Method> {
    let all = Method::all(measurements.options.sums).into_iter();
    all.filter(|&method| method != Method::Naive && measurements.rows.ran(method)).collect()
}

/// Figures 6 to 9: time of the CPU model divided by the times of the others.
fn speed_ups(measurements: &YuMeasurements, text: &mut String) {
    let options = &measurements.options;
    let cases = options.cases().len();
    let _ = writeln!(
        text,
        "{} of up to {}, fields of {} x {}, {}. Time per tick of stored fields on one thread \
         divided by that of each program; minimum, mean and maximum over all cases, and the case of the maximum. \
         A program makes {}, each with ticks in {} of a case, for up to {} s in total; all programs end in \
         the same states.\n",
        counted(cases as u64, "case"),
        counted(options.ticks.into(), "tick"),
        options.field,
        options.field,
        counted(options.threads as u64, "thread"),
        counted(options.repeat as u64, "run"),
        counted(options.windows.into(), "part"),
        options.seconds
    );
    let mut table = Table::new(4, ["flow", "program", "least, mean, largest", "largest at"]);
    for (name, (from, to), max, at) in [
        ("the paper, first GPU program", FIRST_MOSTLY, FIRST_AT_MOST, ""),
        ("the paper, second GPU program", SECOND_MOSTLY, SECOND_AT_MOST, "700 x 700, density 0.5, 8-directional"),
    ] {
        table.row(cells!["all", name, format!("mostly {from} to {to}, at most {max}"), at]);
    }
    for flow in std::iter::once(None).chain(options.flows.iter().copied().map(Some)) {
        let name = flow.map_or("all".to_owned(), |flow| format!("{}-directional", directions(flow)));
        for method in compared(measurements) {
            let wanted = |case: &super::Case| flow.is_none_or(|flow| case.flow == flow);
            if let Some(found) = Ratios::of(measurements, Method::Naive, method, wanted) {
                table.row(cells![&*name, method.name(), found.text(), found.at.to_string()]);
            }
        }
    }
    text.push_str(&table.markdown());
}

/// The compared programs, the slower one first: the paper's two GPU programs (figure 10), and programs that differ in
/// one thing.
pub(super) fn pairs(sums: u32) -> [(Method, Method); 4] {
    [
        (Method::First, Method::Second(sums)),
        (Method::OneStep, Method::MultiStep(sums)),
        (Method::Atomic, Method::OneStep),
        (Method::OneStep, Method::Device),
    ]
}

/// Figure 10: times of programs on the device, divided by those of others.
fn caches(measurements: &YuMeasurements, text: &mut String) {
    let mut table = Table::new(4, ["time of", "divided by", "least, mean, largest", "largest at", "cases"]);
    let published = FIRST_OVER_SECOND.map(|ratio| ratio.to_string()).join(", ");
    let at = "100 x 100, density 0.7, 1-directional";
    table.row(cells!["the paper, first GPU program", "the paper, second GPU program", published, at, 360u32]);
    let mut any = false;
    for (slower, faster) in pairs(measurements.options.sums) {
        if let Some(found) = Ratios::of(measurements, slower, faster, |_| true) {
            table.row(cells![slower.name(), faster.name(), found.text(), found.at.to_string(), found.cases]);
            any = true;
        }
    }
    if !any {
        return;
    }
    text.push_str(
        "Ratios of times per tick. The first and the second GPU program differ in the cache and in all techniques, the \
         one-step and the multi-step cache in nothing else, and the atomic additions replace the cache.\n\n",
    );
    text.push_str(&table.markdown());
    if let Some(first) = measurements.refused.first() {
        let (count, name) = (measurements.refused.len(), first.method.name());
        let _ = writeln!(text, "Did not fit: {count}, such as {name} in {}: {}\n", first.case, first.reason);
    }
}

/// Table III: times with and without each technique.
fn ablation(measurements: &YuMeasurements, text: &mut String) {
    let ablation = &measurements.ablation;
    for side in ablation.sizes() {
        let _ = writeln!(
            text,
            "The second GPU program with each technique left out, in {side} x {side}, density 0.5, 8-directional, K = \
             {}. All of these programs end in the same state. With and without concurrency, the host also counts the \
             moves of each tick.\n",
            ablation.sums
        );
        let columns = "technique, rank, rank in table III, ms per tick with it, without it, without / with";
        let mut table = Table::of(1, columns);
        for (effect, rank) in ablation.effects(side).into_iter().zip(1u32..) {
            let (of_paper, ratio) = (effect.technique.published_rank(), effect.ratio.text());
            table.row(cells![effect.technique.name(), rank, of_paper, effect.with_ms, effect.without_ms, ratio]);
        }
        text.push_str(&table.markdown());
    }
    for (side, reason) in &ablation.refused {
        let _ = writeln!(text, "Left out in {side} x {side}: {}\n", reason.lines().next().unwrap_or_default());
    }
}

/// The multi-step cache with each number of partial sums, in one case.
fn partial_sums(measurements: &YuMeasurements, text: &mut String) {
    let Some(case) = measurements.options.case_of_sums() else { return };
    let methods = PARTIAL_SUMS.into_iter().map(Method::MultiStep);
    let mut rows = methods.filter_map(|method| measurements.rows.row(case, method)).peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "Partial sums of the multi-step cache, in {case}.\n");
    let mut table = Table::of(1, "program, ms per tick, one-step cache over it, GiB");
    for row in rows {
        let ratio = measurements.ratio(case, Method::OneStep, row.program);
        table.row(cells![row.program.name(), row.ms_per_tick(), ratio, row.figures.bytes.map(gib)]);
    }
    text.push_str(&table.markdown());
}

/// Milliseconds per tick at the density closest to one half.
fn times(measurements: &YuMeasurements, text: &mut String) {
    let options = &measurements.options;
    let Some(density) = options.middle_density() else { return };
    let methods: Vec<Method> = std::iter::once(Method::Naive).chain(compared(measurements)).collect();
    let _ = writeln!(text, "Milliseconds per tick at density {density}, and number of ticks run.\n");
    let mut table = Table::of(2, "flow, size").and(methods.iter().map(|method| method.name()));
    for case in options.cases().into_iter().filter(|case| case.density == density) {
        let mut row = cells![format!("{}-directional", directions(case.flow)), format!("{0} x {0}", case.side)];
        row.extend(methods.iter().map(|&method| {
            let row = measurements.rows.row(case, method);
            Cell::from(row.map(|row| format!("{}, {}", three_figures(row.ms_per_tick()), row.figures.ticks)))
        }));
        table.row(row);
    }
    text.push_str(&table.markdown());
}

/// Table II: memory, next to the result of the paper's formula.
fn memory(measurements: &YuMeasurements, text: &mut String) {
    let (Some(_), options) = (measurements.memory.first(), &measurements.options) else { return };
    let (side, units) = (options.memory_side, u64::from(options.memory_side).pow(2));
    let _ = writeln!(
        text,
        "Memory of {side} x {side} space units with {} pedestrians, {}-directional. The paper: all caches with its \
         fan-outs, 128 bytes for each space unit and slot. Cached programs: stored fields and cache.\n",
        (units as f64 * DENSITY) as u64,
        directions(FLOW)
    );
    let mut table = Table::new(0, ["field", "fan-out, paper", "here", "the paper, GiB", "one-step cache, GiB"]).and([
        format!("multi-step cache, K = {}, GiB", options.sums),
        "Throng, device, GiB".to_owned(),
        "multi-step cache, ms per tick".to_owned(),
        "Throng, ms per tick".to_owned(),
    ]);
    for row in &measurements.memory {
        let published = TABLE_II.into_iter().find(|(side, ..)| *side == row.field).map(|(_, fan_out, _)| fan_out);
        let of_paper = published.map(|fan_out| gib(published_bytes(fan_out, units)));
        let (one_step, multi_step, throng) = (gib(row.one_step), gib(row.multi_step), row.throng.map(gib));
        let field = format!("{0} x {0}", row.field);
        let ms = [row.multi_step_ms, row.ms_per_tick].map(Cell::from);
        let memory = cells![field, published, row.fan_out, of_paper, one_step, multi_step, throng];
        table.row([memory, ms.to_vec()].concat());
    }
    text.push_str(&table.markdown());
}

/// Tables I and II: fan-outs.
fn fan_outs(text: &mut String) {
    let names = SectorMap::ALL.map(SectorMap::name).join(" / ");
    let _ =
        writeln!(text, "Strength fan-outs, counted by brute force: columns down, rows across; the paper / {names}.\n");
    let of = |published: u32, columns: u32, rows: u32| {
        let found = SectorMap::ALL.map(|map| map.fan_out(columns, rows).to_string());
        Cell::from(format!("{published} / {}", found.join(" / ")))
    };
    let mut table = Table::new(7, [""]).and(SIDES.map(|rows| rows.to_string()));
    for (columns, row) in SIDES.into_iter().zip(TABLE_I) {
        let cells = SIDES.into_iter().zip(row).map(|(rows, published)| of(published, columns, rows));
        table.row_if_any(columns.to_string(), cells);
    }
    text.push_str(&table.markdown());
    let mut table = Table::new(7, ["square fields"]).and(TABLE_II.map(|(side, ..)| side.to_string()));
    table.row_if_any("", TABLE_II.map(|(side, published, _)| of(published, side, side)));
    text.push_str(&table.markdown());
    let mut table = Table::of(1, "sector map, equal in table I, sum of differences, equal in table II");
    for map in SectorMap::ALL {
        let found = hits(|columns, rows| map.fan_out(columns, rows));
        let (first, second) = (format!("{} of 36", found.table_1), format!("{} of 6", found.table_2));
        table.row(cells![map.name(), first, found.difference, second]);
    }
    text.push_str(table.markdown().trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Row, Times};
    use crate::yu::report::tests::measurements;
    use crate::yu::reproduce::TickMeasurement;

    #[test]
    fn each_number_of_partial_sums_has_a_row() {
        let mut measurements = measurements();
        let case = measurements.options.case_of_sums().unwrap();
        assert_eq!(case.side, 200);
        for (sums, seconds) in [(2, 0.1), (8, 0.2)] {
            let figures = TickMeasurement { ticks: 100, bytes: Some(1 << 29) };
            let (program, times) = (Method::MultiStep(sums), Times::of(vec![seconds]));
            measurements.rows.0.push(Row { case, program, times, figures });
        }
        let text = table(&measurements);
        // The one-step cache takes 5 ms.
        for line in [
            "Partial sums of the multi-step cache, in 200 x 200, density 0.5, 8-directional.",
            "| multi-step cache, K = 2 | 1.00 | 5.00 | 0.500 |",
            "| multi-step cache, K = 8 | 2.00 | 2.50 | 0.500 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn ratios_are_listed_beside_the_ratios_of_the_paper() {
        let text = table(&measurements());
        for line in [
            "| all | the paper, second GPU program | mostly 45 to 60, at most 71.56 | 700 x 700, density 0.5, 8-directional |",
            "| all | one-step cache | 20.0, 30.0, 40.0 | 200 x 200, density 0.5, 8-directional |",
            "| 8-directional | Throng, device | 200, 300, 400 | 200 x 200, density 0.5, 8-directional |",
            "| the paper, first GPU program | the paper, second GPU program | 1.25, 4.44, 13.3 | 100 x 100, density 0.7, \
             1-directional | 360 |",
            "| one-step cache | Throng, device | 10.0, 10.0, 10.0 | 200 x 200, density 0.5, 8-directional | 2 |",
            "| 8-directional | 100 x 100 | 200, 10 | 10.0, 100 | 1.00, 1000 |",
            "Did not fit: 1, such as multi-step cache, K = 4 in 200 x 200, density 0.5, 8-directional: too large",
            "| 21 x 21 | 61 | 64 | 29.1 | 1.00 | 0.500 | 0.250 | 7.00 | 3.00 |",
            "| exact45 | 19 of 36 | 20 | 0 of 6 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
