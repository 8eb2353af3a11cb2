//! The paper's statements, each with a verdict.

mod speed;
mod techniques;
mod theory;

use super::cases::Case;
use super::method::Method;
use super::published::{FIRST_AT_MOST, FIRST_MOSTLY, FIRST_OVER_SECOND, SECOND_AT_MOST, SECOND_MOSTLY};
use super::reproduce::YuMeasurements;
use crate::experiment::{MeasuredOn, Statements};
use throng_pedestrians::Flow;

/// The scenario of the largest speed-up of the second GPU program over the CPU program.
const OF_MAXIMUM: Case = Case { side: 700, density: 0.5, flow: Flow::Eight };
/// The scenarios of the largest and of the smallest speed-up of the second GPU program over the first one.
const OF_LARGEST_GAIN: Case = Case { side: 100, density: 0.7, flow: Flow::Uni };
const OF_SMALLEST_GAIN: Case = Case { side: 1000, density: 0.9, flow: Flow::Four };

/// The statements of the paper. `memory_bytes`: memory of the device, if it is known.
pub(crate) fn statements(measurements: &YuMeasurements, on: MeasuredOn, memory_bytes: Option<u64>) -> Statements {
    let mut all = Statements::on(on);
    model(measurements, memory_bytes, &mut all);
    theory::techniques(&mut all);
    techniques::statements(measurements, &mut all);
    speed_ups(measurements, &mut all);
    all
}

/// Section 2: the algorithm.
fn model(measurements: &YuMeasurements, memory_bytes: Option<u64>, all: &mut Statements) {
    all.push(
        "section 2.1",
        "With buffered changes and enrolment stations, no kernel needs atomic functions.",
        speed::no_atomics(measurements),
    );
    all.push_of_gpu(
        "section 2.1",
        "Atomic functions would significantly harm the performance, especially in global memory (read as: slower than \
         the one-step cache in most scenarios).",
        speed::atomics(measurements),
    );
    theory::algorithm(all);
    all.push(
        "section 3.2",
        "An interleaving of operations without competition may not be found for this problem.",
        [theory::interleaving()],
    );
    all.push(
        "section 2.2",
        "With fields of 21 x 21 the one-step caches of a world of 2000 x 2000 take 29.1 GB, more than most GPUs have.",
        theory::capacity(memory_bytes),
    );
    all.push(
        "sections 2.2 and 5",
        "With the multi-step sum the program simulates crowds of 2 million pedestrians, also with large fields.",
        speed::two_million(measurements),
    );
}

