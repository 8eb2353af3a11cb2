//! The size of cells in an image of a field.

use throng_core::InputError;

use crate::Grid;

/// Default length of the longer side of the map of a small field, pixels.
const USUAL_SIDE: u32 = 1200;
/// Default maximum side length of a map, pixels.
const MAX_SIDE: u32 = 1600;

/// The size of cells in an image.
///
/// ```
/// use throng_pictures::{HeatMap, Scale};
/// use throng_pictures::{Grid, Raster};
///
/// let field = Raster::uniform(Grid::new([0.0, 0.0], 1.0, 300, 300)?, 0.0);
/// let height = |scale| HeatMap::new(&field).with_scale(scale).draw().map(|image| image.height());
/// // The maps are 600 and 300 pixels high; everything around them has the same height.
/// assert_eq!(height(Scale::PixelsPerCell(2))? - height(Scale::PixelsPerCell(1))?, 300);
/// assert!(height(Scale::CellsPerPixel(3))? < height(Scale::PixelsPerCell(1))?);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Each cell is a square with this many pixels per side.
    PixelsPerCell(u32),
    /// Each pixel shows the mean of a square with this many cells per side.
    CellsPerPixel(u32),
}

impl Scale {
    /// Returns the scale that makes the longer side of a map between 800 and 1600 pixels long.
    ///
    /// ```
    /// use throng_pictures::{Grid, Scale};
    ///
    /// let scale = |columns, rows| Grid::new([0.0, 0.0], 1.0, columns, rows).map(|grid| Scale::for_grid(&grid));
    /// assert_eq!(scale(100, 40)?, Scale::PixelsPerCell(12));
    /// assert_eq!(scale(4000, 8000)?, Scale::CellsPerPixel(5));
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn for_grid(grid: &Grid) -> Self {
        let longer = grid.columns().max(grid.rows());
        if longer > MAX_SIDE {
            Self::CellsPerPixel(longer.div_ceil(MAX_SIDE))
        } else {
            Self::PixelsPerCell(((USUAL_SIDE + longer / 2) / longer).max(1))
        }
    }

    /// Rejects a size of 0.
    pub fn check(self) -> Result<(), InputError> {
        let (place, number) = match self {
            Self::PixelsPerCell(number) => ("scale, pixels per cell", number),
            Self::CellsPerPixel(number) => ("scale, cells per pixel", number),
        };
        if number == 0 { Err(InputError::one(place, number, "expected 1 or more")) } else { Ok(()) }
    }

    /// Returns the side length of a block in cells, and in pixels.
    pub(super) fn block(self) -> (u32, u32) {
        match self {
            Self::PixelsPerCell(pixels) => (1, pixels),
            Self::CellsPerPixel(cells) => (cells, 1),
        }
    }

    /// Returns the side length of a cell in pixels.
    pub(super) fn pixels_per_cell(self) -> f64 {
        let (cells, pixels) = self.block();
        f64::from(pixels) / f64::from(cells)
    }

    /// Returns width and height of a map in pixels. The edge of the field may cut off blocks at the right and at the
    /// top.
    pub fn size(self, grid: &Grid) -> [u64; 2] {
        let (cells, pixels) = self.block();
        [grid.columns(), grid.rows()].map(|count| u64::from(count.div_ceil(cells)) * u64::from(pixels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: u32, rows: u32) -> Grid {
        Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap()
    }

    #[test]
    fn the_longer_side_is_between_800_and_1600_pixels() {
        for longer in (1..5000).chain([65_535, 1 << 18]) {
            for (columns, rows) in [(longer, 1), (1, longer)] {
                let grid = grid(columns, rows);
                let [width, height] = Scale::for_grid(&grid).size(&grid);
                assert!((800..=1600).contains(&width.max(height)), "{columns} x {rows}: {width} x {height}");
            }
        }
    }

    #[test]
    fn partial_blocks_have_a_pixel() {
        assert_eq!(Scale::CellsPerPixel(4).size(&grid(9, 8)), [3, 2]);
        assert_eq!(Scale::PixelsPerCell(3).size(&grid(9, 8)), [27, 24]);
        assert_eq!((Scale::CellsPerPixel(4).pixels_per_cell(), Scale::PixelsPerCell(3).pixels_per_cell()), (0.25, 3.0));
        assert_eq!(Scale::PixelsPerCell(0).check().unwrap_err().place(), "scale, pixels per cell");
        assert_eq!(Scale::CellsPerPixel(0).check().unwrap_err().place(), "scale, cells per pixel");
    }
}
