//! A scenario in units of the lattice, with its discs.

use throng_core::{InputError, Philox, Problems};
use throng_device::neighbours::Boundary;
use throng_model::WholeUnits;

use super::super::cpu::{CollisionCheck, Options};
use super::super::lattice::{LARGEST_RADIUS, LONGEST_STEP, Lattice, SMALLEST_RADIUS};
use super::super::scene::{Radii, Scene};
use super::super::walls::{Wall, WallIndex};
use super::super::world::{LONGEST_SIDE, World};
use super::rules::{LEFT, RIGHT, Walk, Way};
use super::scenario::{Behaviour, Scenario};
use super::start::{drawn_radii, random_places};
use super::table::{Row, read_discs};
use super::walkers::COLUMNS;

/// The purpose number of the draws of directions.
const DIRECTION: u32 = 13;

/// A scenario in units of the lattice, with its discs.
#[derive(Debug)]
pub struct Prepared {
    pub lattice: Lattice,
    pub scene: Scene,
    pub options: Options,
    pub walk: Walk,
    pub way: Way,
    /// The state before the first step.
    pub columns: [Vec<i32>; COLUMNS],
    /// x and y of every goal; empty without goals.
    pub goals: [Vec<i32>; 2],
}

impl Prepared {
    /// Checks all keys, and places the discs.
    ///
    /// # Errors
    /// Values that are out of range, and discs that find no place or overlap.
    pub fn of(scenario: &Scenario) -> Result<Self, InputError> {
        let lattice =
            Lattice::of_smallest_radius(scenario.radius_m).map_err(|error| error.with_places(|_| "radius_m".into()))?;
        let longest_m = lattice.metres(LONGEST_SIDE);
        let largest_m = scenario.largest_radius_m.unwrap_or(scenario.radius_m);
        let (mut units, per_metre) = (WholeUnits::default(), 1.0 / lattice.metres(1));
        let shortest_m = lattice.metres(2 * LARGEST_RADIUS);
        let mut of = |key: &str, value: f64, range| units.of(key, value, per_metre, range);
        let size = [
            of("width_m", scenario.width_m, shortest_m..=longest_m),
            of("height_m", scenario.height_m, shortest_m..=longest_m),
        ];
        let largest = of("largest_radius_m", largest_m, scenario.radius_m..=4.0 * scenario.radius_m);
        let step = of("step_m", scenario.step_m, 0.0..=scenario.width_m.min(scenario.height_m).max(0.0));
        let walls_every = of("gate_walls_every_m", scenario.gate_walls_every_m, 0.0..=longest_m);
        let has_gates = scenario.gate_walls_every_m > 0.0;
        let gates_every = of("gates_every_m", scenario.gates_every_m, 0.0..=longest_m);
        let gate = of("gate_width_m", scenario.gate_width_m, 0.0..=longest_m);
        units.of("leftward_share", scenario.leftward_share, 1, 0.0..=1.0);
        units.of("steps", scenario.steps.into(), 1, 0.0..=1e9);
        units.finish()?;
        let mut problems = Problems::new();
        if has_gates && !(2 * largest..=gates_every).contains(&gate) {
            let (value, least) = (scenario.gate_width_m, 2.0 * largest_m);
            let remedy =
                format!("give {least} m, for the largest discs, to {} m, from gate to gate", scenario.gates_every_m);
            problems.push("gate_width_m", value.to_string(), remedy);
        }
        if has_gates && gates_every > size[1] {
            let remedy = format!("give at most height_m, {} m", scenario.height_m);
            problems.push("gates_every_m", scenario.gates_every_m.to_string(), remedy);
        }
        if scenario.behaviour == Behaviour::Goals && scenario.discs_file.is_none() {
            problems.push("behaviour", "goals", "name a discs_file with the columns goal_x_m and goal_y_m");
        }
        for (number, wall) in scenario.walls_m.iter().enumerate() {
            if wall.iter().flatten().any(|value| !value.is_finite()) {
                problems.push(format!("walls_m, wall {number}"), format!("{wall:?}"), "give finite numbers of metres");
            }
        }
        problems.into_result()?;
        let world = World::new(size, scenario.border.into())?;
        let gates = if has_gates { size[1] / gates_every } else { 0 };
        let walk = Walk {
            world,
            step,
            walls_every,
            gates_every,
            gates,
            half_gate: (gate / 2 - largest - 1).max(0),
            turn_at: 2 * LARGEST_RADIUS.min(size[0] / 6),
        };
        let mut walls: Vec<Wall> =
            scenario.walls_m.iter().map(|ends| ends.map(|end| end.map(|value| lattice.units(value)))).collect();
        if has_gates {
            let first = if world.boundary() == Boundary::Periodic { 0 } else { walls_every };
            walls.extend(walls_with_gates(size, first, walls_every, gates_every, gate));
        }
        // Directions are rounded, so that a step may be a little longer.
        let longest = step + step / 2048 + 2;
        let options = Options {
            rule: scenario.rule,
            seed: scenario.seed.into(),
            longest_step: (longest <= LONGEST_STEP).then_some(longest),
            lattice: Some(lattice),
        };
        let mut prepared = Self {
            lattice,
            scene: Scene { world, walls, radii: Radii::equal(0) },
            options,
            walk,
            way: match scenario.behaviour {
                Behaviour::Random => Way::Random,
                Behaviour::Gates => Way::Gates,
                Behaviour::Goals => Way::Goals,
            },
            columns: Default::default(),
            goals: Default::default(),
        };
        prepared.place_discs(scenario, largest)?;
        let discs = prepared.columns[0].len();
        let (draws, share) = (Philox::new(scenario.seed.into()), scenario.leftward_share);
        let direction = |disc| if draws.unit(disc, 0, DIRECTION, 0) < share { LEFT } else { RIGHT };
        prepared.columns[2] = (0..discs as u32).map(direction).collect();
        prepared.columns[3] = vec![0; discs];
        Ok(prepared)
    }

