//! The measurements beside the published ones, as a document in Markdown.

use std::fmt::Write as _;

use throng_core::three_figures;
use throng_pedestrians::SectorMap;

use super::caching::{PARTIAL_SUMS, published_bytes};
use super::cases::directions;
use super::fan_out::{SIDES, TABLE_I, TABLE_II, hits};
use super::memory::{DENSITY, FLOW, MemoryRow};
use super::method::Method;
use super::published::{FIRST_AT_MOST, FIRST_MOSTLY, FIRST_OVER_SECOND, SECOND_AT_MOST, SECOND_MOSTLY};
use super::ratios::Ratios;
use super::reproduce::{Measurements, Row};

const GIB: f64 = (1u64 << 30) as f64;

/// All tables.
pub fn table(measurements: &Measurements) -> String {
    let mut text = String::new();
    speed_ups(measurements, &mut text);
    caches(measurements, &mut text);
    partial_sums(measurements, &mut text);
    times(measurements, &mut text);
    memory(measurements, &mut text);
    fan_outs(&mut text);
    text
}

/// The programs beside the one-threaded one.
fn compared(measurements: &Measurements) -> Vec<Method> {
    let all = Method::all(measurements.options.sums);
    all.into_iter()
        .filter(|&method| method != Method::Naive)
        .filter(|&method| measurements.rows.iter().any(|row| row.method == method))
        .collect()
}

/// Figures 6 to 9: times of the CPU model over those of the others.
fn speed_ups(measurements: &Measurements, text: &mut String) {
    let options = &measurements.options;
    let cases = options.cases().len();
    let _ = writeln!(
        text,
        "{cases} cases of up to {} ticks, fields of {} x {}, {} threads. Times per tick: of stored fields on one thread \
         over the others; least, mean and largest of all cases, and where the largest is. A program makes ticks in {} \
         parts of a case, for {} s in all; all end in the same states.\n",
        options.ticks, options.field, options.field, options.threads, options.windows, options.seconds
    );
    text.push_str("| flow | program | least, mean, largest | largest at |\n|---|---|---|---|\n");
    for (name, (from, to), most, at) in [
        ("the paper, first GPU model", FIRST_MOSTLY, FIRST_AT_MOST, ""),
        ("the paper, second GPU model", SECOND_MOSTLY, SECOND_AT_MOST, "700 x 700, density 0.5, 8-directional"),
    ] {
        let _ = writeln!(text, "| all | {name} | mostly {from} to {to}, at most {most} | {at} |");
    }
    for method in compared(measurements) {
        if let Some(found) = Ratios::of(measurements, Method::Naive, method, |_| true) {
            let _ = writeln!(text, "| all | {} | {} | {} |", method.name(), found.text(), found.at);
        }
    }
    for &flow in &options.flows {
        for method in compared(measurements) {
            if let Some(found) = Ratios::of(measurements, Method::Naive, method, |case| case.flow == flow) {
                let (count, name) = (directions(flow), method.name());
                let _ = writeln!(text, "| {count}-directional | {name} | {} | {} |", found.text(), found.at);
            }
        }
    }
    text.push('\n');
}

/// Figure 10: times of the one-step cache over the others.
fn caches(measurements: &Measurements, text: &mut String) {
    let others = [Method::MultiStep(measurements.options.sums), Method::Device];
    let found: Vec<(Method, Ratios)> = others
        .into_iter()
        .filter_map(|method| Some((method, Ratios::of(measurements, Method::OneStep, method, |_| true)?)))
        .collect();
    if found.is_empty() {
        return;
    }
    text.push_str("Times per tick of the one-step cache over the others.\n\n");
    text.push_str("| program | least, mean, largest | largest at | cases |\n|---|---|---|---:|\n");
    let _ = writeln!(
        text,
        "| the paper, second GPU model | {} | 100 x 100, density 0.7, 1-directional | 360 |",
        FIRST_OVER_SECOND.map(|ratio| ratio.to_string()).join(", ")
    );
    for (method, found) in &found {
        let _ = writeln!(text, "| {} | {} | {} | {} |", method.name(), found.text(), found.at, found.cases);
    }
    text.push('\n');
    if let Some(first) = measurements.refused.first() {
        let (count, name) = (measurements.refused.len(), first.method.name());
        let _ = writeln!(text, "Did not fit: {count}, such as {name} in {}: {}\n", first.case, first.reason);
    }
}

