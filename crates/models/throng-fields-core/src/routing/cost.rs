//! Costs for [`TravelTimes`](super::TravelTimes), as time per world unit, computed from fields and masks.

use std::ops::RangeInclusive;

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::{not_negative, positive};
use throng_pictures::Mask;
use throng_pictures::mask::allows;

use super::travel_times::TravelTimes;
use crate::field::Field;

const MAX_RATIO: f32 = TravelTimes::MAX_RATIO;

/// Costs that grow where a field is below 0: `base + weight * max(0, -field)`.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation, routing::{Danger, TravelTimes}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 41, 41)?;
/// let enemy = Entity::new([20.5, 20.5], Profile::linear(12.0)?).with_charge(-1.0);
/// let field = creation::by_tiles(&grid, &[enemy])?;
/// let costs = Danger { base: 1.0, weight: 9.0, highest: None }.costs(&field, None)?;
/// // 1 + 9 * 1 at the enemy, and 1 beyond its reach.
/// assert_eq!((costs[grid.index(20, 20)], costs[0]), (10.0, 1.0));
/// // The straight path of 40 units would take 40 + 9 * 12.
/// let times = TravelTimes::to_goals(&grid, &costs, &[(40, 20)])?;
/// assert!(times.at(0, 20).unwrap() < 55.0);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Danger {
    /// Cost where the field is not negative, time per world unit, above 0; without `highest`, 256 times this is finite.
    pub base: f32,
    /// The additional cost per unit of negative field value, 0 or more.
    pub weight: f32,
    /// Limit to which higher costs are reduced, 1 to 256 times the base. With `None`, costs above 256 times the base
    /// are an error.
    pub highest: Option<f32>,
}

impl Danger {
    /// Computes the costs of all cells, row by row; infinite in cells that the mask does not allow.
    ///
    /// # Errors
    /// When a number is out of range, the mask has a different size, a value of the field is not a number, a cost is
    /// above 256 times the base and `highest` is `None`, or the system has too little memory.
    pub fn costs(&self, field: &Field, open: Option<&Mask>) -> Result<Vec<f32>, InputError> {
        let base = positive("danger, base", self.base)?;
        let weight = not_negative("danger, weight", self.weight)?;
        let cost = |value: f32| base + weight * (-value).max(0.0);
        let limit = base * MAX_RATIO;
        if self.highest.is_none() {
            if limit == f32::INFINITY {
                let remedy = format!("without the highest cost, expected at most {:e}", f32::MAX / MAX_RATIO);
                return Err(InputError::one("danger, base", base, remedy));
            }
            let lowest = values(field, open).map(|(_, value)| value).fold(0.0, f32::min);
            if cost(lowest) > limit {
                let remedy = format!(
                    "costs may differ by a factor of {MAX_RATIO}, and the base is {base}: lower the weight, or give \
                     the highest cost"
                );
                return Err(InputError::one("danger, cost of the lowest value", cost(lowest), remedy));
            }
        }
        costs_by(field, open, base..=self.highest.unwrap_or(limit), cost)
    }
}

/// Computes costs by applying a function to the values of a field, row by row. Costs are clamped to `range`, and cells
/// that the mask does not allow have infinite cost.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation, routing::costs_by};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 21, 1)?;
/// let mud = creation::by_tiles(&grid, &[Entity::new([10.5, 0.5], Profile::linear(5.0)?)])?;
/// // Twice the time in half the mud, and at most four times.
/// let costs = costs_by(&mud, None, 1.0..=4.0, |depth| 1.0 / (1.0 - depth))?;
/// assert_eq!([0, 6, 10].map(|cell| costs[cell]), [1.0, 1.25, 4.0]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// When the range is empty, does not start above 0, or ends beyond 256 times its start; when the mask has a different
/// size, a value or cost is not a number, or the system has too little memory.
pub fn costs_by(
    field: &Field,
    open: Option<&Mask>,
    range: RangeInclusive<f32>,
    cost: impl Fn(f32) -> f32,
) -> Result<Vec<f32>, InputError> {
    let (&lowest, &highest) = (range.start(), range.end());
    positive("costs, the lowest", lowest)?;
    positive("costs, the highest", highest)?;
    if !(lowest..=lowest * MAX_RATIO).contains(&highest) {
        let remedy = format!("expected from {lowest}, the lowest cost, to {MAX_RATIO} times that");
        return Err(InputError::one("costs, the highest", highest, remedy));
    }
    open.map_or(Ok(()), |open| open.check(field.grid()))?;
    check_allocation::<f32>("costs of cells", field.grid().cells())?;
    let mut costs = vec![f32::INFINITY; field.grid().cells()];
    for ((column, row), value) in values(field, open) {
        let cost = cost(value);
        if value.is_nan() || cost.is_nan() {
            let place = format!("cost of the cell ({column}, {row})");
            return Err(InputError::one(place, cost, format!("the value of the field there is {value}")));
        }
        costs[field.grid().index(column, row)] = cost.clamp(lowest, highest);
    }
    Ok(costs)
}

