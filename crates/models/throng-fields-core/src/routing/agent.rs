//! An agent of a crowd: position, course, and steps.

use super::course::Course;
use super::gathered::Others;
use super::ground::Ground;
use super::measures::Journey;
use super::steering::Walker;

/// Whether an agent is on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// The agent enters later.
    Waiting,
    Present,
    /// The agent has left the map.
    Gone,
}

#[derive(Debug, Clone)]
pub(super) struct Agent {
    pub(super) position: [f32; 2],
    /// The cell that contains the position.
    pub(super) cell: (u32, u32),
    /// World units per unit of time.
    pub(super) speed: f32,
    pub(super) presence: Presence,
    /// Whether it has entered since the last step, so that fields do not contain its own field yet.
    pub(super) has_just_entered: bool,
    /// The position at the beginning of the step, if fields contain the agent's own field.
    sensed_from: Option<[f32; 2]>,
    /// Index of the agent's course in the list that is given for each step.
    course: u16,
    /// Indices of the most recently entered cells; the current one is at the end.
    trail: Vec<u32>,
    pub(super) journey: Journey,
}

impl Agent {
    /// Creates an agent on the first course, in an open cell of the ground.
    pub(super) fn new(ground: &Ground, position: [f32; 2], cell: (u32, u32), speed: f32) -> Self {
        let journey = Journey::new(ground, cell);
        Self {
            position,
            cell,
            speed,
            presence: Presence::Present,
            has_just_entered: false,
            sensed_from: None,
            course: 0,
            trail: Vec::new(),
            journey,
        }
    }

    pub(super) fn is_present(&self) -> bool {
        self.presence == Presence::Present
    }

    pub(super) fn has_arrived(&self) -> bool {
        self.journey.arrived.is_some()
    }

    /// Begins a step, for which fields were computed with the agent at its current position.
    pub(super) fn begin_step(&mut self) {
        self.sensed_from = (!self.has_just_entered).then_some(self.position);
        self.has_just_entered = false;
    }

    /// Changes the course to one with the same goals.
    pub(super) fn switch(&mut self, course: u16) {
        self.course = course;
    }

    /// Whether the agent has not arrived, and has made no progress for the time that it takes to walk `distance` at
    /// `pace`.
    pub(super) fn is_held_up(&self, now: f64, distance: f32, pace: f32) -> bool {
        // Without speed, the time is infinite.
        self.journey.is_stuck(now - f64::from(distance / (self.speed * pace)))
    }

    pub(super) fn course(&self) -> u16 {
        self.course
    }

    /// Changes the course to one with the goals of `ground`. No effect if the agent has left the map.
    pub(super) fn set_course(&mut self, course: u16, ground: &Ground, now: f64) {
        if self.presence == Presence::Gone {
            return;
        }
        self.course = course;
        self.journey.turn(ground, self.cell, now);
    }

