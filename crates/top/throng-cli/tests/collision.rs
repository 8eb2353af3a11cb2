//! Runs the collision model with the real binary and checks that no two discs overlap and none crosses a wall.

use std::path::Path;

use throng::output::StoredTrajectories;

use crate::common::{err, throng};

/// Names of external test cases; see [`throng_testing::outside_cases`].
pub const CASES: &[&str] = &[
    "coll_dense_conservative_closed",
    "coll_dense_following_closed",
    "coll_dense_following_periodic",
    "coll_dense_sequential_closed",
    "coll_fast_conservative_closed",
    "coll_fast_conservative_periodic",
    "coll_fast_following_closed",
    "coll_fast_sequential_closed",
    "coll_fast_sequential_periodic",
    "coll_gates_conservative_closed",
    "coll_gates_following_closed",
    "coll_gates_following_periodic",
    "coll_gates_sequential_closed",
    "coll_unequal_conservative_closed",
    "coll_unequal_conservative_periodic",
    "coll_unequal_following_closed",
    "coll_unequal_sequential_closed",
    "coll_unequal_sequential_periodic",
    "coll_walls_conservative_closed",
    "coll_walls_following_closed",
    "coll_walls_following_periodic",
    "coll_walls_sequential_closed",
];
/// Radius of the smallest discs, in units; positions are whole numbers of units.
const MIN_RADIUS: f64 = 2896.0;
/// Maximum length of a step that is checked for walls on its path, in radii of the smallest discs.
const MAX_TESTED_STEP: f64 = 5.6;

/// The geometry of a case, in units.
struct World {
    /// Width and height; 0 in a closed world, whose discs do not wrap.
    period: [i64; 2],
    size: [i64; 2],
    walls: Vec<[[i64; 2]; 2]>,
    checks_paths: bool,
}

/// Returns the value of a key in a scenario file with one key per line.
fn value<'t>(scenario: &'t str, key: &str) -> Option<&'t str> {
    scenario.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
}

impl World {
    fn of(scenario: &str, unit_m: f64) -> Self {
        let number = |key: &str| value(scenario, key).map_or(0.0, |value| value.parse::<f64>().unwrap());
        let units = |metres: f64| (metres / unit_m).round() as i64;
        let size = ["width_m", "height_m"].map(|key| units(number(key)));
        let is_periodic = value(scenario, "border") == Some("\"periodic\"");
        let numbers = value(scenario, "walls_m").unwrap_or_default().replace(['[', ']', ' '], "");
        let ends: Vec<i64> = numbers.split(',').filter_map(|number| number.parse().ok()).map(units).collect();
        let mut walls: Vec<_> = ends.chunks_exact(4).map(|ends| [[ends[0], ends[1]], [ends[2], ends[3]]]).collect();
        let [lines, gates, gate] =
            ["gate_walls_every_m", "gates_every_m", "gate_width_m"].map(|key| units(number(key)));
        for line in (0..=size[0])
            .filter(|at| lines > 0 && at % lines == 0)
            .filter(|&at| is_periodic || (1..size[0]).contains(&at))
        {
            let mut from = 0;
            for number in 0..size[1] / gates {
                let middle = number * gates + gates / 2;
                walls.push([[line, from], [line, middle - gate / 2]]);
                from = middle + gate / 2;
            }
            walls.push([[line, from], [line, size[1]]]);
        }
        let checks_paths = number("step_m") <= MAX_TESTED_STEP * number("radius_m");
        Self { period: if is_periodic { size } else { [0; 2] }, size, walls, checks_paths }
    }

    /// Returns the vector between two positions, the shorter one across a periodic border.
    fn displacement(&self, from: [i64; 2], to: [i64; 2]) -> [i64; 2] {
        [0, 1].map(|axis| {
            let (displacement, period) = (to[axis] - from[axis], self.period[axis]);
            if period == 0 { displacement } else { (displacement + period / 2).rem_euclid(period) - period / 2 }
        })
    }
}

/// Returns the side of the line from `a` to `b` on which a point lies, as a sign.
fn side(a: [i64; 2], b: [i64; 2], position: [i64; 2]) -> i128 {
    let [along, to] = [b, position].map(|end| [0, 1].map(|axis| i128::from(end[axis] - a[axis])));
    (along[0] * to[1] - along[1] * to[0]).signum()
}

