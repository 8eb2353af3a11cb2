//! Occupancy as bit planes: a bit of a plane is set if a pedestrian of a certain kind occupies a space unit.
//!
//! Strengths are integers, so a field is an exact function of occupancy: the sum over rings of the strength times the
//! number of pedestrians in each sector of the ring. The bits are counted in one of two ways: in a window around a
//! space unit, ring by ring and sector by sector; or as differences of prefix counts along rows and columns, since a
//! sector of a ring consists of a few straight runs. Yu et al. store the fields instead, and update them where
//! pedestrians move.
//!
//! The lower half of a word holds the bits of 16 space units of a row or column, the upper half the number of
//! pedestrians in the line before them. Adjacent words in memory belong to adjacent lines, because units that read at
//! the same time are closer to each other across lines than along them. The planes exceed the world by the radius of a
//! field on all sides; this margin wraps around in a periodic world and is empty in a closed one.

use rayon::prelude::*;

use super::rules::direction::{DIRECTIONS, STANDS, turned};
use super::rules::grid::{Grid, NOWHERE, shown};
use super::scene::{EMPTY, WALL};

/// The plane of all pedestrians.
pub const ALL: usize = 0;
/// The plane of pedestrians with heading 0, followed by the planes of the other seven headings.
pub const SAME: usize = 1;
/// The plane of pedestrians that come towards one with heading 0: their headings are opposite, or 45° off that. The
/// planes of the other seven headings follow.
pub const ONCOMING: usize = SAME + DIRECTIONS as usize;
/// Number of planes.
pub const PLANES: usize = ONCOMING + DIRECTIONS as usize;
/// Space units per word.
pub const BITS: u32 = 16;

/// Memory layout of the planes of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub grid: Grid,
    /// Radius of fields, by which the planes exceed the world on all sides.
    pub radius: u32,
    /// Words per row of a plane.
    pub row_words: u32,
    /// Words per column of a plane.
    pub column_words: u32,
}

impl Layout {
    pub fn new(grid: Grid, radius: u32) -> Self {
        // One extra word, because a window or a run may end beyond the last word.
        let words = |side: u32| (side + 2 * radius).div_ceil(BITS) + 1;
        Self { grid, radius, row_words: words(grid.width), column_words: words(grid.height) }
    }

    /// Returns the columns and rows of a plane.
    pub fn sides(&self) -> [u32; 2] {
        [self.grid.width + 2 * self.radius, self.grid.height + 2 * self.radius]
    }

    /// Returns the number of words of a plane by rows, `[word][y]`, and by columns, `[word][x]`.
    pub fn words(&self) -> [usize; 2] {
        let [columns, rows] = self.sides();
        [self.row_words as usize * rows as usize, self.column_words as usize * columns as usize]
    }

    /// Returns the column or row of the world at a column or row of the planes; `None` beyond a closed border.
    pub fn shown(&self, at: u32, side: u32) -> Option<u32> {
        let inside = shown(at, self.radius, side, self.grid.boundary);
        (inside != NOWHERE).then_some(inside)
    }
}

/// The planes of a state.
#[derive(Debug, Clone)]
pub struct Planes {
    pub layout: Layout,
    rows: Lines,
    /// Empty if not needed.
    columns: Lines,
}

/// The rows or the columns of all planes.
#[derive(Debug, Clone)]
struct Lines {
    /// `[plane][word][line]`.
    words: Vec<u32>,
    /// Lines per plane.
    count: u32,
    /// Words per line.
    line_words: u32,
    /// Space units per line.
    length: u32,
}

/// One word per plane, under construction.
type Words = [u32; PLANES];

/// Sets the bit of a pedestrian with a heading in all planes that contain it.
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

impl Lines {
    fn new(count: u32, line_words: u32, length: u32) -> Self {
        Self { words: vec![0; PLANES * (line_words * count) as usize], count, line_words, length }
    }

    /// Updates the bits: `heading(along, line)` returns the heading of the pedestrian at a position along a line, if
    /// any.
    fn refresh(&mut self, heading: impl Fn(u32, u32) -> Option<u8> + Sync) {
        let Self { count, line_words, length, .. } = *self;
        let mut by_word: Vec<Vec<&mut [u32]>> = (0..line_words).map(|_| Vec::with_capacity(PLANES)).collect();
        for (i, word) in self.words.chunks_exact_mut(count as usize).enumerate() {
            by_word[i % line_words as usize].push(word);
        }
        by_word.into_par_iter().enumerate().for_each(|(word, mut planes)| {
            let first = word as u32 * BITS;
            for line in 0..count {
                let mut words = [0; PLANES];
                for bit in 0..BITS.min(length.saturating_sub(first)) {
                    if let Some(heading) = heading(first + bit, line) {
                        set(&mut words, heading, bit);
                    }
                }
                for (plane, bits) in planes.iter_mut().zip(words) {
                    plane[line as usize] = bits;
                }
            }
        });
    }

