//! How densely agents stand.

use super::colours::Rgb;
use super::picture::{Area, Picture};
use super::scale::Scale;
use crate::field::Field;
use crate::grid::Grid;

/// The smallest side of a block of cells whose agents are counted, pixels.
const SIDE: u32 = 7;
/// The lowest numbers of the classes of blocks.
const CLASSES: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// Agents per unit of area in each cell of a grid. Agents outside count in the nearest cell, and those with a
/// coordinate that is NaN are left out.
///
/// ```
/// use throng_fields::Grid;
/// use throng_fields::pictures::density;
///
/// let grid = Grid::new([0.0, 10.0], 2.0, 3, 2)?;
/// // Two in the first cell, of 4 units of area, one in the last, and one beyond its upper right corner.
/// let field = density(grid, [[0.5, 10.0], [1.5, 11.9], [4.0, 12.0], [6.0, 14.0], [f64::NAN, 11.0]]);
/// assert_eq!(field.values(), [0.5, 0.0, 0.0, 0.0, 0.0, 0.5]);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
pub fn density(grid: Grid, agents: impl IntoIterator<Item = [f64; 2]>) -> Field {
    let counts = counts(&grid, 1, agents);
    let area = f64::from(grid.cell()) * f64::from(grid.cell());
    Field::new(grid, counts.into_iter().map(|count| (f64::from(count) / area) as f32).collect())
}

/// The agents in each block of so many cells along a side, row by row. Agents outside count in the nearest block; those
/// that are nowhere do not.
fn counts(grid: &Grid, cells: u32, agents: impl IntoIterator<Item = [f64; 2]>) -> Vec<u32> {
    let [columns, rows] = [grid.columns(), grid.rows()].map(|count| count.div_ceil(cells) as usize);
    let mut counts = vec![0u32; columns * rows];
    for agent in agents {
        let [x, y] = grid.in_cells(agent);
        if x.is_nan() || y.is_nan() {
            continue;
        }
        // Conversions of negative numbers give 0.
        let [column, row] = [(x as u32).min(grid.columns() - 1), (y as u32).min(grid.rows() - 1)];
        counts[(row / cells) as usize * columns + (column / cells) as usize] += 1;
    }
    counts
}

/// Agents counted in blocks of cells, which are drawn over a field in a colour for the class of their number.
#[derive(Debug, Clone)]
pub(super) struct Crowding {
    counts: Vec<u32>,
    /// Blocks in a row.
    columns: usize,
    /// The side of a block, cells.
    cells: u32,
}

impl Crowding {
    /// Counts agents; blocks are as small as can be seen at a scale.
    pub(super) fn new(grid: &Grid, scale: Scale, agents: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let (per_pixel, pixels) = scale.block();
        // A scale of 0 is refused when the map is drawn.
        let cells = per_pixel.max(1).saturating_mul(SIDE.div_ceil(pixels.max(1)));
        let columns = grid.columns().div_ceil(cells) as usize;
        Self { counts: counts(grid, cells, agents), columns, cells }
    }

    /// The side of a block, units of length.
    pub(super) fn side(&self, grid: &Grid) -> f64 {
        f64::from(self.cells) * f64::from(grid.cell())
    }

    /// The classes of numbers, with their colours.
    pub(super) fn classes() -> impl Iterator<Item = (String, Rgb)> {
        CLASSES.iter().enumerate().map(|(class, low)| {
            let name = CLASSES.get(class + 1).map_or(format!("{low} or more"), |next| format!("{low} to {}", next - 1));
            (name, colour(class))
        })
    }

    /// Draws the blocks with agents onto a map, with gaps between them through which the field shows.
    pub(super) fn draw(&self, picture: &mut Picture, map: Area, scale: Scale) {
        let (per_pixel, pixels) = scale.block();
        let side = i64::from(self.cells / per_pixel) * i64::from(pixels);
        for (block, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (column, row) = ((block % self.columns) as i64, (block / self.columns) as i64);
            let (left, bottom) = (map.left + column * side, map.bottom() - row * side);
            // The end of the map may truncate blocks.
            let (right, top) = ((left + side - 1).min(map.right()), (bottom - side + 1).max(map.top));
            let class = CLASSES.iter().rposition(|&low| low <= count).unwrap_or(0);
            picture.fill(Area { left, top, width: right - left, height: bottom - top }, colour(class));
        }
    }
}

/// From light to dark: `RdPu` of `ColorBrewer`, whose pink no map of values has.
fn colour(class: usize) -> Rgb {
    let share = class as f64 / (CLASSES.len() - 1) as f64;
    colorous::RED_PURPLE.eval_continuous(0.3 + 0.7 * share).as_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_counted_in_blocks_that_can_be_seen() {
        let grid = Grid::new([0.0, 0.0], 2.0, 9, 6).unwrap();
        let agents = [[0.5, 0.5], [7.9, 7.9], [8.1, 0.0], [17.9, 11.9], [99.0, 99.0]];
        // Two pixels to a cell: blocks are 4 x 4 cells of 8 pixels, three in a row.
        let crowding = Crowding::new(&grid, Scale::PixelsPerCell(2), agents);
        assert_eq!((crowding.cells, crowding.side(&grid), crowding.columns), (4, 8.0, 3));
        assert_eq!(crowding.counts, [2, 1, 0, 0, 0, 2]);
        assert_eq!(Crowding::new(&grid, Scale::PixelsPerCell(9), agents).cells, 1);
        assert_eq!(Crowding::new(&grid, Scale::CellsPerPixel(3), agents).cells, 21);

        let mut picture = Picture::new(18, 12).unwrap();
        let map = picture.area();
        crowding.draw(&mut picture, map, Scale::PixelsPerCell(2));
        let one_or_two = Some(colour(0));
        assert_eq!(
            [picture.pixel(0, 11), picture.pixel(6, 5), picture.pixel(7, 5)],
            [one_or_two, one_or_two, Some([255; 3])]
        );
        assert_eq!(
            [picture.pixel(17, 0), picture.pixel(16, 3), picture.pixel(0, 0)],
            [one_or_two, one_or_two, Some([255; 3])]
        );
    }

    #[test]
    fn classes_have_no_gaps_and_get_darker() {
        let names: Vec<String> = Crowding::classes().map(|(name, _)| name).collect();
        assert_eq!(names, ["1 to 2", "3 to 9", "10 to 29", "30 to 99", "100 to 299", "300 or more"]);
        let sums: Vec<u32> =
            Crowding::classes().map(|(_, colour)| colour.iter().map(|&part| u32::from(part)).sum()).collect();
        assert!(sums.windows(2).all(|pair| pair[1] < pair[0]), "{sums:?}");
    }
}
