//! Entities in fixed point: what they add to a cell is a whole number of steps, the same on every executor.
//!
//! Only operations are used whose result no processor may choose: sums and products that are rounded by themselves, whole
//! numbers, and a root that is made exact. A distance is a whole number of units, of which the reach has 16,384 or more.

use crate::entities::Entity;
use crate::figure::{Felt, Figure};
use crate::grid::Grid;
use crate::placed::{Fall, Piece, Placed};

/// The most units of a distance: the squares of these fit into 32 bits.
const MOST_UNITS: f32 = 32_768.0;
/// Values that stand for the bell of a Gaussian profile, since no two processors agree on powers.
const BELL_VALUES: usize = 1025;

/// An entity in fixed point on a grid. Its profile is in steps and units of distance, all else in cells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stepped {
    pub placed: Placed,
    /// Units of distance in a cell, a power of two.
    pub units: f32,
}

impl Stepped {
    /// `step` is the value of a step.
    pub fn new(grid: &Grid, entity: &Entity, step: f32) -> Self {
        let mut placed = Placed::new(grid, &Entity { charge: entity.charge / step, ..entity.clone() });
        let farthest = match placed.figure {
            Figure::Ring { radius } => radius + placed.reach,
            _ => placed.reach,
        };
        let units = (MOST_UNITS / farthest).log2().floor().exp2();
        placed.fall = in_units(&placed.fall, units, placed.reach);
        Self { placed, units }
    }

    /// What the entity adds to a cell, in steps.
    pub fn steps(&self, column: u32, row: u32) -> i32 {
        let Placed { at, turn, figure, charge, reach, fall } = &self.placed;
        let [across, down] = [column as f32 - at[0], row as f32 - at[1]];
        let own = match turn {
            Some([sin, cos]) => [cos * across + sin * down, cos * down - sin * across],
            None => [across, down],
        };
        if let Figure::Stamp(stamp) = figure {
            return nearest(charge * stamp.value(own));
        }
        let Some((distance, square)) = self.distance(figure, *reach, own) else { return 0 };
        let value = match fall {
            Fall::Linear { charge, slope } => charge - slope * distance,
            Fall::Quadratic { charge, slope } => charge - slope * square,
            Fall::Gaussian { .. } => 0.0,
            Fall::Piecewise(pieces) => {
                let next = pieces.partition_point(|piece| piece.from < distance).max(1);
                let piece = pieces[next - 1];
                piece.value + piece.slope * (distance - piece.from)
            }
            Fall::Table { values, per_cell } => {
                let place = distance * per_cell;
                let i = (place as usize).min(values.len() - 2);
                values[i] + (values[i + 1] - values[i]) * (place - i as f32)
            }
        };
        nearest(value)
    }

    /// Distance in units and its square in cells, where that is within reach.
    fn distance(&self, figure: &Figure<'_>, reach: f32, own: [f32; 2]) -> Option<(f32, f32)> {
        if let Figure::Ring { radius } = figure {
            let from_middle = own[0] * own[0] + own[1] * own[1];
            let outer = radius + reach;
            if from_middle < outer * outer {
                let distance = (self.root(from_middle) - (radius * self.units).floor()).abs();
                let cells = distance * (1.0 / self.units);
                return (distance < (reach * self.units).floor()).then_some((distance, cells * cells));
            }
            return None;
        }
        let Felt::Distance(far) = figure.felt(own) else { return None };
        (far.square < reach * reach).then(|| (self.root(far.square), far.square))
    }

    /// The root of a square, in whole units below.
    fn root(&self, square: f32) -> f32 {
        let whole = (square * self.units * self.units) as u32;
        f64::from(whole).sqrt().floor() as f32
    }
}

/// The nearest whole number; halves go up.
fn nearest(value: f32) -> i32 {
    (value + 0.5).floor() as i32
}

/// A profile over units instead of cells.
fn in_units(fall: &Fall, units: f32, reach: f32) -> Fall {
    match fall {
        Fall::Linear { charge, slope } => Fall::Linear { charge: *charge, slope: slope / units },
        Fall::Quadratic { charge, slope } => Fall::Quadratic { charge: *charge, slope: *slope },
        Fall::Gaussian { charge, rate } => {
            let per_value = reach / (BELL_VALUES - 1) as f32;
            let value = |i: usize| {
                let distance = i as f32 * per_value;
                charge * (-rate * distance * distance).exp()
            };
            Fall::Table { values: (0..BELL_VALUES).map(value).collect(), per_cell: 1.0 / (per_value * units) }
        }
        Fall::Piecewise(pieces) => Fall::Piecewise(
            pieces.iter().map(|p| Piece { from: p.from * units, value: p.value, slope: p.slope / units }).collect(),
        ),
        Fall::Table { values, per_cell } => Fall::Table { values: values.clone(), per_cell: per_cell / units },
    }
}