    /// Adds to each word the number of pedestrians in its line before it.
    fn sum_up(&mut self) {
        let lines = self.count as usize;
        self.words.par_chunks_exact_mut(self.line_words as usize * lines).for_each(|plane| {
            for i in lines..plane.len() {
                plane[i] |= count_before(plane[i - lines], BITS) << BITS;
            }
        });
    }

    /// Returns the index of a word.
    #[inline]
    fn at(&self, plane: usize, word: u32, line: u32) -> usize {
        (plane * self.line_words as usize + word as usize) * self.count as usize + line as usize
    }

    /// Returns the number of pedestrians in a line before a position.
    #[inline]
    fn before(&self, plane: usize, along: u32, line: u32) -> u32 {
        count_before(self.words[self.at(plane, along / BITS, line)], along % BITS)
    }
}

impl Planes {
    /// Creates empty planes; prefix counts are available only `with_columns`. Memory: 4 bytes per 16 space units for
    /// each of the 17 planes, twice that `with_columns`.
    pub fn new(layout: Layout, with_columns: bool) -> Self {
        let [columns, rows] = layout.sides();
        let none = Lines::new(0, 0, 0);
        Self {
            layout,
            rows: Lines::new(rows, layout.row_words, columns),
            columns: if with_columns { Lines::new(columns, layout.column_words, rows) } else { none },
        }
    }

    /// Updates the planes from the pedestrians in the space units of a world.
    pub fn refresh(&mut self, occupants: &[u32], headings: &[u8]) {
        let layout = self.layout;
        let (width, height) = (layout.grid.width, layout.grid.height);
        let heading = |x: u32, y: u32| {
            let unit = layout.shown(y, height)? as usize * width as usize + layout.shown(x, width)? as usize;
            let occupant = occupants[unit];
            (occupant != EMPTY && occupant != WALL).then(|| headings[occupant as usize])
        };
        self.rows.refresh(heading);
        if !self.columns.words.is_empty() {
            self.columns.refresh(|y, x| heading(x, y));
            self.rows.sum_up();
            self.columns.sum_up();
        }
    }

    /// Returns the bits of `count` space units (at most 16) of a row, starting at `x`, in coordinates of the planes.
    #[inline]
    pub fn bits(&self, plane: usize, x: u32, y: u32, count: u32) -> u32 {
        let first = self.rows.at(plane, x / BITS, y);
        let both = self.rows.words[first] & 0xFFFF | self.rows.words[first + self.rows.count as usize] << BITS;
        both >> (x % BITS) & ((1 << count) - 1)
    }

    /// Returns the number of pedestrians in a row before `x`.
    #[inline]
    pub fn before_in_row(&self, plane: usize, x: u32, y: u32) -> u32 {
        self.rows.before(plane, x, y)
    }

    /// Returns the number of pedestrians in a column before `y`.
    #[inline]
    pub fn before_in_column(&self, plane: usize, x: u32, y: u32) -> u32 {
        self.columns.before(plane, y, x)
    }
}

/// Returns the count stored in a word plus the count of its first bits.
#[inline]
fn count_before(word: u32, bits: u32) -> u32 {
    (word >> BITS) + (word & ((1 << bits) - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::*;

    #[test]
    fn planes_match_occupants_and_continue_beyond_a_periodic_border() {
        for boundary in [Boundary::Periodic, Boundary::Closed] {
            let grid = Grid { width: 37, height: 21, boundary };
            let occupants: Vec<u32> = (0..777u32)
                .map(|unit| [EMPTY, WALL, unit % 8][(unit.wrapping_mul(2_654_435_761) >> 20) as usize % 3])
                .collect();
            let headings: Vec<u8> = (0..8).collect();
            let layout = Layout::new(grid, 6);
            let mut planes = Planes::new(layout, true);
            // Refreshed twice, to check that nothing of an earlier state remains.
            planes.refresh(&vec![3; 777], &headings);
            planes.refresh(&occupants, &headings);
            let [columns, rows] = layout.sides();
            for plane in 0..PLANES {
                let is_set = |x: u32, y: u32| {
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
                        assert_eq!(planes.bits(plane, x, y, 1) == 1, is_set(x, y), "{plane} {x} {y}");
                        let before = (0..x).filter(|&x| is_set(x, y)).count();
                        assert_eq!(planes.before_in_row(plane, x, y) as usize, before, "{plane} {x} {y}");
                        let below = (0..y).filter(|&y| is_set(x, y)).count();
                        assert_eq!(planes.before_in_column(plane, x, y) as usize, below, "{plane} {x} {y}");
                    }
                }
                let before = planes.before_in_row(plane, columns, 9);
                assert_eq!(before as usize, (0..columns).filter(|&x| is_set(x, 9)).count());
            }
        }
    }
}
