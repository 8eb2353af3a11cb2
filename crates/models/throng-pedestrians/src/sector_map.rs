//! Sector maps: the direction for which each offset from the centre of a field counts. They are data, because the paper
//! does not fully define its own map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules::direction::DIRECTIONS;

/// A rule that assigns a sector to each offset. All maps are symmetric under rotation by 90°.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SectorMap {
    /// The nearest of the eight directions. Throng's own choice.
    #[default]
    Exact45,
    /// The map of figure 3 of Yu et al., for fields of 7 x 7; parts that the figure does not show follow by rotation.
    /// Beyond 7 x 7 it equals `exact45`.
    Seed7,
    /// Sectors of the axes from slope -1/2 to tan 22.5°, rotated four times: only for the study of the paper's table I.
    Skew,
}

/// The offsets of the sectors north-east and north of figure 3.
const NORTH_EAST: [[i32; 2]; 6] = [[1, 1], [2, 1], [1, 2], [2, 2], [3, 2], [3, 3]];
const NORTH: [[i32; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 3], [-1, 3], [2, 3]];

/// Returns an offset rotated by 90° to the right `quarters` times.
fn turned_right([x, y]: [i32; 2], quarters: u32) -> [i32; 2] {
    (0..quarters).fold([x, y], |[x, y], _| [y, -x])
}

impl SectorMap {
    /// All maps.
    pub const ALL: [Self; 3] = [Self::Exact45, Self::Seed7, Self::Skew];

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact45 => "exact45",
            Self::Seed7 => "seed7",
            Self::Skew => "skew",
        }
    }

    /// Returns the sector of an offset, 0 to 7; `None` for the centre itself. Offsets are below 2^15.
    pub fn sector(self, x: i32, y: i32) -> Option<u32> {
        if [x, y] == [0, 0] {
            return None;
        }
        Some(match self {
            Self::Exact45 => nearest_direction(x, y),
            Self::Seed7 => sector_of_figure_3(x, y).unwrap_or_else(|| nearest_direction(x, y)),
            Self::Skew => skewed(x, y),
        })
    }

    /// Returns the sector of a doubled offset, as offsets may end between space units.
    pub fn sector_of_doubled(self, x: i32, y: i32) -> Option<u32> {
        match self {
            _ if x % 2 == 0 && y % 2 == 0 => self.sector(x / 2, y / 2),
            Self::Exact45 | Self::Seed7 => Some(nearest_direction(x, y)),
            Self::Skew => Some(skewed(x, y)),
        }
    }

    /// Returns how many centres can write to one storage location, the strength fan-out of the paper: the largest
    /// number of offsets with one sector in a field of this many columns and rows, both odd.
    pub fn fan_out(self, columns: u32, rows: u32) -> u32 {
        let [across, up] = [columns, rows].map(|side| side as i32 / 2);
        let mut count = [0; DIRECTIONS as usize];
        for y in -up..=up {
            for x in -across..=across {
                if let Some(sector) = self.sector(x, y) {
                    count[sector as usize] += 1;
                }
            }
        }
        count.into_iter().max().unwrap_or_default()
    }
}

/// Returns the nearest direction. The border between two sectors has the slope tan 22.5° = √2 - 1: an offset `a`, `b`
/// with `a > b >= 0` is nearer to the axis if `b < (√2 - 1) a`, that is, `(a + b)² < 2 a²`. √2 is irrational, so no
/// offset lies on the border.
fn nearest_direction(x: i32, y: i32) -> u32 {
    let (a, b) = (x.abs(), y.abs());
    let square = (a + b) * (a + b);
    if square < 2 * a * a {
        if x > 0 { 0 } else { 4 }
    } else if square < 2 * b * b {
        if y > 0 { 2 } else { 6 }
    } else {
        match (x > 0, y > 0) {
            (true, true) => 1,
            (false, true) => 3,
            (false, false) => 5,
            (true, false) => 7,
        }
    }
}

fn sector_of_figure_3(x: i32, y: i32) -> Option<u32> {
    (0..4).find_map(|quarters| {
        let offset = turned_right([x, y], quarters);
        if NORTH_EAST.contains(&offset) {
            Some((1 + 2 * quarters) % DIRECTIONS)
        } else if NORTH.contains(&offset) {
            Some((2 + 2 * quarters) % DIRECTIONS)
        } else {
            None
        }
    })
}

fn skewed(x: i32, y: i32) -> u32 {
    let axis = (0..4).find(|&quarters| {
        let [along, aside] = turned_right([x, y], quarters);
        let is_above = aside >= 0 && (along + aside) * (along + aside) < 2 * along * along;
        along > 0 && (is_above || (aside < 0 && -2 * aside <= along))
    });
    match axis {
        Some(quarters) => 2 * quarters,
        None => match (x > 0, y > 0) {
            (true, true) => 1,
            (false, true) => 3,
            (false, false) => 5,
            (true, false) => 7,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field sizes of table II and some of table I, and the fan-outs of each map from a count that does not use this
    /// code (see the notes on the paper).
    #[test]
    fn fan_outs_match_brute_force_counts() {
        let sizes = [5, 7, 9, 11, 21, 35, 49, 63, 77];
        let exact = sizes.map(|size| SectorMap::Exact45.fan_out(size, size));
        assert_eq!(exact, [4, 7, 12, 17, 64, 179, 352, 581, 868]);
        assert_eq!(SectorMap::Seed7.fan_out(7, 7), 6);
        let ranges = [(3, 4), (6, 7), (10, 12), (15, 17), (57, 62), (162, 170), (320, 332), (531, 546), (795, 814)];
        for (size, (lowest, highest)) in sizes.into_iter().zip(ranges) {
            let found = SectorMap::Skew.fan_out(size, size);
            assert!((lowest..=highest).contains(&found), "{size}: {found}");
        }
    }

    #[test]
    fn a_turn_of_an_offset_turns_its_sector() {
        for map in SectorMap::ALL {
            for y in -38..=38 {
                for x in -38..=38 {
                    let sector = map.sector(x, y);
                    assert_eq!(map.sector(-y, x), sector.map(|sector| (sector + 2) % 8), "{map:?} {x} {y}");
                }
            }
        }
    }

    /// Figure 3 of the paper: from the centre (-1, -1), the space unit (2, 2) lies in the north-east.
    #[test]
    fn figure_3() {
        assert_eq!(SectorMap::ALL.map(|map| map.sector(3, 3)), [Some(1); 3]);
        let counts = |map: SectorMap| {
            let mut counts = [0; 8];
            for (x, y) in (-3..=3).flat_map(|y| (-3..=3).map(move |x| (x, y))) {
                if let Some(sector) = map.sector(x, y) {
                    counts[sector as usize] += 1;
                }
            }
            counts
        };
        assert_eq!(counts(SectorMap::Seed7), [6; 8]);
        assert_eq!(counts(SectorMap::Exact45), [5, 7, 5, 7, 5, 7, 5, 7]);
    }

    #[test]
    fn exact45_selects_the_nearest_direction() {
        for (x, y) in (-60..=60).flat_map(|y| (-60..=60).map(move |x| (x, y))).filter(|&at| at != (0, 0)) {
            let eighths = libm::atan2(f64::from(y), f64::from(x)) / std::f64::consts::FRAC_PI_4;
            assert_eq!(SectorMap::Exact45.sector(x, y), Some(eighths.round().rem_euclid(8.0) as u32), "{x} {y}");
        }
    }
}
