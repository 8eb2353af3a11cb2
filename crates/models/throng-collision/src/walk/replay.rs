//! Stored runs as scenes: discs as low capsules among walls.
//!
//! Trajectories contain the positions of all discs over time. A run that has only the table of all discs is shown in
//! its last state. Between two stored states, discs are interpolated linearly: they may overlap or pass through walls
//! if there are steps between the two states.

use throng_core::InputError;
use throng_device::neighbours::Boundary;
use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::colours::{category, slow_to_fast};
use throng_scene::{
    Camera, Capsule, OrientedBox, Recording, Rgb, Scene, TimeAxis, TimeUnit, difference, ground, scaled, sum,
};

use super::super::lattice::{Lattice, MIN_RADIUS};
use super::super::world::MAX_SIDE;
use super::discs_file::read_discs;
use super::prepared::all_walls;
use super::scenario::Scenario;
use super::table::DISCS;
use super::trajectories::TRAJECTORIES;
use throng_model::replay::{InterpolatedAgent, Motion, Settings, colouring_index, room};
use throng_model::scenario_file::Border;

/// The replay of stored runs of discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct WalkReplay;

const COLOURINGS: [(&str, &str); 2] = [
    ("speed", "discs by distance moved per step, as a fraction of the step length"),
    ("id", "discs in ten colours, to tell them apart"),
];
/// Advice for runs without positions over time.
const WRITE_TRAJECTORIES: &str =
    "repeat the run with trajectories = true in its scenario file, or --set trajectories=true, and frame_every above 0";
const WALL: Rgb = [0.5, 0.5, 0.53];
const UNKNOWN: Rgb = [0.4; 3];
/// Heights of discs and walls, and the thickness of walls, in radii.
const HEIGHT: f64 = 4.0;
const THICKNESS: f64 = 0.2;

impl Replay for WalkReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let by_speed = colouring_index(&COLOURINGS, colouring)? == 0;
        let scenario = scenario_of(run)?;
        let trajectories = run.file(TRAJECTORIES, WRITE_TRAJECTORIES);
        // The table of a run with trajectories provides the radii.
        let table = run.file(DISCS, WRITE_TRAJECTORIES);
        let table = match &trajectories {
            Ok(_) => table?,
            Err(missing) => table.map_err(|_| missing.clone())?,
        };
        let (mut places, mut radii_m) = (Vec::new(), Vec::new());
        for row in read_discs(&table, false)? {
            places.push([row.x_m, row.y_m]);
            radii_m.push(row.radius_m.unwrap_or(scenario.radius_m));
        }
        let size_m = [scenario.width_m, scenario.height_m];
        let periodic_m = (scenario.border == Border::Periodic).then_some(size_m);
        let states = match trajectories {
            Ok(file) => States::All(Motion::open(&[file], periodic_m)?),
            Err(_) => States::Last { places, step: scenario.steps.into() },
        };
        let (title, walls) = (format!("{}: discs", run.title()), walls(&scenario)?);
        Ok(Box::new(Walk { title, size_m, step_m: scenario.step_m, by_speed, radii_m, walls, states }))
    }
}

/// Rebuilds the parts of a scenario that an image shows; everything else has its default.
fn scenario_of(run: &StoredRun) -> Result<Scenario, InputError> {
    let mut settings = Settings::of(run);
    let of = &mut settings;
    let default = Scenario::default();
    let walls: Vec<[f64; 4]> = of.lists("walls_m").unwrap_or_default();
    let scenario = Scenario {
        steps: of.value("steps", default.steps),
        radius_m: of.value("radius_m", default.radius_m),
        width_m: of.value("width_m", default.width_m),
        height_m: of.value("height_m", default.height_m),
        border: if of.text("border").as_deref() == Some("closed") { Border::Closed } else { Border::Periodic },
        walls_m: walls.into_iter().map(|[x, y, to_x, to_y]| [[x, y], [to_x, to_y]]).collect(),
        gate_walls_every_m: of.value("gate_walls_every_m", default.gate_walls_every_m),
        gates_every_m: of.value("gates_every_m", default.gates_every_m),
        gate_width_m: of.value("gate_width_m", default.gate_width_m),
        step_m: of.value("step_m", default.step_m),
        ..default
    };
    settings.finish()?;
    Ok(scenario)
}

