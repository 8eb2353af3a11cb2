//! Distances to walls: where bodies with a given radius fit.
//!
//! Walls are the squares of blocked cells, and all distances to them are exact. The border of the map is not a wall.
//!
//! The cells that a body can walk on follow from the points at half cells: centres, corners and midpoints of edges.
//! Along a straight line between two neighbouring points, the distance to a square never falls below the smaller one at
//! its ends, because no side of a square lies between them. A path from point to point is therefore free if all its
//! points are.

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::not_negative;
use throng_pictures::{Grid, Mask};

/// Permitted overlap with a wall, in cells, so that rounding does not close a gap that is as wide as the body.
const ROUNDING: f64 = 1e-3;
/// More than any number of rows.
const FAR: u32 = u32::MAX >> 2;
/// Bits of the 3 x 3 points of a cell, at half cells: the centre, and those on each side.
const CENTRE: u16 = 1 << 4;
const LEFT: u16 = 0b001_001_001;
const RIGHT: u16 = LEFT << 2;
const LOW: u16 = 0b000_000_111;
const HIGH: u16 = LOW << 6;
/// The centre and the midpoints of the edges.
const CROSS: u16 = 0b010_111_010;

/// Returns the open cells in which bodies with this radius fit somewhere and from which they can walk to every
/// neighbouring cell that also belongs to the result. `None` if these are all open cells, as for a radius of up to half
/// a cell.
///
/// For straight gaps along the axes the result is exact: a gap is open for bodies up to its width. A slanted gap may be
/// closed for bodies that are narrower by less than a cell.
///
/// # Errors
/// When the radius is negative or not finite, or the system has too little memory.
pub fn walkable(grid: &Grid, open: &Mask, radius: f32) -> Result<Option<Mask>, InputError> {
    let radius = f64::from(not_negative("body, radius", radius)?) / f64::from(grid.cell());
    if radius <= 0.5 || !open.flags().contains(&false) {
        return Ok(None);
    }
    check_allocation::<[u32; 3]>("distances to walls", grid.cells())?;
    let points = free_points(grid, open, radius);
    let is_reached = |cell: usize| points[cell] & CROSS != 0;
    let columns = grid.columns() as usize;
    let is_walkable = |column: u32, row: u32| {
        let cell = grid.index(column, row);
        let own = points[cell];
        // From a free centre there is a free point on the way to each free point of a neighbour.
        let cannot_pass = |is_beside: bool, offset: isize, side: u16| {
            is_beside && own & side == 0 && is_reached(cell.wrapping_add_signed(offset))
        };
        is_reached(cell)
            && (own & CENTRE != 0
                || !(cannot_pass(column > 0, -1, LEFT)
                    || cannot_pass(column + 1 < grid.columns(), 1, RIGHT)
                    || cannot_pass(row > 0, -(columns as isize), LOW)
                    || cannot_pass(row + 1 < grid.rows(), columns as isize, HIGH)))
    };
    let mask = Mask::new(grid, is_walkable);
    Ok((mask != *open).then_some(mask))
}

