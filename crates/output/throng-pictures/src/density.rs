//! Densities of agents.

use super::colour::Colour;
use super::colours::{Rgb, WHITE};
use super::owners::MAX_NAMES;
use super::picture::{Area, Picture, mixed};
use super::scale::Scale;
use crate::{Grid, Raster};

/// Minimum side length of a block in which agents are counted, pixels.
const SIDE: u32 = 7;
/// Lower bounds of the count classes of blocks.
const CLASSES: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// Fraction of a kind's colour in blocks with the fewest agents, sufficient to recognise the kind.
const PALEST: f64 = 0.45;
/// Colour of the count classes in a legend of several kinds.
const GREY: Rgb = [80; 3];

/// Computes the agents per unit of area in each cell of a grid. Agents outside the grid count in the nearest cell;
/// agents with a NaN coordinate are ignored.
///
/// ```
/// use throng_pictures::Grid;
/// use throng_pictures::density;
///
/// let grid = Grid::new([0.0, 10.0], 2.0, 3, 2)?;
/// // Two in the first cell, of 4 units of area, one in the last, and one beyond its upper right corner.
/// let field = density(grid, [[0.5, 10.0], [1.5, 11.9], [4.0, 12.0], [6.0, 14.0], [f64::NAN, 11.0]]);
/// assert_eq!(field.values(), [0.5, 0.0, 0.0, 0.0, 0.0, 0.5]);
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn density(grid: Grid, agents: impl IntoIterator<Item = [f64; 2]>) -> Raster<'static> {
    let counts = counts(&grid, 1, agents);
    let area = f64::from(grid.cell()) * f64::from(grid.cell());
    let densities = counts.into_iter().map(|count| (f64::from(count) / area) as f32);
    Raster::new(grid, densities.collect::<Vec<f32>>()).expect("a count for each cell")
}

/// Counts the agents in blocks of `cells` x `cells` cells, row by row. Agents outside the grid count in the nearest
/// block; agents with a NaN coordinate are ignored.
fn counts(grid: &Grid, cells: u32, agents: impl IntoIterator<Item = [f64; 2]>) -> Vec<u32> {
    let [columns, rows] = [grid.columns(), grid.rows()].map(|count| count.div_ceil(cells) as usize);
    let mut counts = vec![0u32; columns * rows];
    for agent in agents {
        let [x, y] = grid.in_cells(agent);
        if x.is_nan() || y.is_nan() {
            continue;
        }
        // Casts turn negative numbers into 0.
        let [column, row] = [(x as u32).min(grid.columns() - 1), (y as u32).min(grid.rows() - 1)];
        counts[(row / cells) as usize * columns + (column / cells) as usize] += 1;
    }
    counts
}

/// Agents of a crowd, of one or several kinds such as teams.
#[derive(Debug, Clone, Default)]
pub(super) struct Crowd {
    pub points: Vec<[f64; 2]>,
    /// Kind of each agent, as an index into `kinds`; empty if there is only one kind.
    pub kind_of: Vec<usize>,
    /// Name and colour of each kind.
    pub kinds: Vec<(String, Colour)>,
    /// Name of the agents in the legend.
    pub what: String,
}

/// Counts of agents in blocks of cells, drawn over a field in the colour of their count class. With several kinds of
/// agents, a block has the colour of its most frequent kind; ties go to the first kind.
#[derive(Debug, Clone)]
pub(super) struct DensityBlocks<'c> {
    crowd: &'c Crowd,
    counts: Vec<u32>,
    /// Most frequent kind of each block; empty if there is only one kind.
    most: Vec<usize>,
    /// Number of blocks per row.
    columns: usize,
    /// Side length of a block, cells.
    cells: u32,
}

impl<'c> DensityBlocks<'c> {
    /// Counts agents in the smallest blocks that are visible at a scale.
    pub(super) fn new(grid: &Grid, scale: Scale, crowd: &'c Crowd) -> Self {
        let (per_pixel, pixels) = scale.block();
        // A scale of 0 is rejected later, when the map is drawn.
        let cells = per_pixel.max(1).saturating_mul(SIDE.div_ceil(pixels.max(1)));
        let columns = grid.columns().div_ceil(cells) as usize;
        let all = counts(grid, cells, crowd.points.iter().copied());
        let (mut most, mut largest) = (Vec::new(), Vec::new());
        for kind in 0..crowd.kinds.len() {
            let own = crowd.points.iter().zip(&crowd.kind_of).filter(|(_, of)| **of == kind);
            let own = counts(grid, cells, own.map(|(point, _)| *point));
            most.resize(own.len(), 0);
            largest.resize(own.len(), 0);
            for ((count, most), largest) in own.into_iter().zip(&mut most).zip(&mut largest) {
                if count > *largest {
                    (*most, *largest) = (kind, count);
                }
            }
        }
        Self { crowd, counts: all, most, columns, cells }
    }

    /// Returns the side length of a block, in units of length.
    pub(super) fn side(&self, grid: &Grid) -> f64 {
        f64::from(self.cells) * f64::from(grid.cell())
    }

    /// Returns the name of the counted agents.
    pub(super) fn what(&self) -> &str {
        &self.crowd.what
    }

    /// Returns the legend entries: the count classes, in grey if there are several kinds, and the kinds.
    pub(super) fn entries(&self) -> Vec<(String, Rgb)> {
        let class = |class: usize, low: u32| {
            let name = CLASSES.get(class + 1).map_or(format!("{low} or more"), |next| format!("{low} to {}", next - 1));
            (name, if self.most.is_empty() { colour(class) } else { colour_of_kind(GREY, class) })
        };
        let classes = CLASSES.iter().enumerate().map(|(number, low)| class(number, *low));
        let kinds = self.crowd.kinds.iter().take(MAX_NAMES);
        classes.chain(kinds.map(|(name, colour)| (format!("most are {name}"), colour.rgb()))).collect()
    }

