//! A scenario converted to units of the lattice, with its discs.

use throng_core::{InputError, Philox, Problems, check_memory};
use throng_device::neighbours::Boundary;
use throng_model::step_model::WholeUnits;

use super::super::lattice::{Lattice, MAX_RADIUS, MAX_STEP, MIN_RADIUS};
use super::super::options::Options;
use super::super::scene::{Radii, Scene};
use super::super::start::check_start;
use super::super::walls::{Wall, WallIndex};
use super::super::world::{MAX_SIDE, World};
use super::discs_file::{Row, read_discs};
use super::rules::{LEFT, RIGHT, Walk};
use super::scenario::{Behaviour, Scenario};
use super::start::{drawn_radii, random_places};

/// Number of columns of the state.
pub const COLUMNS: usize = 4;
/// Purpose of the draws of directions.
const DIRECTION: u32 = 13;
/// Memory per disc: its start, two copies of its state, the collision check and its wish, bytes.
const BYTES_PER_DISC: u64 = 200;
/// Memory per piece of a wall with gates: two copies, and its entries in the index of walls, bytes.
const BYTES_PER_WALL: u64 = 150;

/// A scenario converted to units of the lattice, with its discs.
#[derive(Debug)]
pub struct Prepared {
    pub lattice: Lattice,
    pub scene: Scene,
    pub options: Options,
    pub walk: Walk,
    pub behaviour: Behaviour,
    /// The state before the first step.
    pub columns: [Vec<i32>; COLUMNS],
    /// Ids from the file of discs; empty without a file.
    pub ids: Vec<String>,
    /// x and y of every goal; empty without goals.
    pub goals: [Vec<i32>; 2],
}

