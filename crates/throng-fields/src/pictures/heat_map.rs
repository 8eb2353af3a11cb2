//! A field as a picture, with points and paths over it.

use super::axes::{Axis, Direction};
use super::cells::Cells;
use super::colours::{ColourMap, GROUND, INK, NO_VALUE, WHITE, category};
use super::layout::Layout;
use super::legend::Legend;
use super::picture::{Area, Picture};
use super::scale::Scale;
use super::strokes::{disc, line};
use super::text::{self, Font};
use super::value_range::ValueRange;
use crate::error::{FieldError, finite};
use crate::field::Field;
use crate::grid::Grid;
use crate::query::Mask;

/// Radius of the coloured disc of a point, pixels.
const POINT_RADIUS: f64 = 4.5;
/// Width of the coloured line of a path, pixels.
const PATH_WIDTH: f64 = 4.0;
/// White around points and paths, which shows them on any colour, pixels.
const HALO: f64 = 1.5;

/// A map of the values of a field, with axes in world units and a legend. Rows go upwards: row 0 is at the bottom.
///
/// Cells whose value is infinite or NaN are grey, and the legend shows that. Paths are drawn over cells, and points
/// over paths, both only within the map.
///
/// ```
/// use throng_fields::pictures::{HeatMap, Scale};
/// use throng_fields::{Entity, Grid, Mask, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 60, 40)?;
/// let field = creation::by_tiles(&grid, &[Entity::new([20.0, 10.0], Profile::linear(15.0)?)])?;
/// let open = Mask::new(&grid, |column, row| column != 30 || row > 30);
/// let picture = HeatMap::new(&field)
///     .with_title("The way of a scout")
///     .with_unit("support")
///     .with_length_unit("m")
///     .with_open_cells(&open)
///     .with_path([[2.0, 2.0], [15.0, 17.0], [20.0, 10.0]], 1)
///     .with_point([20.0, 10.0], 0)
///     .with_scale(Scale::PixelsPerCell(8))
///     .draw()?;
/// // The map itself is 480 x 320 pixels; axes, title and legend surround it.
/// assert!(picture.width() > 480 && picture.height() > 320);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeatMap<'a> {
    field: &'a Field,
    colour_map: Option<ColourMap>,
    range: Option<ValueRange>,
    scale: Scale,
    title: String,
    longest_title: String,
    unit: String,
    length_unit: String,
    open: Option<&'a Mask>,
    is_ground: bool,
    points: Vec<([f64; 2], u8)>,
    paths: Vec<(Vec<[f64; 2]>, u8)>,
    names: Vec<(String, u8)>,
}

