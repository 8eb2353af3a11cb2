//! The template of a scenario file.

use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{FieldsRun, Scenario, run, schema, template};
use throng_model::RunRequest;

#[test]
fn the_template_runs_and_has_every_key() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scenario.toml");
    std::fs::write(&path, template()).unwrap();
    let scenario = Scenario::read(&path, &[]).unwrap();
    let run_it = FieldsRun { folder: Some(dir.path().join("out")), ..FieldsRun::new(scenario) };
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let done = run(run_it, &request, &NoProgress).unwrap();
    let summary = &done.results.summary;
    assert!(summary.agents.arrived > 0 && done.warnings.is_empty(), "{summary:?} {:?}", done.warnings);
    let named = |key: &str| {
        template().lines().any(|line| {
            let line = line.trim_start_matches(['#', ' ']);
            // Or an array of tables within an entry.
            line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
                || line.split_whitespace().next().is_some_and(|word| word.ends_with(&format!(".{key}]]")))
        })
    };
    let schema = schema();
    let keys = schema.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.contains(' ')));
    let keys: Vec<&str> = keys.collect();
    assert!(keys.len() > 80, "{keys:?}");
    let missing: Vec<_> = keys.iter().filter(|key| !named(key.rsplit('.').next().unwrap_or(key))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
