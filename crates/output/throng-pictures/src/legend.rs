//! The legend: a colour bar with labelled values, and the meaning of everything else on the map.

use super::cells::SpecialCells;
use super::colour::Colour;
use super::colours::{ColourMap, INK, NO_VALUE, Rgb, WALL, WHITE};
use super::hatching::stripes;
use super::layout::{BAR_WIDTH, BELOW_NAMES, GAP, TICK};
use super::mark::Mark;
use super::owners::shade;
use super::picture::{Area, Picture};
use super::text::{self, Font};
use super::ticks::{Ticks, exact};
use super::value_range::ValueRange;

/// Maximum number of intervals between the ticks of a legend.
const MAX_STEPS: u32 = 7;
/// Line spacing below the bar, pixels.
const LEADING: i64 = 4;
/// Distance between the bar and the meaning of an end, pixels.
const ABOVE_BAR: i64 = 6;
/// Default name of cells without a value.
const GAPS: &str = "no value";
/// Name of cells that the mask does not allow.
const WALLS: &str = "wall";

/// A line below the bar.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    /// Heading of the entries after it.
    Heading(String),
    /// Cells or blocks of a colour.
    Cells(Rgb, String),
    /// Points with a mark.
    Mark(Mark, String),
    /// Hatched cells, with stripes of a colour.
    Hatched(Rgb, String),
}

/// Content of the legend beside a map: colour bar, ticks and entries.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Legend {
    colours: Option<(ColourMap, ValueRange)>,
    unit: String,
    /// Meaning of values at the low and the high end; empty if not stated.
    meaning: [String; 2],
    /// Position along the bar, from 0 at the bottom to 1, and label of each tick.
    ticks: Vec<(f64, String)>,
    entries: Vec<Entry>,
    /// Colours of the owners of cells; their shades, side by side, replace the colour map in the bar.
    owners: Vec<Colour>,
    /// Name of cells without a value.
    gaps: String,
}

impl Legend {
    /// Creates a legend; without colours, the bar is omitted. `below` and `above` are the meanings of values below and
    /// above 0; empty if not stated.
    pub(super) fn new(
        colours: Option<(ColourMap, ValueRange)>,
        unit: &str,
        [below, above]: [&str; 2],
        entries: Vec<Entry>,
    ) -> Self {
        let ticks = colours.map(|(_, range)| {
            let (low, high) = (f64::from(range.low()), f64::from(range.high()));
            let fraction = |value: f64| ((value - low) / (high - low)).clamp(0.0, 1.0);
            match Ticks::between(low, high, MAX_STEPS) {
                Some(ticks) => ticks.labels().into_iter().map(|(value, label)| (fraction(value), label)).collect(),
                None => vec![(0.5, exact(range.low()))],
            }
        });
        let [has_below, has_above] = colours.map_or([false; 2], |(_, range)| [range.low() < 0.0, range.high() > 0.0]);
        let stated = |text: &str, applies: bool| if applies { text.to_owned() } else { String::new() };
        Self {
            colours,
            unit: unit.into(),
            meaning: [stated(below, has_below), stated(above, has_above)],
            ticks: ticks.unwrap_or_default(),
            entries,
            owners: Vec::new(),
            gaps: GAPS.to_owned(),
        }
    }

    /// Shows shades of these colours in the bar.
    pub(super) fn with_owners(self, owners: Vec<Colour>) -> Self {
        Self { owners, ..self }
    }

    /// Sets the name of cells without a value.
    pub(super) fn with_gaps(self, name: &str) -> Self {
        Self { gaps: name.to_owned(), ..self }
    }

    /// Returns the width in pixels. It does not depend on the values drawn, so all frames of an animation get the same
    /// width.
    pub(super) fn width(&self) -> i64 {
        let labels = self.ticks.iter().map(|(_, label)| label.as_str());
        let names = self.entries.iter().filter_map(|entry| match entry {
            Entry::Cells(_, name) | Entry::Mark(_, name) | Entry::Hatched(_, name) => Some(name.as_str()),
            Entry::Heading(_) => None,
        });
        let words = labels.chain(names).chain([self.gaps.as_str(), WALLS]);
        let widest = words.map(|word| Font::Label.width(word)).max().unwrap_or(0);
        let headings = self.entries.iter().filter_map(|entry| match entry {
            Entry::Heading(text) => Some(text),
            _ => None,
        });
        let texts = headings.chain(&self.meaning).chain([&self.unit]);
        (BAR_WIDTH + TICK + GAP + widest).max(texts.map(|text| Font::Label.width(text)).max().unwrap_or(0))
    }