impl Prepared {
    /// Validates all keys, and places the discs.
    ///
    /// # Errors
    /// Values out of range, an invalid file of discs, discs that do not fit or overlap, and too little memory.
    pub fn of(scenario: &Scenario) -> Result<Self, InputError> {
        let lattice =
            Lattice::of_smallest_radius(scenario.radius_m).map_err(|error| error.with_places(|_| "radius_m".into()))?;
        let longest_m = lattice.metres(MAX_SIDE);
        let largest_m = scenario.largest_radius_m.unwrap_or(scenario.radius_m);
        let (mut units, per_metre) = (WholeUnits::default(), 1.0 / lattice.metres(1));
        let shortest_m = lattice.metres(2 * MAX_RADIUS);
        let mut of = |key: &str, value: f64, range| units.of(key, value, per_metre, range);
        // Sides too short for the radius are reported below.
        let range = |side_m: f64| if side_m < shortest_m { side_m..=longest_m } else { shortest_m..=longest_m };
        let [width, height] = [scenario.width_m, scenario.height_m];
        let are_sides_valid = [width, height].iter().all(|side_m| (shortest_m..=longest_m).contains(side_m));
        let size = [of("width_m", width, range(width)), of("height_m", height, range(height))];
        let largest = of("largest_radius_m", largest_m, scenario.radius_m..=4.0 * scenario.radius_m);
        let shorter_side_m = scenario.width_m.min(scenario.height_m).max(0.0);
        let longest_step_m = match scenario.behaviour {
            // The limit follows from the sides, which are reported themselves.
            _ if !are_sides_valid => longest_m,
            Behaviour::Goals => libm::hypot(scenario.width_m, scenario.height_m),
            Behaviour::Random | Behaviour::Gates => shorter_side_m,
        };
        let reach = of("step_m", scenario.step_m, 0.0..=longest_step_m);
        let walls_every = of("gate_walls_every_m", scenario.gate_walls_every_m, 0.0..=longest_m);
        let has_gates = scenario.gate_walls_every_m > 0.0;
        let gates_every = of("gates_every_m", scenario.gates_every_m, 0.0..=longest_m);
        let gate = of("gate_width_m", scenario.gate_width_m, 0.0..=longest_m);
        units.of("leftward_share", scenario.leftward_share, 1, 0.0..=1.0);
        units.of("steps", scenario.steps.into(), 1, 0.0..=1e9);
        let mut problems = Problems::new();
        for (key, side_m) in [("width_m", scenario.width_m), ("height_m", scenario.height_m)] {
            if side_m < shortest_m {
                let remedy = format!("give a number from {shortest_m} to {longest_m}, or a smaller radius_m");
                problems.push(key, side_m.to_string(), remedy);
            }
        }
        if let Err(InputError(others)) = units.finish() {
            problems.append(others);
        }
        // The limits of the gates follow from the values above.
        let checks_gates = has_gates && problems.is_empty();
        if checks_gates && walls_every < 2 * largest {
            let remedy = format!("give 0 for no walls with gates, or at least {} m", 2.0 * largest_m);
            problems.push("gate_walls_every_m", scenario.gate_walls_every_m.to_string(), remedy);
        }
        // Invalid values, which are 0 or the maximum, would overflow.
        let has_room_for_gates = checks_gates && gates_every >= 2 * largest;
        if checks_gates && !has_room_for_gates {
            let remedy =
                format!("give {} m (the largest diameter) to {} m (height_m)", 2.0 * largest_m, scenario.height_m);
            problems.push("gates_every_m", scenario.gates_every_m.to_string(), remedy);
        }
        if has_room_for_gates && !(2 * largest..=gates_every).contains(&gate) {
            let (value, min_m) = (scenario.gate_width_m, 2.0 * largest_m);
            let remedy =
                format!("give {min_m} m (the largest diameter) to {} m (gates_every_m)", scenario.gates_every_m);
            problems.push("gate_width_m", value.to_string(), remedy);
        }
        if checks_gates && gates_every > size[1] {
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
            // Limited, so that no step leads farther than the world's size beyond the border.
            step: reach.min(size[0].min(size[1])),
            reach,
            walls_every,
            gates_every,
            gates,
            half_gate: (gate / 2 - largest - 1).max(0),
            turn_at: 2 * MAX_RADIUS.min(size[0] / 6),
        };
        let gate_sizes = has_gates.then_some([walls_every, gates_every, gate]);
        let walls = all_walls(scenario, lattice, size, gate_sizes, world.boundary())?;
        // Directions are rounded, so a step may be slightly longer.
        let longest = reach + reach / 2048 + 2;
        let options = Options {
            rule: scenario.rule,
            seed: scenario.seed.into(),
            longest_step: (longest <= MAX_STEP).then_some(longest),
            lattice: Some(lattice),
        };
        let mut prepared = Self {
            lattice,
            scene: Scene { world, walls, radii: Radii::equal(0) },
            options,
            walk,
            behaviour: scenario.behaviour,
            columns: Default::default(),
            ids: Vec::new(),
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
            return self.take_discs(scenario, &file.display().to_string(), &rows);
        }
        if scenario.discs == 0 {
            return Err(InputError::one("discs", "0", "simulate at least one disc"));
        }
        self.check_number(scenario)?;
        let radii = drawn_radii(scenario.seed, scenario.discs, largest);
        self.scene.radii = Radii::of_each(radii)?;
        let index = self.wall_index()?;
        let [xs, ys] = random_places(scenario.seed, &self.scene, &index, self.lattice)?;
        self.columns[0] = xs;
        self.columns[1] = ys;
        Ok(())
    }

    /// Rejects more discs than fit into the world or into memory, before any is drawn.
    fn check_number(&self, scenario: &Scenario) -> Result<(), InputError> {
        let discs = scenario.discs;
        let area = self.scene.world.size().map(f64::from).iter().product::<f64>();
        let smallest = std::f64::consts::PI * f64::from(MIN_RADIUS) * f64::from(MIN_RADIUS);
        let max_discs = (area / smallest) as u64;
        if u64::from(discs) > max_discs {
            let message = format!("{discs} discs with radii of {} m or more", scenario.radius_m);
            let remedy = format!(
                "the world has the area of {max_discs} such discs; simulate fewer or smaller ones, or a larger world"
            );
            return Err(InputError::one("discs", message, remedy));
        }
        let bytes = u64::from(discs) * BYTES_PER_DISC;
        check_memory(bytes, "discs", format_args!("{discs} discs"), "simulate fewer discs")
    }

