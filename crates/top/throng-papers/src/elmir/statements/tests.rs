use super::*;
use crate::elmir::cases::Options;
use crate::elmir::reproduce::measured;
use crate::experiment::statements::found;
use crate::experiment::{MIN_RUNS, Rows};

/// All cases of the thesis, in which the copy takes as long as there are covered cells, and each GPU program as
/// long as there are pairs of a cell and a circle.
fn measurements(seconds_per_pair: [f64; 3]) -> ElmirMeasurements {
    let options = Options::default();
    let mut rows = Vec::new();
    for case in options.cases() {
        rows.push(measured(case, Program::CpuCopy, &[case.covered(); MIN_RUNS]));
        for (program, seconds) in Program::GPU_OF_THESIS.into_iter().zip(seconds_per_pair) {
            rows.push(measured(case, program, &[case.pairs() as f64 * seconds; MIN_RUNS]));
        }
    }
    ElmirMeasurements { options, rows: Rows(rows) }
}

/// The fraction of the world that a circle covers.
fn fraction(radius: f64) -> f64 {
    std::f64::consts::PI * radius * radius / 65_536.0
}

fn verdict(measurements: &ElmirMeasurements, beginning: &str) -> String {
    found(&statements(measurements, MeasuredOn::Gpu), beginning).unwrap()
}

#[test]
fn a_speed_up_in_proportion_to_the_area_doubles_and_depends_on_the_radius_alone() {
    let all = measurements([1e-3, 1e-3, 1e-3]);
    let doubles = verdict(&all, "The speed-up more than doubles");
    let expected = "confirmed: in 160 of 160 pairs of medians here, in 155 of 160 of the thesis' own tables, in 58 of 60 \
                    of those in the resolutions of figures 5.20 to 5.22";
    assert_eq!(doubles, expected);
    let size = verdict(&all, "The size of the circles matters more");
    // (15 / 4)² is 14.06.
    let expected = "confirmed: the radius changes it by a factor of 14.1, the resolution by 1.00, the number by 1.00";
    assert_eq!(size, expected);
}

#[test]
fn cases_are_compared_with_the_copy() {
    // Slower than the copy with radius 4, equal with radius 8, faster with radius 15.
    let all = measurements([fraction(8.0); 3]);
    assert!(verdict(&all, "With circles of radius 15").starts_with("confirmed: in 240 of 240 comparisons"));
    let slower = "confirmed: GPU shared 0.250 times (0.250 to 0.250; 3 runs) as fast as the copy, with 128 circles of \
                  radius 4 and 256² cells; in 1 of 1 comparisons of the thesis' own tables; transfers";
    assert!(verdict(&all, "With 256 x 256 cells and 128 small").starts_with(slower));
    let above = verdict(&all, "With 64 small circles");
    let expected = "not confirmed: for the order, not for \"slightly\": GPU shared 0.250 times";
    assert!(above.starts_with(expected), "{above}");
    let below = "; only the part above the threshold: up to it GPU shared is faster, too, in 4 of 7 comparisons of the \
                 thesis' own tables";
    assert!(above.contains(below), "{above}");
    let all_circles = verdict(&all, "With small circles the copy");
    assert!(all_circles.starts_with("confirmed: in 160 of 160 comparisons"), "{all_circles}");
    let exceptions = "; in 238 of 240 comparisons of the thesis' own tables, not GPU naive with 64 circles of radius 8 \
                      and 256² cells, GPU naive with 128 circles of radius 8 and 256² cells";
    let medium = verdict(&all, "With circles of radius 8 the copy");
    assert!(
        medium.contains(exceptions)
            && medium.ends_with(
                "; transfers, which the thesis may include, are not \
            measured for its GPU programs, and may decide small cases"
            ),
        "{medium}"
    );
    assert!(verdict(&all, "With 1024 and 2048 small circles the copy").starts_with("confirmed: in 32 of 32"));
    let above = verdict(&all, "With 1024 and 2048 small circles it");
    assert!(above.starts_with("not confirmed: for the order, not for \"slightly\": in 0 of 8"), "{above}");
}

#[test]
fn access_patterns_are_compared_in_large_fields() {
    let all = measurements([2e-3, 1e-3, 2e-3]);
    let one_access = verdict(&all, "Reading a circle in one access");
    assert!(
        one_access.starts_with("confirmed: 2.00 times as fast (median of 150 cases; 2.00 to 2.00)"),
        "{one_access}"
    );
    assert!(one_access.contains("; in the thesis 1.7"), "{one_access}");
    let shared = verdict(&all, "Shared memory pays off");
    assert!(
        shared.starts_with("not confirmed: 0.500 times")
            && shared.ends_with("; with fewer barriers than in algorithm 4"),
        "{shared}"
    );
    // As fast as the naive program, but slower than the coalesced one.
    let fastest = verdict(&all, "With circles of radius 8 the program with shared");
    assert!(fastest.starts_with("not confirmed: in 160 of 240 comparisons; from GPU shared 0.500 times"), "{fastest}");
    assert!(fastest.ends_with("; in 240 of 240 comparisons of the thesis' own tables"), "{fastest}");
}

