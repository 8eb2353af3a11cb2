use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use serde_json::json;
use throng_core::Change;

use throng_output::RunFolder;

use super::*;
use crate::flags::Flags;
use crate::scenario_file::SCENARIO_NAME;
use crate::{RunRequest, step_scenario};

/// A model with flags, input files and observers: a rising water level.
struct Rivers;

step_scenario! {
    struct River(hours = 9, frame_every = 4, folder = "out") {
        rise: i32 = 2,
        /// A file with the level at the start.
        source: Option<PathBuf> = None,
        /// The level at which the run ends.
        flood: i32 = 1000,
    }
}

struct Level(i32);

/// Held by tests that run a scenario, because they count states.
static ALONE: Mutex<()> = Mutex::new(());
static HASHED: AtomicUsize = AtomicUsize::new(0);
static MEASURED: AtomicUsize = AtomicUsize::new(0);

impl State for Level {
    fn hash(&self) -> u64 {
        HASHED.fetch_add(1, SeqCst);
        self.0 as u64
    }
}

struct Rising(i32, i32);

impl Steps for Rising {
    type State = Level;

    fn step(&mut self) -> Result<(), Failure> {
        self.1 += self.0;
        Ok(())
    }

    fn state(&self) -> Result<Level, Failure> {
        Ok(Level(self.1))
    }
}

impl StepModel for Rivers {
    type Scenario = River;
    type State = Level;

    const NAME: &str = "rivers";
    const ABOUT: &str = "A river that rises";
    const STEP: &str = "hour";
    const MEASURES: &[Quantity] = &[Quantity::real("level", "water level", "m", "above the bed of the river")];
    const DEVICES: DeviceSupport = DeviceSupport::DoublePrecision;
    const PARTS: Parts<Self> = Parts::NONE.with_flags().input_files().observed();

    fn subtitle(_: &River) -> String {
        String::new()
    }

    fn check(river: &River) -> Result<(), InputError> {
        let refused = || InputError::one("rise", river.rise.to_string(), "give 0 or more");
        (0..900).contains(&river.rise).then_some(()).ok_or_else(refused)
    }

    fn warnings(river: &River) -> Warnings {
        let mut warnings = Warnings::new();
        warnings.add_noted(u64::from(river.rise == 0), "the level stays", "rise = 0");
        warnings
    }

    fn units_per_step(_: &River) -> Option<f64> {
        Some(1.0)
    }

    fn start(river: &River) -> Result<Level, Failure> {
        let text = river.source.as_ref().map_or(Ok("0".to_owned()), std::fs::read_to_string).unwrap_or_default();
        let level = text.parse().map_err(|_| InputError::one("source", text, "give a file with a number"))?;
        Ok(Level(level))
    }

    fn executor(_: &Executor, river: &River, Level(level): Level) -> Result<Box<dyn Steps<State = Level>>, Failure> {
        Ok(Box::new(Rising(river.rise, level)))
    }

    fn measure(level: &Level) -> Vec<f64> {
        MEASURED.fetch_add(1, SeqCst);
        vec![level.0.into()]
    }

    fn is_over(river: &River, level: &Level) -> bool {
        level.0 >= river.flood
    }
}

impl HasFlags for Rivers {
    const FLAGS: &[Flag] = &[Flag::new("rain", "METRES", "rise in an hour")];

    fn apply(flags: &Flags, river: &mut River) -> Result<(), InputError> {
        if let Some(rain) = flags.number("rain", 0..)? {
            river.rise = rain;
        }
        Ok(())
    }
}

impl HasInputFiles for Rivers {
    fn inputs(river: &mut River) -> Vec<&mut PathBuf> {
        river.source.iter_mut().collect()
    }
}

impl Observed for Rivers {
    const FILES: &[&str] = &["level.txt"];

    fn figures(river: &River, level: &Level) -> Vec<Figure> {
        let rise = Quantity::real("mean_rise", "mean rise", "m/h", "");
        vec![Figure::new(rise, f64::from(level.0) / f64::from(river.hours))]
    }

    fn meter(_: &River) -> Option<Box<dyn Observer<Level>>> {
        Some(Box::new(Meter(0)))
    }

