//! Distances between the cells of a row and a polygon. The sides that matter are selected per block of cells, and each
//! cell is only compared with these.

use super::cell_distances::{CellValues, Cells, EntityInCells, LANES, TOGETHER};
use crate::NEGATIVE_ZERO;
use crate::rules::distance::Side;
use crate::rules::fixed_point::offset;
use crate::rules::sides::{Corners, Ends, Patch};

/// Rows of a block; its number of columns is [`TOGETHER`].
const ROWS: u32 = 16;

/// The sides of a polygon, and those that matter to each block of cells.
pub(super) struct Polygon {
    sides: Vec<Side>,
    /// Extent of each side along x per unit along y.
    per_y: Vec<f32>,
    /// The sides in vectors; the last vector may repeat a side.
    vectors: Vec<Vector>,
    /// The distance of the farthest corner from the position.
    radius: f32,
    /// The index of the first block.
    first: u32,
    /// The blocks of the most recently measured row.
    blocks: Vec<BlockSides>,
    /// For each block, the candidates for its nearest side and the sides that rays from it may cross, with space for
    /// all sides.
    lists: Vec<u32>,
}

/// The sides that are tested together, one per lane.
#[derive(Clone, Copy, Default)]
struct Vector {
    from_x: [f32; LANES],
    from_y: [f32; LANES],
    along_x: [f32; LANES],
    along_y: [f32; LANES],
    inverse: [f32; LANES],
    to_y: [f32; LANES],
    per_y: [f32; LANES],
    /// Results per side: the square of its distance from the centre of a block; -1 if a ray from the centre to the
    /// right crosses the side, else 1; and one bit per answer.
    squares: [f32; LANES],
    signs: [f32; LANES],
    answers: [u32; LANES],
}

/// The answer bits of a side.
const NEAREST: u32 = 1;
const PASSED: u32 = 2;
const DIVIDED: u32 = 4;

/// The sides that matter to a block.
#[derive(Clone, Copy)]
struct BlockSides {
    /// Index of its rows, in blocks; `u32::MAX` initially.
    rows: u32,
    /// Lengths of the block's lists of nearest and passed sides.
    nearest: usize,
    passed: usize,
    inside: Inside,
}

/// The cells of a block that are inside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    All,
    None,
    Some,
}

impl Vector {
    #[inline(always)]
    fn side(&self, i: usize) -> Side {
        Side {
            from_x: self.from_x[i],
            from_y: self.from_y[i],
            along_x: self.along_x[i],
            along_y: self.along_y[i],
            inverse: self.inverse[i],
            to_y: self.to_y[i],
        }
    }

    fn set(&mut self, i: usize, side: Side) {
        let Side { from_x, from_y, along_x, along_y, inverse, to_y } = side;
        (self.from_x[i], self.from_y[i], self.along_x[i], self.along_y[i]) = (from_x, from_y, along_x, along_y);
        (self.inverse[i], self.to_y[i], self.per_y[i]) = (inverse, to_y, side.x_per_y());
    }

    #[inline(always)]
    fn measure(&mut self, patch: &Patch) {
        for i in 0..LANES {
            let side = self.side(i);
            self.squares[i] = side.square_to(patch.x, patch.y, NEGATIVE_ZERO);
            let is_right = side.is_to_the_right(patch.x, patch.y, self.per_y[i], NEGATIVE_ZERO);
            self.signs[i] = if side.is_at_height(patch.y) & is_right { -1.0 } else { 1.0 };
        }
    }

    #[inline(always)]
    fn answer(&mut self, patch: &Patch, nearest: &Corners) {
        for i in 0..LANES {
            let (side, per_y) = (self.side(i), self.per_y[i]);
            let may_be_nearest = patch.may_be_nearest(&side, nearest, NEGATIVE_ZERO);
            let may_be_passed = patch.may_be_passed(&side, per_y);
            let may_be_divided = patch.may_be_divided(&side, per_y, NEGATIVE_ZERO);
            let bit = |answer: bool, bit: u32| if answer { bit } else { 0 };
            self.answers[i] = bit(may_be_nearest, NEAREST) | bit(may_be_passed, PASSED) | bit(may_be_divided, DIVIDED);
        }
    }
}

impl Polygon {
    /// Creates the sides of an entity's shape with these corners, for cells of these columns.
    pub fn new(corners: &[[f32; 2]], radius: f32, columns: (u32, u32)) -> Self {
        let before = corners.iter().cycle().skip(corners.len() - 1);
        let sides: Vec<Side> = before.zip(corners).map(|(&from, &to)| Side::between(from, to)).collect();
        let mut vectors = vec![Vector::default(); sides.len().div_ceil(LANES)];
        for (vector, sides) in vectors.iter_mut().zip(sides.chunks(LANES)) {
            for i in 0..LANES {
                vector.set(i, sides[i.min(sides.len() - 1)]);
            }
        }
        let first = columns.0 / TOGETHER as u32;
        let count = (columns.1.div_ceil(TOGETHER as u32) - first) as usize;
        let unknown = BlockSides { rows: u32::MAX, nearest: 0, passed: 0, inside: Inside::Some };
        Self {
            per_y: sides.iter().map(Side::x_per_y).collect(),
            lists: vec![0; 2 * sides.len() * count],
            sides,
            vectors,
            radius,
            first,
            blocks: vec![unknown; count],
        }
    }