/// Section 4: the measurements.
fn speed_ups(measurements: &YuMeasurements, all: &mut Statements) {
    let second = Method::Second(measurements.options.sums);
    for (name, method, (from, to), most) in
        [("first", Method::First, FIRST_MOSTLY, FIRST_AT_MOST), ("second", second, SECOND_MOSTLY, SECOND_AT_MOST)]
    {
        all.push_of_gpu(
            "section 4, figures 6 to 9",
            format!("The {name} GPU program is mostly {from} to {to} times as fast as the CPU program."),
            speed::mostly(measurements, method, from..=to),
        );
        all.push_of_gpu(
            "section 4",
            format!("The {name} GPU program is at most {most} times as fast as the CPU program."),
            speed::at_most(measurements, method),
        );
    }
    all.push_of_gpu(
        "section 4",
        format!("The second GPU program gains most over the CPU program in {OF_MAXIMUM}."),
        speed::extreme(measurements, [Method::Naive, second], OF_MAXIMUM, true),
    );
    let [least, mean, largest] = FIRST_OVER_SECOND;
    all.push_of_gpu(
        "section 4, figure 10",
        format!(
            "The second GPU program is faster than the first one in each scenario, {least} to {largest} times (read as: \
             faster)."
        ),
        speed::faster_in_all(measurements, Method::First, second),
    );
    all.push_of_gpu(
        "section 4, figure 10",
        format!("On average the second GPU program is {mean} times as fast as the first one."),
        speed::mean_gain(measurements, second),
    );
    for (what, case, is_largest) in [("most", OF_LARGEST_GAIN, true), ("least", OF_SMALLEST_GAIN, false)] {
        all.push_of_gpu(
            "figure 10",
            format!("The second GPU program gains {what} over the first one in {case}."),
            speed::extreme(measurements, [Method::First, second], case, is_largest),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::statements::found;
    use crate::experiment::{Row, Rows, Times};
    use crate::yu::memory::FieldSizeMeasurement;
    use crate::yu::report::tests::measurements;
    use crate::yu::reproduce::TickMeasurement;

    /// Times per tick of programs, milliseconds, in cases with density 0.7 in one direction.
    fn of_times(rows: &[(u32, Method, [f64; 3])]) -> YuMeasurements {
        let mut all = measurements();
        all.options.sizes = vec![100, 1000];
        all.options.densities = vec![0.7];
        all.options.flows = vec![Flow::Uni];
        all.rows = Rows(
            rows.iter()
                .map(|&(side, program, ms)| Row {
                    case: Case { side, density: 0.7, flow: Flow::Uni },
                    program,
                    times: Times::of(ms.to_vec()),
                    figures: TickMeasurement { ticks: 10, bytes: None },
                })
                .collect(),
        );
        all
    }

    fn verdict(measurements: &YuMeasurements, statement: &str) -> Option<String> {
        found(&statements(measurements, MeasuredOn::Gpu, Some(16 << 30)), statement)
    }

    fn begins(measurements: &YuMeasurements, statement: &str, beginning: &str) {
        let found = verdict(measurements, statement).unwrap();
        assert!(found.starts_with(beginning), "{statement}\n{found}");
    }

    #[test]
    fn speed_ups_over_an_unknown_machine_are_listed() {
        let naive = [100, 1000].map(|side| (side, Method::Naive, [200.0; 3]));
        let of = |first: [f64; 3], second: [f64; 3]| {
            of_times(&[naive[0], naive[1], (100, Method::First, first), (1000, Method::First, second)])
        };
        let mostly = "The first GPU program is mostly";
        begins(&of([10.0; 3], [11.0; 3]), mostly, "cannot be known: in 2 of 2 scenarios");
        begins(&of([1.0; 3], [2.0; 3]), mostly, "cannot be known: in 0 of 2 scenarios");
        begins(&of([10.0; 3], [5.0, 10.0, 20.0]), mostly, "cannot be known: in 1 of 2 scenarios");
        let most = "The first GPU program is at most";
        let largest = "cannot be known: at most 28.6 times (28.6 to 28.6; 3 runs) in 1000 x 1000";
        begins(&of([10.0; 3], [7.0; 3]), most, largest);
        begins(&of([10.0; 3], [1.0; 3]), most, "cannot be known: at most 200 times");
        assert_eq!(verdict(&of_times(&naive), mostly), None);
    }

    #[test]
    fn the_scenario_of_the_largest_gain_is_compared_with_all_others() {
        let of = |larger: [f64; 3]| {
            of_times(&[
                (100, Method::First, [20.0; 3]),
                (100, Method::Second(4), [4.0; 3]),
                (1000, Method::First, larger),
                (1000, Method::Second(4), [10.0; 3]),
            ])
        };
        let statement = "The second GPU program gains most over the first";
        begins(&of([12.0; 3]), statement, "confirmed: 5.00 times (5.00 to 5.00; 3 runs)");
        begins(&of([30.0, 40.0, 60.0]), statement, "cannot be known: ");
        let end = "; 6.00 times (6.00 to 6.00; 3 runs) in 1000 x 1000, density 0.7, 1-directional";
        let found = verdict(&of([60.0; 3]), statement).unwrap();
        assert!(found.starts_with("not confirmed: 5.00 times") && found.ends_with(end), "{found}");
        begins(&of([12.0; 3]), "The second GPU program is faster", "confirmed: 1.20 to 5.00 times");
        begins(&of([9.0; 3]), "The second GPU program is faster", "not confirmed: 0.900 to 5.00 times");
        // The figure of another GPU decides nothing here.
        begins(&of([12.0; 3]), "On average", "cannot be known: 3.10 times");
    }

    #[test]
    fn atomic_functions_are_compared_with_the_one_step_cache() {
        let of = |atomic: f64| of_times(&[(100, Method::OneStep, [2.0; 3]), (100, Method::Atomic, [atomic; 3])]);
        begins(&of(6.0), "Atomic functions", "confirmed: in 1 of 1 scenarios");
        begins(&of(1.0), "Atomic functions", "not confirmed: in 0 of 1 scenarios");
        begins(&of(1.0), "With buffered changes", "confirmed: ");
    }

    #[test]
    fn most_scenarios_decide_about_atomic_functions() {
        let of = |small: [f64; 3], large: [f64; 3]| {
            let cache = [100, 1000].map(|side| (side, Method::OneStep, [2.0; 3]));
            of_times(&[cache[0], cache[1], (100, Method::Atomic, small), (1000, Method::Atomic, large)])
        };
        let statement = "Atomic functions";
        begins(&of([6.0; 3], [4.0; 3]), statement, "confirmed: in 2 of 2 scenarios");
        begins(&of([6.0; 3], [1.0, 2.0, 3.0]), statement, "cannot be known: in 1 of 2 scenarios");
        begins(&of([6.0; 3], [1.0; 3]), statement, "not confirmed: in 1 of 2 scenarios");
    }

    #[test]
    fn large_fields_are_those_of_table_ii() {
        let of = |fields: &[(u32, Option<f64>)]| {
            let mut all = measurements();
            let row = all.memory[0].clone();
            let row = |&(field, multi_step_ms): &(u32, Option<f64>)| FieldSizeMeasurement {
                field,
                multi_step_ms,
                ..row.clone()
            };
            all.memory = fields.iter().map(row).collect();
            all
        };
        let statement = "With the multi-step sum the program simulates";
        begins(&of(&[(7, Some(1.0)), (77, Some(9.0))]), statement, "confirmed: 2000000 pedestrians in 2000 x 2000: ");
        begins(&of(&[(7, Some(1.0))]), statement, "cannot be known: ");
        begins(&of(&[(7, Some(1.0)), (77, None)]), statement, "not confirmed: ");
    }

    #[test]
    fn the_papers_own_numbers_decide_statements_about_them() {
        let all = of_times(&[]);
        for (statement, beginning) in [
            ("The strength fan-out of fields of 7 x 7", "confirmed: 6 "),
            (
                "The number of space units whose fields",
                "not confirmed: 21 x 21: (21 x 21 - 1) / 8 = 55, and the table has 61",
            ),
            ("Fields of 1 x 1 to 11 x 11", "cannot be known: 19 of 36 with exact45, 27 of 36 with seed7, 24 of 36"),
            ("Fields of 7 x 7 to 77 x 77", "cannot be known: 0 of 6 with exact45, 1 of 6 with seed7, 1 of 6 with skew"),
            ("An interleaving of operations", "not confirmed: a gather over space units"),
            ("The most difficult technique to implement is competition", "cannot be known: the paper does not say"),
            ("The memory of the one-step cache", "confirmed: "),
            ("The fan-out grows exponentially", "not confirmed: it is 6.00, 6.78, 6.56, 6.69, 6.60, 6.68 times"),
            ("The multi-step sum bounds the memory", "confirmed: "),
            ("A sum of n = K m terms", "not confirmed: with K = 4 and m = 14, a[j K + i] has 26 of 56 terms"),
            ("At most 8 pedestrians", "confirmed: "),
            ("An array of eight elements", "confirmed: "),
            ("21 comparisons", "not confirmed: 21 / 15.3 = 1.37"),
            ("In records of a prime size", "not confirmed: 33 work-items, records of 37 words"),
            (
                "With fields of 21 x 21",
                "cannot be known: 29.1 GiB, and this device has 16.0 GiB; by table II it can hold those of 7 x 7; one",
            ),
        ] {
            begins(&all, statement, beginning);
        }
    }
}
