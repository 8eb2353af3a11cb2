//! Arrays, queries and costmaps of whole runs.

use std::fs;
use std::path::Path;

use parquet::file::reader::SerializedFileReader;
use parquet::record::Field;
use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::CPU;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Scenario, Simulation, run};
use throng_model::{Failure, RunRequest};
use throng_nav2::Inflation;
use throng_pictures::files::npy::{self, Values};

use super::{SMALL, saved, written};

/// A corridor of 8 x 3 cells with a wall in the middle that leaves one cell open.
pub(crate) const CORRIDOR: &str = r#"
model = "fields"
grid = { origin = [10, -1], size = [8, 3], cell = 1 }
run = { steps = 4, time_step = 0.5 }
profiles.near = { form = "linear", radius = 4 }

[[walls]]
shape = "box"
at = [14.5, 0]
size = [0.9, 1.9]

[[entities]]
at = [11.5, 0.5]
profile = "near"
path = [[17.5, 0.5]]
speed = 2

[[goals]]
at = [17.5, 1.5]
radius = 0.1

[output]
frame_every = 0
first_and_last = false
npy = false
agents_every = 0
"#;

pub(crate) fn run_in(dir: &TempDir, text: &str, threads: usize, steps: Option<u64>) -> Result<(), Failure> {
    let scenario = Scenario::read(&saved(dir, text), &[])?;
    let (folder, overwrite) = (Some(dir.path().join("out")), true);
    let request = RunRequest { device: DeviceChoice::Cpu, steps, ..RunRequest::default() };
    run(FieldsRun { threads, folder, overwrite, ..FieldsRun::new(scenario) }, &request, &NoProgress).map(|_| ())
}

/// Reads the text of the header and the values of a stack of frames.
pub(crate) fn stack(path: &Path) -> (String, Vec<f32>) {
    let bytes = fs::read(path).unwrap();
    let (head, numbers) = bytes.split_at(128);
    let values = numbers.as_chunks().0.iter().map(|&number| f32::from_le_bytes(number)).collect();
    (String::from_utf8_lossy(&head[10..]).into_owned(), values)
}

pub(crate) fn with(text: &str, arrays: &str) -> String {
    format!("{text}\n{arrays}")
}

#[test]
fn travel_times_have_the_order_set_in_flow() {
    const OPEN: &str = r#"
        model = "fields"
        grid = { size = [60, 60], cell = 1 }
        run = { steps = 1, time_step = 1 }
        profiles.near = { form = "linear", radius = 4 }
        goals = [{ at = [0.5, 0.5], radius = 0.1 }]
        output = { frame_every = 0, first_and_last = false, npy = false, agents_every = 0, arrays = [{ quantity = "travel_times" }] }
    "#;
    let dir = TempDir::new().unwrap();
    let mean_error = |flow: &str| {
        run_in(&dir, &with(OPEN, flow), 1, None).unwrap();
        let (_, times) = stack(&dir.path().join("out/travel_times.npy"));
        let distance = |cell: usize| libm::hypotf((cell % 60) as f32, (cell / 60) as f32);
        let errors = (0..3600).map(|cell| (times[cell] - distance(cell)).abs());
        errors.sum::<f32>() / 3600.0
    };
    let [first, second] = ["first", "second"].map(|order| mean_error(&format!("flow.order = \"{order}\"")));
    assert!(first > 0.3 && second < 0.02, "{first} {second}");
    assert_eq!(mean_error(""), second, "the default");
    let error = run_in(&dir, &with(OPEN, "flow.order = \"third\""), 1, None).unwrap_err().to_string();
    assert!(error.contains("third") && error.contains("first") && error.contains("second"), "{error}");
}

