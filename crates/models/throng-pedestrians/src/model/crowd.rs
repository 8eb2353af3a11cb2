//! The state of a run: a crowd in its world.

use std::sync::Arc;

use throng_core::{InputError, Problems, check_memory};
use throng_model::step_model::State;

use super::super::bodies::Plan;
use super::super::fields::FieldTables;
use super::super::scene::{MAX_PEDESTRIANS, Pedestrians, World};
use super::super::summing::Summing;
use super::floor::Floor;
use super::people::{lead_to_exits, place};
use super::scenario::{Entry, Scenario};
use super::{keys, reach};

/// Memory per space unit while the floor is drawn and pedestrians are placed, and per exit for its routes, bytes.
const BYTES_PER_UNIT: u64 = 40;
const BYTES_PER_EXIT_AND_UNIT: u64 = 5;

/// A scenario converted to the grid.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub world: World,
    pub tables: FieldTables,
    pub summing: Summing,
    pub seed: u64,
}

impl Prepared {
    /// Checks all keys, and places the pedestrians in their initial positions.
    ///
    /// # Errors
    /// All errors at once: values out of range, rectangles that do not fit, pedestrians without a route to an exit, and
    /// more pedestrians than space. Pedestrians are placed and routes searched only on a valid floor.
    pub fn of(scenario: &Scenario) -> Result<(Self, Pedestrians), InputError> {
        let mut problems = Problems::new();
        let tables = collect_problems(FieldTables::new(&scenario.field_parameters()), &mut problems);
        keys::check_world(scenario, &mut problems);
        let before = problems.total();
        keys::check_people(scenario, &mut problems);
        let people_are_valid = problems.total() == before;
        let floor = if keys::has_sides(scenario) && collect_problems(has_memory(scenario), &mut problems).is_some() {
            let floor = Floor::of(scenario, &mut problems);
            collect_problems(floor, &mut problems)
        } else {
            None
        };
        let whole = floor.as_ref().filter(|floor| floor.is_whole);
        if let Some(floor) = whole {
            reach::check(scenario, floor, &mut problems);
        }
        let can_place = people_are_valid && collect_problems(has_room_for_entries(scenario), &mut problems).is_some();
        let placed = whole.filter(|_| can_place).map(|floor| place(scenario, floor, &mut problems));
        let mut summing = None;
        if let (Some(tables), Some(floor)) = (&tables, &floor) {
            summing = collect_problems(summing_for(scenario, tables, floor, people_are_valid), &mut problems);
        }
        problems.into_result()?;
        let (Some(tables), Some(floor), Some(summing), Some(placed)) = (tables, floor, summing, placed) else {
            return Err(InputError::one("scenario", "is not complete", "this is a bug, please report it"));
        };
        let (world, pedestrians) = lead_to_exits(floor.world, placed.openings, placed.pedestrians)?;
        Ok((Self { world, tables, summing, seed: scenario.seed.into() }, pedestrians))
    }
}

/// Rejects a world that exceeds the memory.
fn has_memory(scenario: &Scenario) -> Result<(), InputError> {
    let [width, height] = [scenario.width_su, scenario.height_su].map(u64::from);
    let bytes = width * height * (BYTES_PER_UNIT + BYTES_PER_EXIT_AND_UNIT * scenario.exits.len() as u64);
    let remedy = "use a smaller world, or larger space units";
    check_memory(bytes, "width_su", format_args!("{width} x {height} space units"), remedy)
}

/// Rejects entries with more pedestrians in total than a world may have.
fn has_room_for_entries(scenario: &Scenario) -> Result<(), InputError> {
    let expected = |entry: &Entry| {
        let [from_s, to_s] = entry.interval(scenario);
        (to_s.min(scenario.end_s()) - from_s).max(0.0) * entry.persons_per_s
    };
    let persons: f64 = scenario.entries.iter().map(expected).sum();
    if persons <= MAX_PEDESTRIANS as f64 {
        return Ok(());
    }
    let remedy = format!("give lower rates, for at most {MAX_PEDESTRIANS}");
    Err(InputError::one("entries", format!("{persons:.0} persons"), remedy))
}

/// Returns a valid value; otherwise adds its problems to the others.
fn collect_problems<T>(found: Result<T, InputError>, problems: &mut Problems) -> Option<T> {
    found.map_err(|error| problems.append(error.0)).ok()
}

/// Returns the method for summing fields.
///
/// # Errors
/// When fields do not fit into the world, or cannot be combined with the bodies.
fn summing_for(
    scenario: &Scenario,
    tables: &FieldTables,
    floor: &Floor,
    people_are_valid: bool,
) -> Result<Summing, InputError> {
    floor.world.check_field(tables.radius)?;
    let (bodies, limits) = scenario.groups().iter().map(|group| (group.body_su, group.limits())).unzip();
    let crowd = Pedestrians { bodies, limits, ..Pedestrians::default() };
    if !crowd.has_large_bodies() || !people_are_valid {
        return Ok(Summing::fastest(tables));
    }
    Plan::new(&floor.world, tables, &crowd)?;
    Ok(Summing::Units)
}

/// The pedestrians between two ticks.
#[derive(Debug, Clone)]
pub struct Crowd {
    /// Positions and state of all pedestrians.
    pub pedestrians: Pedestrians,
    /// Index of the next tick.
    pub tick: u32,
    pub(super) prepared: Arc<Prepared>,
}

impl State for Crowd {
    fn hash(&self) -> u64 {
        self.pedestrians.hash()
    }
}
