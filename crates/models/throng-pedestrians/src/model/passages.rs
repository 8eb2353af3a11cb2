//! Passages through doors, with their times.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use throng_model::step_model::{CompletedSteps, FurtherResults, Observer};
use throng_model::{Failure, Figure};

use super::super::scene::{LEFT, World};
use super::crowd::Crowd;
use super::opening_flow::{self, OpeningFlow};
use super::rectangle::{Rectangle, SIDES};
use super::scenario::Scenario;

/// Counts passages during a run. A pedestrian passes a door in the tick in which it leaves by a side other than the
/// one by which it entered. One that turns back does not pass.
#[derive(Debug)]
pub struct Passages {
    doors: Vec<(String, Rectangle)>,
    unit_m: f64,
    tick_s: f64,
    /// The doors of the world, taken from the first state.
    plan: Option<Plan>,
    /// Position of each pedestrian in the last state.
    at: Vec<u32>,
    /// Side on which each pedestrian in a door entered it.
    entered_on: Vec<Option<usize>>,
    /// Ticks of the passages, by door and sides.
    ticks: BTreeMap<Way, Vec<u32>>,
}

/// A passage through a door, from one side to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    door: usize,
    from: usize,
    to: usize,
}

/// The doors of a world.
#[derive(Debug)]
struct Plan {
    /// The door at a space unit.
    door_at: HashMap<u32, usize>,
    /// Width of each door on each side, space units.
    widths: Vec<[u32; 4]>,
    /// Intervals in which each door is shut before it opens or reopens, ticks.
    shut: Vec<Vec<Range<u32>>>,
}

impl Passages {
    /// Creates the counter if there are doors, and the scenario has frames.
    pub fn wanted(scenario: &Scenario) -> Option<Self> {
        (scenario.frame_every > 0 && !scenario.doors.is_empty()).then(|| Self::new(scenario))
    }

    fn new(scenario: &Scenario) -> Self {
        let doors = scenario.doors.iter();
        Self {
            doors: doors.map(|door| (door.name.clone(), Rectangle::new(door.at_su, door.size_su))).collect(),
            unit_m: scenario.space_unit_m,
            tick_s: scenario.tick_s,
            plan: None,
            at: Vec::new(),
            entered_on: Vec::new(),
            ticks: BTreeMap::new(),
        }
    }

    /// Observes the state after a tick. Requires all states in order, starting with the state before the first tick.
    pub fn see(&mut self, crowd: &Crowd) {
        let (world, now) = (&crowd.prepared.world, &crowd.pedestrians);
        let before = std::mem::replace(&mut self.at, now.at.clone());
        let Some(plan) = &self.plan else {
            self.plan = Some(Plan::of(world, &self.doors));
            self.entered_on = vec![None; now.len()];
            return;
        };
        let side = |door: usize, unit: u32| self.doors[door].1.side(world.grid().place(unit), plan.widths[door]);
        for (i, (&from, &to)) in before.iter().zip(&now.at).enumerate().filter(|(_, (from, to))| from != to) {
            let [old, new] = [from, to].map(|unit| plan.door_at.get(&unit).copied());
            if old == new {
                continue;
            }
            if let (Some(door), Some(entered_on)) = (old, self.entered_on[i].take()) {
                match side(door, to) {
                    Some(to) if to != entered_on => {
                        self.ticks.entry(Way { door, from: entered_on, to }).or_default().push(crowd.tick);
                    }
                    _ => {}
                }
            }
            if let Some(door) = new.filter(|_| from < LEFT) {
                self.entered_on[i] = side(door, from);
            }
        }
    }

    /// Returns the flows of each door: one per direction in which it was passed, or an empty one.
    pub fn flows(&self) -> Vec<OpeningFlow> {
        let mut flows = Vec::new();
        let of_door = |door| Way { door, from: 0, to: 0 }..Way { door: door + 1, from: 0, to: 0 };
        for (door, (name, _)) in self.doors.iter().enumerate() {
            let name = name.clone();
            let mut ways = self.ticks.range(of_door(door)).peekable();
            let shut = self.shut(door);
            if ways.peek().is_none() {
                let (name, shut) = (name.clone(), shut.clone());
                flows.push(OpeningFlow { name, way: None, width_m: 0.0, shut, ticks: Vec::new() });
            }
            for (&Way { from, to, .. }, ticks) in ways {
                let width = self.plan.as_ref().map_or(0, |plan| plan.widths[door][from].min(plan.widths[door][to]));
                let (way, width_m) = (Some([SIDES[from], SIDES[to]]), f64::from(width) * self.unit_m);
                let (name, shut, ticks) = (name.clone(), shut.clone(), ticks.clone());
                flows.push(OpeningFlow { name, way, width_m, shut, ticks });
            }
        }
        flows
    }

    /// Returns when a door is shut before it opens or reopens.
    fn shut(&self, door: usize) -> Vec<Range<u32>> {
        self.plan.as_ref().map_or_else(Vec::new, |plan| plan.shut[door].clone())
    }

