//! Occupancy as bits: planes in which a bit says whether a pedestrian of a certain kind is in a space unit.
//!
//! Strengths are whole numbers, so a field is a function of occupancy alone: the sum over rings of the strength times the
//! number of pedestrians in each sector of the ring. Bits count them: either those of a window about a space unit, ring by
//! ring and sector by sector, or, as a sector of a ring is a few straight runs, as differences of counts along rows and
//! columns. Yu et al. store the fields instead, and update them where pedestrians move.
//!
//! A word has the bits of 16 space units in its lower half and, in the upper one, how many pedestrians the row or
//! column has before them. The planes are larger than the world by the radius of a field on all sides, where a periodic
//! world continues and a closed one is empty.

use rayon::prelude::*;
use throng_device::neighbours::Boundary;

use super::rules::direction::{DIRECTIONS, STANDS, turned};
use super::rules::grid::Grid;
use super::scene::{EMPTY, WALL};

/// The plane of all pedestrians.
pub const ALL: usize = 0;
/// The plane of those with heading 0; the next seven are those of the other headings.
pub const SAME: usize = 1;
/// The plane of those that come towards a pedestrian with heading 0: their headings are opposite or differ from that by
/// 45°. The next seven are those of the other headings.
pub const ONCOMING: usize = SAME + DIRECTIONS as usize;
/// How many planes there are.
pub const PLANES: usize = ONCOMING + DIRECTIONS as usize;
/// Space units of a word.
pub const BITS: u32 = 16;

/// How the planes of a world are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub grid: Grid,
    /// The radius of fields, by which the planes are larger on all sides.
    pub radius: u32,
    /// Words of a row of a plane.
    pub row_words: u32,
    /// Words of a column.
    pub column_words: u32,
}

impl Layout {
    pub fn new(grid: Grid, radius: u32) -> Self {
        // One more, because a window or a run may end beyond the last word.
        let words = |side: u32| (side + 2 * radius).div_ceil(BITS) + 1;
        Self { grid, radius, row_words: words(grid.width), column_words: words(grid.height) }
    }

    /// Rows and columns of a plane.
    pub fn sides(&self) -> [u32; 2] {
        [self.grid.width + 2 * self.radius, self.grid.height + 2 * self.radius]
    }

    /// Words of a plane by rows, `[y][word]`, and by columns, `[word][x]`.
    pub fn words(&self) -> [usize; 2] {
        let [columns, rows] = self.sides();
        [rows as usize * self.row_words as usize, self.column_words as usize * columns as usize]
    }

    /// The column or row of the world that a column or row of the planes shows; none beyond a closed border.
    fn shown(&self, at: u32, side: u32) -> Option<u32> {
        let inside = at as i32 - self.radius as i32;
        match self.grid.boundary {
            Boundary::Closed => (0..side as i32).contains(&inside).then_some(inside as u32),
            Boundary::Periodic => Some(inside.rem_euclid(side as i32) as u32),
        }
    }
}

/// The planes of a state.
#[derive(Debug, Clone)]
pub struct Planes {
    pub layout: Layout,
    /// `[plane][y][word]`.
    rows: Vec<u32>,
    /// `[plane][word][x]`; empty if they are not needed.
    columns: Vec<u32>,
}

/// A word for each plane, while it is made.
type Words = [u32; PLANES];

/// Sets the bit of a pedestrian with a heading in all planes where it is.
fn set(words: &mut Words, heading: u8, bit: u32) {
    words[ALL] |= 1 << bit;
    if heading == STANDS {
        return;
    }
    let heading = u32::from(heading);
    words[SAME + heading as usize] |= 1 << bit;
    for turn in [3, 4, 5] {
        words[ONCOMING + turned(heading, turn) as usize] |= 1 << bit;
    }
}

impl Planes {
    /// Empty planes. Memory: 4 bytes for 16 space units and each of the 17 planes, twice `with_columns`.
    pub fn new(layout: Layout, with_columns: bool) -> Self {
        let [rows, columns] = layout.words();
        let columns = if with_columns { vec![0; columns * PLANES] } else { Vec::new() };
        Self { layout, rows: vec![0; rows * PLANES], columns }
    }

