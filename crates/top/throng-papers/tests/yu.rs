//! The social fields of Yu et al.

use throng_core::NoProgress;
use throng_papers::yu::{Method, Options, Ratios, files, reproduce, table};
use throng_pedestrians::Flow;
use throng_testing_devices::devices;

fn options() -> Options {
    Options {
        sizes: vec![20, 30],
        densities: vec![0.3, 0.7],
        flows: vec![Flow::Bi, Flow::Eight],
        ticks: 20,
        windows: 3,
        repeat: 2,
        threads: 2,
        memory_side: 40,
        memory_fields: vec![7, 21, 77],
        ablation_sizes: vec![30],
        ..Options::default()
    }
}

#[test]
fn the_experiment_measures_every_program_in_every_case() {
    for device in devices() {
        let measurements = reproduce(Some(device), &options(), &NoProgress).unwrap();
        // One scenario is also measured with the three other numbers of partial sums.
        assert_eq!(measurements.rows.len(), 8 * 8 + 3, "{:?}", measurements.refused);
        for row in &*measurements.rows {
            assert!(row.times.runs() == 2 && row.times.fastest() > 0.0, "{row:?}");
            assert!((1..=20).contains(&row.figures.ticks), "{row:?}");
            assert_eq!(row.figures.bytes.is_some(), row.program.is_on_device(), "{row:?}");
        }
        for case in options().cases() {
            // 24 or 72 numbers, a fan-out of 7, and 4 partial sums.
            let numbers = 8 + 8 * case.flow.headings().len() as u64;
            let bytes = |method| measurements.rows.row(case, method).and_then(|row| row.figures.bytes);
            let units = u64::from(case.side).pow(2);
            assert_eq!(bytes(Method::OneStep), Some(4 * units * (numbers + 32 * 7)));
            assert_eq!(bytes(Method::MultiStep(4)), Some(4 * units * (numbers + 4 * (numbers + 8) + 1)));
        }
        // Fields of 77 x 77 do not fit into 40 x 40 space units.
        assert_eq!(
            measurements.memory.iter().map(|row| (row.field, row.fan_out)).collect::<Vec<_>>(),
            [(7, 7), (21, 64)]
        );
        assert!(measurements.memory.iter().all(|row| row.throng.is_some() && row.multi_step_ms.is_some()));
        let all = Ratios::of(&measurements, Method::OneStep, Method::Device, |_| true).unwrap();
        assert!(all.cases == 8 && all.least <= all.mean && all.mean <= all.largest, "{all:?}");
        let text = table(&measurements);
        assert!(text.contains("| the paper, second GPU program | 1.25, 4.44, 13.3 |"), "{text}");
        // The second program, and without each of eight techniques; two of these programs also count moves.
        assert_eq!(measurements.ablation.rows.len(), 1 + 7 + 2, "{:?}", measurements.ablation.refused);
        // Four tables and two charts: over two sizes, the charts of flows have too few points.
        assert_eq!(files(&measurements).len(), 4 + 2);
    }
}

#[test]
fn without_a_device_the_cpu_is_measured() {
    let measurements = reproduce(None, &options(), &NoProgress).unwrap();
    assert_eq!(measurements.rows.len(), 8 * 2);
    assert!(measurements.rows.iter().all(|row| matches!(row.program, Method::Naive | Method::Cpu)));
    assert!(measurements.memory.iter().all(|row| row.throng.is_none()));
    assert!(!table(&measurements).contains("Ratios of times per tick. The first"), "no ratios without a device");
}

#[test]
fn verification_cases_hold() {
    super::verification_cases_hold(&throng_papers::YU, 4);
}