    /// Returns the flow through each door, summed over directions.
    pub fn figures(&self) -> Vec<Figure> {
        let flow = |(door, (name, _)): (usize, &(String, Rectangle))| {
            let ways = self.ticks.iter().filter(|(way, _)| way.door == door);
            let mut ticks: Vec<u32> = ways.flat_map(|(_, ticks)| ticks.iter().copied()).collect();
            ticks.sort_unstable();
            OpeningFlow { name: name.clone(), way: None, width_m: 0.0, shut: self.shut(door), ticks }
        };
        let flows: Vec<OpeningFlow> = self.doors.iter().enumerate().map(flow).collect();
        let flows = flows.iter().map(|flow| ("door", flow.name.as_str(), flow.persons_per_s(self.tick_s)));
        opening_flow::figures(flows)
    }
}

/// In a run without files, flows are measured as well.
impl Observer<Crowd> for Passages {
    fn sees_steps(&self) -> bool {
        true
    }

    fn see_step(&mut self, _: u64, crowd: &Crowd) -> Result<(), Failure> {
        self.see(crowd);
        Ok(())
    }

    fn finish(self: Box<Self>, _: &CompletedSteps<'_, Crowd>) -> Result<FurtherResults, Failure> {
        Ok(FurtherResults { figures: self.figures(), ..FurtherResults::default() })
    }
}

impl Plan {
    fn of(world: &World, doors: &[(String, Rectangle)]) -> Self {
        let drawn = &world.openings().doors;
        let units = drawn.iter().map(|door| &door.units);
        let door_at = units.enumerate().flat_map(|(number, units)| units.iter().map(move |&unit| (unit, number)));
        Self {
            door_at: door_at.collect(),
            widths: doors.iter().map(|(_, door)| door.widths_in(world)).collect(),
            shut: drawn.iter().map(|door| opening_flow::shut(door.open.iter())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_model::StepModel as _;

    use super::super::SocialFieldModel;
    use super::super::scenario::{Door, Group, Place};
    use super::*;
    use throng_model::scenario_file::Border;

    /// A world of 9 x 7 space units: a room of three columns, a door of two columns and three rows, and a room of two
    /// columns whose lower left space unit is an exit next to the door.
    fn scenario() -> Scenario {
        let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
        let door = |name: &str, at_su, size_su| Door { name: name.to_owned(), at_su, size_su, open_s: None };
        Scenario {
            width_su: 9,
            height_su: 7,
            border: Border::Closed,
            field_size: 3,
            rooms: vec![place("west", [1, 1], [3, 4]), place("east", [6, 1], [2, 4])],
            doors: vec![door("door", [4, 1], [2, 3]), door("hatch", [2, 5], [1, 1])],
            exits: vec![place("exit", [6, 1], [1, 1]), place("roof", [2, 6], [1, 1])],
            groups: vec![Group { persons: Some(5), ..Group::default() }],
            ..Scenario::default()
        }
    }

    #[test]
    fn stepping_out_on_another_side_counts_as_a_passage() {
        let scenario = scenario();
        let mut crowd = SocialFieldModel::start(&scenario).unwrap();
        let unit = |x: u32, y: u32| y * 9 + x;
        // Positions of five pedestrians after each tick: one passes eastwards, one turns back, one comes around a
        // corner and leaves the world right after the door, one passes westwards, and one starts in the door.
        let course = [
            [unit(3, 2), unit(3, 1), unit(3, 4), unit(6, 4), unit(5, 2)],
            [unit(4, 2), unit(4, 1), unit(4, 3), unit(5, 3), unit(6, 2)],
            [unit(5, 1), unit(3, 1), unit(5, 2), unit(4, 2), unit(5, 2)],
            [unit(6, 2), unit(4, 1), unit(6, 1), unit(3, 3), unit(6, 2)],
            [unit(7, 2), unit(4, 2), LEFT, unit(3, 3), unit(6, 2)],
        ];
        let mut passages = Passages::new(&scenario);
        for (tick, at) in (10..).zip(course) {
            (crowd.tick, crowd.pedestrians.at) = (tick, at.to_vec());
            passages.see(&crowd);
        }
        let found = passages.flows().into_iter().map(|flow| (flow.name, flow.way, flow.width_m, flow.ticks));
        // Three space units of 0.4 m; those who passed eastwards did so in the third tick, like the one westwards.
        let expected = [
            ("door".to_owned(), Some(["east", "west"]), 3.0 * 0.4, vec![13]),
            ("door".to_owned(), Some(["west", "east"]), 3.0 * 0.4, vec![13, 13]),
            ("hatch".to_owned(), None, 0.0, vec![]),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        // All in one tick, and no passages.
        assert!(passages.figures().iter().all(|figure| figure.value.is_nan()));
        passages.ticks.entry(Way { door: 0, from: 0, to: 2 }).or_default().push(23);
        let [door, hatch] = <[Figure; 2]>::try_from(passages.figures()).unwrap();
        // Three more in ten ticks of 0.3 s.
        assert_eq!((door.quantity.name.as_ref(), door.value), ("door_door_flow", 3.0 / (10.0 * 0.3)));
        assert_eq!(hatch.quantity.name, "door_hatch_flow");
    }
}
