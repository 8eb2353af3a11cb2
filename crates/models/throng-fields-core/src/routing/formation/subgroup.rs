//! A part of a formation: members, their slots, and the reference point.

use std::ops::Range;

use super::super::agent::Agent;
use super::super::course::Course;
use super::super::crowd::Crowd;
use super::super::flow_field::FlowField;
use super::super::ground::Ground;
use super::super::steering::Steering;
use super::{FormationShape, Slot};

/// The factor of the speed of a reference point whose members are far from their slots.
const SLOWEST: f64 = 0.25;

/// A reference point: where it is, and the direction of motion, of length 1.
#[derive(Debug, Clone)]
struct Anchor {
    agent: Agent,
    heading: [f32; 2],
}

/// The rear of a subgroup: the travel time from its reference point, and the distance of its last rank behind that, in
/// spacings.
pub(super) type Rear = (f64, f32);

#[derive(Debug, Clone)]
pub(super) struct Subgroup {
    agents: Range<usize>,
    /// The members at present, by ascending index, and the slot of each relative to heading and reference point.
    members: Vec<u32>,
    offsets: Vec<[f32; 2]>,
    /// The slots of all members, from the first rank to the last.
    ranks: Vec<[f32; 2]>,
    /// Whether slots have not been assigned since the members changed.
    is_unassigned: bool,
    /// The speed of the slowest member, world units per unit of time.
    speed: f32,
    anchor: Option<Anchor>,
    /// Whether the reference point has reached a goal.
    has_dissolved: bool,
}

impl Subgroup {
    pub(super) fn new(agents: Range<usize>) -> Self {
        Self {
            agents,
            members: Vec::new(),
            offsets: Vec::new(),
            ranks: Vec::new(),
            is_unassigned: true,
            speed: 0.0,
            anchor: None,
            has_dissolved: false,
        }
    }

    pub(super) fn has(&self, agent: usize) -> bool {
        self.agents.contains(&agent)
    }

    pub(super) fn form_again(&mut self) {
        (self.anchor, self.has_dissolved, self.is_unassigned) = (None, false, true);
    }

    /// Finds the members; `speed` is `None` for agents out of formation.
    pub(super) fn gather(&mut self, shape: FormationShape, crowd: &Crowd<'_>, speed: &impl Fn(usize) -> Option<f32>) {
        let agents = self.agents.start..self.agents.end.min(crowd.agents().len());
        let (mut members, mut slowest) = (Vec::with_capacity(self.members.len()), f32::INFINITY);
        for (agent, speed) in agents.filter_map(|agent| Some((agent, speed(agent)?))) {
            members.push(agent as u32);
            slowest = slowest.min(speed);
        }
        self.speed = slowest;
        if members != self.members {
            if members.len() != self.members.len() {
                self.ranks = shape.slots(members.len());
            }
            (self.members, self.is_unassigned) = (members, true);
        }
        if self.members.is_empty() {
            self.form_again();
        }
    }

    /// Places the reference point if there is none, and assigns slots to new members. Returns the travel time from the
    /// reference point, which is infinite in a wall that has appeared there; `None` if the subgroup is not in
    /// formation.
    pub(super) fn form(&mut self, crowd: &Crowd<'_>, course: &Course<'_>, flow: &FlowField) -> Option<f64> {
        if self.members.is_empty() || self.has_dissolved {
            return None;
        }
        if self.anchor.is_none() {
            self.anchor = self.start(crowd, course, flow);
        }
        let anchor = self.anchor.as_ref()?;
        if self.is_unassigned {
            let [x, y] = anchor.agent.position;
            let relative = |&member: &u32| {
                let at = crowd.agents()[member as usize].position;
                let [dx, dy] = [at[0] - x, at[1] - y];
                let [ahead, aside] = anchor.heading;
                [ahead * dx + aside * dy, ahead * dy - aside * dx]
            };
            let places: Vec<[f32; 2]> = self.members.iter().map(relative).collect();
            self.offsets = assigned(&self.ranks, &places);
            self.is_unassigned = false;
        }
        // A wall may have cut the reference point off from the goals; the agents then act on their own.
        let (column, row) = anchor.agent.cell;
        let is_in_wall = !course.ground.walkable().allows(column, row);
        flow.time((column, row)).or(is_in_wall.then_some(f64::INFINITY))
    }