    fn observer<'r>(_: &River, folder: &'r RunFolder) -> Result<Box<dyn Observer<Level> + 'r>, Failure> {
        Ok(Box::new(Gauge { folder, seen: Vec::new(), steps: Vec::new() }))
    }
}

/// Writes the last level to a file, and reports how many levels it has seen.
struct Gauge<'r> {
    folder: &'r RunFolder,
    seen: Vec<(u64, i32)>,
    steps: Vec<(u64, i32)>,
}

impl Observer<Level> for Gauge<'_> {
    fn see(&mut self, step: u64, level: &Level) -> Result<(), Failure> {
        self.seen.push((step, level.0));
        Ok(())
    }

    fn sees_steps(&self) -> bool {
        true
    }

    fn see_step(&mut self, step: u64, level: &Level) -> Result<(), Failure> {
        assert_eq!(self.seen.last().filter(|seen| seen.0 >= step), None, "steps come before rows");
        self.steps.push((step, level.0));
        Ok(())
    }

    fn finish(self: Box<Self>, course: &CompletedSteps<'_, Level>) -> Result<FurtherResults, Failure> {
        assert!((0..=course.steps).eq(self.steps.iter().map(|(step, _)| *step)), "{:?}", self.steps);
        assert!(self.seen.iter().all(|seen| self.steps[seen.0 as usize] == *seen), "{:?}", self.steps);
        let text = format!("{} of {} steps in the table, from {:?}", course.rows.len(), course.steps, course.rows[0]);
        let rows: Vec<(u64, Vec<f64>)> = self.seen.iter().map(|&(step, level)| (step, vec![level.into()])).collect();
        assert!(course.stepping_s >= 0.0 && course.rows == rows);
        let mut file = TextFile::create(self.folder, "level.txt", Codec::None)?;
        push_header(file.text(), &[&course.last.0.to_string()]);
        let mut warnings = Warnings::new();
        warnings.add("the river is high", || format!("{} m", course.last.0));
        Ok(FurtherResults {
            files: vec![file.finish()?],
            lines: vec![("rows", text.clone())],
            figures: vec![Figure::new(Quantity::real("banks", "height of the banks", "m", ""), f64::NAN)],
            cards: vec![Figure::new(Quantity::real("ebb", "time of the ebb", "h", "when the water is lowest"), 6.0)],
            left_out: if course.last.0 == 36 { vec!["level"] } else { Vec::new() },
            warnings,
            sections: Some(Box::new(move |page| {
                page.section("Floods").paragraph(&text);
            })),
        })
    }
}

/// Sums the levels of all steps.
struct Meter(i32);

impl Observer<Level> for Meter {
    fn sees_steps(&self) -> bool {
        true
    }

    fn see_step(&mut self, _: u64, level: &Level) -> Result<(), Failure> {
        self.0 += level.0;
        Ok(())
    }

    fn finish(self: Box<Self>, _: &CompletedSteps<'_, Level>) -> Result<FurtherResults, Failure> {
        let sum = Figure::new(Quantity::real("sum", "sum of levels", "m", ""), self.0);
        Ok(FurtherResults { figures: vec![sum], ..FurtherResults::default() })
    }
}

/// Records the calls, one string per call.
#[derive(Default)]
struct Calls(Mutex<Vec<String>>);

impl Calls {
    fn add(&self, call: String) {
        self.0.lock().unwrap().push(call);
    }
}

impl Progress for Calls {
    fn begin(&self, phase: &str, total: Option<u64>, unit: &'static str) {
        self.add(format!("{phase} {total:?} {unit}"));
    }

    fn at(&self, done: u64, _: &str) {
        self.add(done.to_string());
    }

    fn end(&self) {
        self.add("end".to_owned());
    }
}

fn scenario(folder: &Path, change: Option<&str>, rain: Option<&str>) -> Result<Box<dyn AnyScenario>, String> {
    let file = folder.join(SCENARIO_NAME);
    std::fs::write(&file, Rivers.template()).unwrap();
    let mut request = ScenarioRequest {
        file: Some(file.into()),
        out: Some(folder.join("out")),
        changes: change.into_iter().map(Change::typed).collect(),
        ..ScenarioRequest::default()
    };
    if let Some(rain) = rain {
        request.flags.add("rain", rain);
    }
    let here = format!("{}/", folder.display());
    Rivers.scenario(&request).map_err(|error| error.to_string().replace(&here, ""))
}

