//! The positions to which the values of arrays and queries belong, and the output at the borders of maps and runs.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields::Grid;
use throng_fields_model::{FieldsRun, Scenario, run};
use throng_model::RunRequest;
use throng_pictures::files::npy;
use tiff::decoder::Decoder;
use tiff::tags::Tag;

use super::arrays::{CORRIDOR, run_in, stack, with};
use super::saved;

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The value of each row of `queries.csv`, as text.
fn answers(dir: &TempDir) -> Vec<String> {
    let table = fs::read_to_string(dir.path().join("out/queries.csv")).unwrap();
    table.lines().skip(1).map(|row| row.split(';').nth(9).unwrap().to_owned()).collect()
}

#[test]
fn only_layers_are_sampled_at_corners() {
    const EXTRACTS: &str = r#"
        [[output.arrays]]
        quantity = "travel_times"
        window = { from = [16.4, -1], to = [18, 2] }
        [[output.arrays]]
        quantity = "travel_times"
        name = "map"
        format = "geotiff"
        [[output.arrays]]
        quantity = "open"
        [[output.arrays]]
        quantity = "flow"
        [[output.arrays]]
        quantity = "combined"
        window = { from = [16.4, -1], to = [18, 2] }
        [[output.queries]]
        quantity = "travel_times"
        points = [[15.5, 1.5]]
        [[output.queries]]
        quantity = "travel_times"
        best = 1
        window = { from = [17.2, 1.2], to = [17.8, 1.8] }
    "#;
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("out");
    let run_with = |sample: &str| {
        let grid = format!("cell = 1, sample = \"{sample}\" }}");
        run_in(&dir, &with(&CORRIDOR.replace("cell = 1 }", &grid), EXTRACTS), 1, None).unwrap();
        ["travel_times", "open", "flow", "combined"].map(|name| {
            let about = json(&out.join(format!("{name}.json")));
            (about["sample"].as_str().unwrap().to_owned(), about["first_cell"][0].as_u64().unwrap())
        })
    };
    for (sample, of_layers) in [("centre", ("centre", 6)), ("corner", ("corner", 7))] {
        let centre = |first: u64| ("centre".to_owned(), first);
        let found = run_with(sample);
        let expected = [centre(6), centre(0), centre(0), (of_layers.0.to_owned(), of_layers.1)];
        assert_eq!(found, expected, "{sample}");
        // The first point is two cells from the goal; the second answer is 0, as only the goal's centre is in the
        // window.
        assert_eq!(answers(&dir), ["2", "0"], "{sample}");
        let mut tiff = Decoder::new(fs::File::open(out.join("map.tif")).unwrap()).unwrap();
        let tie_point = tiff.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap();
        // Pixels are areas, the first of which starts in the upper left corner of the map.
        assert_eq!(tie_point[3..5], [10.0, 2.0], "{sample}");
        assert_eq!(tiff.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap()[7], 1, "{sample}");
    }
}

#[test]
fn travel_times_beside_walls_are_not_interpolated() {
    // The wall is in column 4, in the two lower rows.
    const QUERIES: &str = r#"
        [[output.arrays]]
        quantity = "travel_times"
        [[output.queries]]
        quantity = "travel_times"
        points = [[13.5, 0.5], [13.75, 0.5], [12.5, 0.5], [14.5, 1.5], [14.5, 0.5], [17.5, 1.5], [17.99, 1.99]]
    "#;
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, QUERIES), 1, None).unwrap();
    let (_, times) = stack(&dir.path().join("out/travel_times.npy"));
    let time = |column: usize, row: usize| times[8 * row + column].to_string();
    let expected = [time(3, 1), time(3, 1), time(2, 1), time(4, 2), String::new(), "0".to_owned(), "0".to_owned()];
    assert_eq!(answers(&dir), expected);
    let table = fs::read_to_string(dir.path().join("out/queries.csv")).unwrap();
    let has_slope: Vec<bool> = table.lines().skip(1).map(|row| !row.trim_end().ends_with(";;")).collect();
    assert_eq!(has_slope, [false, false, true, false, false, true, true], "{table}");
}

#[test]
fn arrays_without_frames_have_the_origin_of_their_part() {
    let array = "[[output.arrays]]\nquantity = \"combined\"\nat = [2]\nwindow = { from = [15, -1], to = [18, 2] }";
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, array), 1, Some(2)).unwrap();
    let about = json(&dir.path().join("out/combined.json"));
    assert_eq!((&about["origin"], &about["steps"]), (&serde_json::json!([15.0, -1.0]), &serde_json::json!([])));
    assert_eq!((&about["columns"], &about["rows"]), (&serde_json::json!(3), &serde_json::json!(3)));
}