#[test]
fn arrays_contain_the_fields_at_their_times() {
    const ARRAYS: &str = r#"
        [[output.arrays]]
        quantity = "combined"
        every = 10
        [[output.arrays]]
        quantity = "layer"
        layer = "bad"
        name = "danger"
        format = "geotiff"
        at = [0, 6]
        window = { from = [8, 0], to = [16, 5.9] }
        [[output.arrays]]
        quantity = "influence"
        team = "us"
        format = "parquet"
        cells = { from = [0, 0], to = [31, 1] }
        [[output.arrays]]
        quantity = "travel_times"
        [[output.arrays]]
        quantity = "flow"
        [[output.arrays]]
        quantity = "open"
    "#;
    let dir = TempDir::new().unwrap();
    written(&dir, &[]);
    let text = with(SMALL, ARRAYS);
    run_in(&dir, &text, 1, None).unwrap();
    let out = dir.path().join("out");
    let names = [
        "combined.npy",
        "combined.json",
        "danger_000000.tif",
        "danger_000012.tif",
        "influence_us.parquet",
        "travel_times.npy",
        "travel_times.json",
        "flow.npy",
        "flow.json",
        "open.npy",
        "open.json",
    ];
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let files: Vec<Vec<u8>> = names.iter().map(|name| fs::read(out.join(name)).unwrap()).collect();
    assert!(names.iter().all(|name| manifest.contains(&format!("\"{name}\""))), "{manifest}");

    let scenario = Scenario::read(&dir.path().join("scenario.toml"), &[]).unwrap();
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let (head, values) = stack(&out.join("combined.npy"));
    assert!(head.contains("'shape': (4, 24, 32)"), "{head}");
    for (step, frame) in [0, 10, 20, 24].into_iter().zip(values.chunks(24 * 32)) {
        while simulation.time() < 0.5 * f64::from(step) {
            simulation.step().unwrap();
        }
        assert_eq!(simulation.field().unwrap().values(), frame, "{step}");
    }
    let about: serde_json::Value = serde_json::from_slice(&files[1]).unwrap();
    assert_eq!(about["times"], serde_json::json!([0.0, 5.0, 10.0, 12.0]));
    assert_eq!((&about["quantity"], &about["cell"]), (&"combined".into(), &0.5.into()));
    // Sampled points from 8.25 to 15.75, and from 0.25 to 5.75.
    let mut tiff = tiff::decoder::Decoder::new(std::io::Cursor::new(&files[2])).unwrap();
    assert_eq!(tiff.dimensions().unwrap(), (16, 12));
    assert_ne!(files[2], files[3], "a guard moves");
    assert!(files[4].starts_with(b"PAR1") && files[4].ends_with(b"PAR1"));
    let (_, times) = stack(&out.join("travel_times.npy"));
    let (_, directions) = stack(&out.join("flow.npy"));
    let open = &files[9][128..];
    assert_eq!((times.len(), directions.len(), open.len()), (768, 768, 768));
    for cell in 0..768 {
        // Walls have no travel time, and cells with times have directions, except goals.
        assert_eq!(times[cell].is_finite(), open[cell] == 1, "{cell}");
        assert_eq!(directions[cell].is_finite(), times[cell].is_finite() && times[cell] > 0.0, "{cell}");
    }
    assert!(times.contains(&0.0) && open.contains(&0));

    run_in(&dir, &text, 2, None).unwrap();
    for (name, before) in names.iter().zip(&files) {
        assert!(fs::read(out.join(name)).unwrap() == *before, "{name} on two threads");
    }
    // A run that is cut short has fewer frames; the last one shows its own end.
    run_in(&dir, &text, 1, Some(5)).unwrap();
    let (head, values) = stack(&out.join("combined.npy"));
    assert!(head.contains("'shape': (2, 24, 32)") && values.len() == 2 * 768, "{head}");
    assert!(!out.join("danger_000012.tif").exists() && out.join("danger_000000.tif").exists());
}

