//! One step: departures, links, nodes.

use crate::strippgen::calendar::Calendar;
use crate::strippgen::layouts::{Agents, Fifo};
use crate::strippgen::model::Model;
use crate::strippgen::rules::{NO_AGENT, ONE_VEHICLE, has_driven, is_activity, refilled, wants_to_depart};
use crate::strippgen::state::{State, Vehicle};

/// A run with queues, buffers and agents in one layout.
#[derive(Debug)]
pub(super) struct Simulation<'a, Q, A> {
    pub model: &'a Model,
    pub queues: Q,
    pub buffers: Q,
    pub agents: A,
    credit: Vec<u32>,
    /// The agent that claims a slot on each link.
    claims: Vec<u32>,
    calendar: Option<Calendar>,
    pub now: u32,
}

impl<'a, Q: Fifo, A: Agents> Simulation<'a, Q, A> {
    pub fn new(model: &'a Model, state: &State, calendar: bool) -> Self {
        let Model { roads, plans } = model;
        Self {
            model,
            queues: Q::load(&roads.space, &state.queues),
            buffers: Q::load(&roads.buffer, &state.buffers),
            agents: A::new(&plans.begin, |agent| plans.end(agent), &state.position),
            credit: state.credit.clone(),
            claims: vec![NO_AGENT; roads.links()],
            calendar: calendar.then(|| Calendar::new(plans, state)),
            now: state.now,
        }
    }

    pub fn save(&self) -> State {
        let Model { roads, plans } = self.model;
        State {
            now: self.now,
            queues: self.queues.save(roads.links()),
            buffers: self.buffers.save(roads.links()),
            credit: self.credit.clone(),
            position: (0..plans.agents() as u32).map(|agent| self.agents.position(agent)).collect(),
        }
    }

    pub fn begin_step(&mut self) {
        self.now += 1;
    }

    /// Agents whose activity is over claim a slot on their link; the lowest index gets it.
    pub fn activities(&mut self) {
        let Self { model, agents, claims, calendar, now, .. } = self;
        let entries = &model.plans.entries;
        let mut ask = |agent: u32, position: u32| {
            let claim = &mut claims[entries[position as usize + 1] as usize];
            *claim = agent.min(*claim);
        };
        let wants = |position: u32| wants_to_depart(entries[position as usize], *now);
        if let Some(calendar) = calendar {
            for &agent in calendar.due(*now, |agent| wants(agents.position(agent))) {
                ask(agent, agents.position(agent));
            }
            return;
        }
        for agent in 0..model.plans.agents() as u32 {
            let position = agents.position(agent);
            if wants(position) {
                ask(agent, position);
            }
        }
    }

    pub fn move_links(&mut self) {
        for link in 0..self.model.roads.links() {
            self.move_link(link);
        }
    }

    /// Lets vehicles that have driven the link arrive or enter the buffer; then a departing agent enters.
    fn move_link(&mut self, link: usize) {
        let roads = &self.model.roads;
        self.credit[link] = refilled(self.credit[link], roads.flow[link]);
        while self.queues.len(link) > 0 {
            let vehicle = self.queues.get(link, 0);
            if !has_driven(vehicle.depart, self.now) {
                break;
            }
            let next = self.next_entry(vehicle.agent);
            if is_activity(next) {
                self.queues.pop(link);
                self.agents.advance(vehicle.agent);
                if let Some(calendar) = &mut self.calendar {
                    calendar.settle(vehicle.agent, next, self.now);
                }
            } else if self.buffers.has_space(link) && self.credit[link] >= ONE_VEHICLE {
                self.queues.pop(link);
                self.buffers.push(link, vehicle);
                self.credit[link] -= ONE_VEHICLE;
            } else {
                break;
            }
        }
        let agent = self.claims[link];
        if agent != NO_AGENT {
            self.claims[link] = NO_AGENT;
            if self.queues.has_space(link) {
                self.queues.push(link, self.entering(agent, link));
                self.agents.advance(agent);
            }
        }
    }

    pub fn move_nodes(&mut self) {
        let roads = &self.model.roads;
        for node in 0..roads.nodes() {
            for &link in roads.in_links_of(node) {
                self.move_buffer(link as usize);
            }
        }
    }

    pub fn move_buffers(&mut self) {
        for link in 0..self.model.roads.links() {
            self.move_buffer(link);
        }
    }

    /// Sends vehicles across the node at the end of the link, until one finds no room.
    fn move_buffer(&mut self, link: usize) {
        while self.buffers.len(link) > 0 {
            let agent = self.buffers.get(link, 0).agent;
            let destination = self.next_entry(agent) as usize;
            if !self.queues.has_space(destination) {
                break;
            }
            self.buffers.pop(link);
            self.queues.push(destination, self.entering(agent, destination));
            self.agents.advance(agent);
        }
    }

    /// The next entry in the plan of an agent.
    pub fn next_entry(&self, agent: u32) -> u32 {
        self.model.plans.entries[self.agents.position(agent) as usize + 1]
    }

    /// The vehicle of an agent that enters a link in this step.
    pub fn entering(&self, agent: u32, link: usize) -> Vehicle {
        Vehicle { agent, depart: self.now + self.model.roads.time_s[link] }
    }
}
