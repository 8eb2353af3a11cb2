//! Travel times of links by time of entry, as in MATSim's travel time calculator.

use std::collections::HashMap;
use std::sync::Arc;

use throng_core::NONE;

use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ChangeKind, ModeId, Scenario};

/// Marks a vehicle that has not entered its current link from upstream.
const NOT_TIMED: f64 = f64::NAN;

/// Length of the day, seconds; later entries count in the last slot.
const DAY_S: f64 = 30.0 * 3600.0;

/// Mean travel times of cars per link and slot of their entry. The first and the last link of a leg do not count, nor
/// does a link on which a vehicle stops. Memory: 16 bytes per link and slot with traffic.
#[derive(Debug)]
pub struct TravelTimes {
    scenario: Arc<Scenario>,
    slot_s: f64,
    slots: u32,
    car: ModeId,
    is_car: Vec<bool>,
    entered: Vec<f64>,
    /// Slots with traffic of each link, in order.
    links: Vec<Vec<Slot>>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    number: u32,
    entries: u32,
    mean_s: f64,
}

impl TravelTimes {
    /// Creates the table before any vehicle has moved.
    pub fn new(scenario: &Arc<Scenario>) -> Self {
        let slot_s = scenario.settings.travel_time_calculator.length_of_bins_s();
        let vehicles = scenario.vehicles.ids.len();
        Self {
            scenario: Arc::clone(scenario),
            slot_s,
            slots: (DAY_S / slot_s) as u32 + 1,
            car: scenario.modes.get("car").unwrap_or(ModeId::NONE),
            is_car: vec![false; vehicles],
            entered: vec![NOT_TIMED; vehicles],
            links: vec![Vec::new(); scenario.network.links()],
        }
    }

    /// Takes an event of the step at `time`, seconds of the day.
    pub fn take(&mut self, time: f64, e: &Event) {
        let mut enter = |vehicle: u32, time: f64| {
            if let Some(entered) = self.entered.get_mut(vehicle as usize) {
                *entered = time;
            }
        };
        match e.kind {
            EventKind::VehicleEntersTraffic => {
                enter(e.detail, NOT_TIMED);
                if let Some(is_car) = self.is_car.get_mut(e.detail as usize) {
                    *is_car = e.mode == self.car;
                }
            }
            EventKind::EnteredLink => enter(e.detail, time),
            EventKind::LeftLink => self.leave(time, e),
            EventKind::VehicleLeavesTraffic | EventKind::VehicleAborts => enter(e.detail, NOT_TIMED),
            EventKind::VehicleArrivesAtFacility => {
                let legs = &self.scenario.population.legs;
                let vehicle = e.leg_of_stop().and_then(|leg| legs.vehicle.get(leg as usize)).copied();
                enter(vehicle.unwrap_or(NONE), NOT_TIMED);
            }
            _ => {}
        }
    }

    fn leave(&mut self, time: f64, e: &Event) {
        let Some(entered) = self.entered.get_mut(e.detail as usize) else { return };
        let since = std::mem::replace(entered, NOT_TIMED);
        if since.is_nan() || !self.is_car[e.detail as usize] {
            return;
        }
        let number = self.slot_of(since);
        let Some(slots) = self.links.get_mut(e.link as usize) else { return };
        // Vehicles may overtake, so a few enter an earlier slot than the last one.
        let at = slots.iter().rposition(|slot| slot.number < number).map_or(0, |before| before + 1);
        if slots.get(at).is_none_or(|slot| slot.number != number) {
            slots.insert(at, Slot { number, entries: 0, mean_s: 0.0 });
        }
        let slot = &mut slots[at];
        // In this order, on which rounding depends.
        let entries = f64::from(slot.entries);
        slot.mean_s = (slot.mean_s * entries + (time - since)) / (entries + 1.0);
        slot.entries += 1;
    }

    /// Returns the slot of a time, seconds of the day.
    pub fn slot_of(&self, time: f64) -> u32 {
        ((time / self.slot_s) as u32).min(self.slots - 1)
    }

    /// Returns the free speeds of the links that change theirs.
    pub fn changing_speeds(&self) -> ChangingSpeeds {
        let mut links: HashMap<u32, Vec<(f64, f64)>> = HashMap::new();
        for event in self.scenario.change_events.iter().filter(|event| event.kind == ChangeKind::Freespeed) {
            for &link in &event.links {
                let speeds = links.entry(link).or_default();
                let initial = self.scenario.network.freespeed_mps[link as usize];
                let speed = event.value.applied_to(speeds.last().map_or(initial, |last| last.1));
                speeds.push((event.time_s, speed));
            }
        }
        ChangingSpeeds { links }
    }

    /// Returns the travel time of each slot of `link`, seconds: the mean, or the time at the free speed if no car
    /// entered. It is at most one slot shorter than that of the previous slot, because cars do not overtake.
    pub fn of_link<'a>(&'a self, link: u32, speeds: &'a ChangingSpeeds) -> impl Iterator<Item = f64> + use<'a> {
        let network = &self.scenario.network;
        let (length_m, speed) = (network.length_m[link as usize], network.freespeed_mps[link as usize]);
        let changes = speeds.links.get(&link).map_or(&[][..], Vec::as_slice);
        let mut with_traffic = self.links[link as usize].iter().peekable();
        let mut previous = f64::NEG_INFINITY;
        (0..self.slots).map(move |number| {
            let begins = f64::from(number) * self.slot_s;
            let mean = with_traffic.next_if(|slot| slot.number == number).map(|slot| slot.mean_s);
            let time = mean.unwrap_or_else(|| {
                let change = changes.iter().rev().find(|change| change.0 <= begins);
                length_m / change.map_or(speed, |change| change.1)
            });
            previous = time.max(previous - self.slot_s);
            previous
        })
    }
}

/// Free speeds of links that change them during the day: times of changes, seconds of the day, with the new speeds in
/// metres per second.
#[derive(Debug, Default)]
pub struct ChangingSpeeds {
    links: HashMap<u32, Vec<(f64, f64)>>,
}
