//! Sweeps of influence over all cells.

use multiversion::multiversion;
use throng_device::exact::ieee_max;

use super::passes;
use super::propagation::Weights;
use super::rows::{Near, Rows, passing, replace_row};
use super::sources::ByRow;

/// The map, weights and sources that a sweep reads.
pub(super) struct Sweeps<'a> {
    pub weights: Weights,
    pub columns: usize,
    /// Whether each cell is open (not a wall); `None` if all are.
    pub open: Option<&'a [bool]>,
    pub sources: ByRow,
}

/// The effect of a sweep: the largest change of a cell, and the strongest influence after it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Effect {
    pub change: f32,
    pub strongest: f32,
}

impl Effect {
    fn max(self, other: Self) -> Self {
        Self { change: self.change.max(other.change), strongest: self.strongest.max(other.strongest) }
    }
}

impl Sweeps<'_> {
    /// Makes up to `most` (>= 1) sweeps, limited by the number of simultaneous passes. `values` holds the influences
    /// before and after; `next` is overwritten. Returns the number of sweeps, and the effect of the last one.
    pub fn make(&self, values: &mut Vec<f32>, next: &mut Vec<f32>, most: u32) -> (u32, Effect) {
        let count = passes::at_a_time(self.columns).min(most as usize);
        let (zeros, closed) = (vec![0.0; self.columns], vec![false; self.columns]);
        let sweep = |row: passes::Row<'_>| {
            let open = self.open.map(|open| Rows::around(open, self.columns, row.number, &closed));
            sweep_row(&self.weights, row.before, open, row.after);
            for &(column, strength) in self.sources.of(row.number) {
                row.after[column] = ieee_max(row.after[column], strength);
            }
            if row.pass + 1 == count { compare(row.before.own(), row.after) } else { Effect::default() }
        };
        let effect = passes::make([values, next, &mut []], self.columns, count, Some(&zeros), sweep, Effect::max);
        if !count.is_multiple_of(2) {
            std::mem::swap(values, next);
        }
        (count as u32, effect)
    }
}

// Compiled for the baseline processor and for processors with AVX2; the variant is selected at the first call. Fused
// multiply-add is not used, because it rounds differently.

/// Computes the influences of a row after a sweep.
#[multiversion(targets("x86_64+avx2"))]
fn sweep_row(weights: &Weights, before: Rows<'_, f32>, open: Option<Rows<'_, bool>>, next: &mut [f32]) {
    replace_row(before, open, next, |_| 0.0, |values, open, _| swept_cell(weights, values, open));
}

/// The influence of a cell after a sweep. Walls have no influence, so orthogonal neighbours need no check; a diagonal
/// one counts if both cells beside the step are open. Kernels store a bit per permitted step instead; combining the
/// flags first would take the host a tenth longer.
#[inline(always)]
fn swept_cell(weights: &Weights, values: Near<f32>, open: Near<bool>) -> f32 {
    let [[above_left, above, above_right], [left, own, right], [below_left, below, below_right]] = values;
    let [[_, up, _], [to_left, is_open, to_right], [_, down, _]] = open;
    let straight = ieee_max(ieee_max(left, right), ieee_max(above, below));
    let on_left = passing(ieee_max(passing(above_left, up), passing(below_left, down)), to_left);
    let on_right = passing(ieee_max(passing(above_right, up), passing(below_right, down)), to_right);
    passing(weights.after_sweep(own, straight, ieee_max(on_left, on_right)), is_open)
}

