//! Outlines of the connected regions of a grid, along the cell borders.
//!
//! Cells are connected through their sides. Each region has its own outline, as if all other regions were walls, so two
//! regions that touch at a corner have separate outlines. Where two cells of one region touch at a corner between two
//! walls, the outline turns towards the wall: the walls become two holes that touch, or a hole that touches the
//! exterior. Turning towards the cells would give one ring that passes the corner twice, which is not a valid polygon.

/// A cell corner: the number of columns to its left, and of rows below it.
pub(super) type Corner = (usize, usize);

/// Mark of walls, and of the one-cell border around the grid.
const WALL: u32 = 0;

/// The connected regions of a grid, with a border of walls one cell wide.
#[derive(Debug)]
pub(super) struct Regions {
    width: usize,
    height: usize,
    /// Region index plus 1 per cell, row by row, including the border; [`WALL`] for walls.
    marks: Vec<u32>,
    count: u32,
}

impl Regions {
    /// Finds the regions. They are ordered by their first cell in row-major order.
    pub(super) fn find(width: usize, height: usize, is_wall: impl Fn(usize, usize) -> bool) -> Self {
        const UNMARKED: u32 = u32::MAX;
        let mut regions = Self { width, height, marks: vec![WALL; (width + 2) * (height + 2)], count: 0 };
        for (x, y) in regions.cells() {
            if !is_wall(x, y) {
                let cell = regions.framed(x + 1, y + 1);
                regions.marks[cell] = UNMARKED;
            }
        }
        let row = width + 2;
        let mut open = Vec::new();
        for cell in 0..regions.marks.len() {
            if regions.marks[cell] == UNMARKED {
                regions.count += 1;
                regions.marks[cell] = regions.count;
                open.push(cell);
            }
            while let Some(cell) = open.pop() {
                // The border is never open, so every visited cell has four neighbours.
                for next in [cell - row, cell - 1, cell + 1, cell + row] {
                    if regions.marks[next] == UNMARKED {
                        regions.marks[next] = regions.count;
                        open.push(next);
                    }
                }
            }
        }
        regions
    }

    /// Returns the region index of a cell; `None` for walls.
    pub(super) fn of_cell(&self, x: usize, y: usize) -> Option<usize> {
        (self.marks[self.framed(x + 1, y + 1)] as usize).checked_sub(1)
    }

    /// Returns the rings of each region: the exterior, counter-clockwise, then the holes, clockwise. Consecutive sides
    /// are perpendicular.
    pub(super) fn rings(&self) -> Vec<Vec<Vec<Corner>>> {
        let mut rings = vec![Vec::new(); self.count as usize];
        // Lower sides that are already part of a ring. Every ring has at least one that is traversed from left to
        // right.
        let mut traced = vec![false; self.marks.len()];
        for (x, y) in self.cells() {
            let (cell, below) = (self.framed(x + 1, y + 1), self.framed(x + 1, y));
            let region = self.marks[cell];
            if region != WALL && self.marks[below] != region && !traced[cell] {
                // In row-major order, the first such side of a ring starts at a turn: there is no side before it in the
                // same direction. The first cell of a region lies on its exterior.
                rings[region as usize - 1].push(self.ring((x, y), &mut traced));
            }
        }
        rings
    }

    /// Returns the ring that leaves the corner `start` to the right, with the region to the left of each side.
    fn ring(&self, start: Corner, traced: &mut [bool]) -> Vec<Corner> {
        let region = self.marks[self.framed(start.0 + 1, start.1 + 1)];
        let (mut corners, mut corner, mut heading) = (vec![start], start, Heading::Right);
        loop {
            if heading == Heading::Right {
                traced[self.framed(corner.0 + 1, corner.1 + 1)] = true;
            }
            corner = heading.step(corner);
            let [left, right] = heading.ahead(corner).map(|(x, y)| self.marks[self.framed(x, y)] == region);
            heading = match (left, right) {
                (_, true) => heading.clockwise(),
                (true, false) => continue,
                (false, false) => heading.counter_clockwise(),
            };
            if corner == start {
                return corners;
            }
            corners.push(corner);
        }
    }

    /// Iterates over the cells of the grid in row-major order.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Index of a cell in `marks`, which includes the border: the grid starts at (1, 1).
    fn framed(&self, x: usize, y: usize) -> usize {
        y * (self.width + 2) + x
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    Right,
    Up,
    Left,
    Down,
}

impl Heading {
    fn step(self, (x, y): Corner) -> Corner {
        match self {
            Self::Right => (x + 1, y),
            Self::Up => (x, y + 1),
            Self::Left => (x - 1, y),
            Self::Down => (x, y - 1),
        }
    }

    /// Returns the cells at the corner that are ahead to the left and ahead to the right, in coordinates that include
    /// the border.
    fn ahead(self, (x, y): Corner) -> [(usize, usize); 2] {
        let (below_left, below_right, above_left, above_right) = ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1));
        match self {
            Self::Right => [above_right, below_right],
            Self::Up => [above_left, above_right],
            Self::Left => [below_left, above_left],
            Self::Down => [below_right, below_left],
        }
    }

    fn clockwise(self) -> Self {
        match self {
            Self::Right => Self::Down,
            Self::Up => Self::Right,
            Self::Left => Self::Up,
            Self::Down => Self::Left,
        }
    }

    fn counter_clockwise(self) -> Self {
        self.clockwise().clockwise().clockwise()
    }
}