#[test]
fn a_run_measures_and_hashes_each_state_once_and_reports_each_step() {
    let _alone = ALONE.lock();
    let [measured, hashed] = [&MEASURED, &HASHED].map(|count| count.load(SeqCst));
    let dir = tempfile::tempdir().unwrap();
    let scenario = scenario(dir.path(), None, Some("3")).unwrap();
    let (calls, request) = (Calls::default(), RunRequest { hash_every: 3, ..RunRequest::default() });
    let done = scenario.run(&request, &calls).unwrap();
    let names: Vec<&str> = done.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["level.txt", "measures.csv", "state_hashes.txt", "report.html", "manifest.json"]);
    let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    let rows: Vec<String> = read("measures.csv").lines().skip(1).map(ToOwned::to_owned).collect();
    let row = |step: i32| format!("{step};{0};{0:016x}", 3 * step);
    assert_eq!(rows, [0, 4, 8, 9].map(row));
    assert_eq!(read("level.txt").trim_end(), "27");
    let further = "4 of 9 steps in the table, from (0, [0.0])";
    assert!(done.lines[0].0 == "simulated" && done.lines[0].1.starts_with("9 hours in "), "{:?}", done.lines);
    assert_eq!(done.lines[1], ("water level", "27.0 m".to_owned()));
    assert_eq!(done.lines.last(), Some(&("rows", further.to_owned())));
    let report = read("report.html");
    assert!(report.contains("Floods") && report.contains(further));
    assert!(
        report.contains("<b>27.0 m</b>") && report.contains("<b>6.00 h</b><small>when the water is lowest</small>")
    );
    assert!(report.contains("<td>the river is high</td>") && done.warnings.count("the river is high") == 1);
    let manifest: Value = serde_json::from_str(&read("manifest.json")).unwrap();
    let results = json!({ "level": 27.0, "mean_rise": 3.0, "banks": null, "hash": format!("{:016x}", 27) });
    assert_eq!(manifest["results"], results);
    // Rows of steps 0, 4, 8, 9; hashes of 0, 3, 6, 9.
    assert_eq!((MEASURED.load(SeqCst) - measured, HASHED.load(SeqCst) - hashed), (4, 6));
    let expected = ["simulating Some(9) steps", "1", "2", "3", "4", "5", "6", "7", "8", "9", "end"];
    assert_eq!(*calls.0.lock().unwrap(), expected);
}

#[test]
fn meaningless_measures_are_omitted_from_summary_and_report() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let done =
        scenario(dir.path(), None, Some("4")).unwrap().run(&RunRequest::default(), &throng_core::NoProgress).unwrap();
    let names: Vec<&str> = done.lines.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["simulated", "rows"]);
    let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    assert!(!read("report.html").contains("<b>36.0 m</b>"));
    assert!(read("manifest.json").contains("\"level\": 36") && read("measures.csv").contains("9;36;"));
}

#[test]
fn a_run_without_files_delivers_its_measures() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let request = RunRequest { without_files: true, ..RunRequest::default() };
    let done = scenario(dir.path(), None, None).unwrap().run(&request, &throng_core::NoProgress).unwrap();
    let Measured { hash, figures, series } = done.measured;
    let figures: Vec<_> = figures.iter().map(|figure| (figure.quantity.column(), figure.value)).collect();
    // The sum of ten levels: 0, 2, 4, ..., 18.
    let expected = [("level_m", 18.0), ("mean_rise_m_per_h", 2.0), ("sum_m", 90.0)];
    assert_eq!((hash, figures), (Some(18), expected.map(|(column, value)| (column.to_owned(), value)).to_vec()));
    let rows = [0, 4, 8, 9].map(|step| (f64::from(step), vec![2.0 * f64::from(step)]));
    assert_eq!((&*series.over.name, series.rows), ("hour", rows.to_vec()));
    let left: Vec<_> =
        std::fs::read_dir(dir.path().join("out")).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["measures.csv"], "neither report nor manifest, and no file of the observer");
}

