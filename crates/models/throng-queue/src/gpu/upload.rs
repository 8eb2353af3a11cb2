//! Converts a scenario to the packed arrays of a device.

use rayon::prelude::*;

use super::kernels::KernelConfig;
use super::record::*;
use super::upload_transit::TransitArrays;
use crate::prepare::attributes::{Attributes, capacities};
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::first_activities::AtActivity;
use crate::prepare::layout::Layout;
use crate::prepare::rules::{Rules, VehicleKind};
use crate::rules::journey::ANYWHERE;
use crate::rules::link_speed::travel_time;
use crate::rules::storage_capacity::LinkCapacities;
use crate::rules::storage_capacity::hole_travel_time;
use throng_traffic_scenario::settings::TrafficDynamics;
use throng_traffic_scenario::{PlanElement, RouteKind};

/// The data from which the arrays are built.
pub(super) struct Source<'a> {
    pub scenario: CheckedScenario<'a>,
    /// The vehicles that are [`ANYWHERE`].
    pub followed: &'a [u32],
    pub layout: &'a Layout,
    pub rules: &'a Rules,
    pub kinds: &'a [VehicleKind],
    pub speeds: &'a Speeds,
    pub is_main: &'a [bool; 256],
    pub calendar: CalendarSize,
    pub config: KernelConfig,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CalendarSize {
    /// Number of slots, one per step; a power of two.
    pub slots: u32,
    /// Number of lists per slot; a power of two.
    pub lists_per_slot: u32,
}

impl CalendarSize {
    /// Returns the size for this number of persons.
    pub fn of(persons: usize) -> Self {
        // One agent per list and step, if possible: processing one takes a few microseconds. The number of slots bounds
        // the memory; agents that are due later are moved when the last slot is reached.
        let lists_per_slot = (persons / 512).next_power_of_two().clamp(8, 4096) as u32;
        Self { slots: ((1 << 23) / lists_per_slot).min(1 << 15), lists_per_slot }
    }
}

/// Vehicle types grouped by maximum speed, the only attribute on which their travel time depends.
pub(super) struct Speeds {
    /// The distinct maximum speeds, metres per second.
    pub limits: Vec<f64>,
    /// Index in `limits` of the maximum speed of each vehicle type.
    pub of_kind: Vec<u32>,
}

impl Speeds {
    pub fn new(kinds: &[VehicleKind]) -> Self {
        let mut limits: Vec<f64> = Vec::new();
        let of_kind = kinds.iter().map(|kind| {
            let speed = kind.maximum_velocity_mps;
            let found = limits.iter().position(|limit| limit.to_bits() == speed.to_bits());
            found.unwrap_or_else(|| {
                limits.push(speed);
                limits.len() - 1
            }) as u32
        });
        let of_kind = of_kind.collect();
        if limits.is_empty() {
            limits.push(f64::INFINITY);
        }
        Self { limits, of_kind }
    }

    /// Returns the travel times of all speed classes on a link, seconds.
    pub fn travel_times(&self, length_m: f64, freespeed_mps: f64, step_s: f64) -> impl Iterator<Item = f64> {
        self.limits.iter().map(move |&limit| travel_time(length_m, freespeed_mps, limit, step_s))
    }
}

