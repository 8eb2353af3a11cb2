//! Occupancy as bits: planes in which a bit says whether a pedestrian of a certain kind is in a space unit.
//!
//! Strengths are whole numbers, so a field is a function of occupancy alone: the sum over rings of the strength times the
//! number of pedestrians in each sector of the ring. Bits count them: either those of a window about a space unit, ring by
//! ring and sector by sector, or, as a sector of a ring is a few straight runs, as differences of counts along rows and
//! columns. Yu et al. store the fields instead, and update them where pedestrians move.
//!
//! A word has the bits of 16 space units of a row or column in its lower half and, in the upper one, how many pedestrians
//! the line has before them. Words side by side in memory belong to lines side by side, because those who read them
//! together are closer to each other across lines than along them. The planes are larger than the world by the radius of
//! a field on all sides, where a periodic world continues and a closed one is empty.

use rayon::prelude::*;

use super::rules::direction::{DIRECTIONS, STANDS, turned};
use super::rules::grid::{Grid, NOWHERE, shown};
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

    /// Words of a plane by rows, `[word][y]`, and by columns, `[word][x]`.
    pub fn words(&self) -> [usize; 2] {
        let [columns, rows] = self.sides();
        [self.row_words as usize * rows as usize, self.column_words as usize * columns as usize]
    }

    /// The column or row of the world that a column or row of the planes shows; none beyond a closed border.
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
    /// Without words if they are not needed.
    columns: Lines,
}

/// The rows, or the columns, of all planes.
#[derive(Debug, Clone)]
struct Lines {
    /// `[plane][word][line]`.
    words: Vec<u32>,
    /// Lines of a plane.
    count: u32,
    /// Words of a line.
    line_words: u32,
    /// Space units of a line.
    length: u32,
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

impl Lines {
    fn new(count: u32, line_words: u32, length: u32) -> Self {
        Self { words: vec![0; PLANES * (line_words * count) as usize], count, line_words, length }
    }

    /// Shows the pedestrians: `heading` is that of the pedestrian at a place along a line, if there is one.
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

    /// Adds to each word how many pedestrians its line has before it.
    fn sum_up(&mut self) {
        let lines = self.count as usize;
        self.words.par_chunks_exact_mut(self.line_words as usize * lines).for_each(|plane| {
            for i in lines..plane.len() {
                plane[i] |= count_before(plane[i - lines], BITS) << BITS;
            }
        });
    }

    /// The index of a word.
    #[inline]
    fn at(&self, plane: usize, word: u32, line: u32) -> usize {
        (plane * self.line_words as usize + word as usize) * self.count as usize + line as usize
    }

    /// How many pedestrians a line has before a place.
    #[inline]
    fn before(&self, plane: usize, along: u32, line: u32) -> u32 {
        count_before(self.words[self.at(plane, along / BITS, line)], along % BITS)
    }
}

impl Planes {
    /// Empty planes; counts are for those `with_columns` only. Memory: 4 bytes for 16 space units and each of the 17
    /// planes, twice `with_columns`.
    pub fn new(layout: Layout, with_columns: bool) -> Self {
        let [columns, rows] = layout.sides();
        let none = Lines::new(0, 0, 0);
        Self {
            layout,
            rows: Lines::new(rows, layout.row_words, columns),
            columns: if with_columns { Lines::new(columns, layout.column_words, rows) } else { none },
        }
    }

    /// Shows the pedestrians in the space units of a world.
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

    /// The bits of `count` space units of a row from `x` on, at most 16; coordinates of the planes.
    #[inline]
    pub fn bits(&self, plane: usize, x: u32, y: u32, count: u32) -> u32 {
        let first = self.rows.at(plane, x / BITS, y);
        let both = self.rows.words[first] & 0xFFFF | self.rows.words[first + self.rows.count as usize] << BITS;
        both >> (x % BITS) & ((1 << count) - 1)
    }

    /// How many pedestrians a row has before `x`.
    #[inline]
    pub fn before_in_row(&self, plane: usize, x: u32, y: u32) -> u32 {
        self.rows.before(plane, x, y)
    }

    /// How many pedestrians a column has before `y`.
    #[inline]
    pub fn before_in_column(&self, plane: usize, x: u32, y: u32) -> u32 {
        self.columns.before(plane, y, x)
    }
}

/// The count of a word and of its first bits.
#[inline]
fn count_before(word: u32, bits: u32) -> u32 {
    (word >> BITS) + (word & ((1 << bits) - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

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
            planes.refresh(&vec![3; 777], &headings);
            planes.refresh(&occupants, &headings);
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