    /// The reference point at the start: the mean position of the members, if a path leads from there, else the member
    /// that is nearest to it and has a path; ties go to the first. `None` if no member has a path.
    fn start(&self, crowd: &Crowd<'_>, course: &Course<'_>, flow: &FlowField) -> Option<Anchor> {
        let (ground, grid) = (course.ground, course.ground.grid());
        let position = |member: &u32| crowd.agents()[*member as usize].position;
        let count = self.members.len() as f64;
        let mean = [0, 1].map(|axis: usize| {
            let sum: f64 = self.members.iter().map(|member| f64::from(position(member)[axis])).sum();
            (sum / count) as f32
        });
        let with_path = |at: [f32; 2]| {
            let cell = grid.cell_at(at)?;
            flow.time(cell).map(|_| (at, cell))
        };
        let distance = |at: [f32; 2]| libm::hypotf(at[0] - mean[0], at[1] - mean[1]);
        let (at, cell) = with_path(mean).or_else(|| {
            let members = self.members.iter().filter_map(|member| with_path(position(member)));
            members.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)))
        })?;
        let ahead = flow.next_from(at.map(f64::from), cell).map_or([1.0, 0.0], |next| {
            let [x, y] = [next[0] as f32 - at[0], next[1] as f32 - at[1]];
            let length = libm::hypotf(x, y);
            if length > 0.0 { [x / length, y / length] } else { [1.0, 0.0] }
        });
        Some(Anchor { agent: Agent::new(ground, at, cell, 0.0), heading: ahead })
    }

    /// Moves the reference point, unless it waits for the subgroup in front.
    pub(super) fn advance(
        &mut self,
        spacing: f32,
        crowd: &Crowd<'_>,
        (ground, flow): (&Ground, &FlowField),
        front: Option<Rear>,
        time: f32,
    ) {
        let lag = self.lag(spacing, crowd);
        let head = self.ranks.first().map_or(0.0, |slot| slot[0]);
        let reach = self.ranks.iter().map(|slot| libm::hypotf(slot[0], slot[1])).fold(1.0, f32::max) * spacing;
        let Some(anchor) = &mut self.anchor else { return };
        let before = anchor.agent.position;
        let cell = anchor.agent.cell;
        let waits = front.zip(flow.time(cell)).is_some_and(|((of_front, tail), time)| {
            time - of_front < flow.cost(cell) * f64::from(spacing * (tail + head + 2.0))
        });
        let factor = (f64::from(spacing) / (f64::from(spacing) + 2.0 * lag)).max(SLOWEST) as f32;
        anchor.agent.speed = if waits { 0.0 } else { factor * self.speed };
        anchor.agent.walk(&[Course::new(ground, Steering::Follow(flow))], (0, 0), (crowd.time(), time), None);
        if anchor.agent.has_arrived() {
            (self.anchor, self.has_dissolved) = (None, true);
            return;
        }
        let moved = [anchor.agent.position[0] - before[0], anchor.agent.position[1] - before[1]];
        anchor.heading = turned(anchor.heading, moved, reach);
    }

    /// The root-mean-square distance of the members from their slots, world units.
    fn lag(&self, spacing: f32, crowd: &Crowd<'_>) -> f64 {
        let Some(anchor) = &self.anchor else { return 0.0 };
        let square = |(member, offset): (&u32, &[f32; 2])| {
            let (at, slot) = (crowd.agents()[*member as usize].position, anchor.place(*offset, spacing));
            let [x, y] = [at[0] - slot[0], at[1] - slot[1]].map(f64::from);
            x * x + y * y
        };
        let sum: f64 = self.members.iter().zip(&self.offsets).map(square).sum();
        (sum / self.members.len().max(1) as f64).sqrt()
    }

    /// The rear of the subgroup, for which the next one waits.
    pub(super) fn rear(&self, flow: &FlowField) -> Option<Rear> {
        let tail = self.ranks.last().map_or(0.0, |slot| -slot[0]);
        Some((flow.time(self.anchor.as_ref()?.agent.cell)?, tail))
    }

    /// The slot of each member.
    pub(super) fn slots(&self, spacing: f32, flow: &FlowField) -> impl Iterator<Item = (usize, Slot)> {
        let head = self.ranks.first().map_or(0.0, |slot| slot[0]);
        self.anchor.iter().flat_map(move |anchor| {
            let cell = anchor.agent.cell;
            // Around the reference point, travel times fall by the cost of its cell per unit of length.
            let ahead = f64::from((head + 1.0) * spacing) * flow.cost(cell);
            let first_rank = flow.time(cell).map_or(f64::NEG_INFINITY, |time| time - ahead);
            let slot = move |(member, offset): (&u32, &[f32; 2])| {
                (*member as usize, Slot { at: anchor.place(*offset, spacing), first_rank })
            };
            self.members.iter().zip(&self.offsets).map(slot)
        })
    }
}

