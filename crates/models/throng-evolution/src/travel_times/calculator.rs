//! Measures the travel times of links from events.

use std::sync::Arc;

use throng_core::NONE;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{Legs, ModeId};

use super::slots::Slots;
use super::table::{Getter, TravelTimeTable};
use super::{FreeSpeeds, LinkTravelTimes};

/// Marks a vehicle that has not entered its current link from upstream.
const NOT_TIMED: f64 = f64::NAN;

/// Mean travel times of the vehicles of one mode, per link and slot of the time of entry.
///
/// [`TravelTimeCalculator::take`] is for the events of a run. [`TravelTimeCalculator::enter`],
/// [`TravelTimeCalculator::leave`] and [`TravelTimeCalculator::forget`] are for vehicles that count in any case.
///
/// Memory: 16 bytes per link and slot with measurements, 24 bytes per link, and 9 bytes per vehicle.
///
/// ```
/// use std::sync::Arc;
/// use throng_evolution::travel_times::{FreeSpeeds, Getter, LinkTravelTimes, TravelTimeCalculator};
/// use throng_traffic_scenario::{ModeId, NetworkBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
///     .build()?;
/// let mut calculator = TravelTimeCalculator::new(900.0, network.links(), 1, ModeId(0));
/// calculator.enter(0, 1000.0);
/// calculator.leave(0, 0, 1070.0);
/// let free = Arc::new(FreeSpeeds::new(&network, &[]));
/// let times = calculator.table(&free, Getter::Average);
/// assert_eq!(times.travel_time_s(0, 900.0), 70.0, "entered in the slot from 900 s to 1800 s");
/// assert_eq!(times.travel_time_s(0, 1800.0), 50.0, "no measurement: 500 m at 10 m/s");
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TravelTimeCalculator {
    slots: Slots,
    mode: ModeId,
    is_of_mode: Vec<bool>,
    entered_s: Vec<f64>,
    /// Slots with measurements of each link, in order.
    links: Vec<Vec<Slot>>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    number: u32,
    entries: u32,
    mean_s: f64,
}

impl TravelTimeCalculator {
    /// Creates a calculator for `mode` before any vehicle has moved. `slot_s` is the length of a slot in seconds, such
    /// as the setting
    /// [`length_of_bins_s`](throng_traffic_scenario::settings::TravelTimeCalculator::length_of_bins_s).
    pub fn new(slot_s: f64, links: usize, vehicles: usize, mode: ModeId) -> Self {
        Self {
            slots: Slots::new(slot_s),
            mode,
            is_of_mode: vec![false; vehicles],
            entered_s: vec![NOT_TIMED; vehicles],
            links: vec![Vec::new(); links],
        }
    }

    /// Forgets all measurements and vehicles, before the next iteration.
    pub fn reset(&mut self) {
        self.is_of_mode.fill(false);
        self.entered_s.fill(NOT_TIMED);
        self.links.iter_mut().for_each(Vec::clear);
    }

    /// Takes an event of the step at `time_s`, seconds of the day. A vehicle counts if it last entered traffic with the
    /// mode of the calculator. `legs` are those of the scenario.
    pub fn take(&mut self, legs: &Legs, time_s: f64, event: &Event) {
        let vehicle = event.detail;
        match event.kind {
            EventKind::VehicleEntersTraffic => {
                self.forget(vehicle);
                if let Some(is_of_mode) = self.is_of_mode.get_mut(vehicle as usize) {
                    *is_of_mode = event.mode == self.mode;
                }
            }
            EventKind::EnteredLink if self.is_of_mode.get(vehicle as usize) == Some(&true) => {
                self.enter(vehicle, time_s);
            }
            EventKind::LeftLink => self.leave(vehicle, event.link, time_s),
            EventKind::VehicleLeavesTraffic | EventKind::VehicleAborts => self.forget(vehicle),
            EventKind::VehicleArrivesAtFacility => {
                let of_leg = event.leg_of_stop().and_then(|leg| legs.vehicle.get(leg as usize));
                self.forget(of_leg.copied().unwrap_or(NONE));
            }
            _ => {}
        }
    }

