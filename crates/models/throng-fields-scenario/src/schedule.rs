//! The times at which a run extracts values.

use std::collections::BTreeSet;

use throng_core::Problems;

use crate::extracts::Context;

/// The times of extracts, in steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// Only the last step.
    End,
    /// Step 0, multiples of this number, and the last step.
    Every(u32),
    At(BTreeSet<u32>),
}

impl Schedule {
    /// Whether a step of a run is one of the times.
    pub fn is_due(&self, step: u32, steps: u32) -> bool {
        match self {
            Self::End => step == steps,
            Self::Every(every) => step.is_multiple_of(*every) || step == steps,
            Self::At(all) => all.contains(&step),
        }
    }

    /// The number of times in a run.
    pub fn count(&self, steps: u32) -> u64 {
        match self {
            Self::End => 1,
            Self::Every(every) => 1 + u64::from(steps.div_ceil(*every)),
            Self::At(all) => all.range(..=steps).count() as u64,
        }
    }

    /// All steps of a run at which extraction is due.
    pub fn steps(&self, steps: u32) -> Vec<u32> {
        match self {
            Self::End => vec![steps],
            Self::Every(every) => (0..steps).step_by(*every as usize).chain([steps]).collect(),
            Self::At(all) => all.range(..=steps).copied().collect(),
        }
    }

    pub(crate) fn read(
        every: Option<u32>,
        at: Option<&[f64]>,
        place: &str,
        context: Context<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let end = f64::from(context.steps) * context.time_step;
        match (every, at) {
            (None, None) => Some(Self::End),
            (Some(0), _) => {
                problems.push(format!("{place}, every"), "0", "expected a number of steps, 1 or more");
                None
            }
            (Some(every), None) => Some(Self::Every(every)),
            (Some(_), Some(_)) => {
                problems.push(place, "every and at", "give one of them: the steps between times, or a list of times");
                None
            }
            (None, Some(times)) => {
                let mut steps = BTreeSet::new();
                for time in times {
                    let step = (time / context.time_step).round();
                    // Half a step of tolerance at the end; rejects NaN.
                    if !(*time >= 0.0 && step <= f64::from(context.steps)) {
                        let remedy = format!("expected times from 0 to {end}, the end of the run");
                        problems.push(format!("{place}, at"), time.to_string(), remedy);
                    } else if !steps.insert(step as u32) {
                        let remedy = format!("leave it out: step {step} is already one of the times");
                        problems.push(format!("{place}, at"), time.to_string(), remedy);
                    }
                }
                if times.is_empty() {
                    problems.push(format!("{place}, at"), "no times", "give at least one, such as at = [0]");
                }
                Some(Self::At(steps))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_pictures::Grid;

    fn context(grid: &Grid) -> Context<'_> {
        Context { grid, layers: &[], combinations: &[], teams: &[], has_goals: false, steps: 10, time_step: 0.1 }
    }

    #[test]
    fn the_number_of_times_matches_the_due_steps() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let mut problems = Problems::new();
        let read = |every, at: Option<&[f64]>, problems: &mut Problems| {
            Schedule::read(every, at, "array", context(&grid), problems)
        };
        for (every, at, expected) in [
            (None, None, vec![10]),
            (Some(4), None, vec![0, 4, 8, 10]),
            (Some(5), None, vec![0, 5, 10]),
            (Some(99), None, vec![0, 10]),
            // 0.3 is less than three times 0.1.
            (None, Some(&[0.3, 0.0, 1.0][..]), vec![0, 3, 10]),
        ] {
            let schedule = read(every, at, &mut problems).unwrap();
            let due: Vec<u32> = (0..=10).filter(|&step| schedule.is_due(step, 10)).collect();
            assert_eq!((&due, &schedule.steps(10), schedule.count(10)), (&expected, &expected, expected.len() as u64));
        }
        // An aborted run has the times up to its end.
        let at = read(None, Some(&[0.3, 1.0]), &mut problems).unwrap();
        assert_eq!((at.steps(5), at.count(5)), (vec![3], 1));
        assert_eq!(read(Some(4), None, &mut problems).unwrap().steps(6), [0, 4, 6]);
        assert!(problems.is_empty());
        for (every, at) in [
            (Some(0), None),
            (Some(1), Some(&[0.0][..])),
            (None, Some(&[1.06])),
            (None, Some(&[-0.01])),
            (None, Some(&[f64::NAN])),
            (None, Some(&[0.5, 0.51])),
            (None, Some(&[])),
        ] {
            let mut problems = Problems::new();
            read(every, at, &mut problems);
            assert_eq!(problems.total(), 1, "{every:?} {at:?}");
        }
    }
}