    /// Shows the pedestrians in the space units of a world.
    pub fn show(&mut self, occupants: &[u32], headings: &[u8]) {
        let layout = self.layout;
        let (width, height) = (layout.grid.width, layout.grid.height);
        let [columns, rows] = layout.sides();
        let words = |first: u32, count: u32, shown: &(dyn Fn(u32) -> Option<usize> + Sync)| {
            let mut words = [0; PLANES];
            for bit in 0..BITS.min(count.saturating_sub(first)) {
                let Some(unit) = shown(first + bit) else { continue };
                let occupant = occupants[unit];
                if occupant != EMPTY && occupant != WALL {
                    set(&mut words, headings[occupant as usize], bit);
                }
            }
            words
        };
        let unit = |x: u32, y: u32| {
            Some(layout.shown(y, height)? as usize * width as usize + layout.shown(x, width)? as usize)
        };

        let mut by_row: Vec<Vec<&mut [u32]>> = (0..rows).map(|_| Vec::with_capacity(PLANES)).collect();
        for (i, row) in self.rows.chunks_exact_mut(layout.row_words as usize).enumerate() {
            by_row[i % rows as usize].push(row);
        }
        by_row.into_par_iter().enumerate().for_each(|(y, mut planes)| {
            let mut counts = [0; PLANES];
            for word in 0..layout.row_words {
                let found = words(word * BITS, columns, &|x| unit(x, y as u32));
                for ((plane, bits), count) in planes.iter_mut().zip(found).zip(&mut counts) {
                    plane[word as usize] = bits | *count << BITS;
                    *count += bits.count_ones();
                }
            }
        });
        if self.columns.is_empty() {
            return;
        }
        let mut by_word: Vec<Vec<&mut [u32]>> = (0..layout.column_words).map(|_| Vec::with_capacity(PLANES)).collect();
        for (i, word) in self.columns.chunks_exact_mut(columns as usize).enumerate() {
            by_word[i % layout.column_words as usize].push(word);
        }
        by_word.into_par_iter().enumerate().for_each(|(word, mut planes)| {
            for x in 0..columns {
                let found = words(word as u32 * BITS, rows, &|y| unit(x, y));
                for (plane, bits) in planes.iter_mut().zip(found) {
                    plane[x as usize] = bits;
                }
            }
        });
        let words = layout.words()[1];
        self.columns.par_chunks_exact_mut(words).for_each(|plane| {
            for i in columns as usize..words {
                let before = plane[i - columns as usize];
                plane[i] |= ((before >> BITS) + (before & 0xFFFF).count_ones()) << BITS;
            }
        });
    }

    /// The bits of `count` space units of a row from `x` on, at most 16; coordinates of the planes.
    #[inline]
    pub fn bits(&self, plane: usize, x: u32, y: u32, count: u32) -> u32 {
        let [_, rows] = self.layout.sides();
        let first = (plane * rows as usize + y as usize) * self.layout.row_words as usize + (x / BITS) as usize;
        let both = self.rows[first] & 0xFFFF | self.rows[first + 1] << BITS;
        both >> (x % BITS) & ((1 << count) - 1)
    }

    /// How many pedestrians a row has before `x`.
    #[inline]
    pub fn before_in_row(&self, plane: usize, x: u32, y: u32) -> u32 {
        let [_, rows] = self.layout.sides();
        let word = (plane * rows as usize + y as usize) * self.layout.row_words as usize + (x / BITS) as usize;
        count_before(self.rows[word], x % BITS)
    }

    /// How many pedestrians a column has before `y`.
    #[inline]
    pub fn before_in_column(&self, plane: usize, x: u32, y: u32) -> u32 {
        let [columns, _] = self.layout.sides();
        let words = self.layout.column_words as usize;
        let word = (plane * words + (y / BITS) as usize) * columns as usize + x as usize;
        count_before(self.columns[word], y % BITS)
    }
}

/// The count of a word and of its first bits.
#[inline]
fn count_before(word: u32, bits: u32) -> u32 {
    (word >> BITS) + (word & ((1 << bits) - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_show_who_is_where_and_continue_beyond_a_periodic_border() {
        for boundary in [Boundary::Periodic, Boundary::Closed] {
            let grid = Grid { width: 37, height: 21, boundary };
            let occupants: Vec<u32> = (0..777u32)
                .map(|unit| [EMPTY, WALL, unit % 8][(unit.wrapping_mul(2_654_435_761) >> 20) as usize % 3])
                .collect();
            let headings: Vec<u8> = (0..8).collect();
            let layout = Layout::new(grid, 6);
            let mut planes = Planes::new(layout, true);
            // Twice, because nothing may be left of an earlier state.
            planes.show(&vec![3; 777], &headings);
            planes.show(&occupants, &headings);
            let [columns, rows] = layout.sides();
            for plane in 0..PLANES {
                let is_there = |x: u32, y: u32| {
                    let unit = grid.unit_at(x as i32 - 6, y as i32 - 6);
                    let Some(&occupant) = occupants.get(unit as usize) else { return false };
                    let heading = u32::from(occupant < 8) * occupant;
                    let is_shown = match plane {
                        ALL => true,
                        SAME..ONCOMING => plane - SAME == heading as usize,
                        _ => super::super::rules::direction::angle(heading, (plane - ONCOMING) as u32) >= 3,
                    };
                    occupant < 8 && is_shown
                };
                for y in 0..rows {
                    for x in 0..columns {
                        assert_eq!(planes.bits(plane, x, y, 1) == 1, is_there(x, y), "{plane} {x} {y}");
                        let before = (0..x).filter(|&x| is_there(x, y)).count();
                        assert_eq!(planes.before_in_row(plane, x, y) as usize, before, "{plane} {x} {y}");
                        let below = (0..y).filter(|&y| is_there(x, y)).count();
                        assert_eq!(planes.before_in_column(plane, x, y) as usize, below, "{plane} {x} {y}");
                    }
                }
                let before = planes.before_in_row(plane, columns, 9);
                assert_eq!(before as usize, (0..columns).filter(|&x| is_there(x, 9)).count());
            }
        }
    }
}