    /// Returns the space for the meaning of the ends, below and above the bar, pixels.
    pub(super) fn rooms_for_meaning(&self) -> [i64; 2] {
        let room = |text: &String| if text.is_empty() { 0 } else { Font::Label.height() + ABOVE_BAR };
        [room(&self.meaning[0]), room(&self.meaning[1])]
    }

    /// Returns the height of everything that may be below the bar and its meaning, in pixels: entries, walls and gaps,
    /// shown or not.
    pub(super) fn height_below(&self) -> i64 {
        below(self.entries.len() + 2)
    }

    /// Returns the height of the entries in pixels.
    pub(super) fn height_of_entries(&self) -> i64 {
        below(self.entries.len()) - below(0)
    }

    /// Draws the legend. The unit is at `top`, above the bar. The meaning of the other colours is below the bar, or at
    /// `top` if there is no bar.
    pub(super) fn draw(&self, picture: &mut Picture, bar: Area, top: i64, seen: SpecialCells) {
        if let Some((map, range)) = self.colours {
            text::write(picture, Font::Label, [bar.left, top], &self.unit);
            picture.frame(bar, INK);
            for y in 0..bar.height {
                let fraction = 1.0 - y as f64 / (bar.height - 1).max(1) as f64;
                let value = f64::from(range.low()) + fraction * (f64::from(range.high()) - f64::from(range.low()));
                let row = Area { top: bar.top + y, height: 1, ..bar };
                if self.owners.is_empty() {
                    picture.fill(row, map.colour(value as f32, range));
                }
                for (strip, &owner) in strips(row, self.owners.len()).zip(&self.owners) {
                    picture.fill(strip, shade(owner, value as f32, range));
                }
            }
            point_ends(picture, bar, seen.beyond);
            let [_, above] = self.rooms_for_meaning();
            text::write(picture, Font::Label, [bar.left, bar.top - above], &self.meaning[1]);
            text::write(picture, Font::Label, [bar.left, bar.bottom() + ABOVE_BAR], &self.meaning[0]);
        }
        for (fraction, label) in &self.ticks {
            let y = bar.bottom() - 1 - (fraction * (bar.height - 1) as f64).round() as i64;
            picture.fill(Area { left: bar.right(), top: y, width: TICK, height: 1 }, INK);
            let at = [bar.right() + TICK + GAP, y - Font::Label.height() / 2];
            text::write(picture, Font::Label, at, label);
        }
        let gaps = self.colours.map_or(NO_VALUE, |(map, _)| map.no_value());
        let others = [(seen.walls, WALL, WALLS), (seen.gaps, gaps, self.gaps.as_str())];
        let others = others.into_iter().filter(|other| other.0);
        let others = others.map(|(_, colour, word)| Entry::Cells(colour, word.to_owned()));
        let first = if self.colours.is_some() { bar.bottom() + self.rooms_for_meaning()[0] } else { top };
        for (i, entry) in self.entries.iter().cloned().chain(others).enumerate() {
            entry.draw(picture, [bar.left, first + below(i)]);
        }
    }
}

/// Splits a row into equal parts side by side.
fn strips(row: Area, count: usize) -> impl Iterator<Item = Area> {
    let edge = move |i: usize| row.left + row.width * i as i64 / count as i64;
    (0..count).map(move |i| Area { left: edge(i), width: edge(i + 1) - edge(i), ..row })
}

/// Turns the lower and upper end of the bar into points if there are values beyond them.
fn point_ends(picture: &mut Picture, bar: Area, beyond: [bool; 2]) {
    let half = bar.width / 2;
    for (is_beyond, end, inwards) in [(beyond[0], bar.bottom(), -1), (beyond[1], bar.top - 1, 1)] {
        // The frame lies outside the bar.
        for away in (0..=half).filter(|_| is_beyond) {
            let (y, cut) = (end + inwards * away, half - away);
            let outside = [(bar.left - 1, cut + 1), (bar.right() - cut, cut + 1)];
            for (left, width) in outside {
                picture.fill(Area { left, top: y, width, height: 1 }, WHITE);
            }
            for x in [bar.left - 1 + cut, bar.right() - cut] {
                picture.fill(Area { left: x, top: y, width: 1, height: 1 }, INK);
            }
        }
    }
}

