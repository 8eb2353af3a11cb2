//! Entities to columns.

use std::collections::HashMap;

use super::kernels::Figures;
use super::record::*;
use crate::entities::Entity;
use crate::figure::Figure;
use crate::fixed_point::Stepped;
use crate::placed::{Fall, Placed};
use crate::profile::{Form, Piece};
use crate::shape::Shape;

/// Entities as a device gets them: only the columns that are read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed {
    pub reals: Vec<f32>,
    pub words: Vec<u32>,
    pub tables: Vec<f32>,
    pub count: usize,
}

/// An entity, its layers, and the units in a cell.
pub(super) type Row<'e> = (&'e Placed, u32, f32);

impl Packed {
    /// Packs entities of floating point, for kernels that know no more of them than `figures`.
    pub fn of_floats(entities: &[Placed], layers: &[u32], figures: Figures) -> Self {
        let rows = entities.iter().zip(layers).map(|(placed, &layers)| (placed, layers, 1.0));
        Packer::pack(rows, figures, REALS_OF_DISCS)
    }

    /// Packs entities of fixed point.
    pub fn of_steps(entities: &[Stepped], layers: &[u32], figures: Figures) -> Self {
        let rows = entities.iter().zip(layers).map(|(stepped, &layers)| (&stepped.placed, layers, stepped.units));
        Packer::pack(rows, figures, REALS_OF_STEPPED_DISCS)
    }
}

/// What all entities have in common.
pub(super) fn figures<'e>(mut entities: impl Iterator<Item = &'e Entity> + Clone) -> Figures {
    let discs = entities.clone().all(|entity| entity.shape == Shape::Disc);
    if discs && entities.clone().all(|entity| entity.profile.form == Form::Linear) {
        Figures::LinearDiscs
    } else if discs && entities.all(|entity| entity.profile.form == Form::Quadratic) {
        Figures::QuadraticDiscs
    } else {
        Figures::Any
    }
}

struct Packer {
    packed: Packed,
    /// Where tables are that several entities share, by the place of their first value in memory.
    shared: HashMap<usize, u32>,
}

