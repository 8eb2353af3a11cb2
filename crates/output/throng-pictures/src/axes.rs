//! The axes of a map, in world units.

use super::colours::INK;
use super::layout::{GAP, TICK};
use super::picture::{Area, Picture};
use super::scale::Scale;
use super::text::{self, Font};
use super::ticks::Ticks;
use crate::Grid;

/// Maximum number of intervals between the ticks of an axis.
const MAX_STEPS: u32 = 12;

/// Direction of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From left to right.
    X,
    /// From bottom to top.
    Y,
}

/// An axis with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    direction: Direction,
    name: String,
    /// Distance from the origin in pixels, and label, of each tick.
    ticks: Vec<(i64, String)>,
}

impl Axis {
    /// Creates an axis of a map; `unit` may be empty.
    pub(super) fn new(grid: &Grid, direction: Direction, scale: Scale, unit: &str) -> Self {
        let (axis, letter, count) = match direction {
            Direction::X => (0, "x", grid.columns()),
            Direction::Y => (1, "y", grid.rows()),
        };
        let name = if unit.is_empty() { letter.into() } else { format!("{letter} ({unit})") };
        let (low, cell) = (grid.origin()[axis], f64::from(grid.cell()));
        let high = low + f64::from(count) * cell;
        let place = |value: f64| (value - low) / cell * scale.pixels_per_cell();
        // The largest number of ticks whose labels do not touch.
        let ticks = (1..=MAX_STEPS).rev().find_map(|most| {
            let ticks = Ticks::between(low, high, most)?;
            let labels: Vec<(i64, String)> =
                ticks.labels().into_iter().map(|(value, label)| (place(value).round() as i64, label)).collect();
            let room = place(low + ticks.step()) as i64;
            let needed = match direction {
                Direction::X => widest(&labels) + 3 * Font::Label.letter(),
                Direction::Y => 2 * Font::Label.height(),
            };
            (room >= needed || labels.len() == 1).then_some(labels)
        });
        Self { direction, name, ticks: ticks.unwrap_or_default() }
    }

    /// Returns the name, such as `x (m)`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the width of the widest label in pixels.
    pub(super) fn label_width(&self) -> i64 {
        widest(&self.ticks)
    }

    /// Draws ticks and labels beside a map.
    pub(super) fn draw(&self, picture: &mut Picture, map: Area) {
        for (at, label) in &self.ticks {
            let width = Font::Label.width(label);
            match self.direction {
                Direction::X => {
                    let x = map.left + at;
                    picture.fill(Area { left: x, top: map.bottom(), width: 1, height: TICK }, INK);
                    text::write(picture, Font::Label, [x - width / 2, map.bottom() + TICK + 2], label);
                }
                Direction::Y => {
                    let y = map.bottom() - at;
                    picture.fill(Area { left: map.left - TICK, top: y, width: TICK, height: 1 }, INK);
                    let left = map.left - TICK - GAP - width;
                    text::write(picture, Font::Label, [left, y - Font::Label.height() / 2], label);
                }
            }
        }
    }
}

fn widest(labels: &[(i64, String)]) -> i64 {
    labels.iter().map(|(_, label)| Font::Label.width(label)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(origin: f32, cell: f32, columns: u32, pixels: u32) -> Axis {
        let grid = Grid::new([origin, 0.0], cell, columns, 1).unwrap();
        Axis::new(&grid, Direction::X, Scale::PixelsPerCell(pixels), "m")
    }

    #[test]
    fn ticks_are_at_round_world_coordinates() {
        let axis = axis(-10.0, 0.5, 80, 10);
        assert_eq!(axis.name(), "x (m)");
        let labels: Vec<&str> = axis.ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["-10", "-5", "0", "5", "10", "15", "20", "25", "30"]);
        let places: Vec<i64> = axis.ticks.iter().map(|&(at, _)| at).collect();
        assert_eq!(places, [0, 100, 200, 300, 400, 500, 600, 700, 800]);
    }

    #[test]
    fn labels_do_not_overlap() {
        for columns in [1, 2, 7, 30, 100, 1000] {
            for (origin, cell) in [(0.0, 0.25), (-3.7, 0.25), (604_123.0, 1.0), (1e9, 1024.0), (1e-3, 0.25)] {
                let axis = axis(origin, cell, columns, 3);
                for pair in axis.ticks.windows(2) {
                    let room = Font::Label.width(&pair[0].1).midpoint(Font::Label.width(&pair[1].1));
                    assert!(pair[1].0 - pair[0].0 > room, "{origin} {columns}: {pair:?}");
                }
            }
        }
        // A grid whose labels would be indistinguishable cannot be created.
        assert!(Grid::new([1e9, 0.0], 1e-9, 10, 1).is_err());
    }
}