    /// Draws the blocks that contain agents onto a map, with gaps through which the field shows.
    pub(super) fn draw(&self, picture: &mut Picture, map: Area, scale: Scale) {
        let (per_pixel, pixels) = scale.block();
        let side = i64::from(self.cells / per_pixel) * i64::from(pixels);
        for (block, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (column, row) = ((block % self.columns) as i64, (block / self.columns) as i64);
            let (left, bottom) = (map.left + column * side, map.bottom() - row * side);
            // The edge of the map may cut off blocks.
            let (right, top) = ((left + side - 1).min(map.right()), (bottom - side + 1).max(map.top));
            let class = CLASSES.iter().rposition(|&low| low <= count).unwrap_or(0);
            let kind = self.most.get(block).and_then(|kind| self.crowd.kinds.get(*kind));
            let colour = kind.map_or_else(|| colour(class), |(_, kind)| colour_of_kind(kind.rgb(), class));
            picture.fill(Area { left, top, width: right - left, height: bottom - top }, colour);
        }
    }
}

/// Returns a colour from light to dark: `RdPu` of `ColorBrewer`, whose pink does not occur in any colour map.
fn colour(class: usize) -> Rgb {
    colorous::RED_PURPLE.eval_continuous(0.3 + 0.7 * fraction(class)).as_array()
}

/// Returns a shade of a kind's colour, from pale to full.
fn colour_of_kind(kind: Rgb, class: usize) -> Rgb {
    mixed(WHITE, kind, PALEST + (1.0 - PALEST) * fraction(class))
}

fn fraction(class: usize) -> f64 {
    class as f64 / (CLASSES.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_counted_in_visible_blocks() {
        let grid = Grid::new([0.0, 0.0], 2.0, 9, 6).unwrap();
        let agents = [[0.5, 0.5], [7.9, 7.9], [8.1, 0.0], [17.9, 11.9], [99.0, 99.0]];
        // At two pixels per cell, a block has 4 x 4 cells of 8 x 8 pixels; there are three blocks per row.
        let crowd = Crowd { points: agents.to_vec(), ..Crowd::default() };
        let crowding = DensityBlocks::new(&grid, Scale::PixelsPerCell(2), &crowd);
        assert_eq!((crowding.cells, crowding.side(&grid), crowding.columns), (4, 8.0, 3));
        assert_eq!(crowding.counts, [2, 1, 0, 0, 0, 2]);
        assert_eq!(DensityBlocks::new(&grid, Scale::PixelsPerCell(9), &crowd).cells, 1);
        assert_eq!(DensityBlocks::new(&grid, Scale::CellsPerPixel(3), &crowd).cells, 21);

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
    fn classes_are_contiguous_and_get_darker() {
        let grid = Grid::new([0.0, 0.0], 2.0, 9, 6).unwrap();
        let crowd = Crowd::default();
        let entries = DensityBlocks::new(&grid, Scale::PixelsPerCell(2), &crowd).entries();
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["1 to 2", "3 to 9", "10 to 29", "30 to 99", "100 to 299", "300 or more"]);
        let sums: Vec<u32> =
            entries.iter().map(|(_, colour)| colour.iter().map(|&part| u32::from(part)).sum()).collect();
        assert!(sums.windows(2).all(|pair| pair[1] < pair[0]), "{sums:?}");
    }

    #[test]
    fn blocks_have_the_colour_of_the_most_frequent_kind() {
        let grid = Grid::new([0.0, 0.0], 1.0, 3, 1).unwrap();
        let kinds = [("red", Colour::RED), ("blue", Colour::BLUE), ("green", Colour::GREEN)];
        let in_cell = |column: usize, kind: usize| ([column as f64 + 0.5, 0.5], kind);
        let agents =
            [(0, 2), (0, 1), (0, 2), (1, 2), (1, 1), (1, 1), (1, 2), (2, 0)].map(|(at, kind)| in_cell(at, kind));
        let crowd = Crowd {
            points: agents.iter().map(|agent| agent.0).collect(),
            kind_of: agents.iter().map(|agent| agent.1).collect(),
            kinds: kinds.map(|(name, colour)| (name.to_owned(), colour)).to_vec(),
            what: "agents".to_owned(),
        };
        let scale = Scale::PixelsPerCell(8);
        let crowding = DensityBlocks::new(&grid, scale, &crowd);
        assert_eq!((&crowding.most[..], &crowding.counts[..]), (&[2, 1, 0][..], &[3, 4, 1][..]));
        let mut picture = Picture::new(24, 8).unwrap();
        let map = picture.area();
        crowding.draw(&mut picture, map, scale);
        let [green, blue, red] = [2, 10, 18].map(|x| picture.pixel(x, 4).unwrap());
        assert!(
            green[1] > green[0] && green[1] > green[2] && blue[2] > blue[0] && red[0] > red[1],
            "{green:?} {blue:?}"
        );
        // A block with one agent is paler than one with three.
        assert!(colour_of_kind([0; 3], 0)[0] > colour_of_kind([0; 3], 1)[0]);
        let names: Vec<String> = crowding.entries().into_iter().skip(6).map(|(name, _)| name).collect();
        assert_eq!(names, ["most are red", "most are blue", "most are green"]);
    }
}
