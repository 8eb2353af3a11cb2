//! Outlines of the connected regions of a grid, along the borders of its cells.
//!
//! Cells are connected through their sides. A region has its own outline, as if all other regions were walls, so that
//! two regions which touch at a corner have an outline each. Where two cells of one region touch at a corner between
//! two walls, the outline turns towards the wall: the walls become two holes that touch, or a hole that touches the
//! exterior. Turning towards the cells would make one ring that passes the corner twice, which is no valid polygon.

/// A corner of cells: columns to its left, and rows below it.
pub(super) type Corner = (usize, usize);

/// The mark of walls, and of the frame of cells around the grid.
const WALL: u32 = 0;

/// The connected regions of a grid, in a frame of walls one cell wide.
#[derive(Debug)]
pub(super) struct Regions {
    width: usize,
    height: usize,
    /// The number of the region of each cell, from 1; row by row, with the frame.
    marks: Vec<u32>,
    count: u32,
}

impl Regions {
    /// Finds the regions. They are numbered by their first cell in the order of rows.
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
                // The frame is never open, so that a cell has all its neighbours.
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

    /// The number of the region of a cell, from 0; `None` for walls.
    pub(super) fn of_cell(&self, x: usize, y: usize) -> Option<usize> {
        (self.marks[self.framed(x + 1, y + 1)] as usize).checked_sub(1)
    }

    /// The rings of each region: its exterior, counter-clockwise, then its holes, clockwise. Consecutive sides are
    /// perpendicular.
    pub(super) fn rings(&self) -> Vec<Vec<Vec<Corner>>> {
        let mut rings = vec![Vec::new(); self.count as usize];
        // The lower sides that are part of a ring. Every ring has one that is followed from left to right.
        let mut traced = vec![false; self.marks.len()];
        for (x, y) in self.cells() {
            let (cell, below) = (self.framed(x + 1, y + 1), self.framed(x + 1, y));
            let region = self.marks[cell];
            if region != WALL && self.marks[below] != region && !traced[cell] {
                // The first of these sides, in the order of rows, begins at a turn of its ring: before it, there is none
                // to go straight on from. And the first cell of a region is at its exterior.
                rings[region as usize - 1].push(self.ring((x, y), &mut traced));
            }
        }
        rings
    }

    /// The ring that leaves the corner to the right, with its region to the left of each side.
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

    /// The cells of the grid in the order of rows.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The place of a cell in `marks`; the frame counts, so that the grid begins at (1, 1).
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

    /// The cells at the corner that are ahead, to the left and to the right, in coordinates with the frame.
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
