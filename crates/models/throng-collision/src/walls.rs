//! Walls of a world, and the lookup of their pieces near a position.

use throng_core::{InputError, Problems, check_memory};
use throng_device::neighbours::Boundary;

use super::lattice::{Lattice, ShownLengths};
use super::rules::wall::{Displacement, MAX_PIECE, hits_wall};
use super::world::World;

/// Binary logarithm of the side length of the cells for the lookup of pieces.
pub const WALL_CELL_BITS: u32 = 13;

/// A straight wall from one end to the other, units. A closed chain of walls is an obstacle: discs outside cannot
/// enter.
pub type Wall = [[i32; 2]; 2];

/// A piece of a wall, or its image beyond a periodic border: its first end, and the vector to its second end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub(crate) end: [i32; 2],
    pub(crate) to: Displacement,
}

/// Lookup of the pieces of walls in each cell of a coarse grid: those within reach of any position in the cell.
#[derive(Debug, Clone, Default)]
pub struct WallIndex {
    columns: usize,
    pub(crate) starts: Vec<u32>,
    pub(crate) pieces: Vec<Piece>,
}

impl WallIndex {
    /// Builds the lookup of the pieces within `reach` of the positions of each cell. Walls longer than 8191 units along
    /// an axis are cut into pieces, whose ends are rounded to integer units. Under a periodic boundary walls do not
    /// wrap, but their images at the opposite side act on discs. In messages, `lattice` converts lengths to metres.
    ///
    /// # Errors
    /// Walls with an end outside the world, and more pieces than fit into memory.
    pub fn new(world: &World, walls: &[Wall], reach: i32, lattice: Option<&Lattice>) -> Result<Self, InputError> {
        let (size, shown) = (world.size(), ShownLengths(lattice));
        let place = |[x, y]: [i32; 2]| format!("{}, {}", shown.length(x.into()), shown.length(y.into()));
        let mut problems = Problems::new();
        for (number, wall) in walls.iter().enumerate() {
            let outside = |end: &&[i32; 2]| (0..2).any(|axis| !(0..=size[axis]).contains(&end[axis]));
            if let Some(end) = wall.iter().find(outside) {
                let remedy = format!("place both ends within 0, 0 and {}", place(size));
                problems.push(format!("wall {number}"), format!("ends at {}", place(*end)), remedy);
            }
        }
        problems.into_result()?;
        if walls.is_empty() {
            return Ok(Self::default());
        }
        let [columns, rows] = size.map(|size| ((size - 1) >> WALL_CELL_BITS) as usize + 1);
        check_index(world, walls, reach, columns * rows)?;
        let mut of_cells: Vec<(u32, Piece)> = Vec::new();
        for piece in walls.iter().flat_map(pieces).flat_map(|piece| images(world, piece, reach)) {
            let [xs, ys] = [0, 1].map(|axis| cells_near(world, &piece, axis, reach));
            for row in ys {
                of_cells.extend(xs.iter().map(|column| ((row * columns + column) as u32, piece)));
            }
        }
        of_cells.sort_by_key(|(cell, _)| *cell);
        let mut starts = vec![0u32; columns * rows + 1];
        for (cell, _) in &of_cells {
            starts[*cell as usize + 1] += 1;
        }
        for cell in 0..columns * rows {
            starts[cell + 1] += starts[cell];
        }
        Ok(Self { columns, starts, pieces: of_cells.into_iter().map(|(_, piece)| piece).collect() })
    }

    /// Whether there are no walls.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether a disc that moved by `step` to the centre `to` overlaps with a wall, or its centre has passed through
    /// one.
    pub fn refuses(&self, to: [i32; 2], step: Displacement, radius: i32) -> bool {
        self.near(to).iter().any(|piece| {
            let at = Displacement { x: to[0] - piece.end[0], y: to[1] - piece.end[1] };
            hits_wall(piece.to, at, step, radius)
        })
    }

