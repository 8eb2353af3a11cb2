//! Walls of a world, and the pieces of them that are near each position.

use throng_core::{InputError, Problems};

use super::rules::wall::{Displacement, LONGEST_PIECE, crosses_wall, touches_wall};
use super::world::World;

/// Side of the cells in which pieces of walls are found, as a power of two.
pub const WALL_CELL_BITS: u32 = 13;

/// Straight walls, each from one end to the other, units. A closed chain of walls is an obstacle: what is outside does
/// not get in.
pub type Wall = [[i32; 2]; 2];

/// A piece of a wall: its first end, and the vector to its second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub(crate) end: [i32; 2],
    pub(crate) to: Displacement,
}

/// The pieces of walls that matter in each cell of a coarse grid: those within reach of any position in it.
#[derive(Debug, Clone, Default)]
pub struct WallIndex {
    columns: usize,
    pub(crate) starts: Vec<u32>,
    pub(crate) pieces: Vec<Piece>,
}

impl WallIndex {
    /// The pieces within `reach` of the positions of each cell. Walls longer than 8192 units along an axis are cut into
    /// pieces, whose ends are rounded to whole units. Under a periodic boundary walls do not wrap.
    ///
    /// # Errors
    /// Walls that have an end outside the world.
    pub fn new(world: &World, walls: &[Wall], reach: i32) -> Result<Self, InputError> {
        let size = world.size();
        let mut problems = Problems::new();
        for (number, wall) in walls.iter().enumerate() {
            let outside = |end: &&[i32; 2]| (0..2).any(|axis| !(0..=size[axis]).contains(&end[axis]));
            if let Some(end) = wall.iter().find(outside) {
                let remedy = format!("walls are within 0 and {size:?} units");
                problems.push(format!("wall {number}"), format!("ends at {end:?}"), remedy);
            }
        }
        problems.into_result()?;
        if walls.is_empty() {
            return Ok(Self::default());
        }
        let [columns, rows] = size.map(|size| ((size - 1) >> WALL_CELL_BITS) as usize + 1);
        let pieces: Vec<Piece> = walls.iter().flat_map(pieces).collect();
        let mut of_cells: Vec<(u32, Piece)> = Vec::new();
        for piece in pieces {
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

    /// Whether a disc with its centre at `to`, which came by `step`, overlaps with a wall or has passed through one.
    pub fn refuses(&self, world: &World, to: [i32; 2], step: Displacement, radius: i32) -> bool {
        self.near(to).iter().any(|piece| {
            let at = Displacement { x: world.x.offset(piece.end[0], to[0]), y: world.y.offset(piece.end[1], to[1]) };
            touches_wall(piece.to, at, radius) || crosses_wall(piece.to, at, step)
        })
    }

    fn near(&self, [x, y]: [i32; 2]) -> &[Piece] {
        if self.is_empty() {
            return &[];
        }
        let cell = (y >> WALL_CELL_BITS) as usize * self.columns + (x >> WALL_CELL_BITS) as usize;
        &self.pieces[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Columns of the grid.
    #[cfg(feature = "gpu")]
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}

/// The pieces of a wall.
fn pieces(wall: &Wall) -> impl Iterator<Item = Piece> + use<> {
    let [from, to] = *wall;
    let longest = (0..2).map(|axis| (to[axis] - from[axis]).abs()).max().unwrap_or(0);
    let count = i64::from((longest + LONGEST_PIECE - 2) / (LONGEST_PIECE - 1)).max(1);
    let end = move |i: i64| {
        [0, 1].map(|axis| {
            let way = i64::from(to[axis]) - i64::from(from[axis]);
            from[axis] + (way * i / count) as i32
        })
    };
    (0..count).map(move |i| {
        let [a, b] = [end(i), end(i + 1)];
        Piece { end: a, to: Displacement { x: b[0] - a[0], y: b[1] - a[1] } }
    })
}

/// The columns (axis 0) or rows (axis 1) of the cells with positions within `reach` of a piece.
fn cells_near(world: &World, piece: &Piece, axis: usize, reach: i32) -> Vec<usize> {
    let (axis_of_world, way) = if axis == 0 { (world.x, piece.to.x) } else { (world.y, piece.to.y) };
    let cells = (axis_of_world.size - 1) >> WALL_CELL_BITS;
    let (low, high) =
        (piece.end[axis].min(piece.end[axis] + way) - reach, piece.end[axis].max(piece.end[axis] + way) + reach);
    let near = |cell: &i32| {
        let (first, last) = (cell << WALL_CELL_BITS, ((cell + 1) << WALL_CELL_BITS).min(axis_of_world.size) - 1);
        let images: &[i32] = match world.boundary() {
            throng_device::neighbours::Boundary::Closed => &[0],
            throng_device::neighbours::Boundary::Periodic => &[-axis_of_world.size, 0, axis_of_world.size],
        };
        images.iter().any(|shift| low.saturating_add(*shift) <= last && high.saturating_add(*shift) >= first)
    };
    (0..=cells).filter(near).map(|cell| cell as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_device::neighbours::Boundary;

    #[test]
    fn each_position_finds_the_walls_within_reach() {
        for boundary in [Boundary::Closed, Boundary::Periodic] {
            let world = World::new([70_000, 50_000], boundary).unwrap();
            let walls = [[[100, 100], [60_000, 45_000]], [[0, 49_999], [69_999, 49_999]], [[20, 30], [20, 30]]];
            let index = WallIndex::new(&world, &walls, 4000).unwrap();
            let all: Vec<Piece> = walls.iter().flat_map(pieces).collect();
            assert!(all.iter().all(|piece| piece.to.x.abs() <= LONGEST_PIECE && piece.to.y.abs() <= LONGEST_PIECE));
            for x in (0..70_000).step_by(1777) {
                for y in (0..50_000).step_by(1333) {
                    let touches = |piece: &&Piece| {
                        let at =
                            Displacement { x: world.x.offset(piece.end[0], x), y: world.y.offset(piece.end[1], y) };
                        at.x.abs() < 30_000 && at.y.abs() < 30_000 && touches_wall(piece.to, at, 4000)
                    };
                    let (near, found) =
                        (all.iter().filter(touches).count(), index.near([x, y]).iter().filter(touches).count());
                    assert_eq!(near, found, "{boundary:?} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn walls_outside_the_world_are_refused() {
        let world = World::new([70_000, 50_000], Boundary::Closed).unwrap();
        let error = WallIndex::new(&world, &[[[0, 0], [1, 1]], [[0, 0], [70_001, 3]]], 1).unwrap_err().to_string();
        assert!(error.starts_with("wall 1: ends at [70001, 3]\n"), "{error}");
    }
}
