//! A copy of the device state on the host, for hashes, numbers of vehicles, and the remaining agents at the end.

use std::cmp::Reverse;

use throng_core::StateHash;
use throng_device::{Device, DeviceError};

use super::buffers::Buffers;
use super::host_transit::HostTransit;
use super::record::*;
use super::upload::Source;
use crate::RunError;
use crate::prepare::hash_words::{HashedVehicle, List, OffNetworkState, add_agent, add_vehicle};
use crate::prepare::layout::Layout;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, Scenario};

pub(super) struct HostState<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) layout: &'a Layout,
    links: Vec<u32>,
    persons: Vec<u32>,
    pub(super) due_times: Vec<f64>,
    pub(super) ranks: Vec<u32>,
    /// Agents that depart on each link after it was stepped: one list per link for even steps, then one for odd steps.
    /// Then one list per stop.
    pub(super) departures: Vec<u32>,
    /// The heap slots; only with passing.
    heap: Option<Vec<u32>>,
    pub(super) transit: HostTransit,
}

impl<'a> HostState<'a> {
    /// Copies the state after a step.
    pub fn new(device: &Device, buffers: &Buffers, source: &'a Source<'a>) -> Result<Self, DeviceError> {
        Ok(Self {
            scenario: source.scenario.get(),
            layout: source.layout,
            links: device.read(&buffers.links)?,
            persons: device.read(&buffers.persons)?,
            due_times: device.read(&buffers.due_times)?,
            ranks: device.read(&buffers.ranks)?,
            departures: device.read(&buffers.departures)?,
            heap: if source.config.passing { Some(device.read(&buffers.heap)?) } else { None },
            transit: HostTransit::new(device, buffers)?,
        })
    }

    pub fn person(&self, person: u32, word: u32) -> u32 {
        self.persons[(person * PERSON_WORDS + word) as usize]
    }

    fn link(&self, link: u32, word: u32) -> u32 {
        self.links[(link * LINK_WORDS + word) as usize]
    }

    fn list(&self, link: u32, list: u32) -> Vec<u32> {
        self.from(self.link(link, list))
    }

    /// Returns the list that starts at a person, empty for [`NONE`].
    pub fn from(&self, first: u32) -> Vec<u32> {
        let existing = |person: u32| (person != NONE).then_some(person);
        std::iter::successors(existing(first), |&person| existing(self.person(person, NEXT))).collect()
    }

    /// Returns the vehicles that wait to enter traffic, including new departures, in the order in which they will
    /// enter.
    fn waiting(&self, link: u32) -> Vec<u32> {
        // The list for the parity of the completed step is empty, because the link has taken its departures.
        let links = self.layout.from.len();
        let mut departed = [self.departures[link as usize], self.departures[links + link as usize]]
            .map(|first| self.from(first))
            .concat();
        let time = |person: u32| self.due_times[person as usize];
        let rank = |person: u32| self.ranks[person as usize];
        departed.sort_by(|&a, &b| time(a).total_cmp(&time(b)).then(rank(b).cmp(&rank(a))));
        [self.list(link, WAITING), departed].concat()
    }

    /// Returns the driving vehicles; with passing, in the order of the heap's array.
    fn queue(&self, link: u32) -> Vec<u32> {
        let Some(heap) = &self.heap else { return self.list(link, QUEUE) };
        let word = |slot: u32, word: u32| heap[(slot * HEAP_SLOT_WORDS + word) as usize];
        let root = self.link(link, QUEUE);
        let mut level = if root == NONE { Vec::new() } else { vec![root] };
        let mut found = Vec::new();
        while !level.is_empty() {
            found.extend(level.iter().map(|&slot| word(slot, OCCUPANT)));
            level = level.iter().flat_map(|&slot| [word(slot, LEFT), word(slot, RIGHT)]).collect();
            level.retain(|&slot| slot != NONE);
        }
        found
    }

    /// Returns the number of vehicles on each link, by link index of the scenario.
    pub fn vehicles(&self) -> Vec<u32> {
        let mut vehicles = vec![0; self.layout.link_external.len()];
        for (link, &external) in (0..).zip(&self.layout.link_external) {
            let lists = [self.waiting(link), self.queue(link), self.list(link, BUFFER), self.at_stops(link)];
            vehicles[external as usize] = lists.iter().map(Vec::len).sum::<usize>() as u32;
        }
        vehicles
    }

    pub fn all_persons(&self) -> std::ops::Range<u32> {
        0..self.scenario.population.persons() as u32
    }

    /// Returns the hash of all vehicles on links and at stops, agents at activities, teleported agents, and passengers
    /// at stops and in vehicles.
    pub fn hash(&self) -> StateHash {
        let mut hash = StateHash::new();
        for link in 0..self.layout.from.len() as u32 {
            let external = self.layout.link_external[link as usize];
            let lists = [
                (List::Waiting, self.waiting(link)),
                (List::Queue, self.queue(link)),
                (List::Buffer, self.list(link, BUFFER)),
                (List::Stops, self.at_stops(link)),
            ];
            for (list, persons) in lists {
                for (position, person) in persons.into_iter().enumerate() {
                    let (element, vehicle) = (self.person(person, ELEMENT), self.person(person, VEHICLE));
                    let exit = self.due_times[person as usize];
                    add_vehicle(&mut hash, external, list, position, HashedVehicle { person, element, vehicle, exit });
                }
            }
        }
        for person in self.all_persons() {
            let state = match self.person(person, STATUS) {
                STATUS_AT_ACTIVITY => OffNetworkState::AtActivity,
                STATUS_TELEPORTED => OffNetworkState::Teleported,
                _ => continue,
            };
            add_agent(&mut hash, state, person, self.person(person, ELEMENT), self.due_times[person as usize]);
        }
        self.add_transit(&mut hash);
        hash
    }

