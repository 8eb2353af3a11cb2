//! Whole runs of a street with two links: unusual inputs, and inputs that change during the run.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use throng_core::{NoProgress, Progress};
use throng_model::{Failure, RunRequest};
use throng_traffic::config::{self, Change};
use throng_traffic::{Day, run};

const NETWORK: &str = r#"<network>
<nodes><node id="a" x="0" y="0"/><node id="b" x="1000" y="0"/><node id="c" x="2000" y="0"/></nodes>
<links capperiod="01:00:00">
<link id="ab" from="a" to="b" length="1000" freespeed="10" capacity="1800" permlanes="1" modes="car"/>
<link id="bc" from="b" to="c" length="1000" freespeed="10" capacity="1800" permlanes="1" modes="car"/>
</links></network>"#;

/// Returns one person per entry, which contains the attributes of the first activity. All persons drive from `ab` to
/// `bc`.
fn plans(first_activities: &[&str]) -> String {
    let persons = first_activities.iter().enumerate().map(|(i, attributes)| {
        format!(
            "<person id=\"{i}\"><plan selected=\"yes\"><activity type=\"home\" link=\"ab\" {attributes}/>\
             <leg mode=\"car\"><route type=\"links\" start_link=\"ab\" end_link=\"bc\">ab bc</route></leg>\
             <activity type=\"work\" link=\"bc\"/></plan></person>\n"
        )
    });
    let doctype = "<!DOCTYPE population SYSTEM \"http://www.matsim.org/files/dtd/population_v6.dtd\">";
    format!("{doctype}\n<population>\n{}</population>", persons.collect::<Vec<_>>().concat())
}

struct Street {
    folder: TempDir,
}

impl Street {
    fn with_plans(plans: &str) -> Self {
        let street = Self { folder: TempDir::new().unwrap() };
        std::fs::write(street.path("network.xml"), NETWORK).unwrap();
        std::fs::write(street.path("plans.xml"), plans).unwrap();
        street
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a run with results in `out`.
    fn run(&self, changes: &[&str]) -> Day {
        let setting = |name: &str, path: &Path| Change::typed(format!("{name}={}", path.display()));
        let mut all = vec![
            setting("network.inputNetworkFile", &self.path("network.xml")),
            setting("plans.inputPlansFile", &self.path("plans.xml")),
            setting("controller.outputDirectory", &self.path("out")),
        ];
        all.extend(changes.iter().map(|change| Change::typed(*change)));
        Day::new(config::from_changes(&all).unwrap().settings)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("out").join(name)).unwrap()
    }
}

#[test]
fn persons_who_never_leave_are_counted() {
    let street = Street::with_plans(&plans(&["end_time=\"06:00:00\"", "", "", "max_dur=\"06:00:00\""]));
    let done = run(street.run(&[]), &RunRequest::default(), &NoProgress).unwrap();
    assert_eq!((done.results.summary.trips, done.results.summary.endless_stays.persons), (2, 2));
    let (_, warning) = done.warnings.iter().find(|(kind, _)| kind.starts_with("persons stay forever")).unwrap();
    assert_eq!((warning.count, warning.example.as_str()), (2, "person \"1\", activity \"home\""));
    assert!(street.read("report.html").contains("so that the rest of their plan does not take place: 2; for"));
    assert!(street.read("manifest.json").contains("\"endless_stays\": 2"));
}

/// Replaces a file when a phase of the run begins.
struct Replace {
    phase: &'static str,
    file: PathBuf,
    text: String,
}

impl Progress for Replace {
    fn begin(&self, phase: &str, _: Option<u64>, _: &'static str) {
        if phase.starts_with(self.phase) {
            std::fs::write(&self.file, &self.text).unwrap();
        }
    }
}

#[test]
fn inputs_that_change_during_a_run_stop_it() {
    let before = plans(&["end_time=\"06:00:00\""; 2]);
    let after = plans(&["end_time=\"07:00:00\""; 3]);
    for (phase, file) in [
        ("reading", "plans.xml"),
        ("simulating", "plans.xml"),
        ("completing output_plans", "plans.xml"),
        ("completing output_plans", "network.xml"),
    ] {
        let street = Street::with_plans(&before);
        let replace = Replace { phase, file: street.path(file), text: after.clone() };
        let error = run(street.run(&[]), &RunRequest::default(), &replace).unwrap_err();
        let Failure::Input(error) = error else { panic!("{phase}: {error}") };
        let problem = &error.0.shown()[0];
        assert_eq!(problem.place, street.path(file).display().to_string(), "{phase}");
        assert!(problem.message.starts_with("this file was changed while in use: it had "), "{problem}");
        assert!(problem.remedy.contains("Start again"), "{problem}");
        for name in ["output_plans.xml.gz", "manifest.json"] {
            assert!(!street.path("out").join(name).exists(), "{phase}, {file}: {name}");
        }
        if file == "plans.xml" {
            // The manifest of the next run does not list events, so no complete events file may remain next to it.
            let events = street.path("out").join("output_events.xml.gz");
            assert_eq!(events.exists(), phase != "reading", "{phase}");
            let next = ["controller.overwriteFiles=overwriteExistingFiles", "controller.writeEventsInterval=0"];
            run(street.run(&next), &RunRequest::default(), &NoProgress).unwrap();
            assert!(!events.exists() && street.path("out/manifest.json").exists(), "{phase}");
        }
    }
}

#[test]
fn warnings_with_a_complete_list_show_no_example() {
    let street = Street::with_plans(&plans(&["end_time=\"06:00:00\""; 3]));
    // The run ends before any of the agents arrives.
    let done = run(street.run(&["qsim.endTime=06:01:00", "controller.runId=r1"]), &RunRequest::default(), &NoProgress)
        .unwrap();
    let expected = "warning: 3 times: agents aborted because the simulation ended (r1.stuck_agents.csv lists them)";
    assert_eq!(done.warnings.lines().collect::<Vec<_>>(), [expected]);
    let manifest = street.read("r1.manifest.json");
    assert!(manifest.contains("r1.stuck_agents.csv lists them"), "{manifest}");
}
