//! Marks of points on a map: discs and squares.

use super::colour::Colour;
use super::colours::{INK, Rgb, WHITE};
use super::picture::{Area, Picture};
use super::strokes::{disc, square};

/// Radius of a disc, pixels.
const RADIUS: f64 = 4.8;
/// Half the side length of a square, pixels; larger than a disc that may be drawn over it.
const HALF_SIDE: f64 = 6.5;
/// Width of the white edge, pixels, which makes marks visible on dark colours.
pub(super) const HALO: f64 = 1.5;
/// Width of the dark edge, pixels, which makes marks visible on light colours.
const DARK_EDGE: f64 = 0.9;
/// Width of the optional coloured edge inside the dark one, pixels.
const COLOURED_EDGE: f64 = 1.9;
/// Additional size of marks with a coloured edge, pixels.
const GROWTH: f64 = 0.8;

/// A mark at a point of a map, such as an agent: a disc or a square of a colour, with a dark edge inside a white edge,
/// so that it is visible on any colour of a field.
///
/// Anything that converts to a [`Colour`] also converts to a mark: a disc of that colour.
///
/// ```
/// use throng_pictures::{Colour, HeatMap, Mark, Scale};
/// use throng_pictures::{Grid, Raster};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 40, 30)?;
/// let empty = Raster::uniform(grid, 0.0);
/// let map = HeatMap::new(&empty).as_ground().with_scale(Scale::PixelsPerCell(10));
/// let agent = Mark::from(Colour::GREY).with_edge(Colour::GREEN);
/// let map = map.with_point([20.0, 15.0], agent).with_point([30.0, 15.0], Mark::square(Colour::BLUE));
/// let picture = map.draw()?;
/// for colour in [Colour::GREY, Colour::GREEN, Colour::BLUE] {
///     assert!(picture.bytes().chunks(3).any(|pixel| pixel == colour.rgb()), "{colour}");
/// }
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    form: Form,
    fill: Colour,
    /// Optional coloured edge inside the dark one.
    edge: Option<Colour>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Disc,
    Square,
}

impl Mark {
    /// Creates a disc.
    pub fn disc(fill: impl Into<Colour>) -> Self {
        Self { form: Form::Disc, fill: fill.into(), edge: None }
    }

    /// Creates a square, which is a little larger than a disc.
    pub fn square(fill: impl Into<Colour>) -> Self {
        Self { form: Form::Square, fill: fill.into(), edge: None }
    }

    /// Adds a wide edge of another colour.
    pub fn with_edge(self, edge: impl Into<Colour>) -> Self {
        Self { edge: Some(edge.into()), ..self }
    }

    /// Returns the colour inside the edge.
    pub fn fill(self) -> Colour {
        self.fill
    }

    /// Draws the mark around a point (pixels from the top left corner), clipped to an area.
    pub(super) fn draw(self, picture: &mut Picture, within: Area, centre: [f64; 2]) {
        let mut draw = |grown: f64, colour: Rgb| match self.form {
            Form::Disc => disc(picture, within, centre, RADIUS + grown, colour),
            Form::Square => square(picture, within, centre, HALF_SIDE + grown, colour),
        };
        let growth = if self.edge.is_some() { GROWTH } else { 0.0 };
        draw(growth + HALO, WHITE);
        draw(growth, INK);
        let mut inside = growth - DARK_EDGE;
        if let Some(edge) = self.edge {
            draw(inside, edge.rgb());
            inside -= COLOURED_EDGE;
        }
        draw(inside, self.fill.rgb());
    }
}

impl<C: Into<Colour>> From<C> for Mark {
    fn from(colour: C) -> Self {
        Self::disc(colour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_and_squares_differ_and_have_both_edges() {
        let drawn = |mark: Mark| {
            let mut picture = Picture::new(30, 30).unwrap();
            let all = picture.area();
            picture.fill(all, [90, 120, 150]);
            mark.draw(&mut picture, all, [15.5, 15.5]);
            picture
        };
        let (disc, square) = (drawn(Mark::disc(Colour::RED)), drawn(Mark::square(Colour::RED)));
        for picture in [&disc, &square] {
            assert_eq!(picture.pixel(15, 15), Some(Colour::RED.rgb()));
            let pixels = || picture.bytes().chunks_exact(3);
            assert!(pixels().any(|pixel| pixel == WHITE) && pixels().any(|pixel| pixel.iter().all(|&part| part < 90)));
        }
        // A corner of the square.
        let corner = [20, 20];
        assert_eq!(square.pixel(corner[0], corner[1]), Some(Colour::RED.rgb()));
        assert_ne!(disc.pixel(corner[0], corner[1]), Some(Colour::RED.rgb()));
        let edged = drawn(Mark::disc(Colour::GREY).with_edge(Colour::GREEN));
        let count = |colour: Colour| edged.bytes().chunks_exact(3).filter(|pixel| *pixel == colour.rgb()).count();
        assert!(
            count(Colour::GREY) > 8 && count(Colour::GREEN) > 8,
            "{} {}",
            count(Colour::GREY),
            count(Colour::GREEN)
        );
    }
}