    /// Walks for a `time` that begins at `now`, avoiding the `others` if it senses any. `number` and `step` determine
    /// random draws.
    pub(super) fn walk(
        &mut self,
        courses: &[Course<'_>],
        (number, step): (u32, u32),
        (now, time): (f64, f32),
        others: Option<Others<'_>>,
    ) {
        let Some(course) = courses.get(usize::from(self.course)) else { return };
        let Course { ground, steering, .. } = course;
        let remembered = steering.trail();
        if remembered > 0 && self.trail.is_empty() {
            self.trail.push(ground.grid().index(self.cell.0, self.cell.1) as u32);
        }
        self.trail.drain(..self.trail.len().saturating_sub(remembered));
        let own = self.sensed_from.and_then(|position| steering.own(position));
        let repulsion = others.map_or([0.0; 2], |others| others.repulsion(number as usize));
        let whole = self.speed * course.pace() * time;
        let moment = |left: f32| now + f64::from(time) * f64::from(1.0 - left / whole);
        // A wall may have vanished from a goal on which the agent stood.
        if ground.goals().allows(self.cell.0, self.cell.1) {
            self.journey.arrived.get_or_insert(now);
        }
        let mut left = self.leave_walls(course, whole, moment);
        while left > 0.0 && !self.has_arrived() {
            let Self { position, cell, trail, .. } = &*self;
            let walker = Walker { number, step, position: *position, cell: *cell, trail, own: own.as_ref() };
            let Some(aim) = steering.aim(ground, &walker) else { break };
            let [x, y] = turned_away([aim[0] - self.position[0], aim[1] - self.position[1]], repulsion);
            let distance = libm::hypotf(x, y);
            let far = distance.min(left);
            let towards = [x / distance, y / distance];
            if let Some(aside) =
                others.and_then(|others| others.free_move(number as usize, self.position, towards, far))
            {
                left -= far;
                let before = self.position;
                self.shift(course, aside, moment(left));
                let walked = libm::hypotf(self.position[0] - before[0], self.position[1] - before[1]);
                self.journey.walked += f64::from(walked);
                if walked == 0.0 {
                    break;
                }
                continue;
            }
            let part = (left / distance).min(1.0);
            // Walking along a wall takes as long as the direct path through it would.
            left -= distance.min(left);
            let aim = if part < 1.0 || repulsion != [0.0; 2] {
                [self.position[0] + part * x, self.position[1] + part * y]
            } else {
                aim
            };
            let (position, cell) = self.short_of_walls(ground, aim);
            if position == self.position {
                break;
            }
            let walked = libm::hypotf(position[0] - self.position[0], position[1] - self.position[1]);
            self.journey.walked += f64::from(walked);
            self.position = position;
            self.enter(course, cell, moment(left));
        }
    }

    /// Walks by up to `left` from a cell that has become a wall: straight to the nearest walkable cell, in pieces of at
    /// most half a cell, until the agent is on a walkable cell. Returns the distance that is left; `moment` converts it
    /// to a time.
    fn leave_walls(&mut self, course: &Course<'_>, mut left: f32, moment: impl Fn(f32) -> f64) -> f32 {
        let ground = course.ground;
        let Some(refuge) = ground.refuge(self.cell).filter(|_| !self.has_arrived()) else { return left };
        let to = ground.middle(refuge);
        while left > 0.0 && !ground.walkable().allows(self.cell.0, self.cell.1) {
            let [x, y] = [to[0] - self.position[0], to[1] - self.position[1]];
            let distance = libm::hypotf(x, y);
            let walked = left.min(0.5 * ground.grid().cell());
            let part = (walked / distance).min(1.0);
            let position = [self.position[0] + part * x, self.position[1] + part * y];
            let Some(cell) = ground.grid().cell_at(position).filter(|_| position != self.position) else { return 0.0 };
            left -= walked;
            self.journey.walked += f64::from(walked);
            self.position = position;
            self.enter(course, cell, moment(left));
        }
        left
    }

    /// Moves by a push, in pieces of at most half a cell and along walls in the way. The push is limited to 32 cells.
    pub(super) fn shift(&mut self, course: &Course<'_>, push: [f32; 2], now: f64) {
        let piece = 0.5 * course.ground.grid().cell();
        let length = libm::hypotf(push[0], push[1]);
        let [x, y] = push.map(|part| part * (MAX_PIECES * piece / length).min(1.0));
        let pieces = (length / piece).ceil().clamp(1.0, MAX_PIECES);
        for _ in 0..pieces as u32 {
            let aim = [self.position[0] + x / pieces, self.position[1] + y / pieces];
            let (position, cell) = self.short_of_walls(course.ground, aim);
            if position == self.position {
                return;
            }
            self.position = position;
            self.enter(course, cell, now);
        }
    }

    /// Enters a cell, which may be the current one.
    fn enter(&mut self, course: &Course<'_>, cell: (u32, u32), now: f64) {
        let Course { ground, steering, .. } = course;
        if cell == self.cell {
            return;
        }
        self.cell = cell;
        let remembered = steering.trail();
        if remembered > 0 {
            self.trail.push(ground.grid().index(cell.0, cell.1) as u32);
            self.trail.drain(..self.trail.len().saturating_sub(remembered));
        }
        let own = self.sensed_from.and_then(|position| steering.own(position));
        self.journey.enter(ground, steering, own.as_ref(), cell, now);
    }

    /// The position and cell at which a straight move ends. If a wall is in the way, the agent moves along it or stays.
    fn short_of_walls(&self, ground: &Ground, aim: [f32; 2]) -> ([f32; 2], (u32, u32)) {
        let [x, y] = self.position;
        for to in [aim, [aim[0], y], [x, aim[1]]] {
            if let Some(cell) = ground.grid().cell_at(to)
                && ground.may_step(self.cell, cell)
            {
                return (to, cell);
            }
        }
        (self.position, self.cell)
    }
}

/// Maximum number of pieces of a push.
const MAX_PIECES: f32 = 64.0;

/// A move of the same length, turned by a repulsion shorter than 1. It never leads backwards.
fn turned_away([x, y]: [f32; 2], repulsion: [f32; 2]) -> [f32; 2] {
    let distance = libm::hypotf(x, y);
    if repulsion == [0.0; 2] || distance == 0.0 {
        return [x, y];
    }
    let turned = [x / distance + repulsion[0], y / distance + repulsion[1]];
    let length = libm::hypotf(turned[0], turned[1]);
    turned.map(|part| part * (distance / length))
}
