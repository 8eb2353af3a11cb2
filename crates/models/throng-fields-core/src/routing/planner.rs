//! The choice among actions by their worth and the time that it takes to reach them.

use throng_core::InputError;
use throng_core::checks::finite;

use super::flow_field::FlowField;

/// The choice of an agent among several actions, each of which it performs at a certain place. The utility of an
/// action is its worth minus the travel time from the agent's cell to it; both are in the time unit of the costs. An
/// action is discarded if no path leads to it, or its utility is not a number or not above the least utility. The
/// agent takes the one with the highest utility, if any is left; ties go to the first.
///
/// This is the planning of Miles and Louis (2006), in which A* evaluates the paths to all actions. The travel times of
/// a [`FlowField`] per action take the place of these searches: they are the costs of optimal paths from all cells, so
/// all agents share them, and a choice takes one look-up per action.
///
/// ```
/// use throng_fields_core::{Grid, routing::{FlowField, Planner, TravelTimes}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 41, 1)?;
/// let times = |goal| TravelTimes::to_goals(&grid, &[1.0; 41], &[goal]);
/// let (near, far) = (FlowField::new(&times((0, 0))?), FlowField::new(&times((40, 0))?));
/// let planner = Planner::new(-35.0, 4.0)?;
/// let actions = [(0.0, &near), (20.0, &far)];
/// // The utilities are -10 and 20 - 30 = -10 at column 10, and -9 and -11 at column 9.
/// assert_eq!(planner.choose(&actions, (10, 0), None), Some(0));
/// assert_eq!(planner.choose(&actions, (11, 0), None), Some(1));
/// // An agent keeps its action unless another one is better by 4.
/// assert_eq!(planner.choose(&actions, (9, 0), Some(1)), Some(1));
/// assert_eq!(planner.choose(&actions, (8, 0), Some(1)), Some(0));
/// // The utility of the first action is not above -35, and the second one is worth nothing.
/// assert_eq!(planner.choose(&[(0.0, &near), (f64::NEG_INFINITY, &far)], (35, 0), None), None);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planner {
    least_utility: f64,
    switch_gain: f64,
}

/// No limit and no gain.
impl Default for Planner {
    fn default() -> Self {
        Self { least_utility: f64::NEG_INFINITY, switch_gain: 0.0 }
    }
}

impl Planner {
    /// Creates a planner that discards actions with a utility of `least_utility` or less, and leaves an action only for
    /// one whose utility is higher by at least `switch_gain`. With a gain of 0 the choice does not depend on the
    /// current action.
    ///
    /// # Errors
    /// When the least utility is not a number, or the gain is negative or not finite.
    pub fn new(least_utility: f64, switch_gain: f64) -> Result<Self, InputError> {
        if least_utility.is_nan() {
            return Err(InputError::one("least_utility", least_utility, "expected a number, or -inf for no limit"));
        }
        finite("switch_gain", switch_gain)?;
        if switch_gain < 0.0 {
            return Err(InputError::one("switch_gain", switch_gain, "expected a finite number, 0 or more"));
        }
        Ok(Self { least_utility, switch_gain })
    }

