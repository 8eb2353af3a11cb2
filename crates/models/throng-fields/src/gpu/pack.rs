//! Packs entities into columns.

use throng_core::InputError;
use throng_fields_core::entities::Entity;
use throng_fields_core::placed::Placed;
use throng_fields_core::profile::Form;
use throng_fields_core::resolved_shape::ResolvedShape;
use throng_fields_core::rules::fall::Fall;
use throng_fields_core::rules::fixed_point::Stepped;
use throng_fields_core::rules::ring::Ring;

use super::kernels::Figures;
use super::record::*;
use super::tables::Tables;

/// Entities in the form that devices read, with only the columns that are needed. Their tables are separate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed {
    pub reals: Vec<f32>,
    pub words: Vec<u32>,
    pub count: usize,
}

/// An entity, and its additional numbers for fixed point.
struct Row<'e> {
    placed: &'e Placed,
    layers: u32,
    low: [f32; 2],
    units: f32,
    ring: Option<Ring>,
}

impl Packed {
    /// Packs entities for floating point, for kernels compiled for `figures`.
    pub fn of_floats(entities: &[Placed], layers: &[u32], figures: Figures, tables: &mut Tables) -> Self {
        let rows = entities.iter().zip(layers).map(|(placed, &layers)| Row {
            placed,
            layers,
            low: [0.0; 2],
            units: 1.0,
            ring: None,
        });
        Self::pack(rows, columns(figures, false), tables)
    }

    /// Packs entities for fixed point.
    pub fn of_steps(entities: &[Stepped], layers: &[u32], figures: Figures, tables: &mut Tables) -> Self {
        let rows = entities.iter().zip(layers).map(|(stepped, &layers)| Row {
            placed: &stepped.placed,
            layers,
            low: stepped.low,
            units: stepped.units,
            ring: stepped.ring,
        });
        Self::pack(rows, columns(figures, true), tables)
    }

    fn pack<'e>(
        entities: impl ExactSizeIterator<Item = Row<'e>>,
        [reals, words]: [u32; 2],
        tables: &mut Tables,
    ) -> Self {
        let count = entities.len();
        let mut packed =
            Self { reals: vec![0.0; reals as usize * count], words: vec![0; words as usize * count], count };
        for (i, row) in entities.enumerate() {
            packed.set(i, &row, tables);
        }
        packed
    }

    fn set(&mut self, i: usize, row: &Row<'_>, tables: &mut Tables) {
        let &Row { placed, layers, low, units, ring } = row;
        let Placed { position, turn, figure, charge, reach, fall } = placed;
        let [sin, cos] = turn.unwrap_or([0.0, 1.0]);
        let (mut corners, mut corner_count) = (0, 0);
        let (shape, extent, width) = match figure {
            ResolvedShape::Disc => (DISC, 0.0, 0.0),
            ResolvedShape::Ring { radius } => (RING, *radius, 0.0),
            ResolvedShape::Diamond { radius } => (DIAMOND, *radius, 0.0),
            ResolvedShape::Square { radius } => (SQUARE, *radius, 0.0),
            ResolvedShape::Capsule { length } => (CAPSULE, *length, 0.0),
            ResolvedShape::Box { half } => (BOX, half[0], half[1]),
            ResolvedShape::Polygon(polygon) => {
                corner_count = polygon.len() as u32;
                corners = tables.sides(polygon);
                (POLYGON, figure.radius(), 0.0)
            }
            ResolvedShape::Cone { sin, cos } => (CONE, *sin, *cos),
            ResolvedShape::Stamp(stamp) => (STAMP, stamp.per_unit(), 0.0),
        };
        let (fall, charge, slope, (profile, profile_count)) = match (figure, fall) {
            (ResolvedShape::Stamp(stamp), _) => {
                let [columns, rows] = stamp.size();
                corner_count = columns;
                (LINEAR, *charge, 0.0, (tables.values(stamp.framed()), rows))
            }
            (_, Fall::Linear { charge, slope }) => (LINEAR, *charge, *slope, (0, 0)),
            (_, Fall::Quadratic { charge, slope }) => (QUADRATIC, *charge, *slope, (0, 0)),
            (_, Fall::Gaussian { charge, rate }) => (GAUSSIAN, *charge, *rate, (0, 0)),
            (_, Fall::Piecewise { charge, pieces, per_cell }) => {
                (PIECEWISE, *charge, *per_cell, (tables.pieces(pieces), pieces.slots().len() as u32))
            }
            (_, Fall::Table { charge, values, per_cell }) => {
                (TABLE, *charge, *per_cell, (tables.values(values), values.len() as u32))
            }
        };
        let (middle, cull) = placed.circle();
        let reals = [
            (X, position[0]),
            (Y, position[1]),
            (CULL, cull + ring.as_ref().map_or(0.0, Ring::rounding)),
            (INVERSE, 1.0 / reach),
            (CHARGE, charge),
            (REACH, *reach),
            (SLOPE, slope),
            (super::record::UNITS, units),
            (X_LOW, low[0]),
            (Y_LOW, low[1]),
            (SIN, sin),
            (COS, cos),
            (EXTENT, extent),
            (WIDTH, width),
            (CELLS, 1.0 / units),
            (MIDDLE_X, middle[0]),
            (MIDDLE_Y, middle[1]),
        ];
        let count = self.count;
        for (column, value) in reals {
            if let Some(real) = self.reals.get_mut(column as usize * count + i) {
                *real = value;
            }
        }
        let of_ring = ring.map_or([0; 7], |Ring { column, row, rest_x, rest_y, radius, reach, cells, .. }| {
            [column, row, rest_x, rest_y, radius, reach, cells]
        });
        let ring_columns = [RING_COLUMN, RING_ROW, RING_X, RING_Y, RING_RADIUS, RING_REACH, RING_CELLS];
        let words = [
            (LAYERS, layers),
            (SHAPE, shape),
            (FALL, fall),
            (CORNERS, corners),
            (CORNER_COUNT, corner_count),
            (PROFILE, profile),
            (PROFILE_COUNT, profile_count),
        ];
        for (column, value) in words.into_iter().chain(ring_columns.into_iter().zip(of_ring)) {
            if let Some(word) = self.words.get_mut(column as usize * count + i) {
                *word = value;
            }
        }
    }
}

