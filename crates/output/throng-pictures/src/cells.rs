//! Draws the cells of a field.

use std::ops::Range;

use super::colours::{ColourMap, Rgb, WALL};
use super::owners::Owners;
use super::picture::{Area, Picture, mean, mixed};
use super::scale::Scale;
use super::value_range::ValueRange;
use crate::{Mask, Raster};

/// Kinds of cells that were drawn in special colours, for the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SpecialCells {
    /// Cells closed by the mask.
    pub walls: bool,
    /// Cells without a finite value.
    pub gaps: bool,
    /// Values below and above the colour range.
    pub beyond: [bool; 2],
}

/// A field with the scale and colours of its cells.
pub(super) struct Cells<'a> {
    pub field: &'a Raster<'a>,
    pub open: Option<&'a Mask>,
    /// Colour map and range of the values; `None` if no value is finite, and for a plain ground.
    pub colours: Option<(ColourMap, ValueRange)>,
    /// Colour of cells without a value colour, an owner or a wall.
    pub plain: Rgb,
    /// Owners of the cells, whose colours replace those of the values.
    pub owners: Option<&'a Owners>,
    pub scale: Scale,
}

impl Cells<'_> {
    /// Draws all cells into an area, with row 0 at its bottom.
    pub(super) fn draw(&self, picture: &mut Picture, area: Area) -> SpecialCells {
        let grid = self.field.grid();
        let (cells, pixels) = self.scale.block();
        let side = i64::from(pixels);
        let mut seen = SpecialCells::default();
        if self.colours.is_none() && self.open.is_none() && self.field.values().iter().all(|value| value.is_finite()) {
            // A plain ground without walls.
            picture.fill(area, self.plain);
            return seen;
        }
        for (i, row) in (0..grid.rows()).step_by(cells as usize).enumerate() {
            let rows = row..row.saturating_add(cells).min(grid.rows());
            for (j, column) in (0..grid.columns()).step_by(cells as usize).enumerate() {
                let columns = column..column.saturating_add(cells).min(grid.columns());
                let (left, top) = (area.left + j as i64 * side, area.bottom() - (i as i64 + 1) * side);
                let colour = self.colour(columns, rows.clone(), &mut seen);
                picture.fill(Area { left, top, width: side, height: side }, colour);
            }
        }
        seen
    }

    /// Returns the colour of a block of cells: of the mean value or the owners, darkened by the fraction of walls.
    fn colour(&self, columns: Range<u32>, rows: Range<u32>, seen: &mut SpecialCells) -> [u8; 3] {
        let (mut sum, mut values, mut walls, mut cells) = (0.0, 0u32, 0u32, 0u32);
        let mut owned: Vec<Rgb> = Vec::new();
        for row in rows {
            for column in columns.clone() {
                cells += 1;
                if self.open.is_some_and(|open| !open.allows(column, row)) {
                    walls += 1;
                } else if let Some(value) = self.field.at(column, row).filter(|value| value.is_finite()) {
                    sum += f64::from(value);
                    values += 1;
                    if let (Some(owners), Some((_, range))) = (self.owners, self.colours) {
                        owned.push(owners.colour(self.field.grid().index(column, row), value, range));
                    }
                }
            }
        }
        seen.walls |= walls > 0;
        if walls == cells {
            return WALL;
        }
        let colour = match self.colours.filter(|_| values > 0) {
            Some((map, range)) => {
                let value = (sum / f64::from(values)) as f32;
                seen.beyond[0] |= value < range.low();
                seen.beyond[1] |= value > range.high();
                if owned.is_empty() { map.colour(value, range) } else { mean(owned.into_iter()) }
            }
            None => self.plain,
        };
        seen.gaps |= values == 0;
        mixed(colour, WALL, f64::from(walls) / f64::from(cells))
    }
}

#[cfg(test)]
mod tests {
    use super::super::colours::NO_VALUE;
    use super::*;
    use crate::Grid;

    fn field(columns: u32, values: &[f32]) -> Raster<'static> {
        let rows = values.len() as u32 / columns;
        Raster::new(Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap(), values.to_vec()).unwrap()
    }

    fn drawn(field: &Raster<'_>, open: Option<&Mask>, scale: Scale) -> (Picture, SpecialCells) {
        let [width, height] = scale.size(field.grid());
        let mut picture = Picture::new(width, height).unwrap();
        let colours = ValueRange::of(field.values()).map(|range| (ColourMap::Viridis, range));
        let area = picture.area();
        let seen = Cells { field, open, colours, plain: NO_VALUE, owners: None, scale }.draw(&mut picture, area);
        (picture, seen)
    }

    #[test]
    fn row_0_is_at_the_bottom() {
        let field = field(2, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let (picture, seen) = drawn(&field, None, Scale::PixelsPerCell(3));
        assert_eq!(((picture.width(), picture.height()), seen), ((6, 9), SpecialCells::default()));
        let range = ValueRange::of(field.values()).unwrap();
        for (column, row, value) in [(0, 0, 0.0), (1, 0, 1.0), (0, 1, 2.0), (1, 2, 5.0)] {
            let colour = Some(ColourMap::Viridis.colour(value, range));
            let (left, top) = (column * 3, 6 - row * 3);
            assert_eq!([picture.pixel(left, top), picture.pixel(left + 2, top + 2)], [colour; 2], "{column} {row}");
        }
    }

    #[test]
    fn several_cells_of_a_pixel_are_averaged() {
        // The blocks of the last column and row are cut off by the edge of the field.
        let field = field(3, &[0.0, 2.0, 8.0, 4.0, 6.0, f32::NAN, f32::NAN, f32::INFINITY, f32::NAN]);
        let (picture, seen) = drawn(&field, None, Scale::CellsPerPixel(2));
        let colour = |value| Some(ColourMap::Viridis.colour(value, ValueRange::new(0.0, 8.0).unwrap()));
        assert_eq!([picture.pixel(0, 1), picture.pixel(1, 1)], [colour(3.0), colour(8.0)]);
        assert_eq!([picture.pixel(0, 0), picture.pixel(1, 0)], [Some(NO_VALUE); 2]);
        assert!(seen.gaps && !seen.walls);
    }

    #[test]
    fn walls_are_blended_by_area_and_excluded_from_averages() {
        let field = field(2, &[1.0, 1000.0, 3.0, 2.0]);
        let open = Mask::new(field.grid(), |column, row| (column, row) != (1, 0));
        let (picture, seen) = drawn(&field, Some(&open), Scale::PixelsPerCell(1));
        assert_eq!((picture.pixel(1, 1), seen), (Some(WALL), SpecialCells { walls: true, ..SpecialCells::default() }));
        let (picture, _) = drawn(&field, Some(&open), Scale::CellsPerPixel(2));
        let value = ColourMap::Viridis.colour(2.0, ValueRange::new(1.0, 1000.0).unwrap());
        assert_eq!(picture.pixel(0, 0), Some(mixed(value, WALL, 0.25)));
    }

    #[test]
    fn a_field_without_values_is_all_gaps() {
        let (picture, seen) = drawn(&field(2, &[f32::NAN; 4]), None, Scale::PixelsPerCell(1));
        assert!(seen.gaps && picture.bytes().iter().all(|&part| part == NO_VALUE[0]));
        let (picture, seen) = drawn(&field(1, &[7.0]), None, Scale::PixelsPerCell(1));
        let middle = ColourMap::Viridis.colour(1.0, ValueRange::new(0.0, 2.0).unwrap());
        assert_eq!((picture.pixel(0, 0), seen.gaps), (Some(middle), false));
    }
}