    /// Returns the index of the action that an agent in a cell takes; `None` if all are discarded. `actions` has the
    /// worth of each action and the flow field to it; `current` is the index of the agent's action until now.
    pub fn choose(&self, actions: &[(f64, &FlowField)], cell: (u32, u32), current: Option<usize>) -> Option<usize> {
        let utility = |&(worth, flow): &(f64, &FlowField)| {
            let utility = worth - flow.time(cell)?;
            // False for NaN.
            (utility > self.least_utility).then_some(utility)
        };
        let mut best: Option<(usize, f64)> = None;
        for (number, action) in actions.iter().enumerate() {
            if let Some(utility) = utility(action)
                && best.is_none_or(|(_, highest)| utility > highest)
            {
                best = Some((number, utility));
            }
        }
        let (best, highest) = best?;
        match current.and_then(|current| Some((current, utility(actions.get(current)?)?))) {
            Some((current, utility)) if highest < utility + self.switch_gain => Some(current),
            _ => Some(best),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_pictures::Grid;

    use super::*;
    use crate::routing::TravelTimes;

    #[test]
    fn actions_without_a_path_or_with_useless_worths_are_discarded() {
        let grid = Grid::new([0.0, 0.0], 0.5, 9, 1).unwrap();
        let mut costs = [2.0f32; 9];
        costs[5] = f32::INFINITY;
        let flow = |goal| FlowField::new(&TravelTimes::to_goals(&grid, &costs, &[(goal, 0)]).unwrap());
        let (left, right) = (flow(0), flow(8));
        // Half a unit of length at two units of time per unit: one unit of time per cell.
        let times = [left.time((3, 0)), left.time((5, 0)), left.time((6, 0)), right.time((6, 0)), right.time((99, 0))];
        let expected = [Some(3.0), None, None, Some(2.0), None];
        for (time, expected) in times.into_iter().zip(expected) {
            assert_eq!(time.map(|time| (time * 100.0).round() / 100.0), expected, "{times:?}");
        }
        let any = Planner::new(f64::NEG_INFINITY, 0.0).unwrap();
        let choice = |worths: [f64; 2], cell| any.choose(&[(worths[0], &left), (worths[1], &right)], cell, None);
        assert_eq!(choice([0.0, 1e9], (3, 0)), Some(0), "no path leads to the second");
        assert_eq!(choice([0.0, f64::INFINITY], (5, 0)), None, "a wall");
        assert_eq!(choice([f64::NAN, f64::NEG_INFINITY], (3, 0)), None);
        assert_eq!(any.choose(&[], (3, 0), None), None);
        // The limit itself is not above the limit: the travel time from the goal is 0.
        assert_eq!(Planner::new(7.0, 0.0).unwrap().choose(&[(7.0, &left)], (0, 0), Some(0)), None);
        assert_eq!(Planner::new(6.9, 0.0).unwrap().choose(&[(7.0, &left)], (0, 0), None), Some(0));
    }

    #[test]
    fn gains_decide_about_switching_and_ties_go_to_the_first() {
        let grid = Grid::new([0.0, 0.0], 1.0, 3, 1).unwrap();
        let flow = FlowField::new(&TravelTimes::to_goals(&grid, &[1.0; 3], &[(0, 0)]).unwrap());
        let choice = |gain: f64, worths: [f64; 3], current| {
            let actions = worths.map(|worth| (worth, &flow));
            Planner::new(f64::NEG_INFINITY, gain).unwrap().choose(&actions, (2, 0), current)
        };
        assert_eq!(choice(0.0, [1.0, 5.0, 5.0], None), Some(1));
        assert_eq!(choice(0.0, [1.0, 5.0, 5.0], Some(2)), Some(1), "without a gain the current action does not matter");
        assert_eq!(choice(1.0, [1.0, 5.0, 5.0], Some(2)), Some(2));
        assert_eq!(choice(4.0, [1.0, 5.0, 5.0], Some(0)), Some(1), "better by the gain");
        assert_eq!(choice(4.5, [1.0, 5.0, 5.0], Some(0)), Some(0));
        assert_eq!(choice(4.5, [f64::NAN, 5.0, 5.0], Some(0)), Some(1), "the current action is discarded");
        assert_eq!(choice(4.5, [1.0, 5.0, 5.0], Some(7)), Some(1), "no such action");
    }

    #[test]
    fn limits_must_be_numbers() {
        for (least, gain, place) in
            [(f64::NAN, 0.0, "least_utility"), (0.0, -1.0, "switch_gain"), (0.0, f64::INFINITY, "switch_gain")]
        {
            assert_eq!(Planner::new(least, gain).unwrap_err().place(), place);
        }
    }
}
