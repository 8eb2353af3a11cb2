//! Many agents that walk independently of each other: they see fields, walls and their own trails, but not each other.

use rayon::prelude::*;

use super::ground::Ground;
use super::measures::{Journey, Measures};
use super::steering::{Steering, Walker};
use crate::error::{FieldError, not_negative, positive};
use crate::memory::room;

/// Agents on a [`Ground`]. They walk until they reach a goal, and stay there. An agent does not depend on other agents,
/// and its random draws are functions of its number, so the result is the same with any number of threads.
///
/// ```
/// use throng_fields::routing::{Crowd, FlowField, Sense, Steering, maps};
///
/// let map = maps::u_trap(64)?;
/// let starts = map.scatter(100, 1);
/// let (field, flow) = (map.attraction()?, FlowField::new(map.ground.ways()));
/// let mut shares = Vec::new();
/// for steering in [Steering::Slope(Sense::climbing(&field)), Steering::Follow(&flow)] {
///     let mut crowd = Crowd::new(&map.ground, &starts, &[1.5; 100])?;
///     crowd.run(&steering, 0.5, 300)?;
///     let measures = crowd.measures(10.0)?;
///     shares.push((measures.arrived, measures.stuck));
/// }
/// // The field leads all of them into the trap, and the flow field leads them out of it.
/// assert_eq!(shares, [(0.0, 1.0), (1.0, 0.0)]);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Crowd<'a> {
    ground: &'a Ground,
    agents: Vec<Agent>,
    time: f64,
    steps: u32,
}

#[derive(Debug, Clone)]
struct Agent {
    position: [f32; 2],
    /// The cell that contains the position.
    cell: (u32, u32),
    /// World units per unit of time.
    speed: f32,
    /// Indices of the cells that it entered last; the current one is at the end.
    trail: Vec<u32>,
    journey: Journey,
}

impl<'a> Crowd<'a> {
    /// The largest number of cells that an agent may cross in a step.
    pub const MOST_CELLS: f32 = 1000.0;
    /// Memory of an agent without its trail, bytes.
    pub const AGENT_BYTES: usize = size_of::<Agent>();

    /// Agents at positions of the world, each with its speed in world units per unit of time. An agent on a goal has
    /// arrived.
    ///
    /// # Errors
    /// When the numbers of speeds and positions differ, an agent is outside the grid or in a wall, a speed is negative or not
    /// a number, positions on the grid [cannot be represented in single
    /// precision](crate::Grid::check_single_precision), or the system has too little memory.
    pub fn new(ground: &'a Ground, positions: &[[f32; 2]], speeds: &[f32]) -> Result<Self, FieldError> {
        room::<Agent>("agents", positions.len())?;
        let agents = starting(ground, positions, speeds)?.collect::<Result<_, _>>()?;
        Ok(Self { ground, agents, time: 0.0, steps: 0 })
    }

    /// Refuses what [`Crowd::new`] refuses, without making a crowd.
    ///
    /// # Errors
    /// As for [`Crowd::new`], except for memory.
    pub fn check(ground: &Ground, positions: &[[f32; 2]], speeds: &[f32]) -> Result<(), FieldError> {
        starting(ground, positions, speeds)?.try_for_each(|agent| agent.map(drop))
    }

    /// Moves all agents for a time. An agent that finds no better place stays for the rest of the time.
    ///
    /// # Errors
    /// When the time is not above 0, an agent would cross more than 1000 cells, or the grids of field and ground differ. Then
    /// no agent moves.
    pub fn step(&mut self, steering: &Steering<'_>, time: f32) -> Result<(), FieldError> {
        positive("time step", time)?;
        steering.check(self.ground)?;
        let fastest = self.agents.iter().map(|agent| agent.speed).fold(0.0, f32::max);
        let most_cells = Self::MOST_CELLS;
        let most = most_cells * self.ground.grid().cell();
        if fastest * time > most {
            let remedy = format!("at a speed of {fastest} the limit is {}, {most_cells} cells", most / fastest);
            return Err(FieldError::new("time step", time, remedy));
        }
        let (ground, now, step) = (self.ground, self.time, self.steps);
        self.agents.par_iter_mut().enumerate().for_each(|(number, agent)| {
            agent.walk(ground, steering, now, time, |agent| Walker {
                number: number as u32,
                step,
                position: agent.position,
                cell: agent.cell,
                trail: &agent.trail,
            });
        });
        self.time += f64::from(time);
        self.steps = self.steps.wrapping_add(1);
        Ok(())
    }

    /// Executes steps of equal length until all agents have arrived, at most `most_steps`. Returns the number of steps.
    ///
    /// # Errors
    /// As for [`Crowd::step`].
    pub fn run(&mut self, steering: &Steering<'_>, time: f32, most_steps: u32) -> Result<u32, FieldError> {
        for steps in 0..most_steps {
            if self.agents.iter().all(|agent| agent.journey.arrived.is_some()) {
                return Ok(steps);
            }
            self.step(steering, time)?;
        }
        Ok(most_steps)
    }