/// The properties that all entities have in common.
pub(super) fn figures<'e>(mut entities: impl Iterator<Item = &'e Entity>) -> Figures {
    let first = entities.next().map_or((DISC, LINEAR), kind);
    let (shape, fall) = first;
    if entities.all(|entity| kind(entity) == first) { Figures::Same { shape, fall } } else { Figures::Any }
}

/// The shape and the profile of an entity, as kernels read them.
fn kind(entity: &Entity) -> (u32, u32) {
    let shape = match ResolvedShape::of(&entity.shape, entity.metric) {
        ResolvedShape::Disc => DISC,
        ResolvedShape::Ring { .. } => RING,
        ResolvedShape::Diamond { .. } => DIAMOND,
        ResolvedShape::Square { .. } => SQUARE,
        ResolvedShape::Capsule { .. } => CAPSULE,
        ResolvedShape::Box { .. } => BOX,
        ResolvedShape::Polygon(_) => POLYGON,
        ResolvedShape::Cone { .. } => CONE,
        // Stamps have no profile; `LINEAR` is a placeholder.
        ResolvedShape::Stamp(_) => return (STAMP, LINEAR),
    };
    let fall = match entity.profile.form {
        Form::Linear => LINEAR,
        Form::Quadratic => QUADRATIC,
        Form::Gaussian { .. } => GAUSSIAN,
        Form::Piecewise(..) => PIECEWISE,
        Form::Table(_) => TABLE,
    };
    (shape, fall)
}

/// The numbers of columns of reals and of words.
fn columns(figures: Figures, fixed: bool) -> [u32; 2] {
    match figures {
        Figures::LINEAR_DISCS | Figures::QUADRATIC_DISCS => {
            [if fixed { REALS_OF_STEPPED_DISCS } else { REALS_OF_DISCS }, WORDS_OF_DISCS]
        }
        _ => [REALS, WORDS],
    }
}

