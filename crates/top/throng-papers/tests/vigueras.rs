//! The collision checks of Vigueras et al.

use throng_core::NoProgress;
use throng_papers::vigueras::{CheckVariant, Method, Options, Restore, files, reproduce, table};
use throng_testing_devices::devices;

fn options() -> Options {
    Options {
        agents: vec![300, 900],
        areas: vec![0.2, 0.45],
        steps: vec![1.0],
        density_agents: 300,
        moves: 4,
        restore: vec![Restore::Immediate, Restore::FullWalk],
        repeat: 2,
        threads: 2,
        counted_agents: 300,
        counted_steps: 3,
        seed: 1,
    }
}

#[test]
fn the_experiment_measures_every_method_in_every_case() {
    for device in devices() {
        let measurements = reproduce(Some(device), &options(), &NoProgress).unwrap();
        assert_eq!(measurements.rows.len(), 4 * options().methods().len());
        for row in &*measurements.rows {
            let (program, found) = (row.program, &row.figures);
            assert!(row.times.fastest() > 0.0, "{row:?}");
            assert!(found.moved > 0.1 && found.moved <= 1.0, "{row:?}");
            assert_eq!(found.moved == 1.0, program == Method::NoCheck, "{row:?}");
            let has = (found.with_copies.is_some(), found.sort.is_some());
            let sorts = [Method::Baseline, Method::OptimisedBaseline].contains(&program);
            assert_eq!(has, (program.is_on_device(), sorts));
            assert_eq!(found.pairs.is_none(), program == Method::NoCheck, "{row:?}");
            let is_ours = [Method::SequentialOnDevice, Method::SequentialOnCpu].contains(&program);
            assert!(found.pairs == Some(0) || !is_ours, "{row:?}");
        }
        // The two baselines make the same decisions.
        for case in options().cases() {
            let of = |method| measurements.rows.row(case, method).map(|row| (row.figures.moved, row.figures.pairs));
            assert_eq!(of(Method::Baseline), of(Method::OptimisedBaseline));
        }
        let text = table(&measurements);
        for line in ["| four steps | 15.0 % | 25.0 % |", "| four steps, full walk | 15.0 % | 25.0 % |"] {
            assert!(text.contains(line), "{text}");
        }
        let names: Vec<String> = files(&measurements).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["vigueras.csv", "vigueras_overlaps.csv", "vigueras.md"]);
    }
}

#[test]
fn without_a_device_the_cpu_is_measured() {
    let measurements = reproduce(None, &options(), &NoProgress).unwrap();
    assert!(measurements.rows.iter().all(|row| row.program == Method::SequentialOnCpu && row.figures.pairs == Some(0)));
    assert_eq!((measurements.rows.len(), measurements.defects.len()), (4, 2 * CheckVariant::ALL.len()));
    assert!(!table(&measurements).contains("C870"), "no ratios without a device");
}

#[test]
fn verification_cases_hold() {
    super::verification_cases_hold(&throng_papers::VIGUERAS, 4);
}
