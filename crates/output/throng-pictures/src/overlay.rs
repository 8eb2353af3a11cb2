//! Paths and points over the cells of a map.

use super::colour::Colour;
use super::colours::WHITE;
use super::mark::{HALO, Mark};
use super::picture::{Area, Picture};
use super::scale::Scale;
use super::strokes::line;
use crate::Grid;

/// Width of the coloured line of a path, pixels.
const PATH_WIDTH: f64 = 4.0;

/// Mapping from the cells of a grid to an image.
pub(super) struct Overlay<'a> {
    pub grid: &'a Grid,
    pub scale: Scale,
    pub map: Area,
}

impl Overlay<'_> {
    /// Draws all white edges before the coloured lines, so that crossing paths do not cut each other.
    pub(super) fn draw_paths(&self, picture: &mut Picture, paths: &[(Vec<[f64; 2]>, Colour)]) {
        for halo in [true, false] {
            for (path, colour) in paths {
                let on_image = path.iter().map(|&point| self.place(point));
                let (width, colour) = if halo { (PATH_WIDTH + 2.0 * HALO, WHITE) } else { (PATH_WIDTH, colour.rgb()) };
                for (from, to) in on_image.clone().zip(on_image.skip(1)) {
                    line(picture, self.map, [from, to], width, colour);
                }
            }
        }
    }

    pub(super) fn draw_points(&self, picture: &mut Picture, points: &[([f64; 2], Mark)]) {
        for &(point, mark) in points {
            mark.draw(picture, self.map, self.place(point));
        }
    }

    /// Converts a world position to pixels from the top left corner of the image.
    pub(super) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let pixels = |axis: usize| {
            (point[axis] - self.grid.origin()[axis]) / f64::from(self.grid.cell()) * self.scale.pixels_per_cell()
        };
        [self.map.left as f64 + pixels(0), self.map.bottom() as f64 - pixels(1)]
    }
}