#[test]
fn a_run_that_is_over_ends_at_the_next_row() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let end = |flood: &str| {
        let scenario = scenario(dir.path(), Some(flood), Some("3")).unwrap();
        let done = scenario.run(&RunRequest::default(), &throng_core::NoProgress).unwrap();
        let table = std::fs::read_to_string(dir.path().join("out/measures.csv")).unwrap();
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
        let steps = done.lines[0].1.split(' ').next().unwrap().to_owned();
        (steps, table.lines().last().unwrap().split(';').next().unwrap().to_owned(), done.lines[1].1.clone())
    };
    // The level is at least 10 from hour 4 on, and is 12 in hour 4; it reaches 13 between the rows of hours 4 and 8.
    for (flood, last, level) in
        [("flood=10", "4", "12.0 m"), ("flood=12", "4", "12.0 m"), ("flood=13", "8", "24.0 m"), ("flood=0", "0", "0 m")]
    {
        assert_eq!(end(flood), (last.to_owned(), last.to_owned(), level.to_owned()), "{flood}");
    }
}

#[test]
fn flags_and_warnings_come_from_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let warnings = |rain| scenario(dir.path(), None, rain).unwrap().warnings().lines().collect::<Vec<_>>();
    assert_eq!(warnings(None), [""; 0]);
    assert_eq!(warnings(Some("0")), ["warning: the level stays (rise = 0)"]);
    assert!(scenario(dir.path(), None, Some("7")).unwrap().effective().unwrap().contains("rise = 7\n"));
    let refused = scenario(dir.path(), None, Some("-7")).err().unwrap();
    assert_eq!(refused, "--rain: -7\n    give a whole number, 0 or more");
}

#[test]
fn problems_of_the_check_give_the_line_or_the_change() {
    let dir = tempfile::tempdir().unwrap();
    let refused = scenario(dir.path(), Some("rise=-1"), None).err().unwrap();
    assert_eq!(refused, "--set rise=-1: rise: -1\n    give 0 or more");
    std::fs::write(dir.path().join(SCENARIO_NAME), Rivers.template().replace("= 2", "= -2")).unwrap();
    let file = Some(dir.path().join(SCENARIO_NAME).into());
    let refused = Rivers.scenario(&ScenarioRequest { file, ..ScenarioRequest::default() }).err().unwrap().to_string();
    assert!(refused.ends_with("scenario.toml:7: rise: -2\n    give 0 or more"), "{refused}");
}

#[test]
fn inputs_are_relative_to_the_scenario_and_are_read_before_old_results_are_removed() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let run = |source: &str| {
        let scenario = scenario(dir.path(), Some(&format!("source={source}")), None)?;
        scenario.run(&RunRequest::default(), &throng_core::NoProgress).map_err(|failure| failure.to_string())
    };
    std::fs::write(dir.path().join("spring.txt"), "40").unwrap();
    run("spring.txt").unwrap();
    let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name));
    assert_eq!(read("level.txt").unwrap().trim_end(), "58");
    assert!(read("manifest.json").unwrap().contains("spring.txt"));
    std::fs::remove_dir_all(dir.path().join("out")).unwrap();
    assert!(run("spring.tx").err().unwrap().contains("spring.tx: cannot be read: No such file"));
    let refused = scenario(dir.path(), Some("source=spring.tx"), Some("999")).err().unwrap();
    assert!(refused.starts_with("spring.tx: cannot be read: No such file"), "the file comes first: {refused}");
    let request = ScenarioRequest {
        file: Some(dir.path().join(SCENARIO_NAME).into()),
        seed: Some(-3),
        ..ScenarioRequest::default()
    };
    let refused = Rivers.scenario(&request).err().unwrap().to_string();
    assert!(refused.starts_with("--seed -3: invalid value: integer `-3`"), "{refused}");
    std::fs::write(dir.path().join("spring.txt"), "deep").unwrap();
    assert_eq!(
        run("spring.txt").err().unwrap(),
        "--set source=spring.txt: source: deep\n    give a file with a number"
    );
    assert!(read("measures.csv").is_err(), "the run has not started");
}