    /// Takes the discs from the rows of a file with this name.
    fn take_discs(&mut self, scenario: &Scenario, file: &str, rows: &[Row]) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let radius_m = scenario.radius_m;
        // Compared in units, because the radii of a table are rounded.
        let is_radius = |radius: f64| (MIN_RADIUS..=MAX_RADIUS).contains(&self.lattice.units(radius));
        let [width_m, height_m] = [scenario.width_m, scenario.height_m];
        let has_goals = scenario.behaviour == Behaviour::Goals;
        for row in rows {
            if let Some(radius) = row.radius_m.filter(|&radius| !is_radius(radius)) {
                let remedy = format!("give a radius from {radius_m} m (radius_m) to four times that");
                problems.push(format!("{file}:{}, radius_m", row.line), radius.to_string(), remedy);
            }
            if !((0.0..width_m).contains(&row.x_m) && (0.0..height_m).contains(&row.y_m)) {
                let remedy = format!("give an x from 0 to below {width_m} m, and a y from 0 to below {height_m} m");
                problems.push(format!("{file}:{}, x_m, y_m", row.line), format!("{}, {} m", row.x_m, row.y_m), remedy);
            }
            let [x, y] = row.goal_m;
            if has_goals && !((0.0..width_m).contains(&x) && (0.0..height_m).contains(&y)) {
                let remedy =
                    format!("give a goal with x from 0 to below {width_m} m, and y from 0 to below {height_m} m");
                problems.push(format!("{file}:{}, goal", row.line), format!("{x}, {y} m"), remedy);
            }
        }
        problems.into_result()?;
        let radius = |row: &Row| row.radius_m.map_or(MIN_RADIUS, |radius| self.lattice.units(radius));
        self.scene.radii = Radii::of_each(rows.iter().map(radius).collect())?;
        let column = |value: fn(&Row) -> f64| rows.iter().map(|row| self.lattice.units(value(row))).collect::<Vec<_>>();
        // A position just below the border may have been rounded up to it.
        let inside = |places: Vec<i32>, axis: usize| -> Vec<i32> {
            let size = self.scene.world.size()[axis];
            places.into_iter().map(|place| if place == size { size - 1 } else { place }).collect()
        };
        let (xs, ys) = (inside(column(|row| row.x_m), 0), inside(column(|row| row.y_m), 1));
        if has_goals {
            self.goals = [inside(column(|row| row.goal_m[0]), 0), inside(column(|row| row.goal_m[1]), 1)];
        }
        let index = self.wall_index()?;
        let name = |disc: usize| format!("{file}:{}, disc {}", rows[disc].line, rows[disc].id);
        check_start(&self.scene, &index, [&xs, &ys], Some(&self.lattice), &name)?;
        self.columns[0] = xs;
        self.columns[1] = ys;
        self.ids = rows.iter().map(|row| row.id.clone()).collect();
        Ok(())
    }

    fn wall_index(&self) -> Result<WallIndex, InputError> {
        let Scene { world, walls, radii } = &self.scene;
        WallIndex::new(world, walls, radii.largest(), Some(&self.lattice))
            .map_err(|error| error.with_places(|place| format!("walls_m, {place}")))
    }

    /// Returns the id of a disc: the id in the file of discs, or else the index.
    pub fn id(&self, disc: usize) -> String {
        self.ids.get(disc).cloned().unwrap_or_else(|| disc.to_string())
    }
}

/// Returns all walls of a world of this size. `gate_sizes`: for walls with gates, the distance between walls, the
/// distance between gates, and the width of gates.
///
/// # Errors
/// More walls with gates than fit into memory.
pub fn all_walls(
    scenario: &Scenario,
    lattice: Lattice,
    size: [i32; 2],
    gate_sizes: Option<[i32; 3]>,
    boundary: Boundary,
) -> Result<Vec<Wall>, InputError> {
    let mut walls: Vec<Wall> =
        scenario.walls_m.iter().map(|ends| ends.map(|end| end.map(|value| lattice.units(value)))).collect();
    if let Some([walls_every, gates_every, gate]) = gate_sizes {
        let first = if boundary == Boundary::Periodic { 0 } else { walls_every };
        let [lines, gates] = [size[0] / walls_every + 1, size[1] / gates_every + 1].map(i64::from);
        let count = (lines * gates).unsigned_abs();
        let remedy = "give a longer gate_walls_every_m or gates_every_m, or a smaller world";
        check_memory(count * BYTES_PER_WALL, "gates_every_m", format_args!("{count} pieces of walls"), remedy)?;
        walls.extend(walls_with_gates(size, first, walls_every, gates_every, gate));
    }
    Ok(walls)
}

/// Returns walls with gates across the world at equal distances. A closed world already has a wall at its border.
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
