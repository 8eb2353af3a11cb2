//! The faults, at least one for each rule.

use throng_device::neighbours::Boundary;

use super::super::super::super::fields::{FieldParameters, FieldTables};
use super::super::super::super::rules::directional::Reading;
use super::super::super::super::scene::{Door, EMPTY, LEFT, Pedestrians, WAITING};
use super::super::super::Crowd;
use super::super::super::crowd::Prepared;
use super::views::Wrong;

/// A fault of an executor.
pub struct Fault {
    pub name: &'static str,
    pub place: Place,
}

/// The place of a fault.
#[derive(Clone, Copy)]
pub enum Place {
    /// Ticks do not change anything.
    Nothing,
    /// The executor simulates another world, with other fields or pedestrians.
    Input(fn(&mut Prepared, &mut Pedestrians)),
    /// The rules of a tick see a wrong state.
    Views(Wrong),
    /// Sums of fields stay those of the first state.
    FieldSums,
    /// The state after a tick is changed, given the state before it.
    Tick(fn(&Crowd, &mut Crowd)),
    /// The state is read wrongly.
    Result(fn(&mut Crowd)),
}

const fn input(name: &'static str, change: fn(&mut Prepared, &mut Pedestrians)) -> Fault {
    Fault { name, place: Place::Input(change) }
}

const fn views(name: &'static str, wrong: Wrong) -> Fault {
    Fault { name, place: Place::Views(wrong) }
}

const fn tick(name: &'static str, change: fn(&Crowd, &mut Crowd)) -> Fault {
    Fault { name, place: Place::Tick(change) }
}

const fn result(name: &'static str, change: fn(&mut Crowd)) -> Fault {
    Fault { name, place: Place::Result(change) }
}

/// The fault that all cases detect.
pub const NOTHING: &str = "does nothing";