    /// The progress of the crowd so far. An agent is stuck if it has not arrived, and for a time of `stuck_after` has
    /// not entered a cell that is better than all its cells before: one with a shorter time to the goal, or one with a
    /// better value, depending on what the agent follows. So a detour along a flow field or slope counts as progress,
    /// wherever the goal is. Choose a time that is longer than the slowest agent needs for a cell.
    ///
    /// # Errors
    /// When `stuck_after` is negative or not a number.
    pub fn measures(&self, stuck_after: f32) -> Result<Measures, FieldError> {
        let stuck_since = self.time - f64::from(not_negative("time after which agents are stuck", stuck_after)?);
        Ok(Measures::of(self.agents.iter().map(|agent| &agent.journey), stuck_since))
    }

    /// The agents that are stuck, as [`Crowd::measures`] counts them.
    ///
    /// # Errors
    /// As for [`Crowd::measures`].
    pub fn stuck(&self, stuck_after: f32) -> Result<impl Iterator<Item = bool>, FieldError> {
        let stuck_since = self.time - f64::from(not_negative("time after which agents are stuck", stuck_after)?);
        Ok(self.agents.iter().map(move |agent| agent.journey.is_stuck(stuck_since)))
    }

    /// The time since the start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The positions of the agents, world units.
    pub fn positions(&self) -> impl Iterator<Item = [f32; 2]> {
        self.agents.iter().map(|agent| agent.position)
    }

    /// The times of arrival; `None` for agents that are still walking.
    pub fn arrivals(&self) -> impl Iterator<Item = Option<f64>> {
        self.agents.iter().map(|agent| agent.journey.arrived)
    }
}

/// Agents at their positions; an error for each position that is not possible.
fn starting<'a>(
    ground: &'a Ground,
    positions: &'a [[f32; 2]],
    speeds: &'a [f32],
) -> Result<impl Iterator<Item = Result<Agent, FieldError>> + 'a, FieldError> {
    if positions.len() != speeds.len() {
        let remedy = format!("expected one for each of {} positions", positions.len());
        return Err(FieldError::new("speeds", format!("{} values", speeds.len()), remedy));
    }
    ground.grid().check_single_precision()?;
    let place = move |(number, (&position, &speed)): (usize, (&[f32; 2], &f32))| {
        let name = || format!("agent {number}");
        not_negative("speed", speed).map_err(|error| error.within(&name()))?;
        let cell = ground.grid().cell_at(position).filter(|&(column, row)| ground.open().allows(column, row));
        let Some(cell) = cell else {
            let [x, y] = position;
            let remedy = "agents start on open cells of the grid";
            return Err(FieldError::new(format!("{}, position", name()), format!("({x}, {y})"), remedy));
        };
        let journey = Journey::new(ground, cell);
        Ok(Agent { position, cell, speed, trail: Vec::new(), journey })
    };
    Ok(positions.iter().zip(speeds).enumerate().map(place))
}

impl Agent {
    /// Walks for a `time` that begins at `now`; `known` returns the data by which the agent chooses its way.
    fn walk(
        &mut self,
        ground: &Ground,
        steering: &Steering<'_>,
        now: f64,
        time: f32,
        known: impl Fn(&Self) -> Walker<'_>,
    ) {
        let remembered = steering.trail();
        if remembered > 0 && self.trail.is_empty() {
            self.trail.push(ground.grid().index(self.cell.0, self.cell.1) as u32);
        }
        self.trail.drain(..self.trail.len().saturating_sub(remembered));
        let whole = self.speed * time;
        let mut left = whole;
        while left > 0.0 && self.journey.arrived.is_none() {
            let Some(aim) = steering.aim(ground, &known(self)) else { break };
            let [x, y] = [aim[0] - self.position[0], aim[1] - self.position[1]];
            let distance = libm::hypotf(x, y);
            let part = (left / distance).min(1.0);
            // Walking along a wall takes as long as the way through it would.
            left -= distance.min(left);
            let aim = if part < 1.0 { [self.position[0] + part * x, self.position[1] + part * y] } else { aim };
            let (position, cell) = self.short_of_walls(ground, aim);
            if position == self.position {
                break;
            }
            let way = libm::hypotf(position[0] - self.position[0], position[1] - self.position[1]);
            self.journey.walked += f64::from(way);
            self.position = position;
            if cell != self.cell {
                self.cell = cell;
                if remembered > 0 {
                    self.trail.push(ground.grid().index(cell.0, cell.1) as u32);
                    self.trail.drain(..self.trail.len().saturating_sub(remembered));
                }
                self.journey.enter(ground, steering, cell, now + f64::from(time) * f64::from(1.0 - left / whole));
            }
        }
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
