//! The times at which each leg began and ended, and the vehicles of rides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use throng_core::NONE;

use super::boardings::Boardings;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventKind};

/// Departure and arrival of every leg, as step indices: 8 bytes per leg, exact for any step length. In addition, the
/// vehicle of every ride.
#[derive(Debug)]
pub struct LegTimes {
    step_times: Vec<f64>,
    departure: Vec<u32>,
    arrival: Vec<u32>,
    /// The step in which a person boarded, by leg, if later than the departure.
    boarding: BTreeMap<u32, u32>,
    current_leg: Vec<u32>,
    /// Legs that arrived, of persons who have since begun neither an activity nor another leg.
    arrived: BTreeSet<u32>,
    /// `None` if no passenger rides.
    boardings: Option<Boardings>,
}

impl LegTimes {
    /// Creates the table before any leg has begun.
    pub fn new(scenario: &Arc<Scenario>) -> Self {
        let legs = scenario.population.legs.mode.len();
        Self {
            step_times: Vec::new(),
            departure: vec![NONE; legs],
            arrival: vec![NONE; legs],
            boarding: BTreeMap::new(),
            current_leg: vec![NONE; scenario.population.persons()],
            arrived: BTreeSet::new(),
            boardings: Boardings::new(scenario),
        }
    }

    /// Begins a step. May be called again for the same time.
    pub fn begin_step(&mut self, time: f64) {
        if self.step_times.last() != Some(&time) {
            self.step_times.push(time);
        }
    }

    /// Records an event of the current step.
    pub fn take(&mut self, e: &Event) {
        let step = self.step_times.len().saturating_sub(1) as u32;
        match e.kind {
            EventKind::Departure => {
                self.leave_arrival(e.person);
                set(&mut self.departure, e.detail, step);
                set(&mut self.current_leg, e.person, e.detail);
            }
            EventKind::PersonEntersVehicle => {
                if let Some(leg) = self.current_leg(e.person)
                    && self.departure.get(leg as usize).is_some_and(|&departure| departure != step)
                {
                    self.boarding.insert(leg, step);
                }
            }
            EventKind::Arrival => {
                set(&mut self.arrival, e.detail, step);
                self.arrived.insert(e.detail);
            }
            EventKind::ActivityStart => self.leave_arrival(e.person),
            _ => {}
        }
        let current_leg = self.current_leg(e.person);
        if let Some(boardings) = &mut self.boardings {
            boardings.take(e, current_leg);
        }
    }

    fn leave_arrival(&mut self, person: u32) {
        if let Some(leg) = self.current_leg(person) {
            self.arrived.remove(&leg);
        }
    }

    /// Returns when `leg` began, seconds of the day.
    pub fn departure(&self, leg: u32) -> Option<f64> {
        self.time_of(self.departure.get(leg as usize))
    }

    /// Returns when `leg` ended, seconds of the day.
    pub fn arrival(&self, leg: u32) -> Option<f64> {
        self.time_of(self.arrival.get(leg as usize))
    }

    /// Returns when the person of `leg` boarded its vehicle, seconds of the day; the departure if it has none.
    pub fn boarding(&self, leg: u32) -> Option<f64> {
        self.time_of(self.boarding.get(&leg)).or_else(|| self.departure(leg))
    }

    /// Returns how long the person waited for the vehicle of `leg`, seconds.
    pub fn wait_s(&self, leg: u32) -> f64 {
        self.boarding(leg).zip(self.departure(leg)).map_or(0.0, |(boarding, departure)| boarding - departure)
    }

    /// Whether the person began the activity after `leg`; a person who arrives at another place is aborted.
    pub fn reached_activity(&self, leg: u32) -> bool {
        self.arrival(leg).is_some() && !self.arrived.contains(&leg)
    }

    /// Returns the leg of the driver with whom the passenger of `leg` rode; `None` without boarding.
    pub fn driver_leg(&self, leg: u32) -> Option<u32> {
        self.boardings.as_ref()?.driver_leg(leg)
    }

    /// Returns the leg that `person` began last.
    pub fn current_leg(&self, person: u32) -> Option<u32> {
        self.current_leg.get(person as usize).copied().filter(|&leg| leg != NONE)
    }

    fn time_of(&self, step: Option<&u32>) -> Option<f64> {
        self.step_times.get(*step? as usize).copied()
    }
}

fn set(values: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = values.get_mut(index as usize) {
        *slot = value;
    }
}
