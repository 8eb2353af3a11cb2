//! A field as an image, overlaid with marks and paths.

use throng_core::InputError;
use throng_core::checks::finite;

use super::axes::{Axis, Direction};
use super::cells::Cells;
use super::colour::Colour;
use super::colours::{ColourMap, GROUND, INK};
use super::density::{Crowd, DensityBlocks};
use super::hatching::Hatching;
use super::layout::Layout;
use super::legend::{Entry, Legend};
use super::mark::Mark;
use super::overlay::Overlay;
use super::owners::Owners;
use super::picture::Picture;
use super::scale::Scale;
use super::text::{self, Font};
use super::value_range::ValueRange;
use crate::{Mask, Raster};

/// A map of the values of a field, with axes in world units and a legend. Row 0 is at the bottom.
///
/// Cells whose value is infinite or NaN are grey, with an entry in the legend. Hatching and densities are drawn over
/// cells, paths over these, and points over paths, all clipped to the map.
///
/// ```
/// use throng_pictures::{HeatMap, Scale};
/// use throng_pictures::{Grid, Mask, Raster};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 60, 40)?;
/// let field = Raster::from_fn(grid, |[x, _]| (x / 30.0) as f32);
/// let open = Mask::new(&grid, |column, row| column != 30 || row > 30);
/// let picture = HeatMap::new(&field)
///     .with_title("The path of a scout")
///     .with_unit("support")
///     .with_length_unit("m")
///     .with_open_cells(&open)
///     .with_path([[2.0, 2.0], [15.0, 17.0], [20.0, 10.0]], 1)
///     .with_point([20.0, 10.0], 0)
///     .with_scale(Scale::PixelsPerCell(8))
///     .draw()?;
/// // The map itself is 480 x 320 pixels; axes, title and legend surround it.
/// assert!(picture.width() > 480 && picture.height() > 320);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeatMap<'a> {
    field: Raster<'a>,
    colour_map: ColourMap,
    range: Option<ValueRange>,
    scale: Scale,
    title: String,
    longest_title: String,
    unit: String,
    length_unit: String,
    meaning: [String; 2],
    open: Option<&'a Mask>,
    hatched: Option<(&'a Mask, String)>,
    /// Cells hatched in a colour.
    coloured: Vec<(&'a Mask, Colour)>,
    /// Legend entries of hatching colours.
    hatchings: Vec<(String, Colour)>,
    owners: Option<Owners>,
    gaps: Option<String>,
    is_ground: bool,
    crowd: Option<Crowd>,
    points: Vec<([f64; 2], Mark)>,
    paths: Vec<(Vec<[f64; 2]>, Colour)>,
    entries: Vec<(String, Mark)>,
}

impl<'a> HeatMap<'a> {
    /// Creates a map of a field. Colours span its finite values and come from the default colour map for their signs
    /// ([`ColourMap::for_range`]); [`Scale::for_grid`] determines the cell size.
    pub fn new(field: impl Into<Raster<'a>>) -> Self {
        let field = field.into();
        let scale = Scale::for_grid(field.grid());
        Self {
            field,
            colour_map: ColourMap::default(),
            range: None,
            scale,
            title: String::new(),
            longest_title: String::new(),
            unit: String::new(),
            length_unit: String::new(),
            meaning: Default::default(),
            open: None,
            hatched: None,
            coloured: Vec::new(),
            hatchings: Vec::new(),
            owners: None,
            gaps: None,
            is_ground: false,
            crowd: None,
            points: Vec::new(),
            paths: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Draws cells as a light ground for points and paths, without colours for values and without a colour bar.
    ///
    /// ```
    /// use throng_pictures::HeatMap;
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 40, 30)?;
    /// let empty = Raster::uniform(grid, 0.0);
    /// let picture = HeatMap::new(&empty).as_ground().with_point([20.0, 15.0], 0).draw()?;
    /// let light = |pixel: [u8; 3]| pixel.iter().all(|&part| part > 240);
    /// // Light in the middle of the left side of the map, where there is no point.
    /// assert!(picture.pixel(picture.width() / 4, picture.height() / 2).is_some_and(light));
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn as_ground(self) -> Self {
        Self { is_ground: true, ..self }
    }

    /// Sets the colour map, adjusted to the signs of the values ([`ColourMap::for_range`]).
    pub fn with_colours(self, map: ColourMap) -> Self {
        Self { colour_map: map, ..self }
    }

    /// Sets the value range of the colours; values outside get the colour of the nearer end. All frames of an animation
    /// need the same range.
    pub fn with_range(self, range: ValueRange) -> Self {
        Self { range: Some(range), ..self }
    }

    /// Sets the cell size.
    pub fn with_scale(self, scale: Scale) -> Self {
        Self { scale, ..self }
    }

    /// Adds a title above the map; long titles are wrapped.
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Reserves space for a longer title. Frames of an animation whose titles contain a count need it, because an
    /// additional digit may wrap the title into another line.
    ///
    /// ```
    /// use throng_pictures::{HeatMap, Scale};
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let field = Raster::uniform(Grid::new([0.0, 0.0], 1.0, 30, 20)?, 0.0);
    /// let frame = |title: &str| HeatMap::new(&field).with_scale(Scale::PixelsPerCell(1)).with_title(title);
    /// let height = |map: HeatMap<'_>| map.draw().map(|picture| picture.height());
    /// let (short, long) = ("9 of 1000 arrived", "1000 of 1000 arrived in the end");
    /// assert!(height(frame(short))? < height(frame(long))?);
    /// assert_eq!(height(frame(short).with_room_for_title(long))?, height(frame(long))?);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn with_room_for_title(self, longest: impl Into<String>) -> Self {
        Self { longest_title: longest.into(), ..self }
    }

    /// Sets the quantity or unit of the values, such as `travel time (s)`, which is printed above the legend.
    pub fn with_unit(self, unit: impl Into<String>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// Sets the meaning of values below and above 0, such as `["repels", "attracts"]`, printed at the ends of the
    /// legend that have such values. Empty strings are omitted.
    ///
    /// ```
    /// use throng_pictures::{HeatMap, ValueRange};
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let field = Raster::uniform(Grid::new([0.0, 0.0], 1.0, 30, 20)?, 0.0);
    /// let map = HeatMap::new(&field).with_range(ValueRange::new(-1.0, 2.0)?);
    /// assert_ne!(map.clone().with_meaning(["danger", "safety"]).draw()?, map.draw()?);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn with_meaning(self, [below, above]: [impl Into<String>; 2]) -> Self {
        Self { meaning: [below.into(), above.into()], ..self }
    }

    /// Sets the unit of the axes, such as `m`.
    pub fn with_length_unit(self, unit: impl Into<String>) -> Self {
        Self { length_unit: unit.into(), ..self }
    }

    /// Draws all cells that a mask does not allow as walls. A pixel that covers several cells is darkened by the
    /// fraction of walls among them.
    pub fn with_open_cells(self, open: &'a Mask) -> Self {
        Self { open: Some(open), ..self }
    }

    /// Hatches the cells that a mask allows, such as goals, with an outline around them and a legend entry.
    ///
    /// ```
    /// use throng_pictures::HeatMap;
    /// use throng_pictures::{Grid, Mask, Raster};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 30, 20)?;
    /// let (field, goal) = (Raster::uniform(grid, 0.0), Mask::new(&grid, |column, _| column > 27));
    /// assert_ne!(HeatMap::new(&field).with_hatched_cells(&goal, "goal").draw()?, HeatMap::new(&field).draw()?);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn with_hatched_cells(self, cells: &'a Mask, name: impl Into<String>) -> Self {
        Self { hatched: Some((cells, name.into())), ..self }
    }

    /// Hatches cells in a colour, on top of those of [`HeatMap::with_hatched_cells`].
    pub fn with_cells_hatched_in(mut self, cells: &'a Mask, colour: Colour) -> Self {
        self.coloured.push((cells, colour));
        self
    }

    /// Adds a legend entry for cells hatched in a colour, whether there are any or not.
    pub fn with_hatching_entry(mut self, name: impl Into<String>, colour: Colour) -> Self {
        self.hatchings.push((name.into(), colour));
        self
    }

    /// Draws cells in the colours of their owners, more saturated for higher values. The legend names the owners.
    pub fn with_owners(self, owners: Owners) -> Self {
        Self { owners: Some(owners), ..self }
    }

    /// Sets the legend text for cells whose value is infinite or NaN, instead of "no value".
    pub fn with_gaps(self, name: impl Into<String>) -> Self {
        Self { gaps: Some(name.into()), ..self }
    }

    /// Draws the number of points per block of cells, for crowds whose marks would hide each other and the field. Six
    /// count classes, from 1 or 2 to 300 or more, have colours from pink to purple. The legend lists them with the side
    /// length of a block and the name of the points.
    ///
    /// ```
    /// use throng_pictures::HeatMap;
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let field = Raster::uniform(Grid::new([0.0, 0.0], 1.0, 30, 20)?, 0.0);
    /// let crowd = (0..5000).map(|i| [f64::from(i % 100) * 0.2, f64::from(i % 70) * 0.2]);
    /// let map = HeatMap::new(&field);
    /// let crowded = map.clone().with_density(crowd, "agents").draw()?;
    /// // The legend lists the classes, and blocks with agents hide the field.
    /// assert!(crowded.width() >= map.draw()?.width() && crowded != map.draw()?);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn with_density<C: Into<f64>>(self, points: impl IntoIterator<Item = [C; 2]>, what: impl Into<String>) -> Self {
        let points = points.into_iter().map(|point| point.map(Into::into)).collect();
        Self { crowd: Some(Crowd { points, what: what.into(), ..Crowd::default() }), ..self }
    }

    /// Like [`HeatMap::with_density`], for points of several kinds, such as teams. Each point has an index into the
    /// given names and colours of kinds. A block has the colour of its most frequent kind (ties go to the first kind),
    /// and is more saturated the more points it contains.
    pub fn with_density_of_kinds<C: Into<f64>>(
        self,
        points: impl IntoIterator<Item = ([C; 2], usize)>,
        kinds: Vec<(String, Colour)>,
        what: impl Into<String>,
    ) -> Self {
        let (points, kind_of) = points.into_iter().map(|(point, kind)| (point.map(Into::into), kind)).unzip();
        Self { crowd: Some(Crowd { points, kind_of, kinds, what: what.into() }), ..self }
    }

    /// Adds a point in world coordinates, such as an agent, with a mark or the colour of a disc.
    pub fn with_point(mut self, position: [impl Into<f64>; 2], mark: impl Into<Mark>) -> Self {
        self.points.push((position.map(Into::into), mark.into()));
        self
    }

    /// Adds several points, each with a mark or the colour of a disc.
    pub fn with_points<C: Into<f64>, M: Into<Mark>>(mut self, points: impl IntoIterator<Item = ([C; 2], M)>) -> Self {
        self.points.extend(points.into_iter().map(|(point, mark)| (point.map(Into::into), mark.into())));
        self
    }

    /// Adds a line through world positions. Fewer than two positions give no line.
    pub fn with_path<C: Into<f64>>(
        mut self,
        path: impl IntoIterator<Item = [C; 2]>,
        colour: impl Into<Colour>,
    ) -> Self {
        self.paths.push((path.into_iter().map(|point| point.map(Into::into)).collect(), colour.into()));
        self
    }

    /// Adds a legend entry for a mark, or for discs and paths of a colour. Entries keep their order and are always
    /// shown, even if the map has no such mark, so that all frames of an animation have the same size.
    ///
    /// ```
    /// use throng_pictures::HeatMap;
    /// use throng_pictures::{Grid, Raster};
    ///
    /// let field = Raster::uniform(Grid::new([0.0, 0.0], 1.0, 30, 20)?, 0.0);
    /// let map = HeatMap::new(&field).with_points([([3.0, 4.0], 0), ([20.0, 7.0], 1), ([22.0, 8.0], 1)]);
    /// let named = map.clone().with_legend_entry("wolf", 0).with_legend_entry("sheep of the neighbour", 1);
    /// // Longer than "no value", for which space is always reserved.
    /// assert!(named.draw()?.width() > map.draw()?.width());
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    pub fn with_legend_entry(mut self, name: impl Into<String>, mark: impl Into<Mark>) -> Self {
        self.entries.push((name.into(), mark.into()));
        self
    }

    /// Draws the image.
    ///
    /// # Errors
    /// When the scale is 0, the image would have more than 67 million pixels, a mask has a different size from the
    /// field, or a coordinate is not finite. Points outside the map are not errors.
    pub fn draw(&self) -> Result<Picture, InputError> {
        self.check()?;
        let grid = self.field.grid();
        let range = self.range.or_else(|| ValueRange::of(self.field.values()));
        let range = range.filter(|_| !self.is_ground);
        let colours = range.map(|range| (self.colour_map.for_range(range), range));
        let plain = if self.is_ground { GROUND } else { self.colour_map.no_value() };
        let crowding = self.crowd.as_ref().map(|crowd| DensityBlocks::new(grid, self.scale, crowd));
        let legend = Legend::new(colours, &self.unit, self.meaning(), self.entries(crowding.as_ref()));
        let legend = legend.with_owners(self.owners.as_ref().map(Owners::colours).unwrap_or_default());
        let legend = if let Some(name) = &self.gaps { legend.with_gaps(name) } else { legend };
        let x = Axis::new(grid, Direction::X, self.scale, &self.length_unit);
        let y = Axis::new(grid, Direction::Y, self.scale, &self.length_unit);
        let size = self.scale.size(grid).map(|side| side as i64);
        let layout = Layout::new(size, &x, &y, &legend, [&self.title, &self.longest_title]);

        let mut picture = Picture::new(layout.size[0] as u64, layout.size[1] as u64)?;
        let owners = self.owners.as_ref();
        let cells = Cells { field: &self.field, open: self.open, colours, plain, owners, scale: self.scale };
        let seen = cells.draw(&mut picture, layout.map);
        if let Some((hatched, _)) = &self.hatched {
            Hatching::new(hatched, self.scale, layout.map).draw(&mut picture);
        }
        for (cells, colour) in &self.coloured {
            Hatching::new(cells, self.scale, layout.map).with_colour(colour.rgb()).draw(&mut picture);
        }
        if let Some(crowding) = &crowding {
            crowding.draw(&mut picture, layout.map, self.scale);
        }
        let overlay = Overlay { grid, scale: self.scale, map: layout.map };
        overlay.draw_paths(&mut picture, &self.paths);
        overlay.draw_points(&mut picture, &self.points);
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

    fn check(&self) -> Result<(), InputError> {
        self.scale.check()?;
        let hatched = self.hatched.as_ref().map(|(cells, _)| *cells);
        let coloured = self.coloured.iter().map(|(cells, _)| *cells);
        for mask in self.open.into_iter().chain(hatched).chain(coloured) {
            mask.check(self.field.grid())?;
        }
        let check = |[x, y]: [f64; 2]| finite("x", x).and_then(|_| finite("y", y)).map(|_| ());
        let crowd = self.crowd.iter().flat_map(|crowd| &crowd.points);
        for (i, &point) in self.points.iter().map(|(point, _)| point).chain(crowd).enumerate() {
            check(point).map_err(|error| error.within(&format!("point {i}")))?;
        }
        for (i, (path, _)) in self.paths.iter().enumerate() {
            for (j, &point) in path.iter().enumerate() {
                check(point).map_err(|error| error.within(&format!("path {i}, point {j}")))?;
            }
        }
        Ok(())
    }

    /// Returns the meaning of the ends of the legend.
    fn meaning(&self) -> [&str; 2] {
        [&self.meaning[0], &self.meaning[1]]
    }

    /// Returns the legend entries: density classes, owners, marks, hatched cells.
    fn entries(&self, crowding: Option<&DensityBlocks<'_>>) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        if let Some(crowding) = crowding {
            let side = crowding.side(self.field.grid()) as f32;
            let area = format!("{} in {side} x {side} {}", crowding.what(), self.length_unit);
            entries.push(Entry::Heading(area.trim_end().to_owned()));
            entries.extend(crowding.entries().into_iter().map(|(name, colour)| Entry::Cells(colour, name)));
        }
        entries.extend(self.owners.iter().flat_map(Owners::entries).map(|(name, colour)| match colour {
            Some(colour) => Entry::Cells(colour.rgb(), name),
            None => Entry::Heading(name),
        }));
        entries.extend(self.entries.iter().map(|(name, mark)| Entry::Mark(*mark, name.clone())));
        entries.extend(self.hatched.as_ref().map(|(_, name)| Entry::Hatched(INK, name.clone())));
        entries.extend(self.hatchings.iter().map(|(name, colour)| Entry::Hatched(colour.rgb(), name.clone())));
        entries
    }
}

#[cfg(test)]
mod tests;