/// The points of each cell that are at least `radius` cells away from walls, as bits.
fn free_points(grid: &Grid, open: &Mask, radius: f64) -> Vec<u16> {
    let (columns, rows) = (grid.columns() as usize, grid.rows() as usize);
    let flags = open.flags();
    // The number of rows down, and up, to the next wall: 0 in a wall.
    let mut down = vec![FAR; flags.len()];
    let mut up = vec![FAR; flags.len()];
    for row in 0..rows {
        for cell in row * columns..(row + 1) * columns {
            let below = if row > 0 { down[cell - columns] } else { FAR };
            down[cell] = if flags[cell] { (below + 1).min(FAR) } else { 0 };
        }
    }
    for row in (0..rows).rev() {
        for cell in row * columns..(row + 1) * columns {
            let above = if row + 1 < rows { up[cell + columns] } else { FAR };
            up[cell] = if flags[cell] { (above + 1).min(FAR) } else { 0 };
        }
    }
    // In units of half cells, squares are integers.
    let least = 2.0 * (radius - ROUNDING).max(0.0);
    let needed = (least * least).ceil() as u64;
    // For a line of points: the vertical distance to the next wall in each column.
    let gaps = |line: usize| -> Vec<u32> {
        let row = line / 2;
        let gap = |column: usize| {
            if line.is_multiple_of(2) {
                let below = if row > 0 { down[(row - 1) * columns + column] } else { FAR };
                let above = if row < rows { up[row * columns + column] } else { FAR };
                2 * below.min(above)
            } else {
                let cell = row * columns + column;
                (2 * down[cell].min(up[cell])).saturating_sub(1)
            }
        };
        (0..columns).map(gap).collect()
    };
    // No wall is farther away than the map is wide.
    let reach = (least.ceil() as usize).min(2 * columns);
    let is_free = |gaps: &[u32], point: usize| {
        let columns = point.saturating_sub(reach + 2) / 2..columns.min(usize::midpoint(point, reach) + 1);
        columns.into_iter().all(|column| {
            let aside = (2 * column).saturating_sub(point) + point.saturating_sub(2 * column + 2);
            (aside as u64).pow(2) + u64::from(gaps[column]).pow(2) >= needed
        })
    };
    let of_row = |row: usize| -> Vec<u16> {
        let mut bits = vec![0u16; columns];
        for (shift, line) in (0..).step_by(3).zip(2 * row..=2 * row + 2) {
            let gaps = gaps(line);
            let free: Vec<u16> = (0..=2 * columns).map(|point| u16::from(is_free(&gaps, point))).collect();
            for (column, bits) in bits.iter_mut().enumerate() {
                let of_cell = &free[2 * column..2 * column + 3];
                *bits |= (of_cell[0] | of_cell[1] << 1 | of_cell[2] << 2) << shift;
            }
        }
        bits
    };
    (0..rows).into_par_iter().flat_map_iter(of_row).collect()
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    use super::*;

    const SIZE: [u32; 2] = [19, 13];

    fn random(seed: u64, share: f64) -> (Grid, Mask) {
        let draws = Philox::new(seed);
        let grid = Grid::new([0.0, 0.0], 0.5, SIZE[0], SIZE[1]).unwrap();
        (grid, Mask::new(&grid, |column, row| draws.unit(column, row, 0, 0) > share))
    }

    /// Distance from a point to the nearest wall, cells, from the definition.
    fn distance(open: &Mask, [x, y]: [f64; 2]) -> f64 {
        let cells = (0..SIZE[1]).flat_map(|row| (0..SIZE[0]).map(move |column| (column, row)));
        let walls = cells.filter(|&(column, row)| !open.allows(column, row));
        let aside = |at: f64, cell: u32| (f64::from(cell) - at).max(at - f64::from(cell) - 1.0).max(0.0);
        walls.map(|(column, row)| libm::hypot(aside(x, column), aside(y, row))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn walkable_cells_have_room_and_share_room_with_walkable_neighbours() {
        for (seed, share) in [(1, 0.03), (2, 0.1), (3, 0.02)] {
            let (grid, open) = random(seed, share);
            for radius in [0.3, 0.5, 0.6, 0.75, 1.0, 1.3, 2.6] {
                // Radii are in cells here.
                let walkable = walkable(&grid, &open, (0.5 * radius) as f32).unwrap();
                let cells = walkable.as_ref().unwrap_or(&open);
                let is_free =
                    |x: u32, y: u32| distance(&open, [x, y].map(|at| f64::from(at) / 2.0)) >= radius - ROUNDING - 1e-6;
                for (column, row) in open.cells() {
                    let [x, y] = [2 * column, 2 * row];
                    let has_free_centre = is_free(x + 1, y + 1);
                    if !cells.allows(column, row) {
                        assert!(!has_free_centre, "{seed} {radius}: {column} {row}");
                        continue;
                    }
                    let middles = [(x, y + 1), (x + 2, y + 1), (x + 1, y), (x + 1, y + 2)];
                    assert!(has_free_centre || middles.iter().any(|&(x, y)| is_free(x, y)), "{column} {row}");
                    if cells.allows(column + 1, row) {
                        assert!((y..=y + 2).any(|y| is_free(x + 2, y)), "{seed} {radius}: {column} {row}, right");
                    }
                    if cells.allows(column, row + 1) {
                        assert!((x..=x + 2).any(|x| is_free(x, y + 2)), "{seed} {radius}: {column} {row}, up");
                    }
                }
            }
        }
    }

    #[test]
    fn straight_gaps_are_open_up_to_their_width() {
        let grid = Grid::new([0.0, 0.0], 1.0, 21, 12).unwrap();
        for width in 1..=6 {
            let open = Mask::new(&grid, |column, row| column != 10 || (3..3 + width).contains(&row));
            let is_open = |radius: f32| {
                let cells = walkable(&grid, &open, radius).unwrap();
                cells.is_none_or(|cells| (0..12).any(|row| cells.allows(10, row)))
            };
            let half = width as f32 / 2.0;
            assert!(is_open(half) && is_open(0.8 * half) && !is_open(half + 0.01), "{width}");
        }
    }
}
