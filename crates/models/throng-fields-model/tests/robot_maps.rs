//! Maps and costmaps of robots with which ROS users had problems. The expected costs follow Nav2's rules and were
//! computed by hand from the pixels.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Results, Scenario, run};
use throng_model::{Done, Failure, RunRequest};
use throng_pictures::files::npy::{self, Values};

/// The expected outcome of a case.
enum Expected {
    /// One cost per row, starting with the lowest row; the rows of the map repeat them.
    Rows(&'static [u8]),
    /// Like `Rows`, with a warning that contains this text.
    Warned(&'static [u8], &'static str),
    /// An error that contains these strings.
    Refused(&'static [&'static str]),
    /// The costs of a gap, which another test checks.
    Gap,
}

use Expected::{Gap, Refused, Rows, Warned};

/// Pixels of 0, 205, 254 and 205 with the default thresholds: occupied, unknown, free, unknown.
const USUAL: Expected = Rows(&[254, 255, 0, 255]);

/// The cases, by folder name.
const CASES: [(&str, Expected); 30] = [
    ("bmp", USUAL),
    ("feh-430-comment-first", Refused(&["m.pgm, image, start: \"# commen\"", "expected a PNG file, a PGM file"])),
    ("nav-556-inflation-0", Rows(&[254, 0, 0, 0])),
    ("nav2-1511-yaw", Warned(&[254, 255, 0, 255], "its yaw is ignored, as in the costmaps of Nav2")),
    // 0.55 m is 11 cells.
    (
        "nav2-2825-radius-5",
        Warned(
            &[254, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "inflation_radius is less than the robot's inscribed radius",
        ),
    ),
    // The upper row is black and opaque, the next one white and opaque, the others transparent.
    ("nav2-4233-alpha-trinary", Rows(&[255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 254, 254, 254, 254])),
    (
        "nav2-4271-inflation-lt-inscribed",
        Warned(
            &[254, 253, 253, 253, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "inflation_radius is less than the robot's inscribed radius",
        ),
    ),
    ("nav2-6147-res-0", Refused(&["map.yaml, line 2, resolution: 0.0", "from 1e-6 to 1e6"])),
    ("nav2-6147-res-huge", Refused(&["map.yaml, line 2, resolution: 1e30", "from 1e-6 to 1e6"])),
    ("nav2-6147-res-nan", Refused(&["map.yaml, line 2, resolution: \".nan\"", "expected a finite number"])),
    ("nav2-corridor-50cm", Gap),
    // The folder contains no copy of its image.
    ("nav2-robot-radius-depot", Refused(&["depot.pgm: cannot be read", "check image of "])),
    // 252 exp(-3 (0.05 k - 0.2255)) for k from 5 to 14; 0.7 m is 14 cells.
    (
        "nav2-robot-radius-tiny",
        Rows(&[254, 253, 253, 253, 253, 234, 201, 173, 149, 128, 110, 95, 81, 70, 60, 0, 0, 0, 0, 0]),
    ),
    ("nav2-roundtrip", Gap),
    ("origin-2", Refused(&["map.yaml, line 3, origin: 2 numbers", "expected three: [x, y, yaw]"])),
    // 0, 65535, 205 * 257 and 20000: 1 - 20000 / 65535 = 0.69 is occupied.
    ("pgm-16bit", Rows(&[254, 0, 0, 254])),
    // 0, 128, 252 and 255 of 255 as occupancies.
    ("pgm-maxval-100", Rows(&[0, 255, 255, 255])),
    ("pgm-p2-comments", Rows(&[0, 0, 254, 255, 254, 0, 255, 254])),
    // A single character ends the header, so the line feed is the first pixel.
    ("pgm-p5-crlf-after-max", Rows(&[0, 0, 254, 254])),
    ("png-1bit", Rows(&[254, 0, 254, 0])),
    // Red, green, blue and yellow have a luma of 54, 182, 18 and 237: occupancies of 79, 29, 93 and 7.
    ("png-colour-scale", Rows(&[200, 73, 236, 17])),
    ("stdr-161-indexed-png", Rows(&[0, 254, 254, 255])),
    ("tb3-386-tilde", Refused(&["/~/map.pgm: cannot be read", "relative to that file, and ~ is not the home folder"])),
    ("yaml-bom", USUAL),
    ("yaml-bom-crlf", USUAL),
    ("yaml-braces", USUAL),
    ("yaml-crlf", USUAL),
    ("yaml-doc-start", USUAL),
    ("yaml-multiline-origin", USUAL),
    // The map server has no default for it either.
    ("yaml-no-negate", Refused(&["map.yaml, negate: is missing", "a map file has image, resolution, origin, negate"])),
];

/// Runs a scenario and writes its files to `out`.
fn run_case(scenario: &Path, changes: &[&str], out: &Path) -> Result<Done<Results>, Failure> {
    let changes: Vec<_> = changes.iter().copied().map(Change::typed).collect();
    let scenario = Scenario::read(scenario, &changes)?;
    let run_it = FieldsRun { folder: Some(out.to_owned()), overwrite: true, ..FieldsRun::new(scenario) };
    run(run_it, &RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() }, &NoProgress)
}

fn costs(out: &Path) -> Vec<u8> {
    match npy::read(fs::File::open(out.join("costmap.npy")).unwrap()).unwrap().values {
        Values::U8(costs) => costs,
        _ => panic!("costs are bytes"),
    }
}

#[test]
fn external_maps_are_read_like_nav2_or_refused_with_the_reason() {
    let Some(folder) = throng_testing::outside_cases("fields_cases", "") else { return };
    let cases: BTreeMap<_, _> = CASES.into_iter().collect();
    let is_case = |name: &str| folder.join(name).join("scenario.toml").exists();
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: Vec<_> = names.filter(|name| is_case(name)).collect();
    assert!(names.iter().all(|name| cases.contains_key(name.as_str())), "{names:?}");
    for (name, expected) in cases {
        let out = TempDir::new().unwrap();
        let done = run_case(&folder.join(name).join("scenario.toml"), &[], out.path());
        match expected {
            Refused(texts) => {
                let error = done.map(|_| ()).unwrap_err().to_string();
                assert!(texts.iter().all(|text| error.contains(text)), "{name}: {error}");
            }
            Rows(rows) => {
                let (done, found) = (done.unwrap(), costs(out.path()));
                assert!(done.warnings.is_empty(), "{name}: {:?}", done.warnings);
                assert!(found.chunks(rows.len()).all(|row| row == rows), "{name}: {found:?}");
            }
            Warned(rows, warning) => {
                let (warnings, found) = (format!("{:?}", done.unwrap().warnings), costs(out.path()));
                assert!(warnings.contains(warning), "{name}: {warnings}");
                assert!(found.chunks(rows.len()).all(|row| row == rows), "{name}: {found:?}");
            }
            Gap => assert!(done.unwrap().results.summary.agents.agents == 3, "{name}"),
        }
    }
}

#[test]
fn the_ros_distribution_determines_colours_and_opacity() {
    let found = |case: &str, distro: &str| {
        let scenario = throng_testing::outside_cases("fields_cases", &format!("{case}/scenario.toml"))?;
        let out = TempDir::new().unwrap();
        run_case(&scenario, &[&format!("grid.ros_distro={distro}")], out.path()).unwrap();
        Some(costs(out.path()))
    };
    let Some(colours) = found("png-colour-scale", "humble") else { return };
    // Means of one third and two thirds: occupancies of 67 and 33.
    assert_eq!(colours, [170, 170, 170, 83]);
    assert_eq!(found("png-colour-scale", "jazzy"), found("png-colour-scale", "lyrical"));
    let humble = found("nav2-4233-alpha-trinary", "humble").unwrap();
    // The opacity is averaged as a fourth channel: 0.25, 1, 0 and 0.75 are occupied.
    assert_eq!(humble.chunks(4).map(|row| row[0]).collect::<Vec<_>>(), [255, 254, 0, 255]);
}

/// The costs of the gap of a map with a wall across it, at the cells at (1.5, y) m in ascending y.
fn gap(out: &Path) -> Vec<u8> {
    let costs = costs(out);
    let columns = 60;
    let across: Vec<u8> = costs.chunks(columns).map(|row| row[columns / 2]).collect();
    across.into_iter().filter(|&cost| cost != 254).collect()
}

#[test]
fn corridors_are_as_wide_as_in_nav2() {
    let Some(scenario) = throng_testing::outside_cases("fields_cases", "nav2-corridor-50cm/scenario.toml") else {
        return;
    };
    let dir = TempDir::new().unwrap();
    let text = fs::read_to_string(&scenario).unwrap();
    let map = format!("grid.map={}", scenario.with_file_name("map.yaml").display());
    let run_with = |radius: &str, changes: &[&str]| {
        let path = dir.path().join("scenario.toml");
        fs::write(&path, text.replace("robot_radius = 0.25", radius)).unwrap();
        let done = run_case(&path, &[&[map.as_str()][..], changes].concat(), &dir.path().join("out")).unwrap();
        (done.results.summary.agents.arrived, gap(&dir.path().join("out")))
    };
    // The padded outline of a robot of 0.25 m has an inscribed radius of 0.2549 m, more than five cells.
    assert_eq!(run_with("robot_radius = 0.25", &[]), (0, vec![253; 10]));
    // Five cells of 0.05 m in single precision are slightly more than 0.25 m.
    let exact = run_with("inscribed_radius = 0.25", &[]);
    assert_eq!(exact, (3, vec![253, 253, 253, 253, 251, 251, 253, 253, 253, 253]));
    // Without padding, the 16 sides are at 0.25 cos(pi / 16) = 0.2452 m: 252 exp(-4 (0.25 - 0.2452)) = 247.2.
    let bare = run_with("robot_radius = 0.25", &["nav2.footprint_padding=0"]);
    assert_eq!((bare.0, bare.1[4], bare.1[5]), (3, 247, 247));
    let long = run_with(
        "footprint = [[0.4, 0.24], [-0.4, 0.24], [-0.4, -0.24], [0.4, -0.24]]",
        &["nav2.footprint_padding=0.02"],
    );
    assert_eq!(long, (0, vec![253; 10]));
}

#[test]
fn barred_cells_remain_barred_in_written_costmaps() {
    let Some(first) = throng_testing::outside_cases("fields_cases", "nav2-roundtrip/scenario.toml") else { return };
    let dir = TempDir::new().unwrap();
    let (out, again) = (dir.path().join("out"), dir.path().join("again"));
    let done = run_case(&first, &[], &out).unwrap();
    assert_eq!((done.results.summary.agents.arrived, gap(&out)), (0, vec![253; 8]));
    let map = format!("grid.map={}", out.join("costmap.yaml").display());
    let read_by = |distro: &str| {
        let changes = [map.as_str(), &format!("grid.ros_distro={distro}")];
        let done = run_case(&first.with_file_name("second.toml"), &changes, &again).unwrap();
        (done.results.summary.agents.arrived, gap(&again))
    };
    assert_eq!(read_by("lyrical"), (0, vec![253; 8]));
    // Earlier static layers turn an occupancy of 99 into 251.4.
    assert_eq!(read_by("jazzy"), (3, vec![251; 8]));
}
