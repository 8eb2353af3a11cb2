//! Measures of the progress of agents.

use super::ground::Ground;
use super::steering::{OwnField, Steering};

/// The record of an agent's journey.
#[derive(Debug, Clone)]
pub(super) struct Journey {
    /// The time at which the agent reached a goal.
    pub(super) arrived: Option<f64>,
    /// The distance that the agent has walked, world units.
    pub(super) walked: f64,
    /// The length of the shortest path from its start to a goal. After a change of goals, the distance walked until
    /// then plus the shortest path from there.
    shortest: f32,
    /// Index of the best cell that it has entered, as measured by its steering.
    best: u32,
    /// The time since which it has not entered a better cell.
    since: f64,
    /// Whether the agent has goals.
    has_goals: bool,
}

impl Journey {
    /// Creates a journey that starts now.
    pub(super) fn new(ground: &Ground, (column, row): (u32, u32)) -> Self {
        let distance = ground.distances().at(column, row).unwrap_or(f32::INFINITY);
        let arrived = ground.goals().allows(column, row).then_some(0.0);
        let best = ground.grid().index(column, row) as u32;
        Self { arrived, walked: 0.0, shortest: distance, best, since: 0.0, has_goals: ground.has_goals() }
    }

    /// Changes to the goals of `ground`, for an agent in this cell.
    pub(super) fn turn(&mut self, ground: &Ground, (column, row): (u32, u32), now: f64) {
        self.arrived = ground.goals().allows(column, row).then_some(now);
        self.shortest = self.walked as f32 + ground.distances().at(column, row).unwrap_or(f32::INFINITY);
        (self.best, self.since) = (ground.grid().index(column, row) as u32, now);
        self.has_goals = ground.has_goals();
    }

    /// Starts the clock when the agent enters the map at its start.
    pub(super) fn begin(&mut self, now: f64) {
        self.since = now;
        if self.arrived.is_some() {
            self.arrived = Some(now);
        }
    }

    /// Records that the agent enters another cell. Fields and times may have changed since it was in its best cell;
    /// both cells are compared by the current ones, without its `own` part of the field.
    pub(super) fn enter(
        &mut self,
        ground: &Ground,
        steering: &Steering<'_>,
        own: Option<&OwnField>,
        (column, row): (u32, u32),
        now: f64,
    ) {
        if ground.goals().allows(column, row) {
            self.arrived.get_or_insert(now);
        }
        let cell = ground.grid().index(column, row);
        if steering.is_better(cell, self.best as usize, own) {
            (self.best, self.since) = (cell as u32, now);
        }
    }

    /// Whether the agent has goals, has not arrived, and has not entered a better cell since `stuck_since`.
    pub(super) fn is_stuck(&self, stuck_since: f64) -> bool {
        self.has_goals && self.arrived.is_none() && self.since <= stuck_since
    }
}

/// The progress of a crowd. Times are in the unit of its time steps, from its start; distances are in world units.
///
/// ```
/// use throng_fields_core::routing::{Crowd, FlowField, Steering, maps};
///
/// let map = maps::empty(64)?;
/// let flow = FlowField::new(map.ground.distances());
/// let mut crowd = Crowd::new(&map.ground, &map.scatter(100, 1), &[2.0; 100])?;
/// crowd.run(&Steering::Follow(&flow), 0.5, 200)?;
/// let measures = crowd.measures(5.0)?;
/// assert_eq!((measures.agents, measures.arrived, measures.stuck), (100, 1.0, 0.0));
/// // At two units of length per unit of time all agents walk the distance almost without detour.
/// assert!((measures.mean_arrival.unwrap() * 2.0 - measures.walked).abs() < 1.0);
/// assert!(measures.detour < Some(1.09));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// The number of agents that have entered the map.
    pub agents: usize,
    /// The fraction of agents that have reached a goal.
    pub arrived: f64,
    /// The fraction of agents that are stuck, as defined in [`Crowd::measures`](super::Crowd::measures).
    pub stuck: f64,
    /// Mean time of arrival of the agents that have arrived; `None` if none has.
    pub mean_arrival: Option<f64>,
    /// The time by which 95 % of the arrived agents had arrived.
    pub arrival_95: Option<f64>,
    /// The mean distance walked, over all agents.
    pub walked: f64,
    /// Distance walked by the agents that have arrived, divided by the length of their shortest paths: 1 is best.
    /// Shortest paths lead from cell to cell and are slightly too long, by half a cell and the error of
    /// [`TravelTimes`](super::TravelTimes), so the value may be below 1.
    pub detour: Option<f64>,
}