/// The effect of a sweep on a row. Non-negative floats are ordered like their bits, whose maximum compilers vectorise.
#[multiversion(targets("x86_64+avx2"))]
fn compare(before: &[f32], after: &[f32]) -> Effect {
    let (mut change, mut strongest) = (0u32, 0u32);
    for (&before, &after) in before.iter().zip(after) {
        change = change.max((after - before).abs().to_bits());
        strongest = strongest.max(after.to_bits());
    }
    Effect { change: f32::from_bits(change), strongest: f32::from_bits(strongest) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::influence::{InfluenceMap, Propagation};
    use throng_pictures::{Grid, Mask};

    /// The definition: the influence of a cell, computed from the neighbours to which an agent may step.
    fn defined(map: &InfluenceMap, open: &Mask, weights: &Weights, (column, row): (u32, u32)) -> f32 {
        let cell = |dx: i32, dy: i32| (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
        let is_open = |(column, row): (u32, u32)| open.allows(column, row);
        if !is_open((column, row)) {
            return 0.0;
        }
        let source = map.sources().find(|&(at, _)| at == map.grid().index(column, row));
        let (mut straight, mut diagonal) = (0.0f32, 0.0f32);
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let (x, y) = cell(dx, dy);
            if (dx, dy) == (0, 0) || !(is_open((x, y)) && is_open(cell(dx, 0)) && is_open(cell(0, dy))) {
                continue;
            }
            let strongest = if dx == 0 || dy == 0 { &mut straight } else { &mut diagonal };
            *strongest = strongest.max(map.at(x, y).unwrap());
        }
        let spread = weights.after_sweep(map.at(column, row).unwrap(), straight, diagonal);
        source.map_or(spread, |(_, strength)| spread.max(strength))
    }

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    /// A grid, and whether each cell is open.
    fn maps() -> impl Strategy<Value = (Grid, Vec<bool>)> {
        (1u32..40, 1u32..12, 0.2f32..2.0, 0u32..5).prop_flat_map(|(columns, rows, cell, walls)| {
            let grid = Grid::new([0.0, 0.0], cell, columns, rows).unwrap();
            let open = prop::collection::vec(prop::bool::weighted(1.0 - f64::from(walls) * 0.1), grid.cells());
            open.prop_map(move |open| (grid, open))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: throng_testing::cases(64), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn sweeps_match_the_definition(
            (grid, open) in maps(),
            sources in prop::collection::vec((0u32..40, 0u32..12, 0.1f32..9.0), 1..9),
            (decay, momentum) in (0.0f32..0.5, prop_oneof![Just(0.0f32), 0.0f32..0.9]),
        ) {
            let open = Mask::new(&grid, |column, row| open[grid.index(column, row)]);
            let propagation = Propagation { decay, momentum };
            let mut map = InfluenceMap::new(grid, propagation, Some(open.clone())).unwrap();
            for (column, row, strength) in sources.into_iter().filter(|&(column, row, _)| open.allows(column, row)) {
                map.set_source(column, row, strength).unwrap();
            }
            let cells: Vec<(u32, u32)> =
                (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row))).collect();
            for _ in 0..6 {
                let weights = propagation.weights(grid.cell());
                let expected: Vec<f32> = cells.iter().map(|&cell| defined(&map, &open, &weights, cell)).collect();
                let changes = expected.iter().zip(map.values()).map(|(after, before)| (after - before).abs());
                let change = changes.fold(0.0, f32::max);
                prop_assert_eq!(map.sweep(1), change);
                prop_assert_eq!(bits(map.values()), bits(&expected));
            }
        }
    }

    #[test]
    fn effects_contain_the_largest_change_and_the_strongest_influence() {
        let before: Vec<f32> = (0..19u16).map(f32::from).collect();
        let after: Vec<f32> = before.iter().map(|&value| if value == 7.0 { 4.5 } else { value + 0.25 }).collect();
        assert_eq!(compare(&before, &after), Effect { change: 2.5, strongest: 18.25 });
        assert_eq!(compare(&before, &before).change, 0.0);
    }

    #[test]
    fn maps_do_not_depend_on_the_number_of_threads() {
        let grid = Grid::new([0.0, 0.0], 1.0, 410, 390).unwrap();
        let spread = |threads, walls: u32| {
            let open =
                Mask::new(&grid, |column, row| walls == 0 || (column * 7 + row * 13 + column * row) % walls != 0);
            let mut map = InfluenceMap::new(grid, Propagation { decay: 0.01, momentum: 0.2 }, Some(open)).unwrap();
            // Within 30 sweeps, their influence crosses borders of bands.
            for (column, row) in [(1, 158), (300, 159), (43, 321), (402, 7)] {
                map.set_source(column, row, 2.0).unwrap();
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let change = pool.install(|| map.sweep(30));
            (change.to_bits(), bits(map.values()))
        };
        for walls in [0, 5] {
            assert_eq!(spread(1, walls), spread(3, walls));
        }
    }
}
