//! Hatching of selected cells, such as goals, with an outline around them.

use super::colours::{INK, Rgb, WHITE};
use super::picture::{Area, Picture};
use super::scale::Scale;
use crate::Mask;

/// Distance from one dark stripe to the next, pixels along an axis.
const PERIOD: i64 = 10;
/// Width of a dark stripe and of the adjacent light stripe, pixels along an axis.
const STRIPE: i64 = 2;
/// Widths of the dark and the white outline, pixels. Both lie outside the cells, so that even one pixel is visible.
const OUTLINE: [i64; 2] = [2, 1];

/// Hatched cells of a map.
pub(super) struct Hatching {
    /// Whether each block contains a hatched cell, row by row from the bottom.
    blocks: Vec<bool>,
    columns: i64,
    /// Side length of a block, pixels.
    side: i64,
    map: Area,
    /// Colour of dark stripes.
    ink: Rgb,
}

impl Hatching {
    /// Creates the hatching of the cells that a mask allows, for the map at `map` in an image.
    pub(super) fn new(cells: &Mask, scale: Scale, map: Area) -> Self {
        let (per_block, pixels) = scale.block();
        let side = i64::from(pixels);
        let (columns, rows) = (map.width / side, map.height / side);
        let mut blocks = vec![false; (columns * rows) as usize];
        for (column, row) in cells.cells() {
            let [column, row] = [column, row].map(|at| i64::from(at / per_block));
            blocks[(row * columns + column) as usize] = true;
        }
        Self { blocks, columns, side, map, ink: INK }
    }

    /// Sets the stripe colour.
    pub(super) fn with_colour(self, ink: Rgb) -> Self {
        Self { ink, ..self }
    }

    /// Draws stripes and outlines.
    pub(super) fn draw(&self, picture: &mut Picture) {
        let at_edge: Vec<Area> = self.areas().filter(|&(i, _)| self.is_at_edge(i)).map(|(_, area)| area).collect();
        let [dark, light] = OUTLINE;
        for (width, colour) in [(dark + light, WHITE), (dark, INK)] {
            for area in &at_edge {
                for y in area.top - width..area.bottom() + width {
                    for x in area.left - width..area.right() + width {
                        if self.has(x, y) == Some(false) {
                            picture.cover(x, y, colour, 1.0);
                        }
                    }
                }
            }
        }
        for (_, area) in self.areas() {
            stripes(picture, area, self.ink);
        }
    }

    /// Iterates over the hatched blocks and their indices.
    fn areas(&self) -> impl Iterator<Item = (usize, Area)> {
        let Self { columns, side, map, .. } = *self;
        let numbers = self.blocks.iter().enumerate().filter(|(_, is_hatched)| **is_hatched).map(|(i, _)| i);
        numbers.map(move |i| {
            let (column, row) = (i as i64 % columns, i as i64 / columns);
            let (left, top) = (map.left + column * side, map.bottom() - (row + 1) * side);
            (i, Area { left, top, width: side, height: side })
        })
    }

    /// Whether a block has a neighbour that is not hatched, or lies at the edge of the map.
    fn is_at_edge(&self, block: usize) -> bool {
        let (column, row) = (block as i64 % self.columns, block as i64 / self.columns);
        let is_hatched = |column: i64, row: i64| {
            (0..self.columns).contains(&column)
                && row >= 0
                && self.blocks.get((row * self.columns + column) as usize).is_some_and(|&is_hatched| is_hatched)
        };
        let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        !beside.into_iter().all(|(x, y)| is_hatched(column + x, row + y))
    }

    /// Whether a pixel is hatched; `None` outside the map.
    fn has(&self, x: i64, y: i64) -> Option<bool> {
        let (from_left, from_bottom) = (x - self.map.left, self.map.bottom() - 1 - y);
        let is_inside = (0..self.map.width).contains(&from_left) && (0..self.map.height).contains(&from_bottom);
        is_inside.then(|| self.blocks[(from_bottom / self.side * self.columns + from_left / self.side) as usize])
    }
}

/// Draws the stripes of an area in a colour and white; the stripes of adjacent areas are aligned.
pub(super) fn stripes(picture: &mut Picture, area: Area, ink: Rgb) {
    for y in area.top..area.bottom() {
        for x in area.left..area.right() {
            let along = (x + y).rem_euclid(PERIOD);
            if along < 2 * STRIPE {
                picture.cover(x, y, if along < STRIPE { ink } else { WHITE }, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;

    const GROUND: [u8; 3] = [90, 160, 90];

    fn drawn(scale: Scale, hatched: impl Fn(u32, u32) -> bool) -> Picture {
        let grid = Grid::new([0.0, 0.0], 1.0, 20, 10).unwrap();
        let [width, height] = scale.size(&grid);
        let mut picture = Picture::new(width + 10, height + 10).unwrap();
        let map = Area { left: 5, top: 5, width: width as i64, height: height as i64 };
        picture.fill(map, GROUND);
        Hatching::new(&Mask::new(&grid, hatched), scale, map).draw(&mut picture);
        picture
    }

    #[test]
    fn hatched_cells_have_stripes_and_an_outline() {
        // Two cells at (10, 3) and (11, 3), 10 x 10 pixels each; rows go upwards.
        let picture = drawn(Scale::PixelsPerCell(10), |column, row| row == 3 && (10..12).contains(&column));
        let (left, top) = (5 + 100, 5 + 60);
        let counts = |colour: [u8; 3]| {
            let inside = (top..top + 10).flat_map(|y| (left..left + 20).map(move |x| (x, y)));
            inside.filter(|&(x, y)| picture.pixel(x, y) == Some(colour)).count()
        };
        assert_eq!([counts(INK), counts(WHITE), counts(GROUND)], [40, 40, 120]);
        let above = [1, 2, 3, 4].map(|up| picture.pixel(left + 10, top - up));
        assert_eq!(above, [INK, INK, WHITE, GROUND].map(Some));
        let right = [0, 1, 2, 3].map(|away| picture.pixel(left + 20 + away, top + 5));
        assert_eq!(right, [INK, INK, WHITE, GROUND].map(Some));
    }

    #[test]
    fn coloured_stripes_have_a_dark_outline() {
        let mut picture = Picture::new(60, 60).unwrap();
        let grid = Grid::new([0.0, 0.0], 1.0, 3, 3).unwrap();
        let hatched = Mask::new(&grid, |column, row| (column, row) == (1, 1));
        let map = picture.area();
        let hatching = Hatching::new(&hatched, Scale::PixelsPerCell(20), map).with_colour([200, 0, 0]);
        hatching.draw(&mut picture);
        let count = |colour: [u8; 3]| picture.bytes().chunks(3).filter(|pixel| *pixel == colour).count();
        // A fifth of the cell has the stripe colour; the outline surrounds it with two rows of pixels.
        assert_eq!((count([200, 0, 0]), count(INK)), (80, 24 * 24 - 20 * 20));
    }

    #[test]
    fn outlines_of_cells_below_a_pixel_stay_on_the_map() {
        let picture = drawn(Scale::CellsPerPixel(4), |column, row| (column, row) == (1, 9));
        // The first pixel of the upper row; the edge of the map is above it.
        assert_eq!(
            [picture.pixel(6, 5), picture.pixel(5, 6), picture.pixel(5, 4)],
            [Some(INK), Some(INK), Some(WHITE)]
        );
        assert_eq!(drawn(Scale::PixelsPerCell(2), |_, _| false).pixel(20, 20), Some(GROUND));
    }
}
