//! The field of a frame as a landscape.

use throng_pictures::{Colour, ColourMap, ValueRange, shade};
use throng_scene::{HeightField, Rgb, colours};

use super::description::{Description, Quantity, Rectangle};

/// The height of the landscape as a fraction of the longer side of the map.
const STEEPNESS: f64 = 0.2;

/// The mapping from the map to a scene, whose origin is the middle of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// Half the width and half the height of the map.
    half: [f64; 2],
    /// Side length of a block of cells.
    block: f64,
    cell: f64,
    columns: usize,
    rows: usize,
    range: [f64; 2],
}

impl Scale {
    pub(super) fn new(description: &Description, quantity: &Quantity) -> Self {
        let samples = description.samples;
        Self {
            half: description.size().map(|side| side / 2.0),
            block: f64::from(samples.cells) * description.cell,
            cell: description.cell,
            columns: samples.columns as usize,
            rows: samples.rows as usize,
            range: quantity.range.map(f64::from),
        }
    }

    /// The longer side of the map, on which all sizes are based.
    pub(super) fn width(&self) -> f64 {
        2.0 * self.half[0].max(self.half[1])
    }

    pub(super) fn half(&self) -> [f64; 2] {
        self.half
    }

    /// The height of the highest value; the lowest value has a height of 0.
    pub(super) fn highest(&self) -> f64 {
        STEEPNESS * self.width()
    }

    /// Converts a point relative to the origin of the grid to x and y in the scene.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x - self.half[0], y - self.half[1]]
    }

    /// The lower and the upper corner of a block of cells.
    pub(super) fn corners(&self, Rectangle([column, row, wide, high]): Rectangle) -> [[f64; 2]; 2] {
        let corner = |column: u32, row: u32| [column, row].map(|cells| f64::from(cells) * self.cell);
        [corner(column, row), corner(column + wide, row + high)]
    }

    fn height(&self, value: f32) -> f64 {
        let [low, high] = self.range;
        // NaN has the height of the lowest value.
        let above = f64::from(value).clamp(low, high) - low;
        if high > low && above > 0.0 { self.highest() * above / (high - low) } else { 0.0 }
    }
}

/// The conversion of values and teams to colours.
#[derive(Debug, Clone)]
pub(super) struct Colours {
    map: ColourMap,
    range: ValueRange,
    /// The colours of teams; `None` if values do not belong to teams.
    teams: Option<Vec<Colour>>,
}

impl Colours {
    /// The colours used in the images of a run.
    pub(super) fn new(map: ColourMap, range: ValueRange) -> Self {
        Self { map: map.for_range(range), range, teams: None }
    }

    /// Replaces the colour map by the colours of teams.
    pub(super) fn with_teams(self, teams: Vec<Colour>) -> Self {
        Self { teams: Some(teams), ..self }
    }

    /// The colour of a value. With teams, the colour of `team`, paler for lower values, or white without a team.
    pub(super) fn of(&self, value: f32, team: Option<usize>) -> Rgb {
        let team = |teams: &Vec<Colour>| team.and_then(|team| teams.get(team).copied());
        colours::of_screen(match (&self.teams, self.teams.as_ref().and_then(team)) {
            (Some(_), Some(colour)) if value.is_finite() => shade(colour, value, self.range),
            (Some(_), _) => WHITE,
            (None, _) => self.map.colour(value, self.range),
        })
    }

    /// The values of the colour map that a legend explains.
    pub(super) fn shown(&self) -> Vec<f32> {
        let (low, high) = (self.range.low(), self.range.high());
        if self.map.is_diverging() {
            vec![low, 0.0, high]
        } else if low < high {
            vec![low, high]
        } else {
            vec![low]
        }
    }
}

/// Screen colour of cells without a team.
const WHITE: [u8; 3] = [255; 3];

/// The landscape of a frame.
#[derive(Debug)]
pub(super) struct Surface {
    scale: Scale,
    /// Heights, starting with the lowest row.
    heights: Vec<f64>,
    albedos: Vec<Rgb>,
}

impl Surface {
    /// `values` has one entry per sample of the scale. If there are teams, `teams` has the index of the team of each
    /// sample, or a negative number if it has none.
    pub(super) fn new(scale: Scale, values: &[f32], teams: &[f32], colours: &Colours) -> Self {
        let heights = values.iter().map(|&value| scale.height(value)).collect();
        let team = |sample: usize| teams.get(sample).filter(|team| **team >= 0.0).map(|team| *team as usize);
        let albedos = values.iter().enumerate().map(|(sample, &value)| colours.of(value, team(sample))).collect();
        Self { scale, heights, albedos }
    }

    /// The scene's shape. Rows of a height field go from the back to the front, while the rows of a map start at its
    /// lowest y.
    pub(super) fn shape(&self) -> HeightField {
        let Scale { half, block, columns, rows, .. } = self.scale;
        let last = (rows as f64 - 0.5) * block - half[1];
        HeightField {
            origin: [block / 2.0 - half[0], 0.0, -last],
            spacing: [block; 2],
            columns,
            heights: self.heights.chunks(columns).rev().flatten().copied().collect(),
            albedos: self.albedos.chunks(columns).rev().flatten().copied().collect(),
            ..HeightField::default()
        }
    }