#[test]
fn tables_have_a_row_for_each_cell() {
    const ARRAYS: &str = r#"
        [[output.arrays]]
        quantity = "travel_times"
        [[output.arrays]]
        quantity = "travel_times"
        name = "table"
        format = "parquet"
        cells = { from = [5, 1], to = [6, 2] }
    "#;
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, ARRAYS), 1, None).unwrap();
    let (_, times) = stack(&dir.path().join("out/travel_times.npy"));
    let file = fs::File::open(dir.path().join("out/table.parquet")).unwrap();
    let rows = SerializedFileReader::new(file).unwrap().into_iter().map(|row| {
        let row = row.unwrap();
        row.get_column_iter().map(|(name, value)| (name.clone(), value.clone())).collect::<Vec<_>>()
    });
    let expected = [(5, 1), (6, 1), (5, 2), (6, 2)].map(|(column, row)| {
        vec![
            ("time".into(), Field::Double(2.0)),
            ("column".into(), Field::UInt(column)),
            ("row".into(), Field::UInt(row)),
            // The centres of cells of a grid with its origin at [10, -1].
            ("x".into(), Field::Double(10.5 + f64::from(column))),
            ("y".into(), Field::Double(-0.5 + f64::from(row))),
            ("value".into(), Field::Float(times[(row * 8 + column) as usize])),
        ]
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn travel_times_and_directions_lead_through_the_gap() {
    const ARRAYS: &str = r#"
        [[output.arrays]]
        quantity = "travel_times"
        [[output.arrays]]
        quantity = "flow"
        cells = { from = [5, 2], to = [6, 2] }
        [[output.arrays]]
        quantity = "travel_times"
        name = "part"
        window = { from = [15, -1], to = [18, 2] }
    "#;
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, ARRAYS), 1, None).unwrap();
    let out = dir.path().join("out");
    let (_, times) = stack(&out.join("travel_times.npy"));
    // Along the upper row to the goal in column 7.
    let upper: Vec<f32> = times[16..].iter().map(|time| time.round()).collect();
    assert_eq!(upper, [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!([times[4], times[12]], [f32::INFINITY; 2]);
    assert_eq!(stack(&out.join("flow.npy")).1, [0.0, 0.0]);
    let part: Vec<f32> = (0..3).flat_map(|row| times[row * 8 + 5..row * 8 + 8].to_vec()).collect();
    assert_eq!(stack(&out.join("part.npy")).1, part);
    let about: serde_json::Value = serde_json::from_str(&fs::read_to_string(out.join("part.json")).unwrap()).unwrap();
    assert_eq!(
        (&about["origin"], &about["first_cell"]),
        (&serde_json::json!([15.0, -1.0]), &serde_json::json!([5, 0]))
    );
}

#[test]
fn queries_list_best_cells_and_values_at_points() {
    const QUERIES: &str = r#"
        [[output.queries]]
        name = "watch"
        quantity = "combined"
        best = 2
        at = [0, 1]
        window = { from = [10, -1], to = [14, 2] }
        [[output.queries]]
        quantity = "layer"
        layer = "field"
        points = [[11.5, 0.5], [13, 0.5], [14.5, 0.5]]
        [[output.queries]]
        quantity = "travel_times"
        points = [[14.2, 0.6]]
    "#;
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, QUERIES), 1, None).unwrap();
    let table = fs::read_to_string(dir.path().join("out/queries.csv")).unwrap();
    let rows: Vec<&str> = table.lines().map(str::trim_end).collect();
    // The entity moves from 11.5 to 13.5 in the first time unit, and to 15.5 in the second. Ties go to the cell in the
    // lowest row.
    let expected = [
        "step;time;query;kind;number;column;row;x;y;value;slope_x;slope_y",
        "0;0;watch;best;1;1;1;11.500000;0.500000;1;;",
        "0;0;watch;best;2;1;0;11.500000;-0.500000;0.75;;",
        "2;1;watch;best;1;3;1;13.500000;0.500000;1;;",
        "2;1;watch;best;2;3;0;13.500000;-0.500000;0.75;;",
        "4;2;2;point;1;1;1;11.5;0.5;0;",
        "4;2;2;point;2;3;1;13;0.5;0.375;0.25;",
        "4;2;2;point;3;4;1;14.5;0.5;0.75;0.25;",
        "4;2;3;point;1;4;1;14.2;0.6;;;",
    ];
    assert_eq!(rows.len(), expected.len(), "{table}");
    for (row, expected) in rows.iter().zip(expected) {
        assert!(row.starts_with(expected), "{row}\nexpected {expected}");
    }
}

