//! Sums of field strengths, space unit by space unit: the way to sum up traces.

use super::fields::{FieldTables, Sums};
use super::rules::direction::{DIRECTIONS, STANDS};
use super::rules::fixed::scaled;
use super::rules::grid::Grid;
use super::scene::WALL;

/// What is on a floor: the pedestrians with their headings, and their traces.
#[derive(Debug, Clone, Copy)]
pub struct OnFloor<'s> {
    pub grid: &'s Grid,
    pub occupants: &'s [u32],
    pub headings: &'s [u8],
    /// `[unit][heading]`; empty without traces.
    pub traces: &'s [u32],
}

impl OnFloor<'_> {
    /// The sums at a space unit, for a pedestrian with this heading. Directional fields are those of pedestrians or, in a
    /// world with traces, of these: each trace is a source with its part of the strength, rounded down.
    ///
    /// Cost: the size of a field.
    pub fn sums(&self, tables: &FieldTables, unit: u32, own: u32) -> Sums {
        let [x, y] = self.grid.place(unit);
        let mut sums = Sums::default();
        for (dx, dy, ring, sector) in tables.offsets() {
            let there = self.grid.unit_at(x + dx, y + dy) as usize;
            let Some(&other) = self.occupants.get(there) else { continue };
            let [crowd, same, oncoming] = tables.strengths.each_ref().map(|strengths| strengths[ring]);
            let mut add = |heading: u32, strengths: [i32; 2]| {
                sums.add_directional(tables.reading, own, [heading, sector as u32], strengths);
            };
            if tables.has_traces() {
                let traces = &self.traces[there * DIRECTIONS as usize..][..DIRECTIONS as usize];
                for (heading, &trace) in (0..).zip(traces).filter(|&(_, &trace)| trace > 0) {
                    add(heading, [same, oncoming].map(|strength| scaled(strength, trace as i32)));
                }
            }
            let heading = if other < WALL { self.headings[other as usize] } else { STANDS };
            if !tables.has_traces() && heading != STANDS {
                add(heading.into(), [same, oncoming]);
            }
            if other < WALL {
                sums.crowd[sector] += crowd;
            }
        }
        sums
    }
}