    fn place_discs(&mut self, scenario: &Scenario, largest: i32) -> Result<(), InputError> {
        if let Some(file) = &scenario.discs_file {
            let rows = read_discs(file, scenario.behaviour == Behaviour::Goals)?;
            return self
                .take_discs(scenario, &rows)
                .map_err(|error| error.with_places(|place| format!("{}, {place}", file.display())));
        }
        if scenario.discs == 0 {
            return Err(InputError::one("discs", "0", "simulate at least one disc"));
        }
        let radii = drawn_radii(scenario.seed, scenario.discs, largest);
        self.scene.radii = Radii::of_each(radii)?;
        let index = WallIndex::new(&self.scene.world, &self.scene.walls, largest)
            .map_err(|error| error.with_places(|place| format!("walls_m, {place}")))?;
        let [xs, ys] = random_places(scenario.seed, &self.scene, &index, self.lattice)?;
        self.columns[0] = xs;
        self.columns[1] = ys;
        Ok(())
    }

    /// The discs of a file. A trial of the check finds those that overlap.
    fn take_discs(&mut self, scenario: &Scenario, rows: &[Row]) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let (limit, radius_m) = (4.0 * scenario.radius_m, scenario.radius_m);
        for (number, row) in rows.iter().enumerate() {
            if row.radius_m.is_some_and(|radius| !(radius_m..=limit).contains(&radius)) {
                let value = row.radius_m.unwrap_or_default();
                let remedy = format!("give radius_m, {radius_m} m, to four times that");
                problems.push(format!("disc {number}, radius_m"), value.to_string(), remedy);
            }
        }
        problems.into_result()?;
        let radius = |row: &Row| row.radius_m.map_or(SMALLEST_RADIUS, |radius| self.lattice.units(radius));
        self.scene.radii = Radii::of_each(rows.iter().map(radius).collect())?;
        let column = |value: fn(&Row) -> f64| rows.iter().map(|row| self.lattice.units(value(row))).collect::<Vec<_>>();
        let at = [column(|row| row.x_m), column(|row| row.y_m)];
        self.goals = match scenario.behaviour {
            Behaviour::Goals => [column(|row| row.goal_m[0]), column(|row| row.goal_m[1])],
            _ => Default::default(),
        };
        let [width, height] = self.scene.world.size();
        let is_outside =
            |at: &[Vec<i32>; 2], disc: usize| !(0..width).contains(&at[0][disc]) || !(0..height).contains(&at[1][disc]);
        if let Some(disc) = (0..self.goals[0].len()).find(|&disc| is_outside(&self.goals, disc)) {
            let goal = rows[disc].goal_m;
            let remedy = format!("the world is {} m wide and {} m high", scenario.width_m, scenario.height_m);
            return Err(InputError::one(format!("disc {disc}, goal"), format!("{goal:?} m"), remedy));
        }
        CollisionCheck::new(self.scene.clone(), at.clone(), self.options)?;
        let [xs, ys] = at;
        self.columns[0] = xs;
        self.columns[1] = ys;
        Ok(())
    }
}

/// Walls across the world at equal distances, with gates. A closed world has a wall at its border already.
fn walls_with_gates(size: [i32; 2], first: i32, walls_every: i32, gates_every: i32, gate: i32) -> Vec<Wall> {
    let mut walls = Vec::new();
    let mut x = first;
    while x < size[0] {
        let mut from = 0;
        for number in 0..size[1] / gates_every {
            let middle = number * gates_every + gates_every / 2;
            walls.push([[x, from], [x, middle - gate / 2]]);
            from = middle + gate / 2;
        }
        walls.push([[x, from], [x, size[1]]]);
        x += walls_every;
    }
    walls
}