#[test]
fn costmaps_are_inflated_written_and_read_again() {
    let nav2 = "[nav2]\ninscribed_radius = 1\ninflation_radius = 2.5\ncost_scaling_factor = 0.7\n";
    let dir = TempDir::new().unwrap();
    run_in(&dir, &with(CORRIDOR, nav2), 1, None).unwrap();
    let out = dir.path().join("out");
    let Values::U8(found) = npy::read(fs::File::open(out.join("costmap.npy")).unwrap()).unwrap().values else {
        panic!()
    };
    let mut walls = vec![0; 24];
    (walls[4], walls[12]) = (254, 254);
    let layer = Inflation {
        resolution: 1.0,
        inflation_radius: 2.5,
        inscribed_radius: 1.0,
        cost_scaling_factor: 0.7,
        ..Inflation::default()
    };
    assert_eq!(found, layer.inflate(&walls, 8).unwrap());
    // 252 exp(-0.7) two cells from a wall.
    assert_eq!(found[8..16], [0, 62, 125, 253, 254, 253, 125, 62]);
    assert_eq!(
        fs::read_to_string(out.join("costmap.yaml")).unwrap(),
        "image: costmap.pgm\nmode: raw\nresolution: 1.0\norigin: [10.0, -1.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\n\
         free_thresh: 0.25\n"
    );
    let image = fs::read(out.join("costmap.pgm")).unwrap();
    // The image starts with the upper row; 1 + 97 (125 - 1) / 251 = 48, and 1 + 97 (62 - 1) / 251 = 24.
    assert_eq!(image[..11], *b"P5\n8 3\n255\n");
    assert_eq!(image[19..27], [0, 24, 48, 99, 100, 99, 48, 24]);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("2 cells lethal, 5 inscribed, ") && report.contains(" free, 0 unknown"), "{report}");

    // Costs, size, cell and origin are read from the map that was written.
    fs::rename(&out, dir.path().join("before")).unwrap();
    let grid = "grid = { origin = [10, -1], size = [8, 3], cell = 1 }";
    let again = CORRIDOR.replace(grid, "grid = { map = \"before/costmap.yaml\" }");
    let again = again.replace("[[walls]]\nshape = \"box\"\nat = [14.5, 0]\nsize = [0.9, 1.9]\n", "");
    // Inflation would hide the costs that were read.
    let as_read = "[nav2]\nsource = \"map\"\nrobot_radius = 0\ninflation_radius = 0\n";
    run_in(&dir, &with(&again, as_read), 1, None).unwrap();
    let Values::U8(again) = npy::read(fs::File::open(out.join("costmap.npy")).unwrap()).unwrap().values else {
        panic!()
    };
    // Occupancies are converted to costs as in Nav2's static layer: 24 and 48 hundredths of 254, and 253 for 99.
    assert_eq!(again[8..16], [0, 60, 121, 253, 254, 253, 121, 60]);
}

#[test]
fn inflation_bars_gaps_narrower_than_the_robot() {
    let times = |nav2: &str| {
        let dir = TempDir::new().unwrap();
        let arrays = format!("{nav2}\n[[output.arrays]]\nquantity = \"travel_times\"\n");
        run_in(&dir, &with(CORRIDOR, &arrays), 1, None).unwrap();
        stack(&dir.path().join("out/travel_times.npy")).1
    };
    let nav2 =
        |radius: f32, weight: &str| format!("[nav2]\ninscribed_radius = {radius}\ninflation_radius = 1.6\n{weight}");
    assert_eq!(times(&nav2(1.0, ""))[16].round(), 7.0);
    // The gap is one cell from the wall.
    assert_eq!(times(&nav2(1.0, "path_weight = 1"))[16], f32::INFINITY);
    let narrow = times(&nav2(0.9, "path_weight = 1\ncost_scaling_factor = 1"));
    // 252 exp(-0.1) = 228 in the gap, and 252 exp(-0.51) = 150 beside it at a distance of 1.41.
    let expected = 7.0 + (228.0 + 2.0 * 150.0) / 252.0;
    assert!((narrow[16] - expected).abs() < 0.05, "{} {expected}", narrow[16]);
    let dir = TempDir::new().unwrap();
    let text = with(CORRIDOR, &nav2(9.0, "path_weight = 1").replace("1.6", "9"));
    let error = Scenario::read(&saved(&dir, &text), &[]).unwrap_err().to_string();
    assert!(error.contains("nav2, path_weight: all goals are closer to obstacles"), "{error}");
}

