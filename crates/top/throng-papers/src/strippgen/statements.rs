//! The paper's statements, each with a verdict.

mod findings;

use super::program::Program;
use super::published::{GTX_280, TABLE_2};
use super::reproduce::StrippgenMeasurements;
use super::technique::Technique;
use super::variant::Variant;
use crate::experiment::{MeasuredOn, Statements, Verdict};
use findings::{
    another_gpu, costs_without_congestion, grows, in_samples, newer_hardware, on_one_thread, over_java,
    over_one_thread, peak_of_gtx_280, prefix_scans, scan_dominates, without_java, without_nodes,
};

const AOS: Variant = Variant::ALL[0];
const SOA: Variant = Variant::ALL[2];
const RING: Variant = Variant::ALL[4];
const RING2: Variant = Variant::ALL[6];

const NO_JAVA: &str = "the Java program and its processor of 2009 are not available";

/// The research question and the statements of sections 4 to 6, each with its verdict. Times of the paper's Java
/// program and of its hardware are not available, so statements about their sizes cannot be decided.
pub(crate) fn statements(measurements: &StrippgenMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    all.push_of_gpu(
        "section 3.2.3",
        "GPU hardware gives a speed-up with mostly CPU-oriented algorithms.",
        over_one_thread(measurements),
    );
    all.push_of_gpu(
        "section 6",
        "The step from an unsuitable data structure (AOS) to ring buffers gains a factor of about 6 (read as 5 to 7).",
        in_samples(measurements, [AOS, RING].map(Program::Device), 5.0..7.0),
    );
    all.push_of_gpu(
        "section 4.1.3",
        "Ring buffers are clearly faster than AOS in all runs (read as 1.1 times and more).",
        in_samples(measurements, [AOS, RING].map(Program::Device), 1.1..),
    );
    all.push_of_gpu(
        "section 4.1.3",
        "The advantage of ring buffers over AOS grows with the load of the network.",
        grows(measurements),
    );
    all.push_of_gpu(
        "section 4.1.3",
        "The larger administration of ring buffers may cost time without congestion.",
        costs_without_congestion(measurements, [SOA, RING].map(Program::Device)),
    );
    all.push_of_gpu(
        "section 4.2.1",
        "The additional speed without control at the nodes is minor (read as less than 1.25 times).",
        without_nodes(measurements),
    );
    all.push_of_gpu(
        "section 4.2.2",
        "On the GTX 280, moving vehicles in a separate kernel (RING2) gains nothing.",
        another_gpu(measurements, [RING, RING2].map(Program::Device), "the GTX 280"),
    );
    all.push(
        "section 4.2.2",
        "RING2 was the fastest program on the GeForce 9800 GT; the gain was small.",
        [Verdict::Undecided.with_evidence("that GPU is not available, and the paper prints no figures for it")],
    );
    of_results(measurements, &mut all);
    of_outlook(measurements, &mut all);
    all
}

