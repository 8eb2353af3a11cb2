//! Travel times of an iteration, for queries.

use std::sync::Arc;

use rayon::prelude::*;
use throng_core::NONE;

use super::calculator::TravelTimeCalculator;
use super::slots::Slots;
use super::{FreeSpeeds, LinkTravelTimes};

/// The value at a time between the beginnings of slots (`travelTimeGetter`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Getter {
    /// `average`: the mean of the slot.
    #[default]
    Average,
    /// `linearinterpolation`: linear between the midpoints of slots, and the mean of the slot before the first and
    /// after the last midpoint.
    LinearInterpolation,
}

/// Travel times of links by time of entry, which do not change any more. Queries take no lock.
///
/// Memory: 4 bytes per link, and 8 bytes per slot of each link with measurements: a kilobyte per link for slots of 15
/// minutes. Links without measurements take the travel time at the free speed of the time of the query.
#[derive(Debug, Clone)]
pub struct TravelTimeTable {
    slots: Slots,
    getter: Getter,
    free: Arc<FreeSpeeds>,
    /// Number of each link with measurements among these, or [`NONE`].
    columns: Vec<u32>,
    /// Number of links with measurements.
    width: usize,
    /// Values by slot, then by column: a path takes links of the same few slots.
    values_s: Vec<f64>,
}

impl TravelTimeTable {
    pub(super) fn new(calculator: &TravelTimeCalculator, slots: Slots, free: &Arc<FreeSpeeds>, getter: Getter) -> Self {
        let links = calculator.links() as u32;
        let measured = (0..links).filter(|&link| calculator.has_measurements(link));
        let mut rest: Vec<_> = measured.clone().map(|link| calculator.of_link(link, free)).collect();
        let mut columns = vec![NONE; links as usize];
        for (column, link) in measured.enumerate() {
            columns[link as usize] = column as u32;
        }
        let width = rest.len();
        let mut values_s = vec![0.0; width * slots.count as usize];
        for of_slot in values_s.chunks_exact_mut(width.max(1)) {
            let values = of_slot.par_iter_mut().zip(&mut rest).with_min_len(1024);
            values.for_each(|(value, rest)| *value = rest.next().unwrap_or(f64::NAN));
        }
        Self { slots, getter, free: Arc::clone(free), columns, width, values_s }
    }

    /// Returns the shortest travel time of each link over the day, seconds: a lower bound on all values.
    pub fn least_s(&self) -> Vec<f64> {
        let mut of_columns = vec![f64::INFINITY; self.width];
        for of_slot in self.values_s.chunks_exact(self.width.max(1)) {
            of_columns.iter_mut().zip(of_slot).for_each(|(least, value)| *least = least.min(*value));
        }
        let links = (0..).zip(&self.columns);
        links.map(|(link, &c)| if c == NONE { self.free.least_s(link) } else { of_columns[c as usize] }).collect()
    }

    /// Returns the value of a slot; `time_s` is used if there are no measurements.
    #[inline]
    fn value_s(&self, link: u32, slot: u32, time_s: f64) -> f64 {
        match self.columns[link as usize] {
            NONE => self.free.travel_time_s(link, time_s),
            column => self.values_s[slot as usize * self.width + column as usize],
        }
    }

    fn interpolated_s(&self, link: u32, time_s: f64) -> f64 {
        let length = self.slots.length_s;
        let half = length / 2.0;
        let last_midpoint = self.slots.begins_s(self.slots.count - 1) + half;
        // Not `time_s <= half`, so that NaN is plain, too.
        if !(time_s > half && time_s < last_midpoint) {
            return self.value_s(link, self.slots.of(time_s), time_s);
        }
        let slot = (((time_s - half) / length) as u32).min(self.slots.count - 2);
        let midpoint = self.slots.begins_s(slot) + half;
        let value = self.value_s(link, slot, midpoint);
        let next = self.value_s(link, slot + 1, midpoint + length);
        value + (next - value) * ((time_s - midpoint) / length)
    }
}

impl LinkTravelTimes for TravelTimeTable {
    #[inline]
    fn travel_time_s(&self, link: u32, time_s: f64) -> f64 {
        match self.getter {
            Getter::Average => self.value_s(link, self.slots.of(time_s), time_s),
            Getter::LinearInterpolation => self.interpolated_s(link, time_s),
        }
    }
}