#[test]
fn invalid_extracts_are_reported_with_place_value_and_remedy() {
    let dir = TempDir::new().unwrap();
    for (text, expected) in [
        ("quantity = \"heat\"", "output.arrays 1, quantity: unknown value \"heat\"\n    known: layer, combined"),
        ("quantity = \"layer\"", "output.arrays 1: layer is missing\n    quantity = \"layer\" needs it"),
        (
            "quantity = \"combined\"\nlayer = \"field\"",
            "arrays 1: layer is given\n    quantity = \"combined\" has no layer",
        ),
        (
            "quantity = \"layer\"\nlayer = \"fild\"",
            "arrays 1, layer: there is no layer \"fild\"\n    did you mean \"field\"?",
        ),
        ("quantity = \"influence\"\nteam = \"us\"", "arrays 1, quantity: there are no teams\n    add [influence]"),
        ("quantity = \"tension\"", "arrays 1, quantity: there are no teams\n    add [influence]"),
        ("quantity = \"combined\"\nevery = 0", "arrays 1, every: 0\n    expected a number of steps"),
        ("quantity = \"combined\"\nevery = 1\nat = [0]", "arrays 1: every and at\n    give one of them"),
        (
            "quantity = \"combined\"\nat = [2.5]",
            "arrays 1, at: 2.5\n    expected times from 0 to 2, the end of the run",
        ),
        ("quantity = \"combined\"\nname = \"a/b\"", "arrays \"a/b\", name: \"a/b\"\n    expected letters"),
        (
            "quantity = \"combined\"\nname = \"Field\"",
            "arrays \"Field\", name: Field.npy is a file of another result of the run",
        ),
        (
            "quantity = \"combined\"\nname = \"replay\"",
            "arrays \"replay\", name: replay.json is a file of another result",
        ),
        (
            "quantity = \"combined\"\nepsg = 25832",
            "arrays 1, epsg: 25832\n    epsg is only for format = \"geotiff\": remove",
        ),
        (
            "quantity = \"combined\"\ncells = { from = [0, 0], to = [8, 2] }",
            "arrays 1, cells: from [0, 0] to [8, 2]\n    expected columns from 0 to 7 and rows from 0 to 2",
        ),
        (
            "quantity = \"combined\"\nwindow = { from = [0, 0], to = [1, 1] }",
            "arrays 1, window: from [0.0, 0.0] to [1.0, 1.0]\n    expected corners around the sampled point of a cell",
        ),
        (
            "quantity = \"combined\"\n[[output.arrays]]\nquantity = \"combined\"",
            "arrays 2, name: combined.npy is a file of arrays 1\n    choose another name",
        ),
    ] {
        let path = saved(&dir, &with(CORRIDOR, &format!("[[output.arrays]]\n{text}")));
        let found = Scenario::read(&path, &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}:\n{found}\nexpected:\n{expected}");
        // The line of the entry, or of the key in it.
        assert!((28..34).any(|line| found.contains(&format!("scenario.toml:{line}: output.arrays"))), "{found}");
    }
    for (text, expected) in [
        ("quantity = \"combined\"", "queries 1: best is missing\n    a query of best cells needs it"),
        ("quantity = \"combined\"\nbest = 0", "queries 1, best: 0\n    expected a number from 1 to 1000000"),
        (
            "quantity = \"combined\"\nbest = 1\npoints = [[1, 2]]",
            "queries 1: best is given\n    a query of points has no best",
        ),
        (
            "quantity = \"combined\"\npoints = [[12, 1], [12, 2]]",
            "queries 1, points: [12.0, 2.0]\n    expected points of the map: x from 10 to less than 18, y from -1",
        ),
        (
            "name = \"2\"\nquantity = \"combined\"\nbest = 1\n[[output.queries]]\nquantity = \"combined\"\nbest = 2",
            "scenario.toml:32: output.queries 2, name: \"2\" is the name of queries 1\n    choose another name",
        ),
        ("quantity = \"flow\"\npoints = [[1, 2]]", "queries 1, quantity: \"flow\"\n    directions and open cells"),
        (
            "quantity = \"combined\"\npoints = [[12, 1], [nan, 2]]",
            "queries 1, points: [NaN, 2.0]\n    expected points of the map: x from 10 to less than 18",
        ),
    ] {
        let path = saved(&dir, &with(CORRIDOR, &format!("[[output.queries]]\n{text}")));
        let found = Scenario::read(&path, &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}:\n{found}\nexpected:\n{expected}");
    }
    for (text, expected) in [
        ("", "nav2: robot_radius is missing\n    add it, or the robot's footprint or inscribed_radius"),
        (
            "inscribed_radius = 1\nfootprint = [[1, 1], [-1, 1], [0, -1]]",
            "nav2, inscribed_radius: is given with robot_radius or footprint",
        ),
        ("footprint = [[1, 1], [-1, 1]]", "nav2, footprint: 2 corners\n    a footprint has at least three corners"),
        ("robot_radius = 1\nfootprint_padding = -1", "nav2, footprint_padding: -1.0\n    expected a finite number"),
        ("inscribed_radius = 1\nfootprint_padding = 1", "nav2, footprint_padding: is given with inscribed_radius"),
        ("inscribed_radius = nan", "nav2, inscribed_radius: NaN\n    expected a finite number"),
        ("robot_radius = -1", "nav2, robot_radius: -1.0\n    expected a finite number"),
        (
            "robot_radius = 1\ninflation_radius = 1e6",
            "nav2, inflation_radius: 1000000.0\n    at most 4096 cells of 1.0: use a smaller radius",
        ),
        ("robot_radius = 1\ninflation_radius = 1e60", "nav2, inflation_radius: 1e60\n    at most 4096 cells"),
        ("robot_radius = 1\ncost_scaling_factor = -1e-60", "nav2, cost_scaling_factor: -1e-60\n    expected"),
        ("robot_radius = 1\nsource = \"map\"", "nav2, source: there is no map\n    give grid.map"),
        ("robot_radius = 1\npath_weight = -2", "nav2, path_weight: -2\n    expected a finite number, 0 or more"),
    ] {
        let found =
            Scenario::read(&saved(&dir, &with(CORRIDOR, &format!("[nav2]\n{text}"))), &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}:\n{found}\nexpected:\n{expected}");
    }
    written(&dir, &[]);
    let path = saved(&dir, &with(SMALL, "[[output.arrays]]\nquantity = \"balance\"\nteam = \"uss\""));
    let found = Scenario::read(&path, &[]).unwrap_err().to_string();
    assert!(found.contains("arrays 1, team: there is no team \"uss\"\n    did you mean \"us\"?"), "{found}");
    let without = CORRIDOR.replace("[[goals]]\nat = [17.5, 1.5]\nradius = 0.1\n", "");
    let path = saved(&dir, &with(&without, "[[output.arrays]]\nquantity = \"flow\""));
    let found = Scenario::read(&path, &[]).unwrap_err().to_string();
    assert!(found.contains("arrays 1, quantity: there are no goals\n    add [[goals]]"), "{found}");
    let found = Scenario::read(&saved(&dir, &CORRIDOR.replace(", cell = 1", "")), &[]).unwrap_err().to_string();
    assert!(found.contains("grid: cell is missing\n    add it, or the YAML file of a robot's map as map"), "{found}");
}