/// Whether two segments properly cross, so that each has the ends of the other on both sides.
fn cross([a, b]: [[i64; 2]; 2], [c, d]: [[i64; 2]; 2]) -> bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// Returns the distance of a point from a segment, in units.
fn distance([a, b]: [[i64; 2]; 2], position: [i64; 2]) -> f64 {
    let [along, to] = [b, position].map(|end| [0, 1].map(|axis| (end[axis] - a[axis]) as f64));
    let squared = along[0] * along[0] + along[1] * along[1];
    let fraction = if squared > 0.0 { ((along[0] * to[0] + along[1] * to[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let off = [0, 1].map(|axis| to[axis] - fraction * along[axis]);
    (off[0] * off[0] + off[1] * off[1]).sqrt()
}

/// Runs a case and checks all its frames, one per step.
pub fn check(case: &str) {
    let Some(file) = throng_testing::outside_cases("crowd_cases", &format!("{case}/scenario.toml")) else { return };
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (file, folder) = (file.display().to_string(), out.display().to_string());
    let output = throng(&["run", &file, "--device", "cpu", "--out", &folder, "--set", "animation_frames=0"]);
    assert!(output.status.success(), "{case}: {}", err(&output));
    check_frames(case, &std::fs::read_to_string(&file).unwrap(), &out);
}

fn check_frames(case: &str, scenario: &str, out: &Path) {
    let radius_m: f64 = value(scenario, "radius_m").unwrap().parse().unwrap();
    let unit_m = radius_m / MIN_RADIUS;
    let units = |metres: f64| {
        let units = metres / unit_m;
        assert!((units - units.round()).abs() < 1e-3, "{case}: {metres} m are {units} units");
        units.round() as i64
    };
    let world = World::of(scenario, unit_m);
    // The radii in the table have fewer digits than the positions.
    let table = std::fs::read_to_string(out.join("discs.csv")).unwrap();
    let radii: Vec<i64> = table
        .lines()
        .skip(1)
        .map(|row| (row.split(';').nth(3).unwrap().parse::<f64>().unwrap() / unit_m).round() as i64)
        .collect();
    let stored = StoredTrajectories::open(&out.join("trajectories.sqlite")).unwrap();
    assert_eq!(stored.frames().len(), 61, "{case}");
    let mut before: Vec<[i64; 2]> = Vec::new();
    for &frame in stored.frames() {
        let at: Vec<[i64; 2]> = stored.frame(frame).unwrap().iter().map(|disc| disc.position.map(units)).collect();
        assert_eq!(at.len(), radii.len(), "{case}");
        for (disc, &position) in at.iter().enumerate() {
            for other in 0..disc {
                let [dx, dy] = world.displacement(position, at[other]);
                let radii = radii[disc] + radii[other];
                assert!(dx * dx + dy * dy >= radii * radii, "{case}, step {frame}: {disc} and {other} overlap");
            }
            if world.period == [0; 2] {
                let is_inside =
                    (0..2).all(|axis| (radii[disc]..=world.size[axis] - radii[disc]).contains(&position[axis]));
                assert!(is_inside, "{case}, step {frame}: {disc} is outside");
            }
            for &wall in &world.walls {
                let [dx, dy] = before.get(disc).map_or([0; 2], |&from| world.displacement(position, from));
                let crosses = world.checks_paths && cross([position, [position[0] + dx, position[1] + dy]], wall);
                // The ends of wall pieces are rounded to a unit.
                let touches = distance(wall, position) < radii[disc] as f64 - 2.0;
                assert!(!crosses && !touches, "{case}, step {frame}: {disc} in wall {wall:?}");
            }
        }
        before = at;
    }
}

#[test]
fn discs_never_overlap_and_never_cross_walls() {
    for case in [
        "coll_dense_sequential_closed",
        "coll_fast_conservative_periodic",
        "coll_gates_following_periodic",
        "coll_unequal_sequential_periodic",
        "coll_walls_following_closed",
    ] {
        check(case);
    }
}

/// The frames of the table and of the trajectories do not depend on the frames of the animation.
#[test]
fn an_animation_has_its_own_number_of_frames() {
    let dir = tempfile::tempdir().unwrap();
    let run = |frames: &str| {
        let out = dir.path().join(frames);
        let example = throng_testing::repository().join("examples/discs").display().to_string();
        let settings = ["frame_every=1", "trajectories=true", "discs=30", &format!("animation_frames={frames}")];
        let mut args = vec!["run", &example, "--device", "cpu", "--steps", "50", "--out"];
        let folder = out.display().to_string();
        args.push(&folder);
        args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        let output = throng(&args);
        assert!(output.status.success(), "{}", err(&output));
        let stored = StoredTrajectories::open(&out.join("trajectories.sqlite")).unwrap();
        assert_eq!(stored.frames().len(), 51);
        assert_eq!(std::fs::read_to_string(out.join("measures.csv")).unwrap().lines().count(), 52);
        let page = std::fs::read_to_string(out.join("report.html")).unwrap();
        std::fs::read(out.join("collision.png")).ok().map(|picture| {
            // The chunk of an animated PNG file that contains the number of frames.
            let chunk = picture.windows(4).position(|name| name == b"acTL").unwrap();
            assert!(page.contains("step 50\"") && page.contains("step 0\""));
            u32::from_be_bytes(picture[chunk + 4..chunk + 8].try_into().unwrap())
        })
    };
    assert_eq!([run("0"), run("6"), run("7"), run("120")], [None, Some(6), Some(7), Some(51)]);
}