/// The multi-step cache with each number of partial sums, in one case.
fn partial_sums(measurements: &Measurements, text: &mut String) {
    let Some(case) = measurements.options.case_of_sums() else { return };
    let methods = PARTIAL_SUMS.into_iter().map(Method::MultiStep);
    let rows: Vec<&Row> = methods.filter_map(|method| measurements.row(case, method)).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "Partial sums of the multi-step cache, in {case}.\n");
    text.push_str("| program | ms per tick | one-step cache over it | GiB |\n|---|---:|---:|---:|\n");
    for row in rows {
        let ratio = measurements.ratio(case, Method::OneStep, row.method).map_or_else(String::new, three_figures);
        let gib = row.bytes.map_or_else(String::new, |bytes| three_figures(bytes as f64 / GIB));
        let _ = writeln!(text, "| {} | {} | {ratio} | {gib} |", row.method.name(), three_figures(row.ms_per_tick()));
    }
    text.push('\n');
}

/// Milliseconds per tick at the density that is nearest to a half.
fn times(measurements: &Measurements, text: &mut String) {
    let options = &measurements.options;
    let Some(density) = options.middle_density() else { return };
    let methods: Vec<Method> = std::iter::once(Method::Naive).chain(compared(measurements)).collect();
    let _ = writeln!(text, "Milliseconds per tick at density {density}, with the ticks made.\n");
    text.push_str("| flow | size |");
    for method in &methods {
        let _ = write!(text, " {} |", method.name());
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---:|".repeat(methods.len()));
    text.push('\n');
    for case in options.cases().into_iter().filter(|case| case.density == density) {
        let _ = write!(text, "| {}-directional | {} x {} |", directions(case.flow), case.side, case.side);
        for &method in &methods {
            let cell = measurements.row(case, method);
            let cell = cell.map(|row| format!("{}, {}", three_figures(row.ms_per_tick()), row.ticks));
            let _ = write!(text, " {} |", cell.unwrap_or_default());
        }
        text.push('\n');
    }
    text.push('\n');
}

/// Table II: memory, and what the paper's formula gives.
fn memory(measurements: &Measurements, text: &mut String) {
    let (Some(_), options) = (measurements.memory.first(), &measurements.options) else { return };
    let (side, units) = (options.memory_side, u64::from(options.memory_side).pow(2));
    let _ = writeln!(
        text,
        "Memory of {side} x {side} space units with {} pedestrians, {}-directional. The paper: all caches with its \
         fan-outs, 128 bytes for each space unit and slot. Cached programs: stored fields and cache.\n",
        (units as f64 * DENSITY) as u64,
        directions(FLOW)
    );
    let _ = writeln!(
        text,
        "| field | fan-out, paper | here | the paper, GiB | one-step cache, GiB | multi-step cache, K = {}, GiB | Throng, \
         device, GiB | Throng, ms per tick |",
        options.sums
    );
    text.push_str("|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    let gib = |bytes: u64| three_figures(bytes as f64 / GIB);
    for row in &measurements.memory {
        let MemoryRow { field, fan_out, one_step, multi_step, throng, ms_per_tick, .. } = row;
        let published = TABLE_II.into_iter().find(|(side, ..)| side == field).map(|(_, fan_out, _)| fan_out);
        let _ = writeln!(
            text,
            "| {field} x {field} | {} | {fan_out} | {} | {} | {} | {} | {} |",
            published.map_or_else(String::new, |fan_out| fan_out.to_string()),
            published.map_or_else(String::new, |fan_out| gib(published_bytes(fan_out, units))),
            gib(*one_step),
            gib(*multi_step),
            throng.map_or_else(String::new, gib),
            ms_per_tick.map_or_else(String::new, three_figures),
        );
    }
    text.push('\n');
}

/// Tables I and II: fan-outs.
fn fan_outs(text: &mut String) {
    text.push_str("Strength fan-outs, counted by brute force: columns down, rows across; the paper / ");
    text.push_str(&SectorMap::ALL.map(SectorMap::name).join(" / "));
    text.push_str(".\n\n| |");
    for rows in SIDES {
        let _ = write!(text, " {rows} |");
    }
    text.push_str("\n|---:|");
    text.push_str(&"---|".repeat(SIDES.len()));
    text.push('\n');
    let of = |published: u32, columns: u32, rows: u32| {
        let found = SectorMap::ALL.map(|map| map.fan_out(columns, rows).to_string());
        format!("{published} / {}", found.join(" / "))
    };
    for (columns, row) in SIDES.into_iter().zip(TABLE_I) {
        let _ = write!(text, "| {columns} |");
        for (rows, published) in SIDES.into_iter().zip(row) {
            let _ = write!(text, " {} |", of(published, columns, rows));
        }
        text.push('\n');
    }
    text.push_str("\n| square fields |");
    for (side, ..) in TABLE_II {
        let _ = write!(text, " {side} |");
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(TABLE_II.len()));
    text.push_str("\n| |");
    for (side, published, _) in TABLE_II {
        let _ = write!(text, " {} |", of(published, side, side));
    }
    text.push_str(
        "\n\n| sector map | equal in table I | sum of differences | equal in table II |\n|---|---:|---:|---:|\n",
    );
    for map in SectorMap::ALL {
        let found = hits(|columns, rows| map.fan_out(columns, rows));
        let (name, first, second) = (map.name(), found.table_1, found.table_2);
        let _ = writeln!(text, "| {name} | {first} of 36 | {} | {second} of 6 |", found.difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yu::report::tests::measurements;

    #[test]
    fn each_number_of_partial_sums_has_its_row() {
        let mut measurements = measurements();
        let case = measurements.options.case_of_sums().unwrap();
        assert_eq!(case.side, 200);
        for (sums, seconds) in [(2, 0.1), (8, 0.2)] {
            let bytes = Some(1 << 29);
            let method = Method::MultiStep(sums);
            measurements.rows.push(Row { case, method, ticks: 100, seconds: vec![seconds], bytes });
        }
        let text = table(&measurements);
        // The one-step cache takes 5 ms.
        for line in [
            "Partial sums of the multi-step cache, in 200 x 200, density 0.5, 8-directional.",
            "| multi-step cache, K = 2 | 1.00 | 5.00 | 0.5000 |",
            "| multi-step cache, K = 8 | 2.00 | 2.50 | 0.5000 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn ratios_stand_beside_the_papers() {
        let text = table(&measurements());
        for line in [
            "| all | the paper, second GPU model | mostly 45 to 60, at most 71.56 | 700 x 700, density 0.5, 8-directional |",
            "| all | one-step cache | 20.0, 30.0, 40.0 | 200 x 200, density 0.5, 8-directional |",
            "| 8-directional | Throng, device | 200, 300, 400 | 200 x 200, density 0.5, 8-directional |",
            "| the paper, second GPU model | 1.25, 4.44, 13.3 | 100 x 100, density 0.7, 1-directional | 360 |",
            "| Throng, device | 10.0, 10.0, 10.0 | 200 x 200, density 0.5, 8-directional | 2 |",
            "| 8-directional | 100 x 100 | 200, 10 | 10.0, 100 | 1.00, 1000 |",
            "Did not fit: 1, such as multi-step cache, K = 4 in 200 x 200, density 0.5, 8-directional: too large",
            "| 21 x 21 | 61 | 64 | 29.1 | 1.00 | 0.5000 | 0.2500 | 3.00 |",
            "| exact45 | 19 of 36 | 20 | 0 of 6 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
