//! The programs of Elmir's thesis.

use throng_core::NoProgress;
use throng_papers::elmir::{Beyond, Options, reproduce};

use throng_testing_devices::devices;

#[test]
fn the_experiment_measures_every_program_in_every_case() {
    let options = Options {
        radii: vec![15.0, 4.0],
        resolutions: vec![128, 64],
        counts: vec![30],
        repeat: 2,
        threads: 2,
        most_naive_pairs: 64 * 64 * 30,
        ..Options::default()
    };
    for device in devices() {
        let measurements = reproduce(Some(device), &options, &NoProgress).unwrap();
        let of = |resolution| measurements.rows.iter().filter(move |row| row.case.resolution == resolution).count();
        // The options exclude the naive CPU program from the larger case.
        assert_eq!((of(64), of(128)), (2 * 11, 2 * 10));
        // Slow programs run only once.
        assert!(measurements.rows.iter().all(|row| matches!(row.times.runs(), 1 | 2) && row.times.fastest() > 0.0));
    }
}

#[test]
fn measurements_beyond_the_thesis_are_complete() {
    let small = Beyond { resolution: 128, count: 40, windows: 5, large: vec![(256, 100)], repeat: 2 };
    for device in devices() {
        let measured = small.measure(device, &NoProgress).unwrap();
        assert_eq!(measured.len(), 7);
        assert!(measured.iter().all(|measured| measured.times.fastest() > 0.0 && measured.times.runs() == 2));
    }
}

#[test]
fn verification_cases_hold() {
    super::verification_cases_hold(&throng_papers::ELMIR, 1);
}