impl Source<'_> {
    fn external(&self, link: u32) -> usize {
        self.layout.link_external[link as usize] as usize
    }

    /// Returns the device index of a link of the scenario; `other` if there is no such link.
    pub fn internal(&self, link: u32, other: u32) -> u32 {
        self.layout.link_of.get(link as usize).copied().unwrap_or(other)
    }

    /// Returns the capacities of a link with the given attributes.
    pub fn capacities(&self, link: u32, now: &Attributes) -> LinkCapacities {
        let network = &self.scenario.network;
        let e = self.external(link);
        capacities(now, network.length_m[e], network.freespeed_mps[e], network.cell_size_m, self.rules)
    }

    fn link_indices(&self) -> impl IndexedParallelIterator<Item = u32> + '_ {
        (0..self.layout.from.len() as u32).into_par_iter()
    }

    pub fn nodes(&self) -> Vec<u32> {
        let parameters = self.layout.node_external.iter().copied().chain([NONE]);
        let records = self.layout.first_in_link.iter().zip(parameters);
        records.flat_map(|(&first, number)| [first, number, 0, 0]).collect()
    }

    pub fn links(&self) -> Vec<u32> {
        let record = |link: u32| {
            let mut words = [NONE; LINK_WORDS as usize];
            words[FROM as usize] = self.layout.from[link as usize];
            words[TO as usize] = self.layout.to[link as usize];
            for zero in [BUFFERED, CANDIDATE, DRIVING, UPSTREAM_STATE, STEPPED] {
                words[zero as usize] = 0;
            }
            words
        };
        self.link_indices().flat_map_iter(record).collect()
    }

    pub fn flows(&self) -> Vec<f64> {
        let record = |link: u32| {
            let network = &self.scenario.network;
            let e = self.external(link);
            let capacities = self.capacities(link, &Attributes::of(network, e));
            let mut reals = [0.0; LINK_REALS as usize];
            reals[STORAGE as usize] = capacities.storage;
            for flow in [ACCUMULATED, REST, PER_STEP] {
                reals[flow as usize] = capacities.flow_per_step;
            }
            reals[LAST_MOVED as usize] = f64::NEG_INFINITY;
            reals[CAPACITY as usize] = network.capacity[e];
            reals
        };
        self.link_indices().flat_map_iter(record).collect()
    }

    /// Reals of the upstream ends of all links; empty without holes.
    pub fn upstream_ends(&self) -> Vec<f64> {
        if !self.config.dynamics.has_holes() {
            return Vec::new();
        }
        let record = |link: u32| {
            let network = &self.scenario.network;
            let e = self.external(link);
            let capacities = self.capacities(link, &Attributes::of(network, e));
            let mut reals = [0.0; UPSTREAM_REALS as usize];
            reals[REMAINING as usize] = capacities.storage;
            reals[INFLOW as usize] = 1.0;
            reals[MAX_INFLOW as usize] =
                if self.rules.dynamics == TrafficDynamics::KinematicWaves { capacities.max_inflow } else { 0.0 };
            reals[HOLE_TIME as usize] = hole_travel_time(network.length_m[e]);
            reals
        };
        self.link_indices().flat_map_iter(record).collect()
    }

    /// Returns a number of holes that is normally not exceeded: a link with holes admits vehicles only while its
    /// vehicles and holes take less than its storage. The margin covers vehicles that were pushed in, and vehicles that
    /// arrive on the link where they departed. If more holes are under way, as with vehicles at stops, each of which
    /// leaves surplus holes, the run is repeated with twice the number: `pools` is the factor.
    pub fn hole_capacity(&self, flows: &[f64], pools: u32) -> u64 {
        if !self.config.dynamics.has_holes() {
            return 1;
        }
        let smallest = self.kinds.iter().map(|kind| kind.pcu).filter(|&pcu| pcu > 0.0).fold(1.0, f64::min);
        let storages = flows.chunks_exact(LINK_REALS as usize).map(|reals| reals[STORAGE as usize]);
        let holes_that_fit: f64 = storages.map(|storage| (storage / smallest).ceil() + 4.0).sum();
        let persons = self.scenario.population.persons() as f64;
        let holes = (holes_that_fit.min(64.0 * persons) + 8.0 * persons + 1024.0) * f64::from(pools);
        (holes as u64).min(u64::from(NONE / HOLE_REALS))
    }

    /// Accumulated and plain inverse capacities of all links; empty without deterministic priorities.
    pub fn priorities(&self) -> Vec<f64> {
        if !self.config.selection.by_priority() {
            return Vec::new();
        }
        let network = &self.scenario.network;
        self.link_indices().flat_map_iter(|link| [0.0, 1.0 / network.capacity[self.external(link)]]).collect()
    }

    pub fn travel_times(&self) -> Vec<f64> {
        let network = &self.scenario.network;
        let of_link = |link: u32| {
            let e = self.external(link);
            self.speeds.travel_times(network.length_m[e], network.freespeed_mps[e], self.rules.step_s)
        };
        self.link_indices().flat_map_iter(of_link).collect()
    }

    pub fn kinds(&self) -> Vec<f64> {
        let classes = self.speeds.of_kind.iter().map(|&class| f64::from(class));
        self.kinds.iter().zip(classes).flat_map(|(kind, class)| [kind.pcu, kind.consumption, class]).collect()
    }

    /// Device indices of all route links, with two extra entries: a node reads the next entries of a route before it
    /// checks whether the route continues.
    pub fn route_links(&self) -> Vec<u32> {
        let links = &self.scenario.population.route_links;
        let mut internal = vec![NONE; links.len() + 2];
        internal.par_iter_mut().zip(links).for_each(|(to, &link)| *to = self.internal(link, NO_SUCH_LINK));
        internal
    }

    /// Returns the link where each vehicle is parked at the start of the day.
    pub fn vehicle_places(&self) -> Vec<u32> {
        let mut places: Vec<u32> =
            self.scenario.vehicles.start_link.iter().map(|&link| self.internal(link, NONE)).collect();
        for &vehicle in self.followed {
            places[vehicle as usize] = ANYWHERE;
        }
        places
    }

    /// Returns words and reals of all plan elements and of one extra element, because the next element of a plan is
    /// read before the check whether the plan continues.
    pub fn plans(&self) -> (Vec<u32>, Vec<f64>) {
        let population = &self.scenario.population;
        let elements = population.first_element.last().copied().unwrap_or(0) as usize;
        let mut words = vec![0u32; (elements + 1) * PLAN_WORDS as usize];
        let mut reals = vec![0.0f64; (elements + 1) * PLAN_REALS as usize];
        words
            .par_chunks_exact_mut(PLAN_WORDS as usize)
            .zip(reals.par_chunks_exact_mut(PLAN_REALS as usize))
            .enumerate()
            .take(elements)
            .for_each(|(element, (words, reals))| self.plan_element(element as u32, words, reals));
        for person in 0..population.persons() as u32 {
            let plan = population.plan_range(person);
            if !plan.is_empty() {
                words[((plan.end - 1) * PLAN_WORDS + CODE) as usize] |= IS_LAST;
            }
        }
        (words, reals)
    }

    fn plan_element(&self, element: u32, words: &mut [u32], reals: &mut [f64]) {
        let population = &self.scenario.population;
        let defined = |time: f64| if time.is_nan() { 0.0 } else { time };
        match population.element(element) {
            PlanElement::Activity(activity) => {
                let a = activity as usize;
                let (end, duration) = (population.activities.end_time[a], population.activities.max_duration[a]);
                words[CODE as usize] = flag(HAS_TIME, !end.is_nan()) | flag(HAS_DURATION, !duration.is_nan());
                words[PLAN_LINK as usize] = self.internal(population.activities.link[a], NONE);
                words[DETAIL as usize] = activity;
                reals.copy_from_slice(&[defined(end), defined(duration)]);
            }
            PlanElement::Leg(leg) => {
                let (l, legs) = (leg as usize, &population.legs);
                let vehicle = legs.vehicle[l];
                let kind = self.scenario.vehicles.type_of.get(vehicle as usize).copied().unwrap_or(0);
                let mode = legs.mode[l].0;
                words[CODE as usize] = u32::from(mode)
                    | (u32::from(kind) << KIND_SHIFT)
                    | IS_LEG
                    | flag(IS_MAIN, self.is_main[usize::from(mode)])
                    | flag(IS_MISSING, legs.route[l] == RouteKind::Missing)
                    | flag(HAS_TIME, !legs.travel_time[l].is_nan());
                words[PLAN_LINK as usize] = self.internal(legs.end_link[l], NONE);
                words[DETAIL as usize] = leg;
                words[ROUTE as usize] = legs.route_start[l] as u32;
                words[ROUTE_AHEAD as usize] = legs.route_len[l].saturating_sub(1);
                words[PLAN_VEHICLE as usize] = vehicle;
                reals.copy_from_slice(&[defined(legs.travel_time[l]), 0.0]);
                let transit = &self.scenario.transit;
                if let Some(driven) = transit.driver_leg(leg) {
                    let calls = transit.routes.calls(driven.route);
                    (words[FIRST_CALL as usize], words[END_OF_CALLS as usize]) = (calls.start, calls.end);
                }
                if let Some(ride) = self.scenario.ride(leg).filter(|_| !self.is_main[usize::from(mode)]) {
                    words[CODE as usize] |= IS_RIDE;
                    words[RIDE_LINE as usize] = ride.line;
                    words[ACCESS_STOP as usize] = ride.access_stop;
                    words[EGRESS_STOP as usize] = ride.egress_stop;
                    words[ACCESS_LINK as usize] = self.internal(legs.start_link[l], NONE);
                    words[PLANNED_CALL as usize] = TransitArrays::planned_call(&transit.routes, ride);
                }
            }
        }
    }

    /// Places all persons at their first activity. Returns words and times of persons, the calendar, and the slots in
    /// use.
    pub fn agents(&self, agents: &[AtActivity], clock: &Clock) -> Agents {
        let persons = self.scenario.population.persons();
        let (slots, lists_per_slot) = (i64::from(self.calendar.slots), self.calendar.lists_per_slot as usize);
        let mut all = Agents {
            words: vec![0; persons * PERSON_WORDS as usize],
            due_times: vec![0.0; persons],
            calendar: vec![NONE; 2 * slots as usize * lists_per_slot + 1],
            calendar_slot_used: vec![0; 2 * slots as usize],
            living: 0,
        };
        // The last entry is the number of holes created so far, initially 0.
        if let Some(holes) = all.calendar.last_mut() {
            *holes = 0;
        }
        for (person, words) in all.words.chunks_exact_mut(PERSON_WORDS as usize).enumerate() {
            words[HEAP_SLOT as usize] = person as u32;
            words[STATUS as usize] = STATUS_FINISHED;
        }
        for agent in agents.iter().filter(|agent| agent.end < f64::INFINITY) {
            let person = agent.person as usize;
            let words = &mut all.words[person * PERSON_WORDS as usize..(person + 1) * PERSON_WORDS as usize];
            let step = clock.step_at(agent.end);
            // An agent that waits forever is in no list.
            if step < NEVER {
                let slot = step.min(slots - 2) as usize;
                let list = slot * lists_per_slot + person % lists_per_slot;
                words[NEXT as usize] = std::mem::replace(&mut all.calendar[list], agent.person);
                all.calendar_slot_used[slot] = 1;
            }
            words[ACTIVITY_LINK as usize] = self.internal(agent.link, NONE);
            words[ELEMENT as usize] = agent.element;
            words[STATUS as usize] = STATUS_AT_ACTIVITY;
            all.due_times[person] = agent.end;
            all.living += 1;
        }
        all
    }
}

/// Arrays that describe all agents at the start of the day.
pub(super) struct Agents {
    pub words: Vec<u32>,
    pub due_times: Vec<f64>,
    pub calendar: Vec<u32>,
    pub calendar_slot_used: Vec<u32>,
    pub living: u64,
}

/// Returns a flag if it is set, else 0.
pub(super) fn flag(flag: u32, is_set: bool) -> u32 {
    if is_set { flag } else { 0 }
}