impl Measures {
    /// Computes the measures of journeys, each with whether the agent is on the map. Stuck agents are on the map, have
    /// goals, have not arrived, and have not entered a better cell since `stuck_since`.
    pub(super) fn of<'a>(journeys: impl Iterator<Item = (&'a Journey, bool)>, stuck_since: f64) -> Self {
        let (mut agents, mut stuck, mut walked) = (0, 0, 0.0);
        let (mut arrivals, mut walked_there, mut shortest) = (Vec::new(), 0.0, 0.0);
        for (journey, is_present) in journeys {
            agents += 1;
            walked += journey.walked;
            if let Some(time) = journey.arrived {
                arrivals.push(time);
                if journey.shortest.is_finite() {
                    walked_there += journey.walked;
                    shortest += f64::from(journey.shortest);
                }
            } else if is_present && journey.is_stuck(stuck_since) {
                stuck += 1;
            }
        }
        arrivals.sort_by(f64::total_cmp);
        let count = arrivals.len();
        let share = |count: usize, value: f64| if count == 0 { 0.0 } else { value / count as f64 };
        Self {
            agents,
            arrived: share(agents, count as f64),
            stuck: share(agents, f64::from(stuck)),
            mean_arrival: (count > 0).then(|| share(count, arrivals.iter().sum())),
            arrival_95: arrivals.get((count * 19).div_ceil(20).saturating_sub(1)).copied(),
            walked: share(agents, walked),
            detour: (shortest > 0.0).then(|| walked_there / shortest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journey(arrived: Option<f64>, walked: f64, since: f64) -> Journey {
        Journey { arrived, walked, shortest: 10.0, best: 5, since, has_goals: true }
    }

    #[test]
    fn measures_match_the_journeys() {
        // Twenty agents that arrive at 1, 2, ... 20, one that is stuck, three that are not.
        let mut journeys: Vec<Journey> = (1..=20).rev().map(|i| journey(Some(f64::from(i)), 12.0, 0.0)).collect();
        journeys.push(journey(None, 60.0, 29.5));
        journeys.extend((0..3).map(|_| journey(None, 20.0, 30.5)));
        let measures = Measures::of(journeys.iter().map(|journey| (journey, true)), 30.0);
        let expected = Measures {
            agents: 24,
            arrived: 20.0 / 24.0,
            stuck: 1.0 / 24.0,
            mean_arrival: Some(10.5),
            arrival_95: Some(19.0),
            walked: 15.0,
            detour: Some(1.2),
        };
        assert_eq!(measures, expected);
        let removed = Measures::of(journeys.iter().map(|journey| (journey, false)), 30.0);
        assert_eq!((removed.stuck, removed.arrived), (0.0, measures.arrived));
    }

    #[test]
    fn measures_without_agents_have_no_times() {
        let measures = Measures::of([].into_iter(), 0.0);
        assert_eq!((measures.arrived, measures.stuck, measures.walked), (0.0, 0.0, 0.0));
        assert_eq!((measures.mean_arrival, measures.arrival_95, measures.detour), (None, None, None));
        let one = Measures::of([(&journey(Some(3.0), 1.0, 0.0), true)].into_iter(), 0.0);
        assert_eq!(one.arrival_95, Some(3.0));
    }
}
