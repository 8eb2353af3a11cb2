//! Positions of the parts of an image.

use super::axes::Axis;
use super::legend::Legend;
use super::picture::Area;
use super::text::{self, Font};

/// White margin around everything, pixels.
const MARGIN: i64 = 20;
/// Length of a tick of an axis or the legend, pixels.
pub(super) const TICK: i64 = 6;
/// Distance between a tick and its label, pixels.
pub(super) const GAP: i64 = 5;
/// Width of the colour bar, pixels.
pub(super) const BAR_WIDTH: i64 = 26;
/// Minimum height of the colour bar, pixels, to leave space for its labels even beside a flat map.
const MIN_BAR_HEIGHT: i64 = 180;
/// Distance between names and the parts below them, pixels: slightly more than half the height of a label.
pub(super) const BELOW_NAMES: i64 = 14;
/// Minimum number of letters per line of the title, even above a narrow map.
const MIN_TITLE_LETTERS: i64 = 30;

/// Positions of the parts of an image, pixels from the top left corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// Width and height of the image.
    pub size: [i64; 2],
    /// Lines of the title.
    pub title: Vec<String>,
    /// Top left corner of the title.
    pub title_at: [i64; 2],
    /// Top of the line that contains the name of the y axis and the unit of the legend.
    pub names_top: i64,
    /// Left end of the name of the y axis.
    pub y_name_left: i64,
    /// Top left corner of the name of the x axis.
    pub x_name_at: [i64; 2],
    /// Area of the cells.
    pub map: Area,
    /// Area of the colour bar.
    pub bar: Area,
}

impl Layout {
    /// Arranges a map of a given size with its axes, legend and title, with space for a longer title.
    pub(super) fn new(
        [width, height]: [i64; 2],
        x: &Axis,
        y: &Axis,
        legend: &Legend,
        [title, longest]: [&str; 2],
    ) -> Self {
        let line = Font::Label.height();
        let [x_name, y_name] = [x, y].map(|axis| Font::Label.width(axis.name()));
        let half_label = x.label_width() / 2;
        let left = MARGIN + (y.label_width().max(y_name) + GAP + TICK).max(half_label);
        let bar_left = left + width + (BAR_WIDTH + 4).max(half_label + 2 * GAP);
        let right = (bar_left + legend.width()).max(left + MIN_TITLE_LETTERS * Font::Title.letter());
        let [title, longest] = [title, longest].map(|title| text::wrapped(Font::Title, title, right - left));
        let lines = title.len().max(longest.len()) as i64;
        let names_top = MARGIN + lines * Font::Title.height() + if lines == 0 { 0 } else { 10 };
        let top = names_top + line + BELOW_NAMES;
        let map = Area { left, top, width, height };
        // The bar leaves space for the meaning of its ends and for entries, but keeps enough for its labels.
        let [below, above] = legend.rooms_for_meaning();
        let bar_height = (height - above - below - legend.height_of_entries()).max(MIN_BAR_HEIGHT);
        let bar = Area { left: bar_left, top: top + above, width: BAR_WIDTH, height: bar_height };
        let x_name_top = map.bottom() + TICK + line + GAP;
        let bottom = (x_name_top + line).max(bar.bottom() + below + legend.height_below());
        Self {
            size: [right + MARGIN, bottom + MARGIN],
            title,
            title_at: [left, MARGIN],
            names_top,
            y_name_left: left - TICK - GAP - y_name,
            x_name_at: [left + (width - x_name) / 2, x_name_top],
            map,
            bar,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::Direction;
    use crate::legend::Entry;
    use crate::{ColourMap, Grid, Scale, ValueRange};

    fn layout(columns: u32, rows: u32, title: &str) -> Layout {
        layout_with(columns, rows, title, 0)
    }

    fn layout_with(columns: u32, rows: u32, title: &str, points: usize) -> Layout {
        let grid = Grid::new([604_000.0, -1000.0], 2.0, columns, rows).unwrap();
        let scale = Scale::PixelsPerCell(1);
        let x = Axis::new(&grid, Direction::X, scale, "m");
        let y = Axis::new(&grid, Direction::Y, scale, "metres in all");
        let range = ValueRange::new(0.0, 1.0).unwrap();
        let legend = Legend::new(
            Some((ColourMap::Viridis, range)),
            "travel time (s)",
            ["", "far"],
            vec![Entry::Hatched([0; 3], "goals".to_owned()); points],
        );
        Layout::new([i64::from(columns), i64::from(rows)], &x, &y, &legend, [title, ""])
    }

    #[test]
    fn all_parts_are_inside_with_a_margin() {
        for (columns, rows) in [(800, 600), (1, 900), (900, 1), (1, 1)] {
            let layout = layout(columns, rows, &"A long title of many words ".repeat(9));
            let [width, height] = layout.size;
            assert!(layout.y_name_left >= MARGIN && layout.x_name_at[0] >= MARGIN / 2);
            assert!(layout.x_name_at[1] + Font::Label.height() + MARGIN <= height);
            assert!(layout.bar.left > layout.map.right() && layout.bar.right() + MARGIN < width);
            assert!(layout.bar.left + Font::Label.width("travel time (s)") + MARGIN <= width);
            let lines = layout.title.iter().map(|line| Font::Title.width(line));
            assert!(lines.clone().all(|line| layout.title_at[0] + line + MARGIN <= width) && lines.len() > 1);
            assert!(layout.names_top >= layout.title_at[1] + layout.title.len() as i64 * Font::Title.height());
        }
    }

    #[test]
    fn an_empty_title_takes_no_space() {
        let (without, with) = (layout(800, 600, ""), layout(800, 600, "Title"));
        assert_eq!(with.size, [without.size[0], without.size[1] + Font::Title.height() + 10]);
        assert_eq!((without.map.width, without.map.height), (800, 600));
    }

    #[test]
    fn the_bar_shrinks_for_entries_down_to_its_minimum_height() {
        let (without, with) = (layout(800, 600, ""), layout_with(800, 600, "", 5));
        assert!(with.size == without.size && with.bar.height < without.bar.height - 5 * Font::Label.height());
        let (without, with) = (layout(800, 100, ""), layout_with(800, 100, "", 5));
        assert!(with.bar == without.bar && with.size[1] > without.size[1] + 5 * Font::Label.height());
    }
}
