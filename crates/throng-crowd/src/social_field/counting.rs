//! Where the pedestrians of a field are counted: the masks of windows, and the sides of rings.

use super::fields::FieldTables;
use super::rules::direction::DIRECTIONS;

/// The largest field whose window is counted bit by bit. Larger ones are counted along the sides of rings.
pub const LARGEST_WINDOW: u32 = 11;
/// Bits of a word of a mask.
pub const MASK_BITS: u32 = 32;

/// Masks of the windows of a field: for each sector and ring the bits of its offsets. Rows of the window follow each
/// other from the bottom, several in one word, as many as fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masks {
    /// Rows of the window in one word.
    pub rows_in_word: u32,
    /// Words of a window.
    pub words: u32,
    /// `[sector][ring - 1][word]`.
    pub bits: Vec<u32>,
}

impl Masks {
    /// The masks of a field of at most [`LARGEST_WINDOW`] columns.
    pub fn new(tables: &FieldTables) -> Self {
        let radius = tables.radius;
        let side = 2 * radius as u32 + 1;
        let rows_in_word = (MASK_BITS / side).min(side);
        let words = side.div_ceil(rows_in_word);
        let mut masks = vec![0; (DIRECTIONS * radius as u32 * words) as usize];
        for (x, y, ring, sector) in tables.offsets() {
            let (column, row) = ((x + radius) as u32, (y + radius) as u32);
            let mask = (sector * radius as usize + ring - 1) * words as usize + (row / rows_in_word) as usize;
            masks[mask] |= 1 << (row % rows_in_word * side + column);
        }
        Self { rows_in_word, words, bits: masks }
    }
}

/// For each ring, from 1 on, the first and the last row of its eastern side that belong to the sector of the east; rows
/// relative to the centre. What is below them belongs to the south-east, what is above to the north-east. The other
/// sides follow by turns, because all maps look the same after a turn by 90°.
pub fn cuts(tables: &FieldTables) -> Vec<[i32; 2]> {
    let is_east = |ring: i32, row: i32| tables.sector(ring, row) == EAST;
    let of_ring = |ring: i32| {
        let first = (-ring..=ring).find(|&row| is_east(ring, row)).unwrap_or(0);
        let last = (-ring..=ring).rfind(|&row| is_east(ring, row)).unwrap_or(0);
        [first, last]
    };
    (1..=tables.radius).map(of_ring).collect()
}

const EAST: u8 = 0;

/// A side of a ring: which sectors it has, and how it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Side {
    /// Whether it is part of a column; otherwise of a row.
    pub is_column: bool,
    /// Whether its column or row is after the centre.
    pub is_after: bool,
    /// Whether [`cuts`] count backwards along it.
    pub is_flipped: bool,
    /// The sectors of its first part, of its middle and of its last part.
    pub sectors: [u32; 3],
}

/// The sides in the east, north, west and south. The corners belong to the columns.
pub const SIDES: [Side; 4] = [
    Side { is_column: true, is_after: true, is_flipped: false, sectors: [7, 0, 1] },
    Side { is_column: false, is_after: true, is_flipped: true, sectors: [3, 2, 1] },
    Side { is_column: true, is_after: false, is_flipped: true, sectors: [5, 4, 3] },
    Side { is_column: false, is_after: false, is_flipped: false, sectors: [5, 6, 7] },
];

impl Side {
    /// Where along the side its three parts begin, and where the last one ends, exclusive; relative to the centre.
    pub fn ends(self, ring: i32, [first, last]: [i32; 2]) -> [i32; 4] {
        let half = if self.is_column { ring } else { ring - 1 };
        let [first, last] = if self.is_flipped { [-last, -first] } else { [first, last] };
        [-half, first, last + 1, half + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::FieldParameters;
    use super::super::sector_map::SectorMap;
    use super::*;

    #[test]
    fn masks_and_sides_have_every_offset_once() {
        for map in SectorMap::ALL {
            for size in [1, 3, 5, 7, 9, 11, 13, 21, 77] {
                let tables = FieldTables::new(&FieldParameters { size, map, ..FieldParameters::default() }).unwrap();
                let mut expected: Vec<(u32, i32, i32)> =
                    tables.offsets().map(|(x, y, _, sector)| (sector as u32, x, y)).collect();
                expected.sort_unstable();
                let mut found = Vec::new();
                for (ring, cuts) in (1..).zip(cuts(&tables)) {
                    for side in SIDES {
                        let ends = side.ends(ring, cuts);
                        let at = if side.is_after { ring } else { -ring };
                        for (sector, part) in side.sectors.into_iter().zip(ends.windows(2)) {
                            let place = |along| if side.is_column { (sector, at, along) } else { (sector, along, at) };
                            found.extend((part[0]..part[1]).map(place));
                        }
                    }
                }
                found.sort_unstable();
                assert_eq!(found, expected, "{map:?} {size}");
                if size > LARGEST_WINDOW {
                    continue;
                }
                let Masks { rows_in_word, words, bits: masks } = Masks::new(&tables);
                for (i, mask) in masks.iter().enumerate() {
                    let (word, ring) = (i as u32 % words, i as u32 / words % (size / 2) + 1);
                    let sector = i as u32 / words / (size / 2);
                    for bit in (0..MASK_BITS).filter(|bit| mask >> bit & 1 == 1) {
                        let (column, row) = (bit % size, bit / size + word * rows_in_word);
                        let (x, y) = (column as i32 - tables.radius, row as i32 - tables.radius);
                        assert_eq!((x.abs().max(y.abs()) as u32, tables.sector(x, y).into()), (ring, sector));
                    }
                }
                assert_eq!(masks.iter().map(|mask| mask.count_ones()).sum::<u32>(), size * size - 1);
            }
        }
    }
}
