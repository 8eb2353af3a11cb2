//! The numbers stored per space unit.
//!
//! The paper stores eight numbers per category of fields, which is also the layout of RR. DA and DR follow Throng's
//! definition: they depend on the heading of the reader, and scores read them only in some directions. So there are
//! three numbers of DA per heading (the directions up to 45° from it), and five of DR (up to 90°). Decisions
//! equal those of [`Reference`](throng_pedestrians::Reference) exactly. With two headings, this makes 24 numbers, as
//! many as the paper has for the three categories.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "kernels pass parameters by reference")]

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};
use throng_pedestrians::Sums;
use throng_pedestrians::rules::direction::{DIRECTIONS, turns};

/// Numbers of RR, one per direction; they come first.
pub const CROWD: u32 = DIRECTIONS;
/// Number of directions in which a heading reads DA.
pub const SAME: u32 = 3;
/// Number of directions in which a heading reads DR.
pub const ONCOMING: u32 = 5;
/// Sentinel for a number that is not stored.
pub const NOT_STORED: u32 = u32::MAX;

/// Sentinel for a heading that does not occur, in four bits.
const NO_RANK: u32 = 15;

/// The layout of a crowd's stored numbers; not all headings need to occur.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Number of headings that occur.
    pub headings: u32,
    /// Rank of each heading among those that occur, or `NO_RANK`; four bits each.
    pub places: u32,
}

#[cube]
impl Numbers {
    /// Index of the DA number that pedestrians with a heading read in a direction, or `NOT_STORED`.
    #[inline]
    pub fn same(&self, heading: u32, direction: u32) -> u32 {
        let (rank, turn) = (self.rank(heading), turn_of_same(heading, direction));
        select(rank != NO_RANK && turn < SAME, CROWD + SAME * rank + turn, NOT_STORED)
    }

    /// Index of the DR number that pedestrians with a heading read in a direction, or `NOT_STORED`.
    #[inline]
    pub fn oncoming(&self, heading: u32, direction: u32) -> u32 {
        let (rank, turn) = (self.rank(heading), turn_of_oncoming(heading, direction));
        let first = CROWD + SAME * self.headings;
        select(rank != NO_RANK && turn < ONCOMING, first + ONCOMING * rank + turn, NOT_STORED)
    }

    /// Rank of a heading among those that occur.
    #[inline]
    fn rank(&self, heading: u32) -> u32 {
        (self.places >> (4u32 * heading)) & 15u32
    }
}

/// 0 to 2 for the directions in which a heading reads DA, from right to left; larger for the others.
#[cube]
#[inline]
pub fn turn_of_same(heading: u32, direction: u32) -> u32 {
    (turns(heading, direction) + 1u32) & 7u32
}

/// 0 to 4 for the directions in which a heading reads DR, from right to left; larger for the others.
#[cube]
#[inline]
pub fn turn_of_oncoming(heading: u32, direction: u32) -> u32 {
    (turns(heading, direction) + 2u32) & 7u32
}

impl Numbers {
    /// The layout for pedestrians with these headings.
    pub fn of(headings: &[u8]) -> Self {
        let (mut count, mut places) = (0, u32::MAX);
        for heading in (0..DIRECTIONS).filter(|&heading| headings.contains(&(heading as u8))) {
            places &= !(NO_RANK << (4 * heading));
            places |= count << (4 * heading);
            count += 1;
        }
        Self { headings: count, places }
    }

    /// Count of stored numbers per space unit.
    pub fn count(&self) -> u32 {
        CROWD + (SAME + ONCOMING) * self.headings
    }

    /// Counts the stored numbers, indexed by `[number][unit]`, that differ from `sums`, the sums of strengths for a
    /// space unit and a heading.
    pub fn differing(&self, stored: &[i32], units: u32, sums: impl Fn(u32, u32) -> Sums) -> usize {
        let of = |number: u32, unit: u32| stored.get((number * units + unit) as usize);
        let occurs = |heading: &u32| self.same(*heading, *heading) != NOT_STORED;
        let mut differ = 0;
        for unit in 0..units {
            let crowd = sums(unit, 0).crowd;
            differ += (0..CROWD).filter(|&direction| of(direction, unit) != Some(&crowd[direction as usize])).count();
            for heading in (0..DIRECTIONS).filter(occurs) {
                let sums = sums(unit, heading);
                for direction in 0..DIRECTIONS {
                    let same = (self.same(heading, direction), sums.same[direction as usize]);
                    let oncoming = (self.oncoming(heading, direction), sums.oncoming[direction as usize]);
                    let stored = [same, oncoming].into_iter().filter(|&(number, _)| number != NOT_STORED);
                    differ += stored.filter(|(number, expected)| of(*number, unit) != Some(expected)).count();
                }
            }
        }
        differ
    }
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::Flow;
    use throng_pedestrians::rules::direction::angle;

    use super::*;

    #[test]
    fn each_number_read_by_a_heading_is_stored_once() {
        for (flow, count) in Flow::ALL.into_iter().zip([16, 24, 40, 72]) {
            let numbers = Numbers::of(flow.headings());
            assert_eq!(numbers.count(), count);
            let mut stored: Vec<u32> = (0..CROWD).collect();
            for heading in 0..DIRECTIONS {
                let occurs = flow.headings().contains(&(heading as u8));
                for direction in 0..DIRECTIONS {
                    let apart = angle(heading, direction);
                    let found = [numbers.same(heading, direction), numbers.oncoming(heading, direction)];
                    let expected = [occurs && apart <= 1, occurs && apart <= 2];
                    assert_eq!(found.map(|number| number != NOT_STORED), expected, "{flow:?} {heading} {direction}");
                    stored.extend(found.into_iter().filter(|&number| number != NOT_STORED));
                }
            }
            stored.sort_unstable();
            assert_eq!(stored, (0..count).collect::<Vec<_>>());
            // All sums are 0. With one wrong number in each of two space units, two numbers differ.
            let mut stored = vec![0; 2 * count as usize];
            assert_eq!(numbers.differing(&stored, 2, |_, _| Sums::default()), 0);
            stored[0] = 1;
            stored[2 * count as usize - 1] = 1;
            assert_eq!(numbers.differing(&stored, 2, |_, _| Sums::default()), 2);
        }
    }
}
