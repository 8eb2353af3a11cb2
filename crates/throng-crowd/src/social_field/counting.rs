//! Where the pedestrians of a field are counted: the masks of windows, and the straight runs of sectors of rings.

use super::fields::{CENTRE, FieldTables};
use super::rules::direction::DIRECTIONS;

/// The largest field whose window is counted bit by bit. From the next size on, runs are faster.
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
    pub masks: Vec<u32>,
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
        Self { rows_in_word, words, masks }
    }
}

/// A straight run of offsets of one sector of a ring: columns or rows `from` to `to`, exclusive, of a row or a column.
/// The ring is the distance of that row or column from the centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Whether the run is part of a column; otherwise of a row.
    pub is_column: bool,
    /// The row or column, relative to the centre.
    pub at: i32,
    /// The first column or row.
    pub from: i32,
    /// The one after the last.
    pub to: i32,
}

/// The runs of a field, by sector. With `exact45` a ring has one run in each sector of an axis and two in each of the
/// others.
pub fn runs(tables: &FieldTables) -> [Vec<Run>; DIRECTIONS as usize] {
    let mut runs: [Vec<Run>; DIRECTIONS as usize] = Default::default();
    for ring in 1..=tables.radius {
        for (is_column, at) in [(true, -ring), (true, ring), (false, -ring), (false, ring)] {
            // The corners belong to the columns.
            let end = if is_column { ring } else { ring - 1 };
            let sector = |along: i32| if is_column { tables.sector(at, along) } else { tables.sector(along, at) };
            let mut from = -end;
            for along in -end..=end {
                let last = sector(along);
                debug_assert_ne!(last, CENTRE);
                if along == end || sector(along + 1) != last {
                    runs[last as usize].push(Run { is_column, at, from, to: along + 1 });
                    from = along + 1;
                }
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::super::fields::FieldParameters;
    use super::super::sector_map::SectorMap;
    use super::*;

    #[test]
    fn masks_and_runs_have_every_offset_once() {
        for map in SectorMap::ALL {
            for size in [1, 3, 5, 7, 9, 11, 13, 21, 77] {
                let tables = FieldTables::new(&FieldParameters { size, map, ..FieldParameters::default() }).unwrap();
                let mut expected: Vec<(usize, i32, i32)> =
                    tables.offsets().map(|(x, y, _, sector)| (sector, x, y)).collect();
                expected.sort_unstable();
                let of = |(sector, runs): (usize, Vec<Run>)| {
                    let places = runs.into_iter().flat_map(|Run { is_column, at, from, to }| {
                        (from..to).map(move |along| if is_column { (at, along) } else { (along, at) })
                    });
                    places.map(move |(x, y)| (sector, x, y)).collect::<Vec<_>>()
                };
                let mut found: Vec<_> = runs(&tables).into_iter().enumerate().flat_map(of).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{map:?} {size}");
                if map == SectorMap::Exact45 && size > 3 {
                    // One run of each ring in each sector of an axis; two in the others, where ring 1 has its corner only.
                    let rings = size as usize / 2;
                    let counts = runs(&tables).map(|runs| runs.len());
                    assert_eq!(counts[..2], [rings, 2 * rings - 1], "{size}");
                }
                if size > LARGEST_WINDOW {
                    continue;
                }
                let Masks { rows_in_word, words, masks } = Masks::new(&tables);
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