/// All faults.
pub const FAULTS: &[Fault] = &[
    Fault { name: NOTHING, place: Place::Nothing },
    // Decisions
    input("the heading has no weight", |prepared, _| prepared.tables.weights.heading = 0),
    input("RR ignored", |prepared, _| prepared.tables.weights.crowd = 0),
    input("DA ignored", |prepared, _| prepared.tables.weights.same = 0),
    input("DR ignored", |prepared, _| prepared.tables.weights.oncoming = 0),
    input("DR doubled", |prepared, _| prepared.tables.weights.oncoming *= 2),
    input("side ignored", |prepared, _| prepared.tables.weights.side = 0),
    input("threshold ignored", |prepared, _| prepared.tables.weights.threshold = -(1 << 20)),
    input("default weights", |prepared, _| prepared.tables.weights = defaults().weights),
    input("readings swapped", |prepared, _| {
        prepared.tables.reading = match prepared.tables.reading {
            Reading::Heading => Reading::Cone,
            Reading::Cone => Reading::Heading,
        };
    }),
    input("equal strength on all rings", |prepared, _| {
        for strengths in &mut prepared.tables.strengths {
            let first = strengths.get(1).copied().unwrap_or(0);
            strengths.iter_mut().skip(1).for_each(|strength| *strength = first);
        }
    }),
    input("traces fade more slowly", |prepared, _| {
        prepared.tables.trace_decay += u32::from(prepared.tables.trace_decay > 0);
    }),
    input("exits have no field", |prepared, _| prepared.tables.fixed[0].1 = 0),
    input("walls have no field", |prepared, _| prepared.tables.fixed[1].1 = 0),
    views("sectors off by one", Wrong::Sectors),
    views("fields read beside the pedestrian", Wrong::Reader),
    Fault { name: "fields not updated", place: Place::FieldSums },
    views("one side preferred", Wrong::Side),
    views("diagonals between walls", Wrong::Diagonals),
    // Votes and steps
    views("priorities ignored", Wrong::Priorities),
    views("draws of the next tick", Wrong::Draws),
    input("another seed", |prepared, _| prepared.seed += 1),
    input("walk periods ignored", |_, pedestrians| pedestrians.period.fill(1)),
    tick("steps take a tick more", |before, after| {
        let (before, after) = (&before.pedestrians, &mut after.pedestrians);
        for i in 0..after.len() {
            if after.at[i] < LEFT && before.at[i] != after.at[i] {
                after.due[i] += 1;
            }
        }
    }),
    tick("steps from the border take a tick more", |before, after| {
        let grid = after.prepared.world.grid;
        let is_at_border =
            |[x, y]: [i32; 2]| [0, grid.width as i32 - 1].contains(&x) || [0, grid.height as i32 - 1].contains(&y);
        let (before, after) = (&before.pedestrians, &mut after.pedestrians);
        for i in 0..after.len() {
            let has_moved = before.at[i] < LEFT && after.at[i] < LEFT && before.at[i] != after.at[i];
            if has_moved && is_at_border(grid.place(before.at[i])) {
                after.due[i] += 1;
            }
        }
    }),
    tick("space units are free at once", |_, after| after.pedestrians.free_from.fill(0)),
    tick("steps of two space units", two_units),
    input("diagonal steps as short as others", |prepared, _| prepared.tables.equal_speeds = false),
    input("no exchanges", |prepared, _| prepared.tables.exchange_ticks = 0),
    input("exchanges without leave", |prepared, _| {
        prepared.tables.exchange_ticks = prepared.tables.exchange_ticks.max(1);
    }),
    input("exchanges as short as steps", |prepared, _| {
        prepared.tables.exchange_ticks = prepared.tables.exchange_ticks.min(1);
    }),
    input("one space unit for each body", |_, pedestrians| {
        pedestrians.bodies.clear();
        pedestrians.limits.clear();
    }),
    input("no squeezes", |_, pedestrians| pedestrians.limits.clear()),
    input("squeezes a tick late", |prepared, _| prepared.tables.squeeze_after += 1),
    tick("squeezed bodies do not grow back", |before, after| {
        let (before, after) = (&before.pedestrians, &mut after.pedestrians);
        for i in 0..after.bodies.len() {
            let area = |of: &Pedestrians| of.body(i).map(u32::from).iter().product::<u32>();
            if area(after) > area(before) {
                (after.at[i], after.bodies[i]) = (before.at[i], before.bodies[i]);
                // It makes a step next.
                after.blocked[i] = 1;
            }
        }
    }),
    result("bodies grow into others", |crowd| {
        for i in 0..crowd.pedestrians.limits.len() {
            crowd.pedestrians.bodies[i] = crowd.pedestrians.limits(i).largest;
        }
    }),
    // The world
    input("a periodic border is closed", |prepared, _| prepared.world.grid.boundary = Boundary::Closed),
    input("walls ignored", |prepared, _| prepared.world.is_wall.fill(false)),
    input("doors always open", |prepared, _| {
        each_door(prepared, |door| door.open = std::iter::once(0..u32::MAX).collect());
    }),
    input("doors always closed", |prepared, _| each_door(prepared, |door| door.open.clear())),
    input("no pedestrian enters", |_, pedestrians| {
        for (_, due) in pedestrians.at.iter().zip(&mut pedestrians.due).filter(|(at, _)| **at == WAITING) {
            *due = u32::MAX;
        }
    }),
    input("entries a tick late", |_, pedestrians| {
        for (_, due) in pedestrians.at.iter().zip(&mut pedestrians.due).filter(|(at, _)| **at == WAITING) {
            *due += 1;
        }
    }),
    tick("no pedestrian leaves", |before, after| {
        let (before, after) = (&before.pedestrians, &mut after.pedestrians);
        for i in 0..after.len() {
            if after.at[i] == LEFT {
                (after.at[i], after.due[i]) = (before.at[i], before.due[i]);
            }
        }
    }),
    tick("all leave with their last step", |_, after| {
        let tick = after.tick;
        let exits = after.prepared.world.openings.exits.clone();
        let Pedestrians { at, due, exit, .. } = &mut after.pedestrians;
        for i in 0..at.len() {
            if exits.iter().any(|units| units.contains(&at[i])) && exits[usize::from(exit[i])].contains(&at[i]) {
                (at[i], due[i]) = (LEFT, tick);
            }
        }
    }),
    input("exits one space unit wide", |prepared, _| {
        prepared.world.openings.exits.iter_mut().for_each(|units| units.truncate(1));
    }),
    input("all walk to their first exit", |_, pedestrians| {
        for (exits, exit) in pedestrians.exits.iter_mut().zip(&mut pedestrians.exit) {
            *exits &= exits.wrapping_neg();
            *exit = exits.trailing_zeros() as u8;
        }
    }),
    input("crowding ignored", |prepared, _| prepared.world.openings.choice.crowding = 0.0),
    input("exits never chosen again", |prepared, _| prepared.world.openings.choice.every = 0),
    // The state
    result("ticks off by one", |crowd| crowd.tick += 1),
    result("positions off by one column", |crowd| {
        let width = crowd.prepared.world.grid.width;
        for at in crowd.pedestrians.at.iter_mut().filter(|at| **at < LEFT) {
            *at = *at / width * width + (*at + 1) % width;
        }
    }),
    result("two in one space unit", |crowd| {
        if let [first, second, ..] = crowd.pedestrians.at[..] {
            crowd.pedestrians.at[0] = if first < LEFT { second } else { first };
        }
    }),
];

fn defaults() -> FieldTables {
    FieldTables::new(&FieldParameters::default()).unwrap()
}

fn each_door(prepared: &mut Prepared, change: fn(&mut Door)) {
    prepared.world.openings.doors.iter_mut().for_each(change);
}

/// Makes each step twice, where the second space unit is empty.
fn two_units(before: &Crowd, after: &mut Crowd) {
    let grid = after.prepared.world.grid;
    let Ok(mut occupants) = after.pedestrians.occupants(&after.prepared.world) else { return };
    let (before, after) = (&before.pedestrians, &mut after.pedestrians);
    let moved =
        |i: &usize, after: &Pedestrians| before.at[*i] < LEFT && after.at[*i] < LEFT && after.body(*i) == [1; 2];
    for i in (0..before.len()).filter(|i| moved(i, after)).collect::<Vec<_>>() {
        let [[x, y], [to_x, to_y]] = [before.at[i], after.at[i]].map(|at| grid.place(at));
        let is_step = |direction: &u32| grid.neighbour(x, y, *direction) == after.at[i];
        let Some(direction) = (0..8).find(is_step) else { continue };
        let to = grid.neighbour(to_x, to_y, direction);
        if occupants.get(to as usize) == Some(&EMPTY) {
            occupants.swap(to as usize, after.at[i] as usize);
            after.at[i] = to;
        }
    }
}
