//! Creation in two passes for bells: the product of a bell across and one down is a bell on the plane, so that charges
//! at sampled points are spread along rows first, and along columns then.

use multiversion::multiversion;
use rayon::prelude::*;

use super::impulses::{Between, ImpulseList, Impulses, common_profile};
use super::loss::{Roughness, bell, largest_sum};
use crate::entities::{Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::memory::room;
use crate::placed::Placed;
use crate::profile::{Form, Profile};

/// The field of discs of one Gaussian profile, of any charges, on all threads.
///
/// The result differs from the exact field in two ways. Each entity ends at a square of half side [`Profile::reach`]
/// instead of a disc: the corners outside the disc count, with at most `exp(-reach^2 / (2 sigma^2))` of the charge.
/// Between sampled points the charge is distributed to the four around it, as for
/// [`by_convolution`](super::by_convolution()). [`error_bound`] gives the largest error of a cell. Cost: cells times
/// the reach in cells, and entities times the same.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let field = creation::by_separable(&grid, &[Entity::new([20.5, 20.5], Profile::gaussian(3.0, 12.0)?)])?;
/// // 3 cells across and 3 down: exp(-(9 + 9) / 18).
/// assert!((field.at(23, 17).unwrap() - (-1.0f32).exp()).abs() < 1e-6);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
///
/// # Errors
/// When an entity has a number that is not finite, is not a disc, or has another profile than the first; when that one
/// is not Gaussian; when the grid with its surroundings within reach is too large.
pub fn by_separable(grid: &Grid, entities: &[Entity]) -> Result<Field, FieldError> {
    check_all(grid, entities)?;
    let Some((profile, _)) = common_bell(entities)? else {
        return Ok(Field::new(*grid, vec![0.0; grid.cells()]));
    };
    let (_, rows, pad) = Impulses::size(grid, profile)?;
    room::<[f32; LANES]>("rows of two passes", rows * (grid.columns() as usize).div_ceil(LANES))?;
    let taps = taps(grid, profile, pad);
    let rows = across(grid, &ImpulseList::new(grid, entities, profile)?, &taps);
    Ok(Field::new(*grid, down(grid, &rows, &taps)))
}

/// The largest error of any cell of [`by_separable`]. Of the entities that may reach one cell,
/// each adds `exp(-reach^2 / (2 sigma^2))` for the corners, the interpolation error of a bell (see
/// [`convolution::error_bound`](super::convolution::error_bound)), and an allowance for rounding, all times its charge.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::separable};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let bell = |reach| Profile::gaussian(3.0, reach).map(|profile| Entity::new([20.5, 20.5], profile));
/// // On a sampled point it is the share of the corners of the square: exp(-6^2 / (2 * 3^2)), and less with more reach.
/// assert!((separable::error_bound(&grid, &[bell(6.0)?])? - (-2.0f32).exp()).abs() < 1e-4);
/// assert!(separable::error_bound(&grid, &[bell(12.0)?])? < 1e-3);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
///
/// # Errors
/// As for [`by_separable`].
pub fn error_bound(grid: &Grid, entities: &[Entity]) -> Result<f32, FieldError> {
    check_all(grid, entities)?;
    let Some((profile, sigma)) = common_bell(entities)? else { return Ok(0.0) };
    let (_, _, pad) = Impulses::size(grid, profile)?;
    let rough = Roughness::of_bell(sigma / grid.cell());
    let corners = bell(profile.reach(), sigma);
    // Sums of this many numbers, twice.
    let rounding = f32::EPSILON * (64 + 2 * pad) as f32;
    let bound = |entity: &Entity| entity.charge.abs() * (corners + rough.loss(&Between::of(grid, entity)) + rounding);
    Ok(largest_sum(grid, entities, bound))
}

/// The Gaussian profile that all entities have, and its standard deviation; `None` when there are no entities.
pub(crate) fn common_bell(entities: &[Entity]) -> Result<Option<(&Profile, f32)>, FieldError> {
    let Some(profile) = common_profile(entities)? else { return Ok(None) };
    let Form::Gaussian { sigma } = profile.form else {
        let remedy = "expected a Gaussian one: use creation::by_tiles or creation::by_convolution";
        return Err(FieldError::new("entity 0, profile", profile.name(), remedy));
    };
    Ok(Some((profile, sigma)))
}

/// The bell at whole cells, from `pad` before the middle to `pad` after it.
pub(crate) fn taps(grid: &Grid, profile: &Profile, pad: usize) -> Vec<f32> {
    let entity = Placed::new(grid, &Entity::new(grid.origin(), profile.clone())).at_first_point();
    (0..=2 * pad).map(|i| entity.charge(i.abs_diff(pad) as u32, 0)).collect()
}

/// Columns that are summed at a time, in registers.
pub(super) const LANES: usize = 32;

/// The least and the largest number of rows that are computed from the same copy of the rows above and below.
const BAND: [usize; 2] = [32, 128];

/// A row of the grid, or one beyond it, along which charges are spread.
struct Row {
    /// For each part of [`LANES`] columns, the number of its values in `lanes`; [`NOTHING`] where no charge reaches.
    places: Vec<u32>,
    /// Only parts that charges reach take memory: new memory takes longer than all sums of the row.
    lanes: Vec<[f32; LANES]>,
}

/// The place of a part without values.
const NOTHING: u32 = u32::MAX;

impl Row {
    /// The values of a part.
    fn part(&self, part: usize) -> Option<&[f32; LANES]> {
        self.lanes.get(self.places[part] as usize)
    }
}

/// Spreads impulses along rows: all rows of impulses, and the columns of the grid.
fn across(grid: &Grid, impulses: &ImpulseList, taps: &[f32]) -> Vec<Row> {
    let columns = grid.columns() as usize;
    let parts = columns.div_ceil(LANES);
    let rows = (0..impulses.rows()).into_par_iter();
    let spread = |values: &mut Vec<[f32; LANES]>, row: usize| {
        let mut spread = Row { places: vec![NOTHING; parts], lanes: Vec::new() };
        let cells = values.as_flattened_mut();
        for (i, charge) in impulses.row(row) {
            let first = (i + 1).saturating_sub(taps.len());
            let reached = first.min(columns)..(i + 1).min(columns);
            spread.places[reached.start / LANES..reached.end.div_ceil(LANES)].fill(0);
            let taps = &taps[first + taps.len() - (i + 1)..];
            cells[reached].iter_mut().zip(taps).for_each(|(cell, tap)| *cell += charge * tap);
        }
        let reached = spread.places.iter().filter(|&&place| place != NOTHING).count();
        spread.lanes.reserve_exact(reached);
        for (place, part) in spread.places.iter_mut().zip(values).filter(|(place, _)| **place != NOTHING) {
            *place = spread.lanes.len() as u32;
            spread.lanes.push(std::mem::replace(part, [0.0; LANES]));
        }
        spread
    };
    rows.map_init(|| vec![[0.0; LANES]; parts], spread).collect()
}

/// Rows spread along columns: the cells of the grid.
fn down(grid: &Grid, across: &[Row], taps: &[f32]) -> Vec<f32> {
    let columns = grid.columns() as usize;
    let mut values = vec![0.0f32; grid.cells()];
    let height = (grid.rows() as usize / (2 * rayon::current_num_threads())).clamp(BAND[0], BAND[1]);
    let bands = values.par_chunks_mut(height * columns).enumerate();
    bands.for_each_init(Near::default, |near, (band, values)| {
        let first = band * height;
        let rows = &across[first..first + values.len() / columns + taps.len() - 1];
        for part in 0..columns.div_ceil(LANES) {
            let from = part * LANES;
            let width = LANES.min(columns - from);
            near.clear();
            near.extend(rows.iter().enumerate().filter_map(|(row, spread)| Some((row, *spread.part(part)?))));
            if near.is_empty() {
                continue;
            }
            for (row, values) in values.chunks_mut(columns).enumerate() {
                let [first, after] = [row, row + taps.len()].map(|end| near.partition_point(|(row, _)| *row < end));
                values[from..from + width].copy_from_slice(&weighted(&near[first..after], row, taps)[..width]);
            }
        }
    });
    values
}

/// Rows, and their values in some columns.
type Near = Vec<(usize, [f32; LANES])>;

/// The sum of rows, each weighted by its distance from the first one.
// Compiled for any processor and for those with AVX2; the variant is chosen at the first call. Without fused
// multiplication and addition, which round differently.
#[multiversion(targets("x86_64+avx2"))]
fn weighted(near: &[(usize, [f32; LANES])], first: usize, taps: &[f32]) -> [f32; LANES] {
    let mut sums = [0.0f32; LANES];
    for (row, lanes) in near {
        let tap = taps[row - first];
        for (sum, value) in sums.iter_mut().zip(lanes) {
            *sum += tap * value;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sample, Shape, creation};

    #[test]
    fn a_bell_is_cut_off_by_a_square() {
        let grid = Grid::new([0.0, 0.0], 1.0, 45, 37).unwrap().sampled_at(Sample::Corner);
        let entity = Entity::new([20.0, 15.0], Profile::gaussian(4.0, 8.0).unwrap()).with_charge(2.0);
        let entities = std::slice::from_ref(&entity);
        let (found, exact) = (by_separable(&grid, entities).unwrap(), creation::by_tiles(&grid, entities).unwrap());
        let corners = 2.0 * (-2.0f32).exp();
        for row in 0..37 {
            for column in 0..45 {
                let (x, y) = (column as f32 - 20.0, row as f32 - 15.0);
                let inside = x.abs().max(y.abs()) < 8.0;
                let expected = if inside { 2.0 * (-(x * x + y * y) / 32.0).exp() } else { 0.0 };
                let found = found.at(column, row).unwrap();
                assert!((found - expected).abs() < 1e-6, "{column} {row}: {found} {expected}");
                assert!((found - exact.at(column, row).unwrap()).abs() <= corners);
            }
        }
        let bound = error_bound(&grid, entities).unwrap();
        assert!((bound / corners - 1.0).abs() < 1e-3, "{bound} {corners}");
    }

    #[test]
    fn at_borders_and_beyond_nothing_is_lost() {
        for (columns, rows) in [(1, 70), (70, 1), (33, 65)] {
            let grid = Grid::new([0.0, 0.0], 0.5, columns, rows).unwrap();
            for position in [[0.25, 0.25], [-3.25, 4.75], [18.75, -2.25], [16.25, 33.25], [40.25, 60.25]] {
                let entity = Entity::new(position, Profile::gaussian(1.0, 6.0).unwrap());
                let entities = std::slice::from_ref(&entity);
                let found = by_separable(&grid, entities).unwrap();
                let exact = creation::by_tiles(&grid, entities).unwrap();
                for (found, exact) in found.values().iter().zip(exact.values()) {
                    assert!((found - exact).abs() < 1e-6, "{position:?}: {found} {exact}");
                }
            }
        }
    }

    #[test]
    fn only_bells_can_be_separated() {
        let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
        let disc = |profile: Profile| Entity::new([1.0, 2.0], profile);
        assert_eq!(by_separable(&grid, &[]).unwrap().values(), [0.0; 64]);
        let linear = by_separable(&grid, &[disc(Profile::linear(3.0).unwrap())]).unwrap_err();
        assert_eq!((linear.place.as_str(), linear.value.as_str()), ("entity 0, profile", "linear"));
        let bells = [1.0, 2.0].map(|sigma| disc(Profile::gaussian(sigma, 3.0).unwrap()));
        assert_eq!(error_bound(&grid, &bells).unwrap_err().place, "entity 1, profile");
        let ring = bells[0].clone().with_shape(Shape::Ring { radius: 1.0 });
        assert_eq!(by_separable(&grid, &[ring]).unwrap_err().place, "entity 0, shape");
    }
}