/// Section 5.
fn of_results(measurements: &StrippgenMeasurements, all: &mut Statements) {
    all.push(
        "section 5",
        "On a CPU, SOA is a little slower than AOS (read as less than 1.5 times).",
        in_samples(measurements, [SOA, AOS].map(Program::Cpu), 1.0..1.5),
    );
    all.push_of_gpu(
        "section 5",
        "On a GPU (the 8600 GT), SOA is significantly faster than AOS in all runs.",
        another_gpu(measurements, [AOS, SOA].map(Program::Device), "the 8600 GT"),
    );
    all.push_of_gpu(
        "section 5",
        "On the GTX 280, the speed-up of AOS and SOA over Java is around 8.",
        without_java(another_gpu(measurements, [AOS, SOA].map(Program::Device), "the GTX 280")),
    );
    all.push_of_gpu(
        "section 5",
        "Ring buffers on the GTX 280 reach over 60 times the speed of Java, AOS and SOA around 8 (a ratio of about \
         7.5).",
        without_java(another_gpu(measurements, [AOS, RING].map(Program::Device), "the GTX 280")),
    );
    all.push(
        "section 5",
        "With AOS and SOA, the speed-up follows the 7.5 times as many processors.",
        [Verdict::Undecided.with_evidence("the experiment has one device")],
    );
    all.push_of_gpu(
        "section 5",
        "The implementation will automatically profit from coming hardware.",
        newer_hardware(measurements),
    );
    all.push(
        "section 5",
        "On the GTX 280 all programs are faster than Java; on the 8600 GT the naive one can at least compete.",
        [Verdict::Undecided.with_evidence(NO_JAVA)],
    );
    all.push(
        "section 5",
        "On the 8600 GT, changing the movement of the vehicles does not necessarily improve the performance.",
        [Verdict::Undecided.with_evidence("that GPU is not available")],
    );
    all.push_of_gpu(
        "section 5",
        "The 8600 GT is up to 6 times as fast as the Java program.",
        over_java(measurements, TABLE_2[1].name),
    );
    all.push(
        "section 5",
        "The same code on a CPU is slower than the Java program with simple data structures, and a little faster with \
         ring buffers.",
        [on_one_thread(measurements)],
    );
}

/// Section 6.
fn of_outlook(measurements: &StrippgenMeasurements, all: &mut Statements) {
    all.push_of_gpu(
        "section 6",
        "The scan over all agents becomes the dominant part with increasing numbers of agents.",
        scan_dominates(measurements),
    );
    let improved = |technique| [Program::Device(Variant::RING_NODES), Program::Improved(technique)];
    all.push_of_gpu(
        "section 6",
        "Buckets of agents by departure time speed up the program.",
        in_samples(measurements, improved(Technique::Calendar), 1.0..),
    );
    all.push(
        "section 6",
        "Buckets would have to reserve space for all agents in every bucket.",
        [Verdict::NotConfirmed
            .with_evidence("an array sorted once by departure time reserves none; smaller buckets were not tried")],
    );
    all.push(
        "section 6",
        "Double-buffered techniques speed up the program.",
        [Verdict::Undecided.with_evidence(
            "the lists of due agents are double-buffered, but not measured without; the paper names no use",
        )],
    );
    all.push_of_gpu(
        "section 6",
        "Prefix scans speed up the program.",
        prefix_scans(measurements, improved(Technique::ActiveNodes)),
    );
    all.push_of_gpu(
        "section 6",
        "The GTX 280 is up to 67 times as fast as the optimised Java program.",
        over_java(measurements, GTX_280.name),
    );
    all.push(
        "section 6",
        "The GTX 280 simulates up to 16,000 seconds within one second, with 10 % of the agents.",
        peak_of_gtx_280(),
    );
}

#[cfg(test)]
mod tests {
    use super::super::program::tests::minute;
    use super::super::report::tests::measurements;
    use super::*;
    use crate::experiment::Rows;
    use crate::experiment::statements::found;

    /// Programs with three equal runs in the samples of 1 and 100 %.
    fn of(runs: &[(Program, [f64; 2])]) -> StrippgenMeasurements {
        let rows = runs.iter().flat_map(|(program, seconds)| {
            [(1.0, seconds[0]), (100.0, seconds[1])].map(|(percent, s)| minute(*program, percent, &[s; 3]))
        });
        StrippgenMeasurements { rows: Rows(rows.collect()), ..measurements() }
    }

    fn verdict(runs: &[(Program, [f64; 2])], beginning: &str) -> Option<String> {
        found(&statements(&of(runs), MeasuredOn::Gpu), beginning)
    }