#[test]
fn the_size_of_a_speed_up_on_other_processors_decides_nothing() {
    let all = measurements([fraction(4.0); 3]);
    let largest = verdict(&all, "The GPU program with shared memory is at most");
    assert!(largest.starts_with("cannot be known: other processors; here at most 14.1 times"), "{largest}");
    let end =
        "(The range from the thesis' own table A.1 is 18.8 times (18.5 to 19.0); 6 cases of its tables exceed 19.3)";
    assert!(largest.contains(", 14.1 in the median, with ") && largest.ends_with(end), "{largest}");
    let medium = verdict(&all, "Even with circles of radius 8");
    assert!(medium.starts_with("cannot be known: other processors; here 4.00 to 4.00"), "{medium}");
    let small = verdict(&all, "The program with shared memory is slightly faster");
    let end = " (in the thesis' table 0.333 to 1.38, 1.29 in the median); faster in 72 of 80 comparisons of the thesis' own \
               tables";
    assert!(small.starts_with("cannot be known: other processors; here ") && small.ends_with(end), "{small}");
}

#[test]
fn speed_ups_over_the_number_of_circles_are_listed_for_the_smallest_field() {
    let mut all = measurements([fraction(4.0); 3]);
    for row in all.rows.0.iter_mut().filter(|row| row.program == Program::GpuShared && row.case.count == 2048) {
        *row = measured(row.case, row.program, &[row.times.median() / 2.0; MIN_RUNS]);
    }
    let text = verdict(&all, "With 256 x 256 cells and radius 8 or 15");
    let expected = "cannot be known: no figures are given for \"small\" and \"stabilises\"; with 64, with 128, and with more \
                    circles 4.00, 4.00, then 4.00 to 8.00 (radius 8) and 14.1, 14.1, then 14.1 to 28.1 (radius 15); in \
                    the thesis' own tables 2.50, 3.47, then 3.90 to 4.88 (radius 8) and 4.57, 3.13, then 12.7 to 17.1 \
                    (radius 15)";
    assert_eq!(text, expected);
}

#[test]
fn the_thesis_own_tables_refute_statements_about_them() {
    let all = measurements([1e-3; 3]);
    let place = verdict(&all, "This largest speed-up");
    let expected = "not confirmed: in the thesis' own table the largest is 20.9 times (20.5 to 21.4), with 1280 circles \
                    of radius 15 and 1536² cells, and 18.8 times (18.5 to 19.0) in this case; here the largest is ";
    assert!(place.starts_with(expected), "{place}");
    let crossing = verdict(&all, "With small circles it becomes faster");
    let expected = "not confirmed: in the thesis' own table it is faster from 256 circles on with 256² cells, from 256 \
                    circles on with 1024² cells, from 64 circles on with 2048² cells";
    assert_eq!(crossing, expected);
}

#[test]
fn a_gpu_program_that_is_faster_without_transfers_may_be_slower_with_them() {
    // Faster than the copy with any radius.
    let all = measurements([fraction(2.0); 3]);
    for statement in [
        "With 256 x 256 cells and 128 small",
        "With 256 x 256 cells and 64 or 128 small",
        "With 1024 and 2048 small circles the copy",
        "With small circles the copy",
    ] {
        let text = verdict(&all, statement);
        assert!(text.starts_with("cannot be known: ") && text.ends_with("not measured for its GPU programs"), "{text}");
    }
}

#[test]
fn without_a_device_only_the_thesis_decides() {
    let mut all = measurements([1e-3; 3]);
    all.rows.0.retain(|row| row.program == Program::CpuCopy);
    let text = statements(&all, MeasuredOn::Cpu).text();
    let summary = "24 statements: 0 confirmed, 2 not confirmed, 3 cannot be known, 19 not measured";
    assert!(text.contains(summary), "{text}");
}

#[test]
fn medians_of_two_runs_decide_nothing() {
    let mut all = measurements([1e-3; 3]);
    let row = all.rows.0.iter_mut().find(|row| row.program == Program::GpuShared).unwrap();
    *row = measured(row.case, row.program, &[row.times.median(); MIN_RUNS - 1]);
    for statement in
        ["The speed-up more than doubles", "The size of the circles", "The speed-up is relatively constant"]
    {
        let text = verdict(&all, statement);
        assert!(text.starts_with("cannot be known: "), "{text}");
    }
}

#[test]
fn the_speed_up_has_to_stay_the_same_over_the_number_of_circles() {
    let mut all = measurements([1e-3; 3]);
    let text = verdict(&all, "The speed-up is relatively constant");
    assert_eq!(text, "confirmed: the number changes it by a factor of 1.00, in the thesis' own tables 1.41");
    for row in all.rows.0.iter_mut().filter(|row| row.program == Program::GpuShared && row.case.count == 64) {
        *row = measured(row.case, row.program, &[row.case.pairs() as f64; MIN_RUNS]);
    }
    let text = verdict(&all, "The speed-up is relatively constant");
    assert!(text.starts_with("not confirmed: the number changes it by a factor of 1000"), "{text}");
}