impl Packer {
    /// `reals_of_discs`: columns of reals that are read where all entities are discs of one kind.
    fn pack<'e>(entities: impl ExactSizeIterator<Item = Row<'e>>, figures: Figures, reals_of_discs: u32) -> Packed {
        let count = entities.len();
        let (reals, words) = if figures == Figures::Any { (REALS, WORDS) } else { (reals_of_discs, WORDS_OF_DISCS) };
        let packed = Packed {
            reals: vec![0.0; reals as usize * count],
            words: vec![0; words as usize * count],
            tables: Vec::new(),
            count,
        };
        let mut packer = Self { packed, shared: HashMap::new() };
        for (i, row) in entities.enumerate() {
            packer.set(i, row);
        }
        packer.packed
    }

    fn set(&mut self, i: usize, (placed, layers, units): Row<'_>) {
        let Placed { at, turn, figure, charge, reach, fall } = placed;
        let [sin, cos] = turn.unwrap_or([0.0, 1.0]);
        let (mut corners, mut corner_count) = (0, 0);
        let (shape, extent, width) = match figure {
            Figure::Disc => (DISC, 0.0, 0.0),
            Figure::Ring { radius } => (RING, *radius, 0.0),
            Figure::Capsule { length } => (CAPSULE, *length, 0.0),
            Figure::Box { half } => (BOX, half[0], half[1]),
            Figure::Polygon(polygon) => {
                corner_count = polygon.len() as u32;
                corners = self.push_sides(polygon);
                (POLYGON, 0.0, 0.0)
            }
            Figure::Cone { sin, cos } => (CONE, *sin, *cos),
            Figure::Stamp(stamp) => (STAMP, stamp.per_unit(), 0.0),
        };
        let (fall, charge, slope, (profile, profile_count)) = match (figure, fall) {
            (Figure::Stamp(stamp), _) => {
                let [columns, rows] = stamp.size();
                corner_count = columns;
                (LINEAR, *charge, 0.0, (self.shared(stamp.values(), <[f32]>::to_vec), rows))
            }
            (_, Fall::Linear { charge, slope }) => (LINEAR, *charge, *slope, (0, 0)),
            (_, Fall::Quadratic { charge, slope }) => (QUADRATIC, *charge, *slope, (0, 0)),
            (_, Fall::Gaussian { charge, rate }) => (GAUSSIAN, *charge, *rate, (0, 0)),
            (_, Fall::Piecewise { charge, pieces, per_cell }) => {
                let reals = |pieces: &[Piece]| pieces.iter().flat_map(|p| [p.from, p.value, p.slope]).collect();
                (PIECEWISE, *charge, *per_cell, (self.shared(pieces, reals), pieces.len() as u32))
            }
            (_, Fall::Table { charge, values, per_cell }) => {
                (TABLE, *charge, *per_cell, (self.shared(values, <[f32]>::to_vec), values.len() as u32))
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
            (super::record::UNITS, units),
            (SIN, sin),
            (COS, cos),
            (EXTENT, extent),
            (WIDTH, width),
            (CELLS, 1.0 / units),
        ];
        let count = self.packed.count;
        for (column, value) in reals {
            if let Some(real) = self.packed.reals.get_mut(column as usize * count + i) {
                *real = value;
            }
        }
        let words = [
            (LAYERS, layers),
            (SHAPE, shape),
            (FALL, fall),
            (CORNERS, corners),
            (CORNER_COUNT, corner_count),
            (PROFILE, profile),
            (PROFILE_COUNT, profile_count),
        ];
        for (column, value) in words {
            if let Some(word) = self.packed.words.get_mut(column as usize * count + i) {
                *word = value;
            }
        }
    }

    /// Where a table is that others may have brought along.
    fn shared<T>(&mut self, table: &[T], reals: impl FnOnce(&[T]) -> Vec<f32>) -> u32 {
        let tables = &mut self.packed.tables;
        *self.shared.entry(table.as_ptr() as usize).or_insert_with(|| {
            let at = tables.len() as u32;
            tables.extend(reals(table));
            at
        })
    }

    /// The sides of a polygon, and where they are.
    fn push_sides(&mut self, corners: &[[f32; 2]]) -> u32 {
        let at = self.packed.tables.len() as u32;
        for (i, to) in corners.iter().enumerate() {
            let from = corners[(i + corners.len() - 1) % corners.len()];
            let along = [to[0] - from[0], to[1] - from[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
            // Only sides that go up or down are crossed.
            let per_y = if along[1] == 0.0 { 0.0 } else { along[0] / along[1] };
            self.packed.tables.extend([from[0], from[1], along[0], along[1], inverse, per_y, to[1]]);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Profile, Stamp};

    fn packed(entities: &[Entity]) -> Packed {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let placed: Vec<Placed> = entities.iter().map(|entity| Placed::new(&grid, entity)).collect();
        Packed::of_floats(&placed, &vec![1; entities.len()], figures(entities.iter()))
    }

    #[test]
    fn many_entities_of_one_table_bring_it_along_once() {
        let stamp = Stamp::new(3, 2, 1.0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let profile = Profile::table(4.0, &[1.0, 0.5, 0.25, 0.0]).unwrap();
        let of_both = |i: u16| {
            let at = [f32::from(i), 0.0];
            [Entity::stamped(at, stamp.clone()), Entity::new(at, profile.clone()).with_charge(at[0])]
        };
        let many: Vec<Entity> = (0..100).flat_map(of_both).collect();
        assert_eq!(packed(&many).tables, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 0.5, 0.25, 0.0]);
    }

    #[test]
    fn discs_of_one_kind_have_only_the_columns_that_are_read() {
        let disc = |at: f32, profile: Profile| Entity::new([at, 1.0], profile).with_charge(3.0);
        let discs = [disc(2.0, Profile::linear(4.0).unwrap()), disc(5.0, Profile::linear(2.0).unwrap())];
        let found = packed(&discs);
        assert_eq!((figures(discs.iter()), found.words.len(), found.reals.len()), (Figures::LinearDiscs, 2, 5 * 2));
        assert_eq!(found.reals[CHARGE as usize * 2..], [3.0, 3.0]);
        let mixed = [discs[0].clone(), disc(5.0, Profile::quadratic(2.0).unwrap())];
        let found = packed(&mixed);
        assert_eq!((figures(mixed.iter()), found.words.len(), found.reals.len()), (Figures::Any, 7 * 2, 13 * 2));
    }
}