    #[test]
    fn ring_buffers_are_compared_with_aos_in_every_sample() {
        let runs = |aos| [(Program::Device(AOS), aos), (Program::Device(RING), [1.0, 1.0])];
        let text = verdict(&runs([5.5, 6.0]), "The step from an unsuitable").unwrap();
        let expected = "confirmed: RING over AOS 5.50 times (5.50 to 5.50; 3 runs) with 1 % of the agents, 6.00 times \
                        (6.00 to 6.00; 3 runs) with 100 % of the agents";
        assert_eq!(text, expected);
        assert!(verdict(&runs([5.5, 1.4]), "The step from an unsuitable").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&runs([1.2, 1.4]), "Ring buffers are clearly").unwrap().starts_with("confirmed: "));
        assert!(verdict(&runs([1.05, 1.4]), "Ring buffers are clearly").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&runs([1.2, 1.4]), "The advantage of ring").unwrap().starts_with("confirmed: "));
        assert!(verdict(&runs([1.4, 1.2]), "The advantage of ring").unwrap().starts_with("not confirmed: "));
        assert_eq!(verdict(&[], "Ring buffers are clearly"), None);
    }

    #[test]
    fn statements_about_one_gpu_are_not_decided_on_another_one() {
        let runs = [(AOS, 2.0), (SOA, 1.0), (RING, 0.25), (RING2, 0.5)];
        let runs = runs.map(|(variant, s)| (Program::Device(variant), [s, s]));
        for (beginning, ratio, end) in [
            ("On the GTX 280, moving vehicles", "RING2 over RING 0.500", "; the paper says this of the GTX 280 only"),
            ("On a GPU (the 8600 GT)", "SOA over AOS 2.00", "; the paper says this of the 8600 GT only"),
            ("On the GTX 280, the speed-up of AOS", "SOA over AOS 2.00", NO_JAVA),
            ("Ring buffers on the GTX 280", "RING over AOS 8.00", NO_JAVA),
        ] {
            let text = verdict(&runs, beginning).unwrap();
            assert!(text.starts_with(&format!("cannot be known: {ratio} times")) && text.ends_with(end), "{text}");
        }
    }

    #[test]
    fn the_research_question_is_judged_on_one_device_and_one_thread() {
        let runs = |device| [(Program::Cpu(RING), [4.0, 8.0]), (Program::Device(RING), [device, 1.0])];
        let expected = "confirmed: RING on the device over the same code on one CPU thread: 2.00 times (2.00 to 2.00; 3 \
                        runs) with 1 % of the agents, 8.00 times (8.00 to 8.00; 3 runs) with 100 % of the agents";
        assert_eq!(verdict(&runs(2.0), "GPU hardware gives").unwrap(), expected);
        assert!(verdict(&runs(5.0), "GPU hardware gives").unwrap().starts_with("not confirmed: "));
        assert_eq!(verdict(&runs(2.0)[1..], "GPU hardware gives"), None, "nothing ran on the CPU");
    }

    #[test]
    fn small_samples_show_that_ring_buffers_may_cost_time() {
        let runs = |ring| [(Program::Device(SOA), [1.0, 1.0]), (Program::Device(RING), [ring, 1.0])];
        let cost = verdict(&runs(1.25), "The larger administration").unwrap();
        assert_eq!(
            cost,
            "confirmed: with 1 % of the agents, RING is 0.800 times (0.800 to 0.800; 3 runs) as fast as SOA; the paper \
             only says that it may"
        );
        assert!(verdict(&runs(0.9), "The larger administration").unwrap().starts_with("cannot be known: "));
        let mut congested = of(&runs(1.25));
        congested.options.percents = vec![100.0];
        assert_eq!(found(&statements(&congested, MeasuredOn::Gpu), "The larger administration"), None);
    }

    #[test]
    fn coming_hardware_is_judged_by_all_runs() {
        let text = |seconds: &[f64]| {
            let row = minute(Program::Device(Variant::RING_NODES), 100.0, seconds);
            let all = StrippgenMeasurements { rows: Rows(vec![row]), ..measurements() };
            found(&statements(&all, MeasuredOn::Gpu), "The implementation will").unwrap()
        };
        // The GTX 280 simulates a minute in 60 / 6,699 s.
        let gtx = 60.0 / GTX_280.at(100.0).unwrap();
        let faster = text(&[gtx / 2.0; 3]);
        let times = "2.00 times (2.00 to 2.00; 3 runs) with 100 % of the agents";
        let expected = format!(
            "confirmed: roughly, with another program, network and period: RINGNODES over the GTX 280: {times}"
        );
        assert_eq!(faster, expected);
        assert!(text(&[gtx * 2.0; 3]).starts_with("not confirmed: "));
        assert!(text(&[gtx / 2.0, gtx / 2.0, gtx * 2.0]).starts_with("cannot be known: "));
        assert!(text(&[gtx / 2.0; 2]).starts_with("cannot be known: "));
    }

    #[test]
    fn another_use_of_prefix_scans_may_pay_off() {
        let runs = |scan| {
            [(Program::Device(Variant::RING_NODES), [1.0; 2]), (Program::Improved(Technique::ActiveNodes), [scan; 2])]
        };
        assert!(
            verdict(&runs(0.5), "Prefix scans").unwrap().starts_with("confirmed: a scan for nodes with vehicles: 2.00")
        );
        assert!(verdict(&runs(2.0), "Prefix scans").unwrap().starts_with("cannot be known: a scan for nodes"));
    }

    #[test]
    fn ring_buffers_on_one_thread_are_listed_beside_java() {
        let text = verdict(&[(Program::Cpu(RING), [1.0, 0.5])], "The same code on a CPU").unwrap();
        let end =
            "; real-time factors of RING on one thread here and of Java then: 120 and 108 with 100 % of the agents";
        assert!(text.starts_with("cannot be known: ") && text.ends_with(end), "{text}");
    }

    #[test]
    fn the_scan_is_judged_by_the_time_that_the_calendar_saves() {
        let runs = |scan| {
            [(Program::Device(Variant::RING_NODES), [1.0, scan]), (Program::Improved(Technique::Calendar), [1.0, 1.0])]
        };
        let text = verdict(&runs(4.0), "The scan over all agents").unwrap();
        assert_eq!(
            text,
            "confirmed: without it, a program takes 0.0000 % less time with 1 % of the agents, 75.0 % less time \
             with 100 % of the agents, there 75.0 % to 75.0 % less over the runs; more than half is read as dominant"
        );
        assert!(verdict(&runs(1.5), "The scan over all agents").unwrap().starts_with("not confirmed: "));
        let falls =
            [(Program::Device(Variant::RING_NODES), [8.0, 4.0]), (Program::Improved(Technique::Calendar), [1.0, 1.0])];
        assert!(verdict(&falls, "The scan over all agents").unwrap().starts_with("not confirmed: "));
        let mut one = of(&runs(4.0));
        one.options.percents = vec![100.0];
        let text = found(&statements(&one, MeasuredOn::Gpu), "The scan over all agents").unwrap();
        assert!(text.starts_with("cannot be known: without it"), "{text}");
        let over = "RINGNODES, calendar over RINGNODES 1.00 times";
        for (scan, expected) in [(4.0, "confirmed: "), (0.5, "not confirmed: ")] {
            let text = verdict(&runs(scan), "Buckets of agents").unwrap();
            assert!(text.starts_with(&format!("{expected}{over}")), "{text}");
        }
    }

    #[test]
    fn speed_ups_over_java_are_those_of_table_2() {
        let text = verdict(&[(Program::Device(RING), [1.0, 0.1])], "The GTX 280 is up to 67").unwrap();
        // 6,699 / 108; here 60 s in 0.1 s are a factor of 600.
        assert!(text.contains("table 2 gives at most 62.0 times") && text.contains("at most 5.56 times"), "{text}");
        assert!(text.starts_with("cannot be known: "), "{text}");
        let peak = verdict(&[], "The GTX 280 simulates up to 16,000").unwrap();
        assert_eq!(peak, "confirmed: 16,383 in the paper's own table 2");
    }
}