/// Returns the distance from the bar to the end of `lines` lines, pixels.
fn below(lines: usize) -> i64 {
    BELOW_NAMES + lines as i64 * (Font::Label.height() + LEADING)
}

impl Entry {
    /// Draws a sample that looks like the corresponding element of the map, and its meaning beside it.
    fn draw(&self, picture: &mut Picture, [left, top]: [i64; 2]) {
        let height = Font::Label.height();
        let square = Area { left, top: top + 2, width: BAR_WIDTH, height: height - 4 };
        let name = match self {
            Self::Heading(text) => {
                text::write(picture, Font::Label, [left, top], text);
                return;
            }
            Self::Cells(colour, name) => {
                picture.fill(square, *colour);
                picture.frame(square, INK);
                name
            }
            Self::Hatched(ink, name) => {
                stripes(picture, square, *ink);
                picture.frame(square, INK);
                name
            }
            Self::Mark(mark, name) => {
                let (all, middle) =
                    (picture.area(), [left * 2 + BAR_WIDTH, top * 2 + height].map(|at| at as f64 / 2.0));
                mark.draw(picture, all, middle);
                name
            }
        };
        text::write(picture, Font::Label, [left + BAR_WIDTH + TICK + GAP, top], name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f32, high: f32) -> Vec<String> {
        let range = ValueRange::new(low, high).unwrap();
        let legend = Legend::new(Some((ColourMap::Viridis, range)), "", [""; 2], Vec::new());
        legend.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn values_beside_the_bar_are_round() {
        assert_eq!(labels(0.0, 0.973), ["0.0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(-3.0, 9.7), ["-2", "0", "2", "4", "6", "8"]);
        assert_eq!(labels(f32::MIN, f32::MAX), ["-3e38", "-2e38", "-1e38", "0", "1e38", "2e38", "3e38"]);
    }

    #[test]
    fn constant_fields_have_one_label_and_empty_fields_have_none() {
        assert_eq!(labels(0.125, 0.125), ["0.125"]);
        let none = Legend::new(None, "m", ["down", "up"], Vec::new());
        assert_eq!(none.rooms_for_meaning(), [0; 2]);
        assert!(none.ticks.is_empty() && none.width() > 0);
    }

    fn drawn(legend: &Legend, bar: Area, seen: SpecialCells) -> Picture {
        let mut picture = Picture::new(300, 400).unwrap();
        legend.draw(&mut picture, bar, 5, seen);
        picture
    }

    #[test]
    fn the_bar_has_the_colours_of_the_range() {
        let range = ValueRange::new(-1.0, 1.0).unwrap();
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 201 };
        let legend = Legend::new(Some((ColourMap::BlueOrange, range)), "kg", [""; 2], Vec::new());
        let picture = drawn(&legend, bar, SpecialCells { gaps: true, ..SpecialCells::default() });
        let colour = |value| Some(ColourMap::BlueOrange.colour(value, range));
        assert_eq!([picture.pixel(20, 30), picture.pixel(20, 130)], [colour(1.0), colour(0.0)]);
        assert_eq!(picture.pixel(20, 230), colour(-1.0));
        // The tick of 0 is beside its colour, to the right of the frame; the grey square is below.
        assert_eq!([picture.pixel(38, 130), picture.pixel(38, 131)], [Some(INK), Some([255; 3])]);
        assert_eq!(picture.pixel(20, 255), Some(NO_VALUE));
    }

    #[test]
    fn ends_are_pointed_if_values_exceed_them() {
        let range = ValueRange::new(0.0, 1.0).unwrap();
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 201 };
        let legend = Legend::new(Some((ColourMap::Viridis, range)), "", [""; 2], Vec::new());
        let with = |beyond| drawn(&legend, bar, SpecialCells { beyond, ..SpecialCells::default() });
        let middle = bar.left + BAR_WIDTH / 2;
        for beyond in [[false; 2], [true, false], [false, true], [true; 2]] {
            let picture = with(beyond);
            let ends = [bar.bottom() - 1, bar.top].map(|y| {
                let is_white = |x: i64| picture.pixel(x as u32, y as u32) == Some(WHITE);
                assert!(!is_white(middle), "{beyond:?}");
                [is_white(bar.left), is_white(bar.right() - 1)]
            });
            assert_eq!(ends, beyond.map(|is_beyond| [is_beyond; 2]));
            // The middle of the bar stays unchanged.
            let y = bar.top as u32 + 100;
            assert_eq!(picture.pixel(11, y), with([false; 2]).pixel(11, y));
        }
    }

    #[test]
    fn the_bar_has_a_column_for_each_owner() {
        let range = ValueRange::new(0.0, 1.0).unwrap();
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 201 };
        let legend = Legend::new(Some((ColourMap::Viridis, range)), "", [""; 2], Vec::new());
        let legend = legend.with_owners(vec![Colour::RED, Colour::BLUE]);
        let picture = drawn(&legend, bar, SpecialCells::default());
        assert_eq!(
            [12, 34].map(|x| picture.pixel(x, 30)),
            [Colour::RED, Colour::BLUE].map(|colour| Some(colour.rgb()))
        );
        assert_eq!(
            [12, 34].map(|x| picture.pixel(x, 230)),
            [Colour::RED, Colour::BLUE].map(|of| Some(shade(of, 0.0, range)))
        );
    }

    #[test]
    fn meanings_are_shown_only_for_signs_in_the_range() {
        let rooms = |low, high| {
            let range = ValueRange::new(low, high).unwrap();
            let legend = Legend::new(Some((ColourMap::BlueOrange, range)), "", ["repels", "attracts"], Vec::new());
            legend.rooms_for_meaning()
        };
        let room = Font::Label.height() + ABOVE_BAR;
        assert_eq!([rooms(-1.0, 2.0), rooms(0.0, 2.0), rooms(-1.0, 0.0)], [[room; 2], [0, room], [room, 0]]);

        let range = ValueRange::new(-1.0, 1.0).unwrap();
        let bar = Area { left: 10, top: 60, width: BAR_WIDTH, height: 101 };
        let of = |meaning| Legend::new(Some((ColourMap::BlueOrange, range)), "", meaning, Vec::new());
        let [without, with] =
            [[""; 2], ["repels", "attracts"]].map(|meaning| drawn(&of(meaning), bar, SpecialCells::default()));
        let differ = |rows: std::ops::Range<u32>| {
            rows.flat_map(|y| (0..300).map(move |x| (x, y))).any(|(x, y)| without.pixel(x, y) != with.pixel(x, y))
        };
        let above = bar.top as u32 - room as u32..bar.top as u32 - 1;
        let below = bar.bottom() as u32 + 1..(bar.bottom() + room) as u32;
        assert!(differ(above) && differ(below) && !differ(bar.top as u32..bar.bottom() as u32));
    }

    #[test]
    fn entries_are_listed_in_order_below_the_bar() {
        let entries = vec![
            Entry::Heading("agents in 2 x 2 metres".to_owned()),
            Entry::Cells([200, 0, 100], "1 to 2".to_owned()),
            Entry::Mark(Mark::disc(Colour::RED), "wolves".to_owned()),
            Entry::Mark(Mark::square(Colour::GREEN), "sheep that are lost".to_owned()),
        ];
        let without = Legend::new(None, "", [""; 2], Vec::new());
        let with = Legend::new(None, "", [""; 2], entries.clone());
        assert_eq!(with.width() - without.width(), Font::Label.width("sheep that are lost") - Font::Label.width(GAPS));
        let line = Font::Label.height() + LEADING;
        assert_eq!(with.height_below() - without.height_below(), 4 * line);
        assert_eq!([with.height_of_entries(), without.height_of_entries()], [4 * line, 0]);
        // Below the bar, or at the top if there is no bar.
        let bar = Area { left: 10, top: 30, width: BAR_WIDTH, height: 101 };
        let colours = (ColourMap::Viridis, ValueRange::new(0.0, 1.0).unwrap());
        for (legend, first) in [(Legend::new(Some(colours), "", [""; 2], entries), bar.bottom()), (with, 5)] {
            let picture = drawn(&legend, bar, SpecialCells { walls: true, ..SpecialCells::default() });
            let middle = |i: i64| picture.pixel(23, (first + BELOW_NAMES + i * line + line / 2 - 2) as u32);
            let expected = [[200, 0, 100], Colour::RED.rgb(), Colour::GREEN.rgb(), WALL];
            assert_eq!([1, 2, 3, 4].map(middle), expected.map(Some));
        }
    }
}
