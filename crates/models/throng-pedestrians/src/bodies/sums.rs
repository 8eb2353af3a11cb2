//! Sums of field strengths of bodies: those about a reader.

use super::super::fields::{FieldTables, Sums};
use super::super::rules::body::{gap, ring, to_centre};
use super::super::rules::grid::Grid;
use super::super::scene::{Pedestrians, WALL};
use super::plan::Plan;

/// A crowd with bodies on the floor.
#[derive(Debug, Clone, Copy)]
pub struct BodiesOnFloor<'s> {
    pub grid: &'s Grid,
    pub occupants: &'s [u32],
    pub pedestrians: &'s Pedestrians,
    pub plan: &'s Plan,
}

impl BodiesOnFloor<'_> {
    /// The sums at a space unit, for a pedestrian with this heading that is there itself.
    ///
    /// Cost: the size of the field of the largest body.
    pub fn sums(&self, tables: &FieldTables, unit: u32, own: u32) -> Sums {
        let Self { grid, occupants, pedestrians, plan: Plan { largest: [width, height], reach, sectors } } = *self;
        let [x, y] = grid.place(unit);
        let mut sums = Sums::default();
        for dy in 1 - height - reach..=*reach {
            for dx in 1 - width - reach..=*reach {
                let first = grid.unit_at(x + dx, y + dy);
                let Some(&other) = occupants.get(first as usize) else { continue };
                // Each body once, where it begins, and not the reader's own.
                if other >= WALL || other == occupants[unit as usize] || pedestrians.at[other as usize] != first {
                    continue;
                }
                let [width, height] = pedestrians.bodies[other as usize].map(i32::from);
                let ring = ring(gap(dx, width), gap(dy, height), width, height) as usize;
                if ring > tables.radius as usize {
                    continue;
                }
                let sector = sectors.at(to_centre(dx, width), to_centre(dy, height));
                let heading = pedestrians.heading[other as usize].into();
                let [crowd, same, oncoming] = tables.strengths.each_ref().map(|strengths| strengths[ring]);
                sums.crowd[sector] += crowd;
                sums.add_directional(tables.reading, own, [heading, sector as u32], [same, oncoming]);
            }
        }
        sums
    }
}
