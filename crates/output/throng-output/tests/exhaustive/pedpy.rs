//! PedPy reads trajectories and walkable areas.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use throng_core::Philox;
use throng_output::{GridArea, IfNotEmpty, RunFolder, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WalkableArea};

/// Runs a script of `tests/pedpy` and returns its output.
fn answer(python: &Path, script: &str, argument: &Path, input: &str) -> Value {
    let script = throng_testing::repository().join("crates/output/throng-output/tests/pedpy").join(script);
    let mut command = Command::new(python);
    command.arg(script).arg(argument).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Writes frames of agents that walk along x or y, four frames per second, and returns the path.
fn written(folder: &Path, walkable_area: WalkableArea) -> PathBuf {
    let folder = RunFolder::create(folder, IfNotEmpty::Refuse, "").unwrap();
    let info = TrajectoryInfo { frames_per_second: 4.0, walkable_area };
    let mut file = TrajectoryFile::create(&folder, "trajectories.sqlite", &info).unwrap();
    let point = |id, x, y, orientation| TrajectoryPoint { id, position: [x, y], orientation };
    for frame in 0..4 {
        // Steps of 0.25 m and 0.5 m, which are exact; agent 9 enters in frame 1.
        let moved = frame as f64 * 0.25;
        let first = point(2, 0.5 + moved, 0.5, [1.0, 0.0]);
        let second = point(9, 0.25, 2.75 - 2.0 * moved, [0.0, -1.0]);
        file.frame(frame, std::iter::once(first).chain((frame > 0).then_some(second))).unwrap();
    }
    file.finish().unwrap();
    folder.path().join("trajectories.sqlite")
}

#[test]
fn pedpy_reads_positions_speeds_and_the_area_unchanged() {
    let Some(python) = throng_testing::python_tools() else { return };
    let dir = tempfile::tempdir().unwrap();
    // Walls at (1, 1) and (2, 0): a hole that touches the exterior.
    let grid = GridArea { width: 3, height: 3, cell_m: 1.0, is_wall: |x, y| [(1, 1), (2, 0)].contains(&(x, y)) };
    let path = written(dir.path(), grid.walkable_area().unwrap());
    let read = answer(&python, "read.py", &path, "");
    let expected = json!({
        "frame_rate": 4.0,
        "rows": [
            [2.0, 0.0, 0.5, 0.5], [2.0, 1.0, 0.75, 0.5], [9.0, 1.0, 0.25, 2.25], [2.0, 2.0, 1.0, 0.5],
            [9.0, 2.0, 0.25, 1.75], [2.0, 3.0, 1.25, 0.5], [9.0, 3.0, 0.25, 1.25],
        ],
        // Metres per second, over the half second from the previous to the next frame.
        "speed": [[2.0, 1.0, 1.0], [2.0, 2.0, 1.0], [9.0, 2.0, 2.0]],
        "bounds": [0.0, 0.0, 3.0, 3.0],
        "area": 7.0,
        "holes": 1,
        "all_inside": true,
    });
    assert_eq!(read, expected);
}

#[test]
fn areas_of_grids_are_valid_for_shapely() {
    let Some(python) = throng_testing::python_tools() else { return };
    let (mut lines, mut expected) = (String::new(), Vec::new());
    let random = Philox::new(11);
    for case in 0..300 {
        let (width, height) = (1 + case % 17, 1 + case / 17);
        // From few walls to few free cells.
        let density = f64::from(1 + case as u32 % 9) / 10.0;
        let is_wall = |x: usize, y: usize| random.unit(case as u32, x as u32, y as u32, 0) < density;
        let Some(area) = (GridArea { width, height, cell_m: 0.5, is_wall }).walkable_area() else { continue };
        lines.extend([area.to_string().as_str(), "\n"]);
        let free = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&(x, y)| !is_wall(x, y)).count();
        expected.push(json!([true, free as f64 * 0.25, area.parts()]));
    }
    assert!(expected.len() > 250, "{}", expected.len());
    assert_eq!(answer(&python, "areas.py", Path::new(""), &lines), Value::from(expected));
}
