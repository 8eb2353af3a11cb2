//! The legend: a bar of all colours with values beside it, and the meaning of the other colours.

use super::cells::Seen;
use super::colours::{Colour, ColourMap, INK, NO_VALUE, WALL, category};
use super::layout::{BAR_WIDTH, BELOW_NAMES, GAP, TICK};
use super::picture::{Area, Picture};
use super::strokes::disc;
use super::text::{self, Font};
use super::ticks::{Ticks, exact};
use super::value_range::ValueRange;

/// The largest number of steps between the ticks of a legend.
const MOST_STEPS: u32 = 7;
/// Between the lines below the bar, pixels.
const LEADING: i64 = 4;
/// Radius of the disc that stands for points, pixels; a line around it shows it on white paper.
const POINT_RADIUS: f64 = 6.0;
/// The name of cells without a value.
const GAPS: &str = "no value";
/// The name of cells that the mask does not allow.
const WALLS: &str = "wall";

/// The legend of a map.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Legend {
    colours: Option<(ColourMap, ValueRange)>,
    unit: String,
    /// The positions of values along the bar, from 0 at the bottom to 1, and their labels.
    ticks: Vec<(f64, String)>,
    /// The entries of points, with the numbers of their colours.
    points: Vec<(String, u8)>,
}

impl Legend {
    /// The legend for some colours and points; without colours the bar is left out.
    pub(super) fn new(colours: Option<(ColourMap, ValueRange)>, unit: &str, points: &[(String, u8)]) -> Self {
        let ticks = colours.map(|(_, range)| {
            let (low, high) = (f64::from(range.low()), f64::from(range.high()));
            let share = |value: f64| ((value - low) / (high - low)).clamp(0.0, 1.0);
            match Ticks::between(low, high, MOST_STEPS) {
                Some(ticks) => ticks.labels().into_iter().map(|(value, label)| (share(value), label)).collect(),
                None => vec![(0.5, exact(range.low()))],
            }
        });
        Self { colours, unit: unit.into(), ticks: ticks.unwrap_or_default(), points: points.into() }
    }

    /// Its width, pixels. The contents of the map do not change it, so all frames of an animation get the same.
    pub(super) fn width(&self) -> i64 {
        let labels = self.ticks.iter().map(|(_, label)| label.as_str());
        let words = labels.chain(self.points.iter().map(|(name, _)| name.as_str())).chain([GAPS, WALLS]);
        let widest = words.map(|word| Font::Label.width(word)).max().unwrap_or(0);
        (BAR_WIDTH + TICK + GAP + widest).max(Font::Label.width(&self.unit))
    }

    /// The height of everything that may be below the bar, pixels: entries of points, walls and gaps, shown or not.
    pub(super) fn height_below(&self) -> i64 {
        below(self.points.len() + 2)
    }

    /// The height of the entries of points, pixels.
    pub(super) fn height_of_points(&self) -> i64 {
        below(self.points.len()) - below(0)
    }

    /// Draws it; the unit is above the bar from `top` on, the meaning of the other colours below, or from `top` on if there
    /// is no bar.
    pub(super) fn draw(&self, picture: &mut Picture, bar: Area, top: i64, seen: Seen) {
        if let Some((map, range)) = self.colours {
            text::write(picture, Font::Label, [bar.left, top], &self.unit);
            picture.frame(bar, INK);
            for y in 0..bar.height {
                let share = 1.0 - y as f64 / (bar.height - 1).max(1) as f64;
                let value = f64::from(range.low()) + share * (f64::from(range.high()) - f64::from(range.low()));
                let row = Area { top: bar.top + y, height: 1, ..bar };
                picture.fill(row, map.colour(value as f32, range));
            }
        }
        for (share, label) in &self.ticks {
            let y = bar.bottom() - 1 - (share * (bar.height - 1) as f64).round() as i64;
            picture.fill(Area { left: bar.right(), top: y, width: TICK, height: 1 }, INK);
            let at = [bar.right() + TICK + GAP, y - Font::Label.height() / 2];
            text::write(picture, Font::Label, at, label);
        }
        let others = [(seen.walls, WALL, WALLS), (seen.gaps, NO_VALUE, GAPS)];
        let others = others.into_iter().filter(|other| other.0).map(|(_, colour, word)| (Sample::Cells(colour), word));
        let points = self.points.iter().map(|(name, colour)| (Sample::Points(category(*colour)), name.as_str()));
        let first = if self.colours.is_some() { bar.bottom() } else { top };
        for (i, (sample, word)) in points.chain(others).enumerate() {
            sample.draw(picture, [bar.left, first + below(i)], word);
        }
    }
}

