//! Many agents with equal properties. They sense fields, walls and their own trails; if they have bodies, they also
//! sense each other.

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::{not_negative, positive};

use super::agent::{Agent, Presence};
use super::bodies::{Body, walk_together};
use super::course::Course;
use super::gathered::Others;
use super::ground::Ground;
use super::measures::Measures;
use super::steering::Steering;

/// Agents on a [`Ground`]. They walk until they reach a goal, and stay there. Without a [`Body`], agents do not affect
/// each other. Random draws are functions of the agent's index, so the result does not depend on the number of threads.
///
/// ```
/// use throng_fields_core::routing::{Crowd, FlowField, Sense, Steering, maps};
///
/// let map = maps::u_trap(64)?;
/// let starts = map.scatter(100, 1);
/// let (field, flow) = (map.attraction()?, FlowField::new(map.ground.distances()));
/// let mut shares = Vec::new();
/// for steering in [Steering::Slope(Sense::climbing(&field)), Steering::Follow(&flow)] {
///     let mut crowd = Crowd::new(&map.ground, &starts, &[1.5; 100])?;
///     crowd.run(&steering, 0.5, 300)?;
///     let measures = crowd.measures(10.0)?;
///     shares.push((measures.arrived, measures.stuck));
/// }
/// // The field leads all of them into the trap; the flow field leads them out of it.
/// assert_eq!(shares, [(0.0, 1.0), (1.0, 0.0)]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Crowd<'a> {
    ground: &'a Ground,
    agents: Vec<Agent>,
    body: Body,
    /// Whether agents leave the map at a goal.
    leaves: bool,
    time: f64,
    steps: u32,
}

impl<'a> Crowd<'a> {
    /// Maximum number of cells that an agent may cross in a step.
    pub const MAX_CELLS: f32 = 1000.0;
    /// Memory of an agent without its trail, in bytes.
    pub const AGENT_BYTES: usize = size_of::<Agent>();

    /// Creates agents at positions in the world, each with its speed in world units per unit of time. An agent on a
    /// goal has arrived.
    ///
    /// # Errors
    /// When the numbers of speeds and positions differ, an agent is on no walkable cell, a speed is negative
    /// or not finite, positions on the grid [cannot be represented in single
    /// precision](throng_pictures::Grid::check_single_precision), or the system has too little memory.
    pub fn new(ground: &'a Ground, positions: &[[f32; 2]], speeds: &[f32]) -> Result<Self, InputError> {
        check_allocation::<Agent>("agents", positions.len())?;
        let agents = starting(ground, positions, speeds)?.collect::<Result<_, _>>()?;
        Ok(Self { ground, agents, body: Body::default(), leaves: false, time: 0.0, steps: 0 })
    }

    /// Checks the arguments of [`Crowd::new`] without creating a crowd.
    ///
    /// # Errors
    /// As for [`Crowd::new`], except for memory.
    pub fn check(ground: &Ground, positions: &[[f32; 2]], speeds: &[f32]) -> Result<(), InputError> {
        starting(ground, positions, speeds)?.try_for_each(|agent| agent.map(drop))
    }

    /// Makes agents take up space: they keep apart from each other, and in [`walk_together`](super::walk_together) from
    /// those of other crowds. On a ground [for bodies](Ground::for_bodies) they stay on cells in which they fit between
    /// the walls.
    pub fn with_body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// Makes agents leave the map when they reach a goal.
    pub fn leaving_at_goals(self) -> Self {
        Self { leaves: true, ..self }
    }

    /// Moves all agents for a time, with one steering for all. An agent that finds no better position stays for the
    /// rest of the time.
    ///
    /// # Errors
    /// When the time is not above 0, an agent would cross more than 1000 cells, or the grids of field and ground
    /// differ: then no agent moves. With bodies, also when the system has too little memory for the lists of
    /// neighbours.
    pub fn step(&mut self, steering: &Steering<'_>, time: f32) -> Result<(), InputError> {
        self.step_on(&[Course::new(self.ground, *steering)], time)
    }

