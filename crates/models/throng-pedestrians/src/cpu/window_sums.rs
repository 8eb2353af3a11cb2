//! Sums of field strengths from the bits of a window.

use super::super::counting::{CPU_BITS, mask, rows_in_word};
use super::super::fields::FieldTables;
use super::super::planes::Planes;
use super::super::rules::direction::{DIRECTIONS, angle};
use super::super::rules::sums::ByDirection;

/// Number of words of the largest window.
const WORDS: usize = 3;

/// The masks of a window: `[sector][ring - 1][word]`.
#[derive(Debug)]
pub struct Windows {
    side: u32,
    masks: Vec<u64>,
}

impl Windows {
    pub fn new(tables: &FieldTables) -> Self {
        let side = tables.size();
        let words = 0..WORDS as u32;
        let of_ring =
            |sector, ring| words.clone().map(move |word| mask(tables.map, side, CPU_BITS, sector, ring, word));
        let of_sector = |sector| (1..=tables.radius as u32).flat_map(move |ring| of_ring(sector, ring));
        Self { side, masks: (0..DIRECTIONS).flat_map(of_sector).collect() }
    }

    /// Returns the sums over the pedestrians of a plane, in the sectors at most `widest` times 45° from a direction.
    #[inline]
    pub fn sums(
        &self,
        planes: &Planes,
        plane: usize,
        [x, y]: [u32; 2],
        strengths: &[i32],
        [direction, widest]: [u32; 2],
    ) -> ByDirection {
        let mut window = [0u64; WORDS];
        let rows_in_word = rows_in_word(self.side, CPU_BITS);
        for row in 0..self.side {
            let bits = u64::from(planes.bits(plane, x, y + row, self.side));
            window[(row / rows_in_word) as usize] |= bits << (row % rows_in_word * self.side);
        }
        let rings = strengths.len() - 1;
        let mut sums = ByDirection::default();
        for sector in (0..DIRECTIONS).filter(|&sector| angle(sector, direction) <= widest) {
            let first = sector as usize * rings * WORDS;
            let masks = self.masks[first..first + rings * WORDS].chunks_exact(WORDS);
            let of_ring = |(masks, strength): (&[u64], &i32)| {
                let count: u32 = masks.iter().zip(&window).map(|(mask, window)| (mask & window).count_ones()).sum();
                count as i32 * strength
            };
            sums[sector as usize] = masks.zip(&strengths[1..]).map(of_ring).sum();
        }
        sums
    }
}