#[test]
fn arrays_of_shortened_runs_do_not_overwrite_other_files() {
    let dir = TempDir::new().unwrap();
    // The file of the last of three steps would have the same name as the other array.
    for [first, second] in [[4, 0], [0, 4]] {
        let array = |every: i32| {
            let (name, every) = if every == 0 { ("A_000003", String::new()) } else { ("a", "every = 4".to_owned()) };
            format!("[[output.arrays]]\nquantity = \"combined\"\nname = \"{name}\"\nformat = \"geotiff\"\n{every}\n")
        };
        let text = with(CORRIDOR, &format!("{}{}", array(first), array(second)));
        let error = run_in(&dir, &text, 1, Some(3)).unwrap_err().to_string();
        assert!(error.contains("_000003.tif is a file of arrays 1 if a run is cut short"), "{error}");
        run_in(&dir, &text.replace("A_000003", "a_000005"), 1, Some(3)).unwrap();
    }
    // The file would have the name of an input.
    let stamp = dir.path().join("out/combined_000003.tif");
    npy::write_u8(&Grid::new([0.0, 0.0], 1.0, 2, 2).unwrap(), &[1; 4], fs::File::create(&stamp).unwrap()).unwrap();
    let stamps = "stamps.hut = { side = 1, file = \"out/combined_000003.tif\" }";
    let text = CORRIDOR.replace("profiles.near", &format!("{stamps}\nprofiles.near"));
    let text = with(&text, "[[output.arrays]]\nquantity = \"combined\"\nformat = \"geotiff\"\nevery = 4");
    let error = run_in(&dir, &text, 1, Some(3)).unwrap_err().to_string();
    assert!(error.contains("combined_000003.tif: not replaced: it is also read"), "{error}");
    assert!(npy::read(fs::File::open(&stamp).unwrap()).is_ok(), "the stamp is as it was");
}

#[cfg(target_os = "linux")]
#[test]
fn array_files_are_closed_during_the_run() {
    // The limit of open files; other tests of this process open only a few.
    let limit = fs::read_to_string("/proc/self/limits").unwrap();
    let limit = limit.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let limit: u64 = limit.split_whitespace().next().unwrap().parse().unwrap_or(u64::MAX);
    if limit > 5000 {
        println!("skipped: {limit} files may be open");
        return;
    }
    let dir = TempDir::new().unwrap();
    let array = "[[output.arrays]]\nquantity = \"combined\"\nformat = \"geotiff\"\nevery = 1";
    let text = CORRIDOR.replace("steps = 4", &format!("steps = {limit}"));
    run_in(&dir, &with(&text, array), 1, None).unwrap();
    let files = fs::read_dir(dir.path().join("out")).unwrap().count() as u64;
    assert!(files > limit, "{files}");
}

/// A corridor in degrees, in which agents walk a fraction of a cell per step.
const DEGREES: &str = r#"
    model = "fields"
    grid = { origin = [11, 48], size = [0.008, 0.003], cell = 0.0001, unit = "degrees" }
    run = { steps = 12, time_step = 0.0001 }
    goals = [{ at = [11.0075, 48.0015], radius = 0.0001 }]
    agents = [{ name = "a", count = 1, start = { at = [11.0005, 48.0015], radius = 0.0001 }, speed = 0.4, follow = "flow" }]
    [output]
    agents_every = 1
    frame_every = 0
    first_and_last = false
    npy = false
    [[output.queries]]
    quantity = "travel_times"
    points = [[11.00751234, 48.0015]]
    every = 6
"#;