    /// Moves all agents for a time, each on the course set by [`Crowd::set_course`], by default the first. An agent
    /// whose course is not in the list stays.
    ///
    /// # Errors
    /// As for [`Crowd::step`].
    pub fn step_on(&mut self, courses: &[Course<'_>], time: f32) -> Result<(), InputError> {
        walk_together(std::slice::from_mut(self), &[courses], time)
    }

    /// Rejects courses on other grids, and times that are not positive or too long.
    pub(super) fn check_step(&self, courses: &[Course<'_>], time: f32) -> Result<(), InputError> {
        positive("time step", time)?;
        courses.iter().try_for_each(|course| course.check(self.ground))?;
        let fastest = self.fastest(courses);
        let most_cells = Self::MAX_CELLS;
        let most = most_cells * self.ground.grid().cell();
        if fastest * time > most {
            let remedy = format!("at a speed of {fastest} the limit is {} ({most_cells} cells)", most / fastest);
            return Err(InputError::one("time step", time, remedy));
        }
        Ok(())
    }

    /// The maximum speed of an agent on the map, on its course.
    pub(super) fn fastest(&self, courses: &[Course<'_>]) -> f32 {
        let pace = |agent: &Agent| courses.get(usize::from(agent.course())).map_or(0.0, Course::pace);
        let present = self.agents.iter().filter(|agent| agent.is_present());
        present.map(|agent| agent.speed * pace(agent)).fold(0.0, f32::max)
    }

    pub(super) fn begin_step(&mut self) {
        self.agents.iter_mut().for_each(Agent::begin_step);
    }

    pub(super) fn end_step(&mut self) {
        self.steps = self.steps.wrapping_add(1);
    }

    /// Moves all agents for a step or a part of one, avoiding the others that they sense.
    pub(super) fn walk(&mut self, courses: &[Course<'_>], time: f32, others: Option<Others<'_>>) {
        let (now, step) = (self.time, self.steps);
        let present = self.agents.par_iter_mut().enumerate().filter(|(_, agent)| agent.is_present());
        present.for_each(|(number, agent)| {
            agent.walk(courses, (number as u32, step), (now, time), others);
        });
        self.time += f64::from(time);
        if self.leaves {
            let arrived = self.agents.iter_mut().filter(|agent| agent.is_present() && agent.has_arrived());
            arrived.for_each(|agent| agent.presence = Presence::Gone);
        }
    }

    /// Whether agents leave the map at a goal.
    pub(super) fn leaves(&self) -> bool {
        self.leaves
    }

    /// Executes steps of equal length until all agents have arrived, at most `most_steps`. Returns the number of steps.
    ///
    /// # Errors
    /// As for [`Crowd::step`].
    pub fn run(&mut self, steering: &Steering<'_>, time: f32, most_steps: u32) -> Result<u32, InputError> {
        for steps in 0..most_steps {
            if self.agents.iter().all(Agent::has_arrived) {
                return Ok(steps);
            }
            self.step(steering, time)?;
        }
        Ok(most_steps)
    }

    /// Puts an agent on another course, from the next step on; `ground` contains the goals of that course. The agent
    /// counts as arrived if it is on one of them, and as not arrived if it is not. No effect if it has left the map.
    ///
    /// # Errors
    /// When there is no such agent, or the grid differs.
    pub fn set_course(&mut self, agent: usize, course: u16, ground: &Ground) -> Result<(), InputError> {
        self.ground.grid().check_same_cells("course", ground.grid())?;
        let now = self.time;
        self.agent_mut(agent)?.set_course(course, ground, now);
        Ok(())
    }

    /// Puts an agent on another course with the same goals, from the next step on, keeping its arrival and its
    /// progress.
    ///
    /// # Errors
    /// When there is no such agent.
    pub fn switch(&mut self, agent: usize, course: u16) -> Result<(), InputError> {
        self.agent_mut(agent)?.switch(course);
        Ok(())
    }

    /// Replaces the ground before the next step, because walls have appeared or vanished; the courses of the crowd
    /// need the same open cells. Agents keep their arrivals and their progress. An agent that is no longer on a
    /// walkable cell first walks straight to the nearest one, through walls and other agents, unless it has arrived.
    ///
    /// ```
    /// use throng_fields_core::{Grid, Mask, routing::{Crowd, FlowField, Ground, Steering}};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 21, 1)?;
    /// let goal = Mask::new(&grid, |column, _| column == 20);
    /// let ground = |door: bool| Ground::new(&grid, Mask::new(&grid, |column, _| door || column != 10), goal.clone());
    /// let (closed, open) = (ground(false)?, ground(true)?);
    /// let mut crowd = Crowd::new(&closed, &[[5.5, 0.5]], &[1.0])?;
    /// crowd.step(&Steering::Follow(&FlowField::new(closed.distances())), 4.0)?;
    /// assert_eq!(crowd.positions().next(), Some([5.5, 0.5]), "no path leads to the goal");
    /// crowd.set_ground(&open)?;
    /// crowd.step(&Steering::Follow(&FlowField::new(open.distances())), 4.0)?;
    /// assert_eq!(crowd.positions().next(), Some([9.5, 0.5]));
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// When the grid differs.
    pub fn set_ground(&mut self, ground: &'a Ground) -> Result<(), InputError> {
        self.ground.grid().check_same_cells("ground", ground.grid())?;
        self.ground = ground;
        Ok(())
    }

    /// The course of an agent.
    pub fn course(&self, agent: usize) -> Option<u16> {
        self.agents.get(agent).map(Agent::course)
    }

    /// Takes an agent off the map before its journey begins; [`Crowd::enter`] puts it back.
    ///
    /// # Errors
    /// When there is no such agent.
    pub fn wait(&mut self, agent: usize) -> Result<(), InputError> {
        self.agent_mut(agent)?.presence = Presence::Waiting;
        Ok(())
    }

    /// Puts a waiting agent on the map, at its start.
    ///
    /// # Errors
    /// When there is no such agent, or it is not waiting.
    pub fn enter(&mut self, number: usize) -> Result<(), InputError> {
        let now = self.time;
        let agent = self.agent_mut(number)?;
        if agent.presence != Presence::Waiting {
            let remedy = "only waiting agents can enter";
            return Err(InputError::one(format!("agent {number}"), "has already entered", remedy));
        }
        (agent.presence, agent.has_just_entered) = (Presence::Present, true);
        agent.journey.begin(now);
        Ok(())
    }

    /// Removes an agent from the map; it then counts as not arrived, even if it was at a goal.
    ///
    /// # Errors
    /// When there is no such agent.
    pub fn leave(&mut self, agent: usize) -> Result<(), InputError> {
        let agent = self.agent_mut(agent)?;
        agent.presence = Presence::Gone;
        agent.journey.arrived = None;
        Ok(())
    }

    fn agent_mut(&mut self, number: usize) -> Result<&mut Agent, InputError> {
        let count = self.agents.len();
        let missing = || InputError::one(format!("agent {number}"), "no such agent", format!("the crowd has {count}"));
        self.agents.get_mut(number).ok_or_else(missing)
    }

    /// Whether an agent is on the map.
    pub fn is_present(&self, agent: usize) -> bool {
        self.agents.get(agent).is_some_and(Agent::is_present)
    }

    /// Index and position of each agent on the map.
    pub fn present(&self) -> impl Iterator<Item = (usize, [f32; 2])> {
        let present = self.agents.iter().enumerate().filter(|(_, agent)| agent.is_present());
        present.map(|(number, agent)| (number, agent.position))
    }

    /// Whether each agent is on the map: neither waiting nor gone.
    pub fn presences(&self) -> impl Iterator<Item = bool> {
        self.agents.iter().map(Agent::is_present)
    }

    /// The states of all agents. An agent is stuck if it has goals, has not arrived, and for a time of `stuck_after`
    /// has not entered a cell that is better than all its previous cells, as defined in [`Crowd::measures`].
    ///
    /// # Errors
    /// When `stuck_after` is negative or not a number.
    pub fn states(&self, stuck_after: f32) -> Result<impl Iterator<Item = AgentState>, InputError> {
        let stuck_since = self.stuck_since(stuck_after)?;
        Ok(self.agents.iter().map(move |agent| match agent.presence {
            Presence::Waiting => AgentState::Waiting,
            _ if agent.has_arrived() => AgentState::Arrived,
            Presence::Gone => AgentState::Removed,
            Presence::Present if agent.journey.is_stuck(stuck_since) => AgentState::Stuck,
            Presence::Present => AgentState::Walking,
        }))
    }

    fn stuck_since(&self, stuck_after: f32) -> Result<f64, InputError> {
        Ok(self.time - f64::from(not_negative("time after which agents are stuck", stuck_after)?))
    }

    /// The crowd's progress. An agent on the map is stuck if it has goals, has not arrived, and for a time of
    /// `stuck_after` has not entered a cell that is better than all its previous cells: one with a shorter time to the
    /// goal, or one with a better value, depending on the agent's steering. A detour along a flow field or slope
    /// therefore counts as progress, wherever the goal is. Choose a time that is longer than the slowest agent needs
    /// for a cell.
    ///
    /// # Errors
    /// When `stuck_after` is negative or not a number.
    pub fn measures(&self, stuck_after: f32) -> Result<Measures, InputError> {
        let entered = self.agents.iter().filter(|agent| agent.presence != Presence::Waiting);
        let journeys = entered.map(|agent| (&agent.journey, agent.is_present()));
        Ok(Measures::of(journeys, self.stuck_since(stuck_after)?))
    }

    /// The time since the start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The positions of the agents, world units.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 2]> {
        self.agents.iter().map(|agent| agent.position)
    }

    /// The cells of the agents.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32)> {
        self.agents.iter().map(|agent| agent.cell)
    }

    /// The cell from which the path of an agent on a ground starts: its own, or the walkable cell to which it walks
    /// first if a wall has appeared on its cell. `None` if there is no such agent.
    pub fn path_cell(&self, agent: usize, ground: &Ground) -> Option<(u32, u32)> {
        self.agents.get(agent).map(|agent| ground.refuge(agent.cell).unwrap_or(agent.cell))
    }

    /// The times of arrival; `None` for agents that have not arrived.
    pub fn arrivals(&self) -> impl Iterator<Item = Option<f64>> {
        self.agents.iter().map(|agent| agent.journey.arrived)
    }

    pub(super) fn ground(&self) -> &'a Ground {
        self.ground
    }

    pub(super) fn agents(&self) -> &[Agent] {
        &self.agents
    }

    pub(super) fn body(&self) -> Body {
        self.body
    }

    /// Shifts an agent by a push from other bodies, as far as walls permit.
    pub(super) fn shift(&mut self, number: usize, push: [f32; 2], courses: &[Course<'_>]) {
        let (agent, now) = (&mut self.agents[number], self.time);
        if let Some(course) = courses.get(usize::from(agent.course())) {
            agent.shift(course, push, now);
        }
    }

    /// Marks an agent as arrived at its current position.
    pub(super) fn arrive(&mut self, number: usize) {
        self.agents[number].journey.arrived.get_or_insert(self.time);
    }
}

/// The state of an agent of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentState {
    /// The agent has not entered the map yet.
    Waiting,
    /// The agent makes progress, or has no goals.
    Walking,
    /// The agent has reached a goal. It may have left the map there.
    Arrived,
    /// The agent has made no progress for a while.
    Stuck,
    /// The agent was removed from the map by [`Crowd::leave`].
    Removed,
}

/// Creates agents at their positions, with an error for each invalid position or speed.
fn starting<'a>(
    ground: &'a Ground,
    positions: &'a [[f32; 2]],
    speeds: &'a [f32],
) -> Result<impl Iterator<Item = Result<Agent, InputError>> + 'a, InputError> {
    if positions.len() != speeds.len() {
        let remedy = format!("expected one for each of {} positions", positions.len());
        return Err(InputError::one("speeds", format!("{} values", speeds.len()), remedy));
    }
    ground.grid().check_single_precision()?;
    let place = move |(number, (&position, &speed)): (usize, (&[f32; 2], &f32))| {
        let name = || format!("agent {number}");
        not_negative("speed", speed).map_err(|error| error.within(&name()))?;
        let cell = ground.grid().cell_at(position).filter(|&(column, row)| ground.walkable().allows(column, row));
        let Some(cell) = cell else {
            let [x, y] = position;
            let remedy = "agents start on open cells of the grid in which their bodies fit";
            return Err(InputError::one(format!("{}, position", name()), format!("({x}, {y})"), remedy));
        };
        Ok(Agent::new(ground, position, cell, speed))
    };
    Ok(positions.iter().zip(speeds).enumerate().map(place))
}