    /// The height at a point relative to the origin of the grid; beyond the samples, the height at the nearest edge.
    pub(super) fn height(&self, point: [f64; 2]) -> f64 {
        let counts = [self.scale.columns, self.scale.rows];
        let [(x, along), (y, up)] = [0, 1].map(|axis| {
            let at = (point[axis] / self.scale.block - 0.5).clamp(0.0, counts[axis] as f64 - 1.0);
            let first = (at as usize).min(counts[axis] - 2);
            (first, at - first as f64)
        });
        let at = |x: usize, y: usize| self.heights[y * counts[0] + x];
        let row = |y: usize| at(x, y) + along * (at(x + 1, y) - at(x, y));
        row(y) + up * (row(y + 1) - row(y))
    }

    /// The highest point of the surface within a rectangle given by its lower and upper corners. May include points
    /// slightly outside.
    pub(super) fn highest(&self, [low, high]: [[f64; 2]; 2]) -> f64 {
        let counts = [self.scale.columns, self.scale.rows];
        let sample = |at: f64, count: usize| (at.max(0.0) as usize).min(count - 1);
        let [columns, rows] = [0, 1].map(|axis| {
            let in_blocks = |point: [f64; 2]| point[axis] / self.scale.block - 0.5;
            sample(in_blocks(low).floor(), counts[axis])..=sample(in_blocks(high).ceil(), counts[axis])
        });
        let samples = rows.flat_map(|row| columns.clone().map(move |column| row * counts[0] + column));
        samples.map(|sample| self.heights[sample]).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::description::tests::small;
    use super::*;

    /// A surface whose values rise from -1 in the lowest row to 2 in the highest row.
    fn surface() -> Surface {
        let description = small();
        let scale = Scale::new(&description, &description.field);
        let values: Vec<f32> = [-1.0, 0.0, 1.0, 2.0].into_iter().flat_map(|value| [value; 6]).collect();
        Surface::new(scale, &values, &[], &Colours::new(ColourMap::RedBlue, ValueRange::new(-1.0, 2.0).unwrap()))
    }

    #[test]
    fn heights_span_a_fifth_of_the_width() {
        let surface = surface();
        // The map is 6 units wide, and blocks are 1 unit: their centres are at 0.5, 1.5, 2.5 and 3.5.
        for (y, expected) in [(-9.0, 0.0), (0.5, 0.0), (1.5, 0.4), (2.0, 0.6), (3.5, 1.2), (4.0, 1.2)] {
            for x in [-1.0, 0.5, 3.3, 7.0] {
                assert!((surface.height([x, y]) - expected).abs() < 1e-12, "{x} {y}: {}", surface.height([x, y]));
            }
        }
        assert!((surface.highest([[1.0, 0.6], [2.0, 1.4]]) - 0.4).abs() < 1e-12);
        assert!((surface.highest([[1.0, 1.6], [9.0, 99.0]]) - 1.2).abs() < 1e-12);
    }

    #[test]
    fn the_surface_covers_the_map() {
        let shape = surface().shape();
        assert_eq!((shape.origin, shape.spacing, shape.columns, shape.rows()), ([-2.5, 0.0, -1.5], [1.0; 2], 6, 4));
        // The highest row of the map is at the back.
        assert!((shape.heights[0] - 1.2).abs() < 1e-12 && shape.heights[23] == 0.0);
        let [red, blue] = [shape.albedos[23], shape.albedos[0]];
        assert!(blue[2] > blue[0] && red[0] > red[2]);
    }

    #[test]
    fn samples_have_team_colours_or_white() {
        let colours = Colours::new(ColourMap::RedBlue, ValueRange::new(0.0, 4.0).unwrap());
        let colours = colours.with_teams(vec![Colour::BLUE, Colour::RED, Colour::GREEN]);
        let [red, green, none, unknown] = [Some(1), Some(2), None, Some(3)].map(|team| colours.of(4.0, team));
        let of_screen = |colour: [u8; 3]| colours::of_screen(colour);
        assert_eq!([red, green], [Colour::RED, Colour::GREEN].map(|colour| of_screen(colour.rgb())));
        assert_eq!([none, unknown, colours.of(f32::NAN, Some(1))], [of_screen([255; 3]); 3]);
        let pale = colours.of(1.0, Some(1));
        assert!(pale[0] > pale[2] && pale[2] > red[2], "{pale:?}");
    }

    #[test]
    fn values_with_an_empty_range_are_flat() {
        let description = small();
        let quantity = Quantity { range: [1.0, 1.0], ..description.field.clone() };
        let scale = Scale::new(&description, &quantity);
        assert_eq!([1.0, 7.0, f32::NAN].map(|value| scale.height(value)), [0.0; 3]);
        assert_eq!(Scale::new(&description, &description.field).height(f32::NAN), 0.0);
    }
}