    /// Returns the last step in which any link was stepped, counted from 1.
    pub fn last_stepped(&self) -> u32 {
        self.links.iter().skip(STEPPED as usize).step_by(LINK_WORDS as usize).copied().max().unwrap_or(0)
    }

    /// Aborts all agents that are still under way. The events are in the order of the CPU executor.
    ///
    /// # Errors
    /// The device state has a person on a leg, but the plan element of that person is not a leg.
    pub fn abort_all(&self) -> Result<Vec<Event>, RunError> {
        let mut events = Vec::new();
        for person in self.with_status(&[STATUS_AT_ACTIVITY]) {
            events.push(aborted(person, NONE, ModeId::NONE));
        }
        let external = |link: u32| self.layout.link_external.get(link as usize).copied().unwrap_or(NONE);
        for person in self.with_status(&[STATUS_WAITING_FOR_VEHICLE]) {
            events.push(aborted(person, external(self.person(person, WAITING_LINK)), self.mode(person)?));
        }
        for link in 0..self.layout.from.len() as u32 {
            for person in [self.waiting(link), self.queue(link), self.list(link, BUFFER)].concat() {
                let vehicle = self.person(person, VEHICLE);
                events.push(Event::of_vehicle(EventKind::VehicleAborts, vehicle, external(link)));
                events.push(aborted(person, external(link), self.mode(person)?));
            }
        }
        // As in MATSim, passengers in vehicles, and vehicles at stops beside the road, are not reported.
        for person in self.with_status(&[STATUS_TELEPORTED, STATUS_AT_STOP, STATUS_REACHES_STOP]) {
            let (legs, leg) = (&self.scenario.population.legs, self.leg(person)? as usize);
            let waits = self.person(person, STATUS) != STATUS_TELEPORTED;
            let link = if waits { legs.start_link[leg] } else { legs.end_link[leg] };
            events.push(aborted(person, link, self.mode(person)?));
        }
        Ok(events)
    }

    /// Returns the persons with one of these statuses, in descending order of ids.
    pub fn with_status(&self, statuses: &[u32]) -> Vec<u32> {
        let has = |&person: &u32| statuses.contains(&self.person(person, STATUS));
        let mut found: Vec<u32> = self.all_persons().filter(has).collect();
        found.sort_unstable_by_key(|&person| Reverse(self.ranks[person as usize]));
        found
    }

    /// Returns the leg of a person that is travelling.
    fn leg(&self, person: u32) -> Result<u32, RunError> {
        let element = self.person(person, ELEMENT);
        self.scenario.population.leg_at(element).ok_or_else(|| {
            let name = self.scenario.population.person_ids.name(person);
            RunError::Internal(format!(
                "the device has person \"{name}\" on a leg, but plan element {element} is not a leg"
            ))
        })
    }

    fn mode(&self, person: u32) -> Result<ModeId, RunError> {
        Ok(self.scenario.population.legs.mode[self.leg(person)? as usize])
    }
}

fn aborted(person: u32, link: u32, mode: ModeId) -> Event {
    Event { kind: EventKind::StuckAndAbort, mode, person, link, detail: NONE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};

    #[test]
    fn plan_elements_other_than_legs_are_refused() {
        let network =
            NetworkBuilder::new().node("n", 0.0, 0.0).link("l", "n", "n", 100.0, 10.0, 3600.0, 1.0).build().unwrap();
        let scenario = ScenarioBuilder::new(network)
            .person("1", |p| p.until("h", "l", 60.0).teleport("walk", "l", "l", 5.0, 1.0).stay("w", "l"))
            .build()
            .unwrap();
        let layout = Layout::new(&scenario.network, 1, |_| 1);
        for status in [STATUS_TELEPORTED, STATUS_WAITING_FOR_VEHICLE] {
            // Elements: home, the walk, work, and two that do not exist.
            for (element, is_leg) in [(0, false), (1, true), (2, false), (3, false), (NONE, false)] {
                let mut persons = vec![NONE; PERSON_WORDS as usize];
                (persons[ELEMENT as usize], persons[STATUS as usize]) = (element, status);
                let host_state = HostState {
                    scenario: &scenario,
                    layout: &layout,
                    links: vec![NONE; LINK_WORDS as usize],
                    persons,
                    due_times: vec![0.0],
                    ranks: vec![0],
                    departures: vec![NONE; 2],
                    heap: None,
                    transit: HostTransit::default(),
                };
                let aborted = host_state.abort_all();
                assert_eq!(aborted.is_ok(), is_leg, "plan element {element}");
                if let Err(error) = aborted {
                    assert!(error.to_string().contains(&format!("plan element {element} is not a leg")), "{error}");
                }
            }
        }
    }
}