    /// Computes squares of distances, 0 inside. The column of the first cell is a multiple of [`TOGETHER`]; `along` and
    /// `aside` are coordinates relative to the entity.
    #[inline(always)]
    pub fn measure(
        &mut self,
        from: EntityInCells<'_>,
        cells: Cells,
        along: &CellValues,
        aside: &CellValues,
        squares: &mut CellValues,
    ) {
        let own = along.as_chunks::<TOGETHER>().0.iter().zip(aside.as_chunks::<TOGETHER>().0);
        let squares = squares.as_chunks_mut::<TOGETHER>().0;
        let first = (cells.column / TOGETHER as u32 - self.first) as usize;
        let measured = squares.iter_mut().zip(own).take(cells.count.div_ceil(TOGETHER));
        for (i, (squares, (x, y))) in measured.enumerate() {
            let block = first + i;
            if self.blocks[block].rows != cells.row / ROWS {
                self.choose(from, block, cells.row / ROWS);
            }
            self.measure_block(block, x, y, squares);
        }
    }

    /// Selects the sides that matter to a block.
    #[inline(always)]
    fn choose(&mut self, from: EntityInCells<'_>, block: usize, rows: u32) {
        let placed = from.placed;
        let column = (self.first + block as u32) * TOGETHER as u32;
        let x = |column: u32| offset(column as f32, placed.position[0], from.low[0]);
        let y = |row: u32| offset(row as f32, placed.position[1], from.low[1]);
        let ends = Ends {
            left: x(column),
            right: x(column + (TOGETHER as u32 - 1)),
            top: y(rows * ROWS),
            bottom: y(rows * ROWS + (ROWS - 1)),
        };
        let [sin, cos] = placed.turn.unwrap_or([0.0, 1.0]);
        let patch = Patch::new(&ends, sin, cos, self.radius, placed.reach, NEGATIVE_ZERO);
        for vector in &mut self.vectors {
            vector.measure(&patch);
        }
        let (count, mut nearest, mut smallest, mut sign) = (self.sides.len(), 0, f32::INFINITY, -1.0);
        for i in 0..count {
            let vector = &self.vectors[i / LANES];
            sign *= vector.signs[i % LANES];
            if vector.squares[i % LANES] < smallest {
                (nearest, smallest) = (i, vector.squares[i % LANES]);
            }
        }
        let corners = patch.corners(&self.sides[nearest], NEGATIVE_ZERO);
        for vector in &mut self.vectors {
            vector.answer(&patch, &corners);
        }
        let (of_nearest, of_passed) = self.lists[2 * count * block..][..2 * count].split_at_mut(count);
        let (mut nearest, mut passed, mut is_divided) = (0, 0, false);
        for i in 0..count {
            let answers = self.vectors[i / LANES].answers[i % LANES];
            // Written unconditionally, and overwritten by the next side if it does not count.
            of_nearest[nearest] = i as u32;
            of_passed[passed] = i as u32;
            nearest += usize::from(answers & NEAREST != 0);
            passed += usize::from(answers & PASSED != 0);
            is_divided |= answers & DIVIDED != 0;
        }
        let inside = match (is_divided, sign > 0.0) {
            (true, _) => Inside::Some,
            (false, true) => Inside::All,
            (false, false) => Inside::None,
        };
        self.blocks[block] = BlockSides { rows, nearest, passed, inside };
    }

    #[inline(always)]
    fn measure_block(&self, block: usize, x: &[f32; TOGETHER], y: &[f32; TOGETHER], squares: &mut [f32; TOGETHER]) {
        let chosen = self.blocks[block];
        if chosen.inside == Inside::All {
            *squares = [0.0; TOGETHER];
            return;
        }
        let count = self.sides.len();
        let lists = &self.lists[2 * count * block..];
        // Separate arrays, so that the compiler can rule out aliasing.
        let mut nearest = [f32::INFINITY; TOGETHER];
        for &side in &lists[..chosen.nearest] {
            let side = self.sides[side as usize];
            for i in 0..TOGETHER {
                nearest[i] = nearest[i].min(side.square_to(x[i], y[i], NEGATIVE_ZERO));
            }
        }
        if chosen.inside == Inside::Some {
            let mut inside = [-1.0; TOGETHER];
            for &side in &lists[count..][..chosen.passed] {
                let (side, per_y) = (self.sides[side as usize], self.per_y[side as usize]);
                for i in 0..TOGETHER {
                    let is_right = side.is_to_the_right(x[i], y[i], per_y, NEGATIVE_ZERO);
                    inside[i] *= if side.is_at_height(y[i]) & is_right { -1.0 } else { 1.0 };
                }
            }
            for i in 0..TOGETHER {
                nearest[i] = if inside[i] < 0.0 { nearest[i] } else { 0.0 };
            }
        }
        *squares = nearest;
    }
}
