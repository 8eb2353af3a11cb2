//! Sums of field strengths at a space unit, by any of the summing methods.

use super::super::fields::FieldTables;
use super::super::planes::{ALL, Layout, ONCOMING, Planes, SAME};
use super::super::rules::direction::{DIRECTIONS, angle};
use super::super::rules::directional::{Reading, adjacent_direction};
use super::super::rules::sources::{AVOIDED, CROWD, FOLLOWED};
use super::super::rules::sums::{ByDirection, Sums};
use super::super::summing::Summing;
use super::super::transforms::Transforms;
use super::super::unit_sums::{OnFloor, packed_offsets};
use super::side_sums::RingSides;
use super::window_sums::Windows;

/// The data of a state from which sums are computed, by summing method.
#[derive(Debug)]
pub enum FieldSums {
    Windows(Planes, Windows),
    Sides(Planes, RingSides),
    /// The offsets at which sums read the state itself.
    Units(Vec<u32>),
    Transforms(Box<Transforms>),
}

impl FieldSums {
    pub fn new(summing: Summing, layout: Layout, tables: &FieldTables) -> Self {
        match summing {
            Summing::Windows => Self::Windows(Planes::new(layout, false), Windows::new(tables)),
            Summing::Sides => Self::Sides(Planes::new(layout, true), RingSides::new(tables)),
            Summing::Units => Self::Units(packed_offsets(tables)),
            Summing::Transforms => Self::Transforms(Box::new(Transforms::new(layout, tables))),
        }
    }

    /// Updates the data from the pedestrians in the space units of a world.
    pub fn refresh(&mut self, occupants: &[u32], headings: &[u8]) {
        match self {
            Self::Windows(planes, _) | Self::Sides(planes, _) => planes.refresh(occupants, headings),
            Self::Units(_) => {}
            Self::Transforms(transforms) => transforms.refresh(occupants, headings),
        }
    }

    /// Returns the sums at a space unit, as of the last refresh, for a pedestrian with this heading. They are undefined
    /// for sectors that its scores do not need, and with transforms unless it is in the space unit.
    #[inline]
    pub fn at(&self, floor: &OnFloor<'_>, at: [u32; 2], heading: u32) -> Sums {
        let (grid, tables) = (floor.grid, floor.tables);
        match self {
            Self::Windows(planes, windows) => {
                let of = |plane, field: u32, sectors| {
                    windows.sums(planes, plane, at, &tables.strengths[field as usize], sectors)
                };
                plane_sums(tables.reading, heading, of)
            }
            Self::Sides(planes, sides) => {
                let of = |plane, field: u32, sectors| {
                    sides.sums(planes, plane, at, &tables.strengths[field as usize], sectors)
                };
                plane_sums(tables.reading, heading, of)
            }
            Self::Units(offsets) => OnFloor { offsets, ..*floor }.sums(at[1] * grid.width + at[0], heading),
            Self::Transforms(transforms) => transforms.sums(at[1] as usize * grid.width as usize + at[0] as usize),
        }
    }
}

/// Combines the sums of planes. `of(plane, field, [direction, widest])` returns the sums of a field over the
/// pedestrians of a plane, by sector, for the sectors at most `widest` times 45° from the direction.
#[inline]
fn plane_sums(reading: Reading, heading: u32, of: impl Fn(usize, u32, [u32; 2]) -> ByDirection) -> Sums {
    let mut sums = Sums { crowd: of(ALL, CROWD, [heading, 4]), ..Sums::default() };
    match reading {
        Reading::Heading => {
            sums.same = of(SAME + heading as usize, FOLLOWED, [heading, 1]);
            sums.oncoming = of(ONCOMING + heading as usize, AVOIDED, [heading, 2]);
        }
        Reading::Cone => {
            for direction in (0..DIRECTIONS).filter(|&direction| angle(direction, heading) <= 2) {
                let (plane, sector) = (direction as usize, direction as usize);
                sums.oncoming[sector] = of(ONCOMING + plane, AVOIDED, [direction, 0])[sector];
                if angle(direction, heading) <= 1 {
                    let by_sector = of(SAME + plane, FOLLOWED, [direction, 1]);
                    sums.same[sector] =
                        [0, 1, 2].map(|beside| by_sector[adjacent_direction(direction, beside) as usize]).iter().sum();
                }
            }
        }
    }
    sums
}