    fn near(&self, [x, y]: [i32; 2]) -> &[Piece] {
        if self.is_empty() {
            return &[];
        }
        let cell = (y >> WALL_CELL_BITS) as usize * self.columns + (x >> WALL_CELL_BITS) as usize;
        &self.pieces[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Returns the number of columns of the grid.
    #[cfg(feature = "gpu")]
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}

/// Memory per piece and cell while pieces are sorted by cell, bytes.
const BYTES_PER_PIECE: f64 = 60.0;

/// Rejects an index of `cells` cells whose pieces exceed the memory. A piece is counted in as many cells as are on
/// average within reach of a piece of its length.
fn check_index(world: &World, walls: &[Wall], reach: i32, cells: usize) -> Result<(), InputError> {
    let in_cells = |[from, to]: &Wall| {
        let length = [0, 1].map(|axis| f64::from(from[axis].abs_diff(to[axis])));
        let count = (length[0].max(length[1]) / f64::from(MAX_PIECE - 1)).max(1.0);
        let [columns, rows] =
            length.map(|length| 1.0 + (length / count + 2.0 * f64::from(reach)) / f64::from(1 << WALL_CELL_BITS));
        count * columns * rows
    };
    let bytes = walls.iter().map(in_cells).sum::<f64>() * BYTES_PER_PIECE + 4.0 * cells as f64;
    let [width, height] = world.size();
    let count = walls.len();
    let data = format_args!("{count} walls, in a world of {width} x {height} units,");
    check_memory(bytes as u64, "index of walls", data, "give fewer or shorter walls, or a smaller world")
}

/// Yields the pieces of a wall.
fn pieces(wall: &Wall) -> impl Iterator<Item = Piece> + use<> {
    let [from, to] = *wall;
    let longest = (0..2).map(|axis| (to[axis] - from[axis]).abs()).max().unwrap_or(0);
    let count = i64::from((longest + MAX_PIECE - 2) / (MAX_PIECE - 1)).max(1);
    let end = move |i: i64| {
        [0, 1].map(|axis| {
            let displacement = i64::from(to[axis]) - i64::from(from[axis]);
            from[axis] + (displacement * i / count) as i32
        })
    };
    (0..count).map(move |i| {
        let [a, b] = [end(i), end(i + 1)];
        Piece { end: a, to: Displacement { x: b[0] - a[0], y: b[1] - a[1] } }
    })
}

/// Yields a piece and, under a periodic boundary, its images: those within reach of a position in the world.
fn images(world: &World, piece: Piece, reach: i32) -> impl Iterator<Item = Piece> + use<> {
    let ends = [[piece.end[0], piece.to.x], [piece.end[1], piece.to.y]];
    let along = [0, 1].map(|axis| -> Vec<i32> {
        let ([end, to], size) = (ends[axis].map(i64::from), i64::from(world.size()[axis]));
        let farthest = match world.boundary() {
            Boundary::Closed => 0,
            Boundary::Periodic => 1 + i64::from(reach + MAX_PIECE) / size,
        };
        let is_near = |end: &i64| {
            let (low, high) = (end.min(&(end + to)) - i64::from(reach), end.max(&(end + to)) + i64::from(reach));
            low < size && high >= 0
        };
        let ends = (-farthest..=farthest).map(|shift| end + shift * size);
        ends.filter(is_near).map(|end| end as i32).collect()
    });
    let [xs, ys] = along;
    xs.into_iter().flat_map(move |x| ys.clone().into_iter().map(move |y| Piece { end: [x, y], to: piece.to }))
}

/// Returns the columns (axis 0) or rows (axis 1) of the cells with positions within `reach` of a piece.
fn cells_near(world: &World, piece: &Piece, axis: usize, reach: i32) -> Vec<usize> {
    let (size, to) = (world.size()[axis], [piece.to.x, piece.to.y][axis]);
    let (low, high) = (piece.end[axis].min(piece.end[axis] + to), piece.end[axis].max(piece.end[axis] + to));
    let (first, last) = (low.saturating_sub(reach).max(0), high.saturating_add(reach).min(size - 1));
    (first >> WALL_CELL_BITS..=last >> WALL_CELL_BITS).map(|cell| cell as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lattice::MAX_STEP;
    use super::*;

    /// Whether a disc that moves by `step` to a position touches or crosses a wall, or one of its images: by
    /// definition.
    fn is_hit(world: &World, walls: &[Wall], to: [i32; 2], step: Displacement, radius: i32) -> bool {
        let [width, height] = world.size();
        let shifts = if world.boundary() == Boundary::Periodic { -3..=3 } else { 0..=0 };
        let images = shifts.clone().flat_map(|x| shifts.clone().map(move |y| [x * width, y * height]));
        images.into_iter().any(|[x, y]| {
            walls.iter().flat_map(pieces).any(|piece| {
                let at = Displacement { x: to[0] - piece.end[0] - x, y: to[1] - piece.end[1] - y };
                let is_near = at.x.abs() <= 32_768 && at.y.abs() <= 32_768;
                is_near && hits_wall(piece.to, at, step, radius)
            })
        })
    }

    #[test]
    fn walls_within_reach_and_their_images_are_found() {
        for (boundary, size) in [
            (Boundary::Closed, [70_000, 50_000]),
            (Boundary::Periodic, [70_000, 50_000]),
            (Boundary::Periodic, [23_168, 40_000]),
        ] {
            let world = World::new(size, boundary).unwrap();
            let [width, height] = size;
            let walls = [
                [[100, 100], [width - 900, height - 700]],
                [[0, height - 1], [width / 3, height - 1]],
                [[20, 30], [20, 30]],
            ];
            let index = WallIndex::new(&world, &walls, MAX_STEP, None).unwrap();
            let all: Vec<Piece> = walls.iter().flat_map(pieces).collect();
            assert!(all.iter().all(|piece| piece.to.x.abs() <= MAX_PIECE && piece.to.y.abs() <= MAX_PIECE));
            let mut hits = 0;
            for x in (0..width).step_by(977) {
                for y in (0..height).step_by(733) {
                    let turn = (x + y) % 5 - 2;
                    for step in [[0, 0], [4000 * turn, 6900], [-16_000, 3000 * turn], [8000, -8000]] {
                        let step = Displacement { x: step[0], y: step[1] };
                        let expected = is_hit(&world, &walls, [x, y], step, 5000);
                        assert_eq!(index.refuses([x, y], step, 5000), expected, "{size:?} {x} {y} {step:?}");
                        hits += u32::from(expected);
                    }
                }
            }
            assert!(hits > 500, "{hits}");
        }
    }

    #[test]
    fn walls_outside_the_world_are_refused() {
        let world = World::new([70_000, 50_000], Boundary::Closed).unwrap();
        let error = WallIndex::new(&world, &[[[0, 0], [1, 1]], [[0, 0], [70_001, 3]]], 1, None);
        let error = error.unwrap_err().to_string();
        let expected =
            "wall 1: ends at 70001 units, 3 units\n    place both ends within 0, 0 and 70000 units, 50000 units";
        assert_eq!(error, expected);
    }
}