/// Returns an error if there are more entities than 32-bit indices into the columns allow.
pub(super) fn check_count(count: usize, figures: Figures, fixed: bool) -> Result<(), InputError> {
    let [reals, words] = columns(figures, fixed);
    let columns = reals.max(words);
    let most = u32::MAX / columns;
    if count as u64 > u64::from(most) {
        let remedy =
            format!("each takes {columns} numbers, and 32 bits can index {most} entities: use fewer at a time");
        return Err(InputError::one("entities, number", count, remedy));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_fields_core::{Profile, Shape, Stamp};
    use throng_pictures::Grid;

    fn packed(entities: &[Entity], tables: &mut Tables) -> Packed {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let placed: Vec<Placed> = entities.iter().map(|entity| Placed::new(&grid, entity)).collect();
        Packed::of_floats(&placed, &vec![1; entities.len()], figures(entities.iter()), tables)
    }

    #[test]
    fn entity_counts_beyond_32_bit_indices_are_refused() {
        // 2^32 - 1 indices over 5, 10 and 17 columns.
        for (figures, fixed, most) in [
            (Figures::LINEAR_DISCS, false, 858_993_459usize),
            (Figures::QUADRATIC_DISCS, true, 429_496_729),
            (Figures::Any, false, 252_645_135),
            (Figures::Any, true, 252_645_135),
        ] {
            assert_eq!(check_count(most, figures, fixed), Ok(()));
            let error = check_count(most + 1, figures, fixed).unwrap_err();
            assert!(error.message() == (most + 1).to_string() && error.remedy().contains(&most.to_string()), "{error}");
        }
    }

    #[test]
    fn tables_shared_by_entities_are_copied_once() {
        let mut tables = Tables::default();
        let stamp = Stamp::new(3, 2, 1.0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let profile = Profile::table(4.0, &[1.0, 0.5, 0.25, 0.0]).unwrap();
        let of_both = |i: u16| {
            let at = [f32::from(i), 0.0];
            [Entity::stamped(at, stamp.clone()), Entity::new(at, profile.clone()).with_charge(at[0])]
        };
        let many: Vec<Entity> = (0..100).flat_map(of_both).collect();
        packed(&many, &mut tables);
        // The stamp has a frame of zeros.
        let framed = [[0.0; 5], [0.0, 1.0, 2.0, 3.0, 0.0], [0.0, 4.0, 5.0, 6.0, 0.0], [0.0; 5]].concat();
        assert_eq!(tables.missing(), [framed, vec![1.0, 0.5, 0.25, 0.0]].concat());
        // Once tables are on the device, only new ones are missing; these are dropped if they are not copied.
        tables.mark_copied();
        packed(&many, &mut tables);
        assert!(tables.missing().is_empty());
        let corners = vec![[0.0, 0.0], [2.0, 0.0], [0.0, 4.0]];
        let polygon = many[1].clone().with_shape(Shape::Polygon { corners });
        for _ in 0..2 {
            let found = packed(&[polygon.clone(), many[1].clone(), polygon.clone()], &mut tables);
            assert_eq!(tables.missing().len(), 3 * SIDE_REALS as usize);
            assert_eq!(found.words[CORNERS as usize * 3..][..3], [24, 0, 24]);
            tables.discard_missing();
        }
    }

    #[test]
    fn discs_of_one_kind_are_packed_into_fewer_columns() {
        let disc = |at: f32, profile: Profile| Entity::new([at, 1.0], profile).with_charge(3.0);
        let discs = [disc(2.0, Profile::linear(4.0).unwrap()), disc(5.0, Profile::linear(2.0).unwrap())];
        let found = packed(&discs, &mut Tables::default());
        assert_eq!((figures(discs.iter()), found.words.len(), found.reals.len()), (Figures::LINEAR_DISCS, 2, 5 * 2));
        assert_eq!(found.reals[CHARGE as usize * 2..], [3.0, 3.0]);
        let mixed = [discs[0].clone(), disc(5.0, Profile::quadratic(2.0).unwrap())];
        let found = packed(&mixed, &mut Tables::default());
        assert_eq!((figures(mixed.iter()), found.words.len(), found.reals.len()), (Figures::Any, 14 * 2, 17 * 2));
    }
}
