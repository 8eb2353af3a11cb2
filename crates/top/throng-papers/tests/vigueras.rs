//! The collision checks of Vigueras et al.

use throng_core::NoProgress;
use throng_device::Executor;
use throng_model::flags::Flags;
use throng_model::paper::{Experiment, Paper, ReproduceRequest, Reproduced};
use throng_papers::VIGUERAS;
use throng_papers::vigueras::{CheckVariant, Method, Options, Restore, Tile, files, reproduce, table};
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
        let expected: usize = options().cases().into_iter().map(|case| options().methods_in(case).len()).sum();
        assert_eq!((options().cases().len(), measurements.rows.len()), (4, expected));
        for row in &*measurements.rows {
            let (program, found) = (row.program, &row.figures);
            assert!(row.times.fastest() > 0.0, "{row:?}");
            assert!(found.moved > 0.1 && found.moved <= 1.0, "{row:?}");
            assert_eq!(found.moved == 1.0, program == Method::NoCheck, "{row:?}");
            let has = (found.with_copies.is_some(), found.sort.is_some(), found.tests.is_some());
            let sorts = program.compares_wishes() && program != Method::AtomicGrid;
            let copies = program.is_on_device() && !program.is_variant();
            assert_eq!(has, (copies, sorts, program.is_published()), "{row:?}");
            assert_eq!(found.pairs.is_none(), program == Method::NoCheck, "{row:?}");
            let is_ours = [Method::SequentialOnDevice, Method::SequentialOnCpu].contains(&program);
            assert!(found.pairs == Some(0) || !is_ours, "{row:?}");
        }
        let timed: Vec<Method> = measurements.kernels.iter().map(|found| found.method).collect();
        let expected: Vec<Method> = options().methods().into_iter().filter(|method| method.is_published()).collect();
        assert_eq!(timed, expected);
        // The two baselines make the same decisions.
        for case in options().cases() {
            let of = |method| measurements.rows.row(case, method).map(|row| (row.figures.moved, row.figures.pairs));
            assert_eq!(of(Method::Baseline), of(Method::OptimisedBaseline(Tile::Medium)));
        }
        let text = table(&measurements);
        for line in ["| four steps | 15.0 % | 25.0 % |", "| four steps, full walk | 15.0 % | 25.0 % |"] {
            assert!(text.contains(line), "{text}");
        }
        let names: Vec<String> = files(&measurements).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["vigueras.csv", "vigueras_overlaps.csv", "vigueras.md", "vigueras_kernels.csv"]);
    }
}

#[test]
fn every_statement_is_listed_and_every_file_declared() {
    let mut flags = Flags::default();
    for (name, value) in [("agents", "300,600,900"), ("density-agents", "300"), ("moves", "2"), ("threads", "2")] {
        flags.add(name, value);
    }
    for device in devices() {
        let request = ReproduceRequest { quick: true, flags: flags.clone(), ..ReproduceRequest::default() };
        let Experiment { names, measure, .. } = VIGUERAS.experiment(&request).unwrap();
        let Reproduced { text, files, .. } = measure(&Executor::from(device), &NoProgress).unwrap();
        assert!(text.contains("\n33 statements: "), "{text}");
        assert!(
            text.contains("| baseline, texture memory | 50.0 % | hardly less | not repeated | not repeated |  |\n"),
            "{text}"
        );
        let mut found: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
        found.sort_unstable();
        let mut declared = names;
        declared.sort_unstable();
        assert_eq!(found, declared);
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
    super::verification_cases_hold(&VIGUERAS, 4);
}