impl<'a> HeatMap<'a> {
    /// A map of a field. Colours span its finite values, and their map follows from the signs of these
    /// ([`ColourMap::for_range`]); cells get the size of [`Scale::for_grid`].
    pub fn new(field: &'a Field) -> Self {
        Self {
            field,
            colour_map: None,
            range: None,
            scale: Scale::for_grid(field.grid()),
            title: String::new(),
            longest_title: String::new(),
            unit: String::new(),
            length_unit: String::new(),
            open: None,
            is_ground: false,
            points: Vec::new(),
            paths: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Draws cells as a light ground for points and paths: their values have neither colours nor a bar.
    ///
    /// ```
    /// use throng_fields::pictures::HeatMap;
    /// use throng_fields::{Field, Grid};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 40, 30)?;
    /// let empty = Field::new(grid, vec![0.0; grid.cells()]);
    /// let picture = HeatMap::new(&empty).as_ground().with_point([20.0, 15.0], 0).draw()?;
    /// let light = |pixel: [u8; 3]| pixel.iter().all(|&part| part > 240);
    /// // Light in the middle of the left side of the map, where there is no point.
    /// assert!(picture.pixel(picture.width() / 4, picture.height() / 2).is_some_and(light));
    /// # Ok::<(), throng_fields::FieldError>(())
    /// ```
    pub fn as_ground(self) -> Self {
        Self { is_ground: true, ..self }
    }

    /// Draws with other colours.
    pub fn with_colours(self, map: ColourMap) -> Self {
        Self { colour_map: Some(map), ..self }
    }

    /// The values that the colours span; values outside get the colour of the nearer end. Frames of an animation need the
    /// same one.
    pub fn with_range(self, range: ValueRange) -> Self {
        Self { range: Some(range), ..self }
    }

    /// Draws cells at another size.
    pub fn with_scale(self, scale: Scale) -> Self {
        Self { scale, ..self }
    }

    /// A title above the map, broken into lines where it is long.
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Reserves the space for a longer title. Frames of an animation whose titles contain a count need it: a number
    /// with one more digit may break the title into one more line.
    ///
    /// ```
    /// use throng_fields::pictures::{HeatMap, Scale};
    /// use throng_fields::{Grid, creation};
    ///
    /// let field = creation::by_tiles(&Grid::new([0.0, 0.0], 1.0, 30, 20)?, &[])?;
    /// let frame = |title: &str| HeatMap::new(&field).with_scale(Scale::PixelsPerCell(1)).with_title(title);
    /// let height = |map: HeatMap<'_>| map.draw().map(|picture| picture.height());
    /// let (short, long) = ("9 of 1000 arrived", "1000 of 1000 arrived in the end");
    /// assert!(height(frame(short))? < height(frame(long))?);
    /// assert_eq!(height(frame(short).with_room_for_title(long))?, height(frame(long))?);
    /// # Ok::<(), throng_fields::FieldError>(())
    /// ```
    pub fn with_room_for_title(self, longest: impl Into<String>) -> Self {
        Self { longest_title: longest.into(), ..self }
    }

    /// The values or their unit, such as `travel time (s)`: printed above the legend.
    pub fn with_unit(self, unit: impl Into<String>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// The unit of the axes, such as `m`.
    pub fn with_length_unit(self, unit: impl Into<String>) -> Self {
        Self { length_unit: unit.into(), ..self }
    }

    /// Draws all cells that a mask does not allow as walls. A pixel with several cells is darker by the share of
    /// walls among them.
    pub fn with_open_cells(self, open: &'a Mask) -> Self {
        Self { open: Some(open), ..self }
    }

    /// Adds a point of the world, such as an agent. Equal numbers have equal colours, of which there are nine.
    pub fn with_point(mut self, position: [impl Into<f64>; 2], colour: u8) -> Self {
        self.points.push((position.map(Into::into), colour));
        self
    }

    /// Adds several points, each with the number of its colour.
    pub fn with_points<C: Into<f64>>(mut self, points: impl IntoIterator<Item = ([C; 2], u8)>) -> Self {
        self.points.extend(points.into_iter().map(|(point, colour)| (point.map(Into::into), colour)));
        self
    }

    /// Adds a line through points of the world, with the number of its colour. Fewer than two points give no line.
    pub fn with_path<C: Into<f64>>(mut self, path: impl IntoIterator<Item = [C; 2]>, colour: u8) -> Self {
        self.paths.push((path.into_iter().map(|point| point.map(Into::into)).collect(), colour));
        self
    }

    /// Adds an entry for points and paths of a colour to the legend. Entries keep their order and are shown whatever is
    /// on the map, so that all frames of an animation have the same size.
    ///
    /// ```
    /// use throng_fields::pictures::HeatMap;
    /// use throng_fields::{Grid, creation};
    ///
    /// let field = creation::by_tiles(&Grid::new([0.0, 0.0], 1.0, 30, 20)?, &[])?;
    /// let map = HeatMap::new(&field).with_points([([3.0, 4.0], 0), ([20.0, 7.0], 1), ([22.0, 8.0], 1)]);
    /// let named = map.clone().with_legend_entry("wolf", 0).with_legend_entry("sheep of the neighbour", 1);
    /// // Longer than "no value", for which there is always room.
    /// assert!(named.draw()?.width() > map.draw()?.width());
    /// # Ok::<(), throng_fields::FieldError>(())
    /// ```
    pub fn with_legend_entry(mut self, name: impl Into<String>, colour: u8) -> Self {
        self.names.push((name.into(), colour));
        self
    }

    /// Draws the picture.
    ///
    /// # Errors
    /// When the scale is 0, the picture would have more than 67 million pixels, the mask has another size than the field,
    /// or a coordinate is not finite. Points outside the map are not errors.
    pub fn draw(&self) -> Result<Picture, FieldError> {
        self.check()?;
        let grid = self.field.grid();
        let range = self.range.or_else(|| ValueRange::of(self.field));
        let range = range.filter(|_| !self.is_ground);
        let colours = range.map(|range| (self.colour_map.unwrap_or_else(|| ColourMap::for_range(range)), range));
        let plain = if self.is_ground { GROUND } else { NO_VALUE };
        let legend = Legend::new(colours, &self.unit, &self.names);
        let x = Axis::new(grid, Direction::X, self.scale, &self.length_unit);
        let y = Axis::new(grid, Direction::Y, self.scale, &self.length_unit);
        let size = self.scale.size(grid).map(|side| side as i64);
        let layout = Layout::new(size, &x, &y, &legend, [&self.title, &self.longest_title]);

        let mut picture = Picture::new(layout.size[0] as u64, layout.size[1] as u64)?;
        let cells = Cells { field: self.field, open: self.open, colours, plain, scale: self.scale };
        let seen = cells.draw(&mut picture, layout.map);
        self.draw_paths(&mut picture, layout.map);
        self.draw_points(&mut picture, layout.map);
        picture.frame(layout.map, INK);
        legend.draw(&mut picture, layout.bar, layout.names_top, seen);
        x.draw(&mut picture, layout.map);
        y.draw(&mut picture, layout.map);
        text::write(&mut picture, Font::Label, layout.x_name_at, x.name());
        text::write(&mut picture, Font::Label, [layout.y_name_left, layout.names_top], y.name());
        for (i, line) in layout.title.iter().enumerate() {
            let top = layout.title_at[1] + i as i64 * Font::Title.height();
            text::write(&mut picture, Font::Title, [layout.title_at[0], top], line);
        }
        Ok(picture)
    }

    fn check(&self) -> Result<(), FieldError> {
        self.scale.check()?;
        self.open.map_or(Ok(()), |open| open.check(self.field.grid()))?;
        let check = |[x, y]: [f64; 2]| finite("x", x).and_then(|_| finite("y", y)).map(|_| ());
        for (i, &(point, _)) in self.points.iter().enumerate() {
            check(point).map_err(|error| error.within(&format!("point {i}")))?;
        }
        for (i, (path, _)) in self.paths.iter().enumerate() {
            for (j, &point) in path.iter().enumerate() {
                check(point).map_err(|error| error.within(&format!("path {i}, point {j}")))?;
            }
        }
        Ok(())
    }

    /// Draws all white edges before the colours, so that crossing paths do not cut each other.
    fn draw_paths(&self, picture: &mut Picture, map: Area) {
        for halo in [true, false] {
            for (path, colour) in &self.paths {
                let places = path.iter().map(|&point| self.place(point, map));
                let (width, colour) =
                    if halo { (PATH_WIDTH + 2.0 * HALO, WHITE) } else { (PATH_WIDTH, category(*colour)) };
                for (from, to) in places.clone().zip(places.skip(1)) {
                    line(picture, map, [from, to], width, colour);
                }
            }
        }
    }

    fn draw_points(&self, picture: &mut Picture, map: Area) {
        for &(point, colour) in &self.points {
            let centre = self.place(point, map);
            disc(picture, map, centre, POINT_RADIUS + HALO, WHITE);
            disc(picture, map, centre, POINT_RADIUS, category(colour));
        }
    }

    /// A point of the world in pixels from the top left corner of the picture.
    fn place(&self, point: [f64; 2], map: Area) -> [f64; 2] {
        let along = |axis: usize| pixels_from_origin(self.field.grid(), axis, point[axis], self.scale);
        [map.left as f64 + along(0), map.bottom() as f64 - along(1)]
    }
}

fn pixels_from_origin(grid: &Grid, axis: usize, at: f64, scale: Scale) -> f64 {
    (at - grid.origin()[axis]) / f64::from(grid.cell()) * scale.pixels_per_cell()
}

#[cfg(test)]
mod tests;