impl Anchor {
    /// The position of a slot, given in spacings relative to the heading.
    fn place(&self, [ahead, left]: [f32; 2], spacing: f32) -> [f32; 2] {
        let ([x, y], [cos, sin]) = (self.agent.position, self.heading);
        [x + spacing * (ahead * cos - left * sin), y + spacing * (ahead * sin + left * cos)]
    }
}

/// The heading after a move: the direction of `reach * heading + moved`. A move backwards turns the heading to its
/// side as much as a move at a right angle does, to the left if it leads straight back.
fn turned([x, y]: [f32; 2], [dx, dy]: [f32; 2], reach: f32) -> [f32; 2] {
    let (along, across) = (x * dx + y * dy, x * dy - y * dx);
    let moved = if along < 0.0 {
        let length = libm::hypotf(dx, dy).copysign(across);
        [-length * y, length * x]
    } else {
        [dx, dy]
    };
    let heading = [reach * x + moved[0], reach * y + moved[1]];
    let length = libm::hypotf(heading[0], heading[1]);
    if length > 0.0 && length.is_finite() { heading.map(|part| part / length) } else { [x, y] }
}

/// Assigns slots to members by their places, relative to heading and reference point: those ahead get slots in the
/// first ranks, and within a rank those on the left get slots on the left; ties go to the first member. Returns the
/// slot of each member.
fn assigned(ranks: &[[f32; 2]], places: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    // Stable.
    order.sort_by(|&a, &b| places[b][0].total_cmp(&places[a][0]));
    let mut slots = vec![[0.0; 2]; places.len()];
    let mut first = 0;
    for rank in ranks.chunk_by(|a, b| a[0] == b[0]) {
        let members = &mut order[first..first + rank.len()];
        members.sort_by(|&a, &b| places[b][1].total_cmp(&places[a][1]).then(a.cmp(&b)));
        for (&member, slot) in members.iter().zip(rank) {
            slots[member] = *slot;
        }
        first += rank.len();
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_assigned_by_rank_and_from_left_to_right() {
        let ranks = FormationShape::Box.slots(5);
        // Ranks of three and two; the members in order: last right, first left, last left, first right, first middle.
        let places = [[-9.0, -1.0], [5.0, 2.0], [-3.0, 7.0], [1.0, -8.0], [4.0, 0.0]];
        let expected = [4, 0, 3, 2, 1].map(|slot: usize| ranks[slot]);
        assert_eq!(assigned(&ranks, &places), expected);
        assert_eq!(assigned(&ranks, &[[0.0; 2]; 5]), ranks, "ties go to the first member");
    }

    #[test]
    fn headings_turn_towards_the_motion() {
        let near = |a: [f32; 2], b: [f32; 2]| assert!((a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-6, "{a:?} {b:?}");
        near(turned([1.0, 0.0], [2.0, 0.0], 3.0), [1.0, 0.0]);
        // 4 ahead and 3 to the left.
        near(turned([1.0, 0.0], [0.0, 3.0], 4.0), [0.8, 0.6]);
        near(turned([0.0, 1.0], [3.0, 0.0], 4.0), [0.6, 0.8]);
        // Straight back: a turn to the left. To the right behind: a turn to the right.
        near(turned([1.0, 0.0], [-3.0, 0.0], 4.0), [0.8, 0.6]);
        near(turned([1.0, 0.0], [-3.0, -4.0], 5.0), [0.5f32.sqrt(), -0.5f32.sqrt()]);
        assert_eq!(turned([1.0, 0.0], [0.0, 0.0], 1.0), [1.0, 0.0]);
    }
}
