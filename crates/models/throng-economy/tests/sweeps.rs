//! Runs of a sweep that a device simulates together have the same tables as single runs.

use throng_core::{Change, NoProgress};
use throng_device::DeviceChoice;
use throng_economy::model::SocietiesModel;
use throng_model::{Measured, Model, RunRequest, ScenarioRequest};
use throng_testing_devices::{all_devices, with_f64};

const SCENARIO: &str = "\
agents = 5
resources = 8
days = 12
frame_every = 5
devices = \"tools\"
invention.tool_probability = 0.01
";

#[test]
fn batches_and_single_runs_have_equal_measures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scenario.toml");
    std::fs::write(&file, format!("model = \"societies\"\n{SCENARIO}")).unwrap();
    // A base set, one with other days, one that can be batched with the first, and one of another shape. The quick
    // tests use the first two, which form two groups.
    let sets = [vec![], vec!["days=7", "frame_every=0"], vec!["economy.elasticity=1.4"], vec!["agents=4"]];
    let mut requests = Vec::new();
    for changes in sets.into_iter().take(throng_testing::amount(2, 4) as usize) {
        for seed in 1..=3 {
            let changes = changes.iter().copied().map(Change::typed).collect();
            let (file, seed) = (Some(file.clone().into()), Some(seed));
            requests.push(ScenarioRequest { file, changes, seed, ..ScenarioRequest::default() });
        }
    }
    let single_runs: Vec<Measured> = (0..)
        .zip(&requests)
        .map(|(number, request)| {
            let out = Some(folder.path().join(format!("run-{number}")));
            let scenario = SocietiesModel.scenario(&ScenarioRequest { out, ..request.clone() }).unwrap();
            let request = RunRequest { device: DeviceChoice::Cpu, without_files: true, ..RunRequest::default() };
            scenario.run(&request, &NoProgress).unwrap().measured
        })
        .collect();
    assert_eq!(single_runs[0].series.rows.len(), 4, "days 0, 5, 10 and the last");
    let batch = Model::batch(&SocietiesModel).unwrap();
    for device in with_f64(all_devices()) {
        let request = RunRequest { device: DeviceChoice::Device(device.info().id), ..RunRequest::default() };
        let together: Vec<Measured> = batch.run(&requests, &request).into_iter().map(Result::unwrap).collect();
        assert_eq!(together, single_runs, "{}", device.info().label());
    }
}