/// Returns the walls as boxes.
fn walls(scenario: &Scenario) -> Result<Vec<OrientedBox>, InputError> {
    let lattice = Lattice::of_smallest_radius(scenario.radius_m)?;
    let gates = [scenario.gate_walls_every_m, scenario.gates_every_m, scenario.gate_width_m];
    // A run would have rejected other lengths: the manifest was changed.
    let units = |length_m: f64| lattice.units(length_m).min(MAX_SIDE);
    let gates = gates.map(units);
    let has_gates = gates.iter().all(|&length| length >= 2 * MIN_RADIUS);
    let size = [scenario.width_m, scenario.height_m].map(units);
    let boundary: Boundary = scenario.border.into();
    let walls = all_walls(scenario, lattice, size, has_gates.then_some(gates), boundary)?;
    let radius_m = scenario.radius_m;
    let wall = |[from, to]: [[i32; 2]; 2]| {
        let [from, to] = [from, to].map(|end| end.map(|at| lattice.metres(at)));
        let [from, to] = [from, to].map(|[x, y]| ground(x, y, HEIGHT * radius_m / 2.0));
        let along = difference(to, from);
        let length_m = throng_scene::length(along);
        (length_m > 0.0).then(|| OrientedBox {
            center: scaled(sum(from, to), 0.5),
            half_size: [length_m / 2.0, HEIGHT * radius_m / 2.0, THICKNESS * radius_m / 2.0],
            along,
            albedo: WALL,
            ..OrientedBox::default()
        })
    };
    Ok(walls.into_iter().filter_map(wall).collect())
}

/// A stored run with a colouring.
struct Walk {
    title: String,
    size_m: [f64; 2],
    step_m: f64,
    by_speed: bool,
    radii_m: Vec<f64>,
    walls: Vec<OrientedBox>,
    states: States,
}

/// The stored states. In the trajectory file a second stands for a step.
enum States {
    All(Motion),
    Last { places: Vec<[f64; 2]>, step: f64 },
}

impl Walk {
    fn discs(&self, step: f64) -> Result<Vec<InterpolatedAgent>, InputError> {
        match &self.states {
            States::All(motion) => motion.at(step),
            States::Last { places, .. } => {
                let disc =
                    |(id, &position)| InterpolatedAgent { id, position, orientation: [1.0, 0.0], displacement_m: None };
                Ok((0..).zip(places).map(disc).collect())
            }
        }
    }
}

impl Recording for Walk {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn times(&self) -> TimeAxis {
        let [first, last, step] = match &self.states {
            States::All(motion) => motion.times(),
            States::Last { step, .. } => [*step, *step, 1.0],
        };
        TimeAxis { first, last, step, unit: TimeUnit::Steps("step") }
    }

    fn camera(&self) -> Camera {
        let [width, height] = self.size_m;
        Camera::overview(ground(0.0, height, 0.0), ground(width, 0.0, 0.0), 60.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let is_last = matches!(self.states, States::Last { .. });
        let mut legend = match (self.by_speed, is_last) {
            (true, true) => vec![(UNKNOWN, "discs; only the last state is stored".to_owned())],
            (true, false) => vec![
                (slow_to_fast(0.0), "at rest".to_owned()),
                (slow_to_fast(0.5), format!("{} m in a step", self.step_m / 2.0)),
                (slow_to_fast(1.0), format!("{} m in a step", self.step_m)),
            ],
            (false, _) => vec![([1.0; 3], "each disc has one of ten colours".to_owned())],
        };
        if !self.walls.is_empty() {
            legend.push((WALL, "wall".to_owned()));
        }
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        let TimeAxis { first, last, step, .. } = self.times();
        let discs = self.discs(time.clamp(first, last))?;
        let capsule = |disc: &InterpolatedAgent| {
            let [x, y] = disc.position;
            let radius = usize::try_from(disc.id).ok().and_then(|id| self.radii_m.get(id)).copied().unwrap_or(1.0);
            let speed =
                disc.displacement_m.map_or(UNKNOWN, |displacement_m| slow_to_fast(displacement_m / step / self.step_m));
            let albedo = if self.by_speed { speed } else { category((disc.id % 10) as usize) };
            Capsule::standing(ground(x, y, 0.0), radius, HEIGHT * radius, albedo)
        };
        Ok(Scene { capsules: discs.iter().map(capsule).collect(), boxes: self.walls.clone(), ..room(self.size_m) })
    }
}