#[test]
fn arrays_have_default_names_and_can_be_changed() {
    let dir = TempDir::new().unwrap();
    let path = saved(&dir, &with(CORRIDOR, "[[output.arrays]]\nquantity = \"layer\"\nlayer = \"field\"\n"));
    let changes = ["output.arrays.1.every=2", "output.arrays.1.format=parquet"].map(Change::typed);
    let text = Scenario::read(&path, &changes).unwrap().effective;
    for part in ["[[output.arrays]]", "name = \"layer_field\"", "every = 2", "format = \"parquet\""] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(Scenario::read(&saved(&dir, &text), &[]).unwrap().effective, text);
}

#[test]
fn arrays_do_not_overwrite_input_maps() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("out")).unwrap();
    let grid = throng_fields::Grid::new([0.0, 0.0], 1.0, 8, 3).unwrap();
    let map = dir.path().join("out/open.npy");
    npy::write_u8(&grid, &[0; 24], fs::File::create(&map).unwrap()).unwrap();
    let text = CORRIDOR.replace("cell = 1 }", "cell = 1, map = \"out/open.npy\" }");
    let error = run_in(&dir, &with(&text, "[[output.arrays]]\nquantity = \"open\""), 1, None).unwrap_err().to_string();
    assert!(error.contains("open.npy"), "{error}");
    assert!(npy::read(fs::File::open(&map).unwrap()).is_ok(), "the map is as it was");
}

#[test]
fn the_warehouse_robots_arrive_along_inflated_paths() {
    let dir = TempDir::new().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/warehouse/scenario.toml");
    let run_with = |change: &str| {
        let changes = ["output.frame_every=0", "output.first_and_last=false", change].map(Change::typed);
        let scenario = Scenario::read(&path, &changes).unwrap();
        let (folder, overwrite) = (Some(dir.path().join("out")), true);
        let run_it = FieldsRun { folder, overwrite, ..FieldsRun::new(scenario) };
        run(run_it, &RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() }, &NoProgress).unwrap()
    };
    let passage = || {
        let (_, times) = stack(&dir.path().join("out/travel_times.npy"));
        // At (3.02, 1), in the narrow passage, at the start.
        times[120 * 320 + 220]
    };
    let done = run_with("run.steps=120");
    let summary = done.results.summary;
    assert!(
        summary.agents.arrived == summary.agents.agents && done.warnings.is_empty(),
        "{summary:?} {:?}",
        done.warnings
    );
    assert!(passage().is_finite() && dir.path().join("out/travel_times_map.tif").exists());
    run_with("nav2.robot_radius=0.32");
    assert_eq!(passage(), f32::INFINITY);
    let queries = fs::read_to_string(dir.path().join("out/queries.csv")).unwrap();
    // Three stations at steps 0, 20, ..., 120.
    assert_eq!(queries.lines().count(), 1 + 3 * 7);
}
