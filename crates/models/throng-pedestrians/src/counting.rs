//! Counting the pedestrians of a field: the masks of windows, and the sides of rings.

use super::fields::FieldTables;
use super::sector_map::SectorMap;

/// Maximum side length of a field whose window is counted bit by bit. Larger fields are counted along the sides of
/// rings.
pub const MAX_WINDOW_SIDE: u32 = 11;
/// Bits per word of a mask in kernels, and on the CPU.
pub const DEVICE_BITS: u32 = 32;
pub const CPU_BITS: u32 = 64;

/// Returns the number of window rows per word: as many as fit, from the bottom.
pub fn rows_in_word(side: u32, bits: u32) -> u32 {
    (bits / side).min(side)
}

/// Returns the number of words of a window.
pub fn words_of_window(side: u32, bits: u32) -> u32 {
    side.div_ceil(rows_in_word(side, bits))
}

/// Returns the mask of a word of the window of a field of at most [`MAX_WINDOW_SIDE`] columns: the bits of the offsets
/// in this sector and ring. Words have `bits` bits.
pub fn mask(map: SectorMap, side: u32, bits: u32, sector: u32, ring: u32, word: u32) -> u64 {
    let radius = side as i32 / 2;
    let rows = (0..side).filter(|row| row / rows_in_word(side, bits) == word);
    let places = rows.flat_map(|row| (0..side).map(move |column| (column, row)));
    let mut mask = 0;
    for (column, row) in places {
        let (x, y) = (column as i32 - radius, row as i32 - radius);
        if x.abs().max(y.abs()) as u32 == ring && map.sector(x, y) == Some(sector) {
            mask |= 1 << (row % rows_in_word(side, bits) * side + column);
        }
    }
    mask
}

/// Returns for each ring from 1 the first and the last row of its eastern side that belong to the eastern sector,
/// relative to the centre. Rows below belong to the south-east, rows above to the north-east. The other sides follow by
/// rotation, because all maps are symmetric under rotation by 90°.
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

#[cfg(test)]
mod tests {
    use super::super::fields::FieldParameters;
    use super::super::rules::direction::DIRECTIONS;
    use super::super::rules::ring_side::{SIDES, ends};
    use super::*;

    #[test]
    fn masks_and_sides_contain_every_offset_once() {
        for map in SectorMap::ALL {
            for size in [1, 3, 5, 7, 9, 11, 13, 21, 77] {
                let tables = FieldTables::new(&FieldParameters { size, map, ..FieldParameters::default() }).unwrap();
                let mut expected: Vec<(u32, i32, i32)> =
                    tables.offsets().map(|(x, y, _, sector)| (sector as u32, x, y)).collect();
                expected.sort_unstable();
                let mut found = Vec::new();
                for (ring, cuts) in (1..).zip(cuts(&tables)) {
                    for side in SIDES {
                        let ends = ends(ring, cuts[0], cuts[1], side);
                        let ends = [ends.first, ends.middle, ends.last, ends.end];
                        let at = if side.is_after { ring } else { -ring };
                        for (sector, part) in side.sectors.into_iter().zip(ends.windows(2)) {
                            let place = |along| if side.is_column { (sector, at, along) } else { (sector, along, at) };
                            found.extend((part[0]..part[1]).map(place));
                        }
                    }
                }
                found.sort_unstable();
                assert_eq!(found, expected, "{map:?} {size}");
                if size > MAX_WINDOW_SIDE {
                    continue;
                }
                for bits in [DEVICE_BITS, CPU_BITS] {
                    let mut seen = 0;
                    for sector in 0..DIRECTIONS {
                        for ring in 1..=size / 2 {
                            for word in 0..words_of_window(size, bits) {
                                let mask = mask(map, size, bits, sector, ring, word);
                                for bit in (0..CPU_BITS).filter(|bit| mask >> bit & 1 == 1) {
                                    assert!(bit < bits);
                                    let (column, row) = (bit % size, bit / size + word * rows_in_word(size, bits));
                                    let (x, y) = (column as i32 - tables.radius, row as i32 - tables.radius);
                                    let found = (x.abs().max(y.abs()) as u32, tables.sector(x, y).into());
                                    assert_eq!(found, (ring, sector));
                                    seen += 1;
                                }
                            }
                        }
                    }
                    assert_eq!(seen, size * size - 1);
                }
            }
        }
    }
}