/// The distance from the bar to the end of this many lines, pixels.
fn below(lines: usize) -> i64 {
    BELOW_NAMES + lines as i64 * (Font::Label.height() + LEADING)
}

/// A sample that looks like something on the map.
enum Sample {
    /// A square.
    Cells(Colour),
    /// A disc.
    Points(Colour),
}

impl Sample {
    /// Draws it, with its meaning beside it.
    fn draw(&self, picture: &mut Picture, [left, top]: [i64; 2], word: &str) {
        let height = Font::Label.height();
        match *self {
            Self::Cells(colour) => {
                let square = Area { left, top: top + 2, width: BAR_WIDTH, height: height - 4 };
                picture.fill(square, colour);
                picture.frame(square, INK);
            }
            Self::Points(colour) => {
                let (all, centre) =
                    (picture.area(), [left * 2 + BAR_WIDTH, top * 2 + height].map(|at| at as f64 / 2.0));
                disc(picture, all, centre, POINT_RADIUS + 1.0, INK);
                disc(picture, all, centre, POINT_RADIUS, colour);
            }
        }
        text::write(picture, Font::Label, [left + BAR_WIDTH + TICK + GAP, top], word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f32, high: f32) -> Vec<String> {
        let range = ValueRange::new(low, high).unwrap();
        Legend::new(Some((ColourMap::Sequential, range)), "", &[]).ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn values_beside_the_bar_are_round() {
        assert_eq!(labels(0.0, 0.973), ["0.0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(-3.0, 9.7), ["-2", "0", "2", "4", "6", "8"]);
        assert_eq!(labels(f32::MIN, f32::MAX), ["-3e38", "-2e38", "-1e38", "0", "1e38", "2e38", "3e38"]);
    }

    #[test]
    fn a_constant_field_has_one_value_and_a_field_without_values_none() {
        assert_eq!(labels(0.125, 0.125), ["0.125"]);
        let none = Legend::new(None, "m", &[]);
        assert!(none.ticks.is_empty() && none.width() > 0);
    }

    #[test]
    fn the_bar_has_the_colours_of_the_ends() {
        let range = ValueRange::new(-1.0, 1.0).unwrap();
        let mut picture = Picture::new(200, 300).unwrap();
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 201 };
        let seen = Seen { walls: false, gaps: true };
        Legend::new(Some((ColourMap::Diverging, range)), "kg", &[]).draw(&mut picture, bar, 5, seen);
        let colour = |value| Some(ColourMap::Diverging.colour(value, range));
        assert_eq!([picture.pixel(20, 30), picture.pixel(20, 130)], [colour(1.0), colour(0.0)]);
        assert_eq!(picture.pixel(20, 230), colour(-1.0));
        // The tick of 0 is beside its colour, right of the frame; the grey square is below.
        assert_eq!([picture.pixel(38, 130), picture.pixel(38, 131)], [Some(INK), Some([255; 3])]);
        assert_eq!(picture.pixel(20, 255), Some(NO_VALUE));
    }

    #[test]
    fn points_are_named_first_and_always_have_their_room() {
        let named = [("wolves".to_owned(), 0), ("sheep that are lost".to_owned(), 2)];
        let (without, with) = (Legend::new(None, "", &[]), Legend::new(None, "", &named));
        assert_eq!(with.width() - without.width(), Font::Label.width("sheep that are lost") - Font::Label.width(GAPS));
        let line = Font::Label.height() + LEADING;
        assert_eq!(with.height_below() - without.height_below(), 2 * line);
        assert_eq!([with.height_of_points(), without.height_of_points()], [2 * line, 0]);
        // Below the bar; from the top on if there is no bar.
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 101 };
        let colours = (ColourMap::Sequential, ValueRange::new(0.0, 1.0).unwrap());
        for (legend, first) in [(Legend::new(Some(colours), "", &named), bar.bottom()), (with, 5)] {
            let mut picture = Picture::new(300, 300).unwrap();
            legend.draw(&mut picture, bar, 5, Seen { walls: true, gaps: false });
            let middle = |i: i64| picture.pixel(23, (first + BELOW_NAMES + i * line + line / 2 - 2) as u32);
            assert_eq!([0, 1, 2].map(middle), [category(0), category(2), WALL].map(Some));
        }
    }
}
