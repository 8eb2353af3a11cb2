//! Maps with an origin far from 0: all results have the same positions relative to the origin as on the same map at 0.

use tempfile::TempDir;
use throng_device::CPU;
use throng_fields::creation::FixedPoint;
use throng_fields::{Entity, Field, Grid, Profile, Shape};
use throng_fields_model::{Scenario, Simulation};

use super::saved;

/// A scenario whose grid begins at an origin, with positions that single precision cannot represent.
fn scenario(origin: [f64; 2]) -> Scenario {
    let dir = TempDir::new().unwrap();
    Scenario::read(&saved(&dir, &text(origin)), &[]).unwrap()
}

fn text([left, low]: [f64; 2]) -> String {
    let at = |x: f64, y: f64| format!("[{}, {}]", left + x, low + y);
    let places = [at(0.0, 0.0), at(7.3, 5.1), at(2.7, 2.2), at(9.1, 7.6), at(3.3, 9.9), at(14.1, 3.7), at(11.6, 11.3)];
    let [origin, ring, cone, post, ridge, top, foot] = places;
    format!(
        r#"
model = "fields"
layers = ["field", "scent"]
grid = {{ origin = {origin}, size = [16, 12], cell = 0.25 }}
run = {{ steps = 30, time_step = 0.1 }}
profiles.near = {{ form = "linear", radius = 1.5 }}
diffusion.scent = {{ diffusivity = 0.5 }}

[[walls]]
shape = "polygon"
points = [{ridge}, {top}, {foot}]

[[walls]]
shape = "line"
points = [{cone}, {ridge}]

[[walls]]
shape = "disc"
at = {ring}
radius = 0.6

[[walls]]
shape = "box"
at = {post}
size = [1, 2]
heading = 30

[[entities]]
at = {ring}
shape = "ring"
radius = 2
profile = "near"
layers = ["field"]

[[entities]]
at = {cone}
shape = "cone"
opening = 70
profile = "near"
charge = 3
layers = ["field"]
path = [{post}, {top}]
speed = 1.7
emits = {{ scent = 3 }}
"#
    )
}

fn fields_of(scenario: &Scenario) -> Vec<Field> {
    let mut simulation = Simulation::new(scenario, &CPU).unwrap();
    let mut fields = vec![simulation.field().unwrap().clone()];
    for _ in 0..scenario.steps() {
        simulation.step().unwrap();
        fields.push(simulation.field().unwrap().clone());
    }
    fields
}

#[test]
fn fields_walls_and_paths_do_not_depend_on_the_origin() {
    let here = fields_of(&scenario([0.0, 0.0]));
    assert!(here[0] != here[30], "something moves");
    // Single-precision numbers are 1/1000 of a unit apart at the first origin, and half a unit at the second.
    for origin in [[10_000.0, -10_000.0], [690_000.0, 5_334_000.0]] {
        for (step, (field, expected)) in fields_of(&scenario(origin)).iter().zip(&here).enumerate() {
            assert!(field.values() == expected.values(), "{origin:?}, step {step}");
        }
    }
}

#[test]
fn rings_far_from_the_origin_match_the_library() {
    let scenario = scenario([10_000.0, 10_000.0]);
    let simulation = Simulation::new(&scenario, &CPU).unwrap();
    let near = |position: [f64; 2]| Entity::new(position, Profile::linear(1.5).unwrap());
    // The values of the file, without loss of precision.
    let ring = near([10_007.3, 10_005.1]).with_shape(Shape::Ring { radius: 2.0 });
    assert_eq!(simulation.entities()[0].position, ring.position);
    let grid = Grid::new([10_000.0, 10_000.0], 0.25, 64, 48).unwrap();
    let expected = FixedPoint::default().every_pair(&grid, &[ring]).unwrap();
    // Cells outside the cone, which reaches 1.5 units from (2.7, 2.2).
    let right = (20..64).flat_map(|column| (0..48).map(move |row| (column, row)));
    let mut felt = 0;
    for (column, row) in right {
        assert_eq!(simulation.field().unwrap().at(column, row), expected.at(column, row), "{column}, {row}");
        felt += u32::from(expected.at(column, row) > Some(0.0));
    }
    assert!(felt > 300, "{felt}");
}

#[test]
fn agents_require_single_precision_coordinates() {
    let agents = "[[agents]]\nname = \"walkers\"\ncount = 1\nspeed = 1\nfollow = \"field\"\n\
                  start = { from = [690008, 5334001], to = [690015, 5334002] }\n";
    let dir = TempDir::new().unwrap();
    let path = saved(&dir, &(text([690_000.0, 5_334_000.0]) + agents));
    let found = Scenario::read(&path, &[]).unwrap_err().to_string();
    assert!(
        found.contains("agents \"walkers\", grid, origin x: 690000\n    coordinates of this size are 0.0625"),
        "{found}"
    );
    assert!(found.contains("measure from a local origin"), "{found}");
}

#[test]
fn agents_start_in_open_cells_with_coarse_rounding() {
    let text = r#"
model = "fields"
grid = { size = [40.4, 40.4], cell = 1.01, origin = [524288.021, 0] }
run = { steps = 1, time_step = 0.25 }
walls = [{ shape = "box", at = [524310.746, 20.2], size = [0.9, 41] }]
[[agents]]
name = "g"
count = 100000
start = { from = [524311.5, 0], to = [524312, 40] }
speed = 1
follow = "field"
[output]
frame_every = 0
"#;
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&saved(&dir, text), &[]).unwrap_or_else(|error| panic!("{error}"));
    let simulation = Simulation::new(&scenario, &CPU).unwrap();
    assert!(simulation.crowds()[0].positions().all(|at| scenario.grid().cell_at(at).is_some_and(|cell| cell.0 == 23)));
}
