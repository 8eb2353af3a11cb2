//! Strength fan-out: the slots of the cache.
//!
//! For a space unit and a sector, the stored number depends on the fields with centres at the offsets of that
//! sector. The strength fan-out is the maximum number of these centres. In a tick, at most one pedestrian enters or
//! leaves a centre, and one that was left cannot be entered. So each slot is written at most once, without atomic
//! operations.

use throng_pedestrians::FieldTables;
use throng_pedestrians::rules::direction::DIRECTIONS;

/// A slot: the offset of the centre from the space unit, and the strengths of its fields at the space unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slot {
    /// Offset from the space unit to the centre along x.
    pub x: i32,
    /// Offset from the space unit to the centre along y.
    pub y: i32,
    /// Strengths of RR, DA and DR.
    pub strengths: [i32; 3],
}

/// Words per slot in the table for devices.
pub const SLOT_NUMBERS: u32 = 5;

impl Slot {
    /// Whether it only pads a sector. Its strengths are zero, as in the paper.
    pub fn is_padding(&self) -> bool {
        (self.x, self.y) == (0, 0)
    }
}

/// The slots of the eight sectors, padded to equal numbers.
#[derive(Debug, Clone)]
pub struct Slots {
    slots: Vec<Slot>,
    fan_out: u32,
}

impl Slots {
    /// Creates the slots of these fields. The number of slots per sector is the strength fan-out, rounded up to a
    /// multiple of `multiple`.
    pub fn new(tables: &FieldTables, multiple: u32) -> Self {
        let mut sectors = vec![Vec::new(); DIRECTIONS as usize];
        for (x, y, ring, sector) in tables.offsets() {
            sectors[sector].push(Slot { x, y, strengths: tables.strengths().map(|strengths| strengths[ring]) });
        }
        let fan_out = sectors.iter().map(Vec::len).max().unwrap_or_default() as u32;
        let each = fan_out.next_multiple_of(multiple) as usize;
        let padded = sectors.into_iter().flat_map(|sector| {
            let padding = each - sector.len();
            sector.into_iter().chain(std::iter::repeat_n(Slot::default(), padding))
        });
        Self { slots: padded.collect(), fan_out }
    }

    /// The strength fan-out.
    pub fn fan_out(&self) -> u32 {
        self.fan_out
    }

    /// Number of slots per sector, including padding.
    pub fn of_sector(&self) -> u32 {
        self.slots.len() as u32 / DIRECTIONS
    }

    /// All slots, by sector.
    pub fn all(&self) -> &[Slot] {
        &self.slots
    }

    /// The table for devices: x, y and the three strengths per slot.
    pub fn table(&self) -> Vec<i32> {
        self.slots
            .iter()
            .flat_map(|&Slot { x, y, strengths: [crowd, same, oncoming] }| [x, y, crowd, same, oncoming])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::{FieldParameters, SectorMap};

    use super::*;

    fn slots(size: u32, map: SectorMap, multiple: u32) -> Slots {
        Slots::new(&FieldTables::new(&FieldParameters { size, map, ..FieldParameters::default() }).unwrap(), multiple)
    }

    /// Figure 3: fields around these six space units change the number of sector 1 in space unit (2, 2).
    #[test]
    fn figure_3_has_six_centres() {
        let slots = slots(7, SectorMap::Seed7, 1);
        assert_eq!((slots.fan_out(), slots.of_sector()), (6, 6));
        // The direction from a centre to the space unit is 1, so the direction from the space unit to the centre is 5.
        let south_west = &slots.all()[5 * 6..6 * 6];
        let mut centres: Vec<_> = south_west.iter().map(|slot| (2 + slot.x, 2 + slot.y)).collect();
        centres.sort_unstable();
        assert_eq!(centres, [(-1, -1), (-1, 0), (0, 0), (0, 1), (1, 0), (1, 1)]);
    }

    #[test]
    fn sectors_are_filled_up_with_zero_strengths() {
        for (size, fan_out, multiple, each) in [(1, 0, 4, 0), (5, 4, 8, 8), (7, 7, 1, 7), (7, 7, 4, 8), (7, 7, 16, 16)]
        {
            let slots = slots(size, SectorMap::Exact45, multiple);
            assert_eq!((slots.fan_out(), slots.of_sector()), (fan_out, each), "{size}");
            let filled = slots.all().iter().filter(|slot| !slot.is_padding()).count();
            assert_eq!(filled as u32, size * size - 1);
            assert!(slots.all().iter().all(|slot| slot.is_padding() == (slot.strengths == [0; 3])));
        }
    }
}
