//! Entities to columns.

use super::kernels::Figures;
use super::record::*;
use crate::figure::Figure;
use crate::fixed_point::Stepped;
use crate::placed::{Fall, Placed};

/// Entities as a device gets them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed {
    pub reals: Vec<f32>,
    pub words: Vec<u32>,
    pub tables: Vec<f32>,
    pub count: usize,
    pub figures: Figures,
}

/// An entity, its layers, and the units in a cell.
pub(super) type Row<'e> = (&'e Placed, u32, f32);

impl Packed {
    /// Packs entities of floating point.
    pub fn of_floats(entities: &[Placed], layers: &[u32]) -> Self {
        Self::new(entities.iter().zip(layers).map(|(placed, &layers)| (placed, layers, 1.0)))
    }

    /// Packs entities of fixed point.
    pub fn of_steps(entities: &[Stepped], layers: &[u32]) -> Self {
        Self::new(entities.iter().zip(layers).map(|(stepped, &layers)| (&stepped.placed, layers, stepped.units)))
    }

    fn new<'e>(entities: impl ExactSizeIterator<Item = Row<'e>> + Clone) -> Self {
        let count = entities.len();
        let mut packed = Self {
            reals: vec![0.0; REALS as usize * count],
            words: vec![0; WORDS as usize * count],
            tables: Vec::new(),
            count,
            figures: figures(entities.clone()),
        };
        for (i, row) in entities.enumerate() {
            packed.set(i, row);
        }
        packed
    }

    fn set(&mut self, i: usize, (placed, layers, units): Row<'_>) {
        let Placed { at, turn, figure, charge, reach, fall } = placed;
        let [sin, cos] = turn.unwrap_or([0.0, 1.0]);
        let corners = self.tables.len();
        let mut corner_count = 0;
        let (shape, extent, width) = match figure {
            Figure::Disc => (DISC, 0.0, 0.0),
            Figure::Ring { radius } => (RING, *radius, 0.0),
            Figure::Capsule { length } => (CAPSULE, *length, 0.0),
            Figure::Box { half } => (BOX, half[0], half[1]),
            Figure::Polygon(corners) => {
                corner_count = corners.len() as u32;
                self.push_sides(corners);
                (POLYGON, 0.0, 0.0)
            }
            Figure::Cone { sin, cos } => (CONE, *sin, *cos),
            Figure::Stamp(stamp) => (STAMP, stamp.per_unit(), 0.0),
        };
        let profile = self.tables.len();
        let (fall, charge, slope, profile_count) = match (figure, fall) {
            (Figure::Stamp(stamp), _) => {
                let [columns, rows] = stamp.size();
                corner_count = columns;
                self.tables.extend(stamp.values());
                (LINEAR, *charge, 0.0, rows)
            }
            (_, Fall::Linear { charge, slope }) => (LINEAR, *charge, *slope, 0),
            (_, Fall::Quadratic { charge, slope }) => (QUADRATIC, *charge, *slope, 0),
            (_, Fall::Gaussian { charge, rate }) => (GAUSSIAN, *charge, *rate, 0),
            (_, Fall::Piecewise(pieces)) => {
                self.tables.extend(pieces.iter().flat_map(|piece| [piece.from, piece.value, piece.slope]));
                (PIECEWISE, 0.0, 0.0, pieces.len() as u32)
            }
            (_, Fall::Table { values, per_cell }) => {
                self.tables.extend(values);
                (TABLE, 0.0, *per_cell, values.len() as u32)
            }
        };
        let reals = [
            (X, at[0]),
            (Y, at[1]),
            // A little more, for rounding.
            (CULL, placed.farthest() * 1.000_01),
            (INVERSE, 1.0 / reach),
            (CHARGE, charge),
            (REACH, *reach),
            (SLOPE, slope),
            (SIN, sin),
            (COS, cos),
            (EXTENT, extent),
            (WIDTH, width),
            (super::record::UNITS, units),
            (CELLS, 1.0 / units),
        ];
        for (column, value) in reals {
            self.reals[column as usize * self.count + i] = value;
        }
        let words = [
            (SHAPE, shape),
            (FALL, fall),
            (LAYERS, layers),
            (CORNERS, corners as u32),
            (CORNER_COUNT, corner_count),
            (PROFILE, profile as u32),
            (PROFILE_COUNT, profile_count),
        ];
        for (column, word) in words {
            self.words[column as usize * self.count + i] = word;
        }
    }

    /// The sides of a polygon.
    fn push_sides(&mut self, corners: &[[f32; 2]]) {
        for (i, to) in corners.iter().enumerate() {
            let from = corners[(i + corners.len() - 1) % corners.len()];
            let along = [to[0] - from[0], to[1] - from[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
            // Only sides that go up or down are crossed.
            let per_y = if along[1] == 0.0 { 0.0 } else { along[0] / along[1] };
            self.tables.extend([from[0], from[1], along[0], along[1], inverse, per_y, to[1]]);
        }
    }
}

/// What all entities have in common.
fn figures<'e>(mut entities: impl Iterator<Item = Row<'e>> + Clone) -> Figures {
    let discs = entities.clone().all(|(placed, ..)| placed.figure == Figure::Disc);
    if discs && entities.clone().all(|(placed, ..)| matches!(placed.fall, Fall::Linear { .. })) {
        Figures::LinearDiscs
    } else if discs && entities.all(|(placed, ..)| matches!(placed.fall, Fall::Quadratic { .. })) {
        Figures::QuadraticDiscs
    } else {
        Figures::Any
    }
}
