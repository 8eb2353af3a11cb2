//! Images of societies agree with the tables of the run.

use std::path::Path;

use throng_core::{Change, NoProgress};
use throng_economy::model::SocietiesModel;
use throng_model::replay::StoredRun;
use throng_model::{Model as _, RunRequest, ScenarioRequest};

/// Stores a short run with changed settings.
fn stored(folder: &Path, changes: &[&str]) -> StoredRun {
    let file = folder.join("scenario.toml");
    std::fs::write(&file, "model = \"societies\"\nagents = 7\nresources = 12\ndays = 12\nagents_every = 5\n").unwrap();
    let out = folder.join("run");
    let changes = changes.iter().map(|change| Change::typed(*change));
    let changes = changes.chain([Change::typed(format!("folder={}", out.display()))]).collect();
    let request = ScenarioRequest { file: Some(file.into()), changes, ..ScenarioRequest::default() };
    SocietiesModel.scenario(&request).unwrap().run(&RunRequest::default(), &NoProgress).unwrap();
    StoredRun::open(&out).unwrap()
}

/// Returns a column of the table of measures, by day.
fn measure(run: &StoredRun, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(run.folder().join("measures.csv")).unwrap();
    let column = text.lines().next().unwrap().split(';').position(|column| column == name).unwrap();
    text.lines().skip(1).map(|row| row.split(';').nth(column).unwrap().parse().unwrap()).collect()
}

#[test]
fn columns_have_the_sums_of_the_measures() {
    let dir = tempfile::tempdir().unwrap();
    let run = stored(dir.path(), &["removals=[{day = 6, agent = 3}]"]);
    let replay = run.replay(&[&SocietiesModel]).unwrap();
    for colouring in ["utility", "extracted"] {
        let [recording, again] = [(); 2].map(|()| replay.open(&run, colouring).unwrap());
        assert_eq!((recording.times().first, recording.times().last, recording.times().step), (0.0, 12.0, 5.0));
        let tile = recording.legend().pop().unwrap().0;
        let sums = [5, 10, 12].map(|day| {
            let scene = recording.scene(f64::from(day)).unwrap();
            assert_eq!((scene.check(), &scene), (Ok(()), &again.scene(f64::from(day)).unwrap()));
            let agents = if day > 6 { 6 } else { 7 };
            assert_eq!(scene.boxes.iter().filter(|shape| shape.albedo == tile).count(), agents);
            let columns = scene.boxes.iter().filter(|shape| shape.albedo != tile);
            columns.map(|shape| shape.half_size[1]).sum::<f64>() / agents as f64
        });
        // The scale is the same on all days.
        let expected = measure(&run, colouring);
        for (sum, day) in sums.into_iter().zip([5, 10, 12]) {
            let [found, expected] = [sum / sums[0], expected[day] / expected[5]];
            assert!((found - expected).abs() < 1e-3, "{colouring}, day {day}: {found} {expected}");
        }
        assert_eq!(recording.scene(0.0).unwrap().boxes.len(), 7, "nothing but tiles");
    }
    assert!(replay.open(&run, "held").unwrap().scene(12.0).unwrap().boxes.len() > 7);
    let error = replay.open(&run, "gold").err().unwrap().text();
    assert!(error.contains("colouring: \"gold\"\n    give one of utility, extracted, held"), "{error}");
}

#[test]
fn without_the_table_there_are_no_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let run = stored(dir.path(), &["agents_every=0"]);
    let replay = SocietiesModel.replay().unwrap();
    let error = replay.open(&run, "utility").err().unwrap().text();
    assert!(
        error.contains("run: has no agents.csv, which rendering needs\n    repeat the run with agents_every"),
        "{error}"
    );
}