    /// A vehicle enters a link from upstream at `time_s`, seconds of the day. Unknown vehicles do not count.
    pub fn enter(&mut self, vehicle: u32, time_s: f64) {
        if let Some(entered) = self.entered_s.get_mut(vehicle as usize) {
            *entered = time_s;
        }
    }

    /// A vehicle does not leave its link downstream, or has stopped on it, so that its travel time does not count.
    pub fn forget(&mut self, vehicle: u32) {
        self.enter(vehicle, NOT_TIMED);
    }

    /// A vehicle leaves `link` downstream at `time_s`, seconds of the day. It counts if it has entered the link and is
    /// not forgotten.
    pub fn leave(&mut self, vehicle: u32, link: u32, time_s: f64) {
        let Some(entered) = self.entered_s.get_mut(vehicle as usize) else { return };
        let since_s = std::mem::replace(entered, NOT_TIMED);
        if since_s.is_nan() {
            return;
        }
        let number = self.slots.of(since_s);
        let Some(slots) = self.links.get_mut(link as usize) else { return };
        // Vehicles may overtake, so a few enter an earlier slot than the last one.
        let at = slots.iter().rposition(|slot| slot.number < number).map_or(0, |before| before + 1);
        if slots.get(at).is_none_or(|slot| slot.number != number) {
            slots.insert(at, Slot { number, entries: 0, mean_s: 0.0 });
        }
        let slot = &mut slots[at];
        // In this order, on which rounding depends.
        let entries = f64::from(slot.entries);
        slot.mean_s = (slot.mean_s * entries + (time_s - since_s)) / (entries + 1.0);
        slot.entries = slot.entries.saturating_add(1);
    }

    /// Whether a vehicle has been measured on `link`.
    pub(crate) fn has_measurements(&self, link: u32) -> bool {
        !self.links[link as usize].is_empty()
    }

    /// Returns the travel time of each slot of `link`, seconds, without overtaking between slots. An empty slot has the
    /// travel time at the free speed of its beginning.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn of_link<'a>(&'a self, link: u32, free: &'a FreeSpeeds) -> LinkSlots<'a> {
        let measured = &self.links[link as usize];
        LinkSlots { slots: self.slots, next: 0, previous_s: f64::NEG_INFINITY, link, measured, free }
    }

    /// Returns the travel times of all links as a table, which does not change any more. `free` has the free speeds of
    /// the same links.
    pub fn table(&self, free: &Arc<FreeSpeeds>, getter: Getter) -> TravelTimeTable {
        TravelTimeTable::new(self, self.slots, free, getter)
    }

    /// Returns the slot of a time, seconds of the day.
    pub fn slot_of(&self, time_s: f64) -> u32 {
        self.slots.of(time_s)
    }

    /// Returns the number of links.
    pub(crate) fn links(&self) -> usize {
        self.links.len()
    }
}

/// Iterates over the travel times of a link by slot; see [`TravelTimeCalculator::of_link`].
#[derive(Debug, Clone)]
pub struct LinkSlots<'a> {
    slots: Slots,
    next: u32,
    previous_s: f64,
    link: u32,
    measured: &'a [Slot],
    free: &'a FreeSpeeds,
}

impl Iterator for LinkSlots<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        if self.next == self.slots.count {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let time_s = match self.measured.split_first() {
            Some((slot, rest)) if slot.number == number => {
                self.measured = rest;
                slot.mean_s
            }
            _ => self.free.travel_time_s(self.link, self.slots.begins_s(number)),
        };
        self.previous_s = time_s.max(self.previous_s - self.slots.length_s);
        Some(self.previous_s)
    }
}

#[cfg(test)]
#[path = "calculator_tests.rs"]
mod tests;