/// Returns one cost for all cells that a mask allows, row by row; the others are infinite.
///
/// ```
/// use throng_fields_core::{Grid, Mask, routing::{TravelTimes, uniform_costs}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 9, 3)?;
/// let open = Mask::new(&grid, |column, row| column != 4 || row == 2);
/// // Half a second per metre.
/// let times = TravelTimes::to_goals(&grid, &uniform_costs(&open, 0.5)?, &[(8, 0)])?;
/// assert!(times.at(0, 0) > Some(4.0) && times.at(4, 0) == Some(f32::INFINITY));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// When the cost is not above 0, or the system has too little memory.
pub fn uniform_costs(open: &Mask, cost: f32) -> Result<Vec<f32>, InputError> {
    let cost = positive("cost", cost)?;
    check_allocation::<f32>("costs of cells", open.flags().len())?;
    Ok(open.flags().iter().map(|&open| if open { cost } else { f32::INFINITY }).collect())
}

/// The open cells and their values.
fn values<'a>(field: &'a Field, open: Option<&'a Mask>) -> impl Iterator<Item = ((u32, u32), f32)> {
    let placed = field.values().iter().enumerate().map(|(cell, &value)| (field.grid().place(cell), value));
    placed.filter(move |&((column, row), _)| allows(open, column, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_pictures::Grid;

    fn field(values: &[f32]) -> Field {
        Field::new(Grid::new([0.0, 0.0], 1.0, values.len() as u32, 1).unwrap(), values.to_vec())
    }

    fn walls(field: &Field, walls: &[u32]) -> Mask {
        Mask::new(field.grid(), |column, _| !walls.contains(&column))
    }

    #[test]
    fn only_negative_values_raise_costs() {
        let field = field(&[0.0, 3.0, -0.5, -2.0, -9.0]);
        let open = walls(&field, &[4]);
        let danger = Danger { base: 0.5, weight: 3.0, highest: None };
        assert_eq!(danger.costs(&field, Some(&open)).unwrap(), [0.5, 0.5, 2.0, 6.5, f32::INFINITY]);
        let capped = Danger { highest: Some(4.0), ..danger };
        assert_eq!(capped.costs(&field, None).unwrap(), [0.5, 0.5, 2.0, 4.0, 4.0]);
    }

    #[test]
    fn costs_beyond_the_range_of_travel_times_are_refused_or_limited() {
        let field = field(&[0.0, -85.0, -85.1, f32::NEG_INFINITY]);
        let danger = Danger { base: 1.0, weight: 3.0, highest: None };
        // 1 + 3 * 85 = 256 is just allowed.
        let most = danger.costs(&field, Some(&walls(&field, &[2, 3]))).unwrap();
        assert!(TravelTimes::to_goals(field.grid(), &most, &[(0, 0)]).is_ok());
        let error = danger.costs(&field, Some(&walls(&field, &[3]))).unwrap_err();
        assert_eq!((error.place(), error.message()), ("danger, cost of the lowest value", "256.3"));
        assert!(danger.costs(&field, None).is_err());
        let lowered = Danger { highest: Some(256.0), ..danger }.costs(&field, None).unwrap();
        assert_eq!(lowered[3], 256.0);
        assert!(TravelTimes::to_goals(field.grid(), &lowered, &[(0, 0)]).is_ok());
    }

    #[test]
    fn costs_of_functions_are_limited_to_the_range() {
        let field = field(&[0.0, 1.0, 4.0, -3.0, 100.0]);
        let costs = costs_by(&field, Some(&walls(&field, &[0])), 1.0..=8.0, |value| value * value / 2.0).unwrap();
        assert_eq!(costs, [f32::INFINITY, 1.0, 8.0, 4.5, 8.0]);
        assert_eq!(uniform_costs(&walls(&field, &[1, 3]), 2.0).unwrap().iter().filter(|cost| **cost == 2.0).count(), 3);
    }

    #[test]
    fn invalid_input_is_refused() {
        let field = field(&[0.0, f32::NAN]);
        let place = |error: InputError| error.place().to_owned();
        let danger = |base, weight, highest| place(Danger { base, weight, highest }.costs(&field, None).unwrap_err());
        assert_eq!(danger(0.0, 1.0, None), "danger, base");
        assert_eq!(danger(1.0, -1.0, None), "danger, weight");
        assert_eq!(danger(1.0, 1.0, Some(0.5)), "costs, the highest");
        assert_eq!(danger(1.0, 1.0, Some(257.0)), "costs, the highest");
        assert_eq!(danger(1e38, 1.0, None), "danger, base");
        assert_eq!(danger(1.0, 1.0, None), "cost of the cell (1, 0)");
        assert_eq!(place(costs_by(&field, None, f32::NAN..=1.0, |value| value).unwrap_err()), "costs, the lowest");
        let other = Mask::new(&Grid::new([0.0, 0.0], 1.0, 3, 3).unwrap(), |_, _| true);
        assert_eq!(place(costs_by(&field, Some(&other), 1.0..=2.0, |value| value).unwrap_err()), "mask, size");
        assert_eq!(place(uniform_costs(&other, 0.0).unwrap_err()), "cost");
    }
}