#[test]
fn times_and_positions_are_exact_in_any_unit() {
    let dir = TempDir::new().unwrap();
    // Positions of agents are in single precision.
    let text = DEGREES.replace("[11, 48]", "[0, 0]").replace("11.00", "0.00").replace("48.00", "0.00");
    run_in(&dir, &text, 1, None).unwrap();
    let table = fs::read_to_string(dir.path().join("out/agents.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(';').collect()).collect();
    assert_eq!(table.lines().next(), Some("step;time;group;agent;x;y;state"));
    assert_eq!((rows[3][..2].to_vec(), rows[12][..2].to_vec()), (vec!["3", "0.0003"], vec!["12", "0.0012"]));
    let x: Vec<f64> = rows.iter().map(|row| row[4].parse().unwrap()).collect();
    // 0.4 units per time unit are 0.00004 per step.
    assert!(x.windows(2).all(|pair| (pair[1] - pair[0] - 0.00004).abs() < 3e-7), "{x:?}");
    let table = fs::read_to_string(dir.path().join("out/queries.csv")).unwrap();
    assert!(table.contains("\n6;0.0006;1;point;1;75;15;0.00751234;0.0015;"), "{table}");
    let measures = fs::read_to_string(dir.path().join("out/measures.csv")).unwrap();
    assert!(measures.contains("\n7;0.0007;"), "{measures}");
}

#[test]
fn disabled_images_are_not_drawn_and_too_large_ones_are_refused() {
    let teams = CORRIDOR
        .replace("speed = 2", "speed = 2\nteam = \"us\"")
        .replace("[output]", "[influence]\ndecay = 0.1\n[output]");
    // 8 x 3 units in cells of 0.02: 400 times 256 pixels wide.
    let large =
        teams.replace("cell = 1 }", "cell = 0.02 }").replace("frame_every", "pixels_per_cell = 256\nframe_every");
    let dir = TempDir::new().unwrap();
    run_in(&dir, &large.replace("steps = 4", "steps = 1"), 1, None).unwrap();
    assert!(!dir.path().join("out/influence.png").exists());
    for pictures in ["first_and_last = true", "frame_every = 4"] {
        let (key, _) = pictures.split_once(" =").unwrap();
        let off = if key == "frame_every" { "frame_every = 0" } else { "first_and_last = false" };
        let error = Scenario::read(&saved(&dir, &large.replace(off, pictures)), &[]).unwrap_err().to_string();
        assert!(error.contains("output, pixels_per_cell: 1") && error.contains("at most 67108864 pixels"), "{error}");
    }
    run_in(&dir, &teams.replace("first_and_last = false", "first_and_last = true"), 1, None).unwrap();
    assert!(dir.path().join("out/influence.png").exists());
    // A parameter sweep runs without files: it writes neither images nor arrays.
    let scenario = Scenario::read(&dir.path().join("scenario.toml"), &[]).unwrap();
    let request = RunRequest { device: DeviceChoice::Cpu, without_files: true, ..RunRequest::default() };
    let folder = Some(dir.path().join("sweep"));
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    assert!(done.files.iter().all(|file| file.name == "measures.csv"), "{:?}", done.files);
}

#[test]
fn animations_of_too_many_frames_are_refused() {
    let dir = TempDir::new().unwrap();
    let text = CORRIDOR.replace("steps = 4", "steps = 4294967295").replace("frame_every = 0", "frame_every = 1");
    let error = Scenario::read(&saved(&dir, &text), &[]).unwrap_err().to_string();
    assert!(error.contains("output, frame_every: 1\n    expected 0 for no animation, or 3 or more"), "{error}");
    run_in(&dir, &text.replace("frame_every = 1", "frame_every = 4000000000"), 1, Some(2)).unwrap();
}

#[test]
fn invalid_grids_are_reported_once_with_their_key() {
    let dir = TempDir::new().unwrap();
    let problems = |grid: &str| {
        let text = CORRIDOR.replace("grid = { origin = [10, -1], size = [8, 3], cell = 1 }", &format!("grid = {grid}"));
        Scenario::read(&saved(&dir, &text), &[]).unwrap_err().to_string()
    };
    // The map that cannot be read might define size and cell.
    let unread = problems("{ map = \"nowhere.yaml\" }");
    assert!(unread.contains("nowhere.yaml: cannot be read") && !unread.contains("is missing"), "{unread}");
    for (grid, expected) in [
        ("{ size = [8, 3], cell = 1e-60 }", "grid, cell: 1e-60\n    expected a finite number above 0"),
        ("{ origin = [1e20, 0], size = [8, 3], cell = 1 }", "scenario.toml:3: grid, origin x: 1000000"),
        (
            "{ size = [8, 3], cell = 1, unknown_is_open = true }",
            "grid, unknown_is_open: true\n    only the map of a robot (.yaml) has unknown cells",
        ),
    ] {
        let found = problems(grid);
        assert!(found.contains(expected) && !found.contains("grid, grid"), "{grid}:\n{found}");
    }
}
