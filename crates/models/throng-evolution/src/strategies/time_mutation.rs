//! The change of activity times (`TimeAllocationMutator`).

use throng_traffic_scenario::settings::{ActivityDurationInterpretation, TimeMutation};

use crate::memory::{Element, PlaceId};
use crate::random::{Draws, Purpose};

/// A form of the time mutator. Routes do not change.
///
/// All forms keep times at or above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeRule {
    /// MATSim 13, for `tryEndTimeThenDuration` and `endTimeOnly`: end times and maximum durations change
    /// independently of each other, by whole seconds.
    Independent,
    /// MATSim 13, for `minOfDurationAndEndTime`: the day is planned from midnight on, with the planned travel times.
    /// Middle activities with a maximum duration end after it; the last one has neither an end time nor a duration.
    /// Changed times are at most 24 h. Plans of one activity remain as they are.
    Sequential,
    /// Later releases of MATSim, for all interpretations: an end time, or else a maximum duration, changes by an even
    /// number of seconds. Times are at most 24 h (`latestActivityEndTime`), and `mutationRangeStep` is 1.
    EvenSeconds,
}

impl From<ActivityDurationInterpretation> for TimeRule {
    /// MATSim 13's form for this interpretation.
    fn from(interpretation: ActivityDurationInterpretation) -> Self {
        match interpretation {
            ActivityDurationInterpretation::TryEndTimeThenDuration | ActivityDurationInterpretation::EndTimeOnly => {
                Self::Independent
            }
            ActivityDurationInterpretation::MinOfDurationAndEndTime => Self::Sequential,
        }
    }
}

/// Seconds of a day; also MATSim's default of `latestActivityEndTime`.
const DAY_S: f64 = 86_400.0;
/// MATSim's default of `mutationRangeStep`, seconds.
const STEP_S: f64 = 1.0;

/// Changes the times of the activities of a plan. `is_interaction` tells whether the activity at a place is one
/// [between two legs of a trip](throng_traffic_scenario::is_interaction); these do not change.
///
/// The numbers have the index 2 i for the end time of element i, and 2 i + 1 for its duration.
pub fn mutate_times(
    plan: &mut [Element],
    rule: TimeRule,
    settings: &TimeMutation,
    is_interaction: impl Fn(PlaceId) -> bool,
    draws: &mut impl Draws,
) {
    match rule {
        TimeRule::Independent | TimeRule::EvenSeconds => {
            for (i, element) in plan.iter_mut().enumerate() {
                let Element::Activity { place, end_time_s, max_duration_s } = element else { continue };
                if is_interaction(*place) {
                    continue;
                }
                let index = 2 * i as u32;
                let changed = |time: f64, index: u32, draws: &mut _| match rule {
                    TimeRule::EvenSeconds => by_even_seconds(time, settings.range_s, index, draws),
                    _ => by_seconds(time, settings.range_s, index, draws),
                };
                let has_end = !end_time_s.is_nan();
                if has_end {
                    *end_time_s = changed(*end_time_s, index, draws);
                }
                let changes_duration = settings.affects_duration && !max_duration_s.is_nan();
                if changes_duration && (rule == TimeRule::Independent || !has_end) {
                    *max_duration_s = changed(*max_duration_s, index + 1, draws);
                }
            }
        }
        TimeRule::Sequential => in_sequence(plan, settings, is_interaction, draws),
    }
}

fn in_sequence(
    plan: &mut [Element],
    settings: &TimeMutation,
    is_interaction: impl Fn(PlaceId) -> bool,
    draws: &mut impl Draws,
) {
    let Some(last) = plan.len().checked_sub(1).filter(|&last| last > 0) else { return };
    let range = settings.range_s;
    let new_end = |time: f64, index: u32, draws: &mut _| {
        if time.is_nan() { any_second(index, draws) } else { by_seconds(time, range, index, draws).min(DAY_S) }
    };
    let mut clock = 0.0;
    for (i, element) in plan.iter_mut().enumerate() {
        let index = 2 * i as u32;
        match element {
            Element::Leg { travel_time_s, .. } => clock += if travel_time_s.is_nan() { 0.0 } else { *travel_time_s },
            Element::Activity { end_time_s, max_duration_s, .. } if i == last => {
                (*end_time_s, *max_duration_s) = (f64::NAN, f64::NAN);
            }
            Element::Activity { end_time_s, max_duration_s, .. } if i == 0 => {
                clock = new_end(*end_time_s, index, draws);
                *end_time_s = clock;
                if settings.affects_duration {
                    *max_duration_s = clock;
                }
            }
            Element::Activity { place, max_duration_s, .. } if is_interaction(*place) => {
                clock += if max_duration_s.is_nan() { 0.0 } else { *max_duration_s };
            }
            Element::Activity { end_time_s, max_duration_s, .. } => {
                if max_duration_s.is_nan() {
                    clock = new_end(*end_time_s, index, draws).max(clock);
                } else {
                    if settings.affects_duration {
                        *max_duration_s = by_seconds(*max_duration_s, range, index + 1, draws).min(DAY_S);
                    }
                    clock += *max_duration_s;
                }
                *end_time_s = clock;
            }
        }
    }
}

/// A change by whole seconds within the range, rounded towards no change.
fn by_seconds(time: f64, range: f64, index: u32, draws: &mut impl Draws) -> f64 {
    let change = (draws.unit(Purpose::Time, index) * 2.0 - 1.0) * range;
    (time + change.trunc()).max(0.0)
}

/// A change by twice a number of steps, from minus the range on.
fn by_even_seconds(time: f64, range: f64, index: u32, draws: &mut impl Draws) -> f64 {
    let steps = (range / STEP_S).ceil().clamp(1.0, f64::from(i32::MAX)) as u32;
    let change = 2.0 * STEP_S * f64::from(draws.below(steps, Purpose::Time, index)) - range;
    (time + change).clamp(0.0, DAY_S)
}

fn any_second(index: u32, draws: &mut impl Draws) -> f64 {
    f64::from(draws.below(DAY_S as u32, Purpose::Time, index))
}

#[cfg(test)]
#[path = "time_mutation_tests.rs"]
mod tests;
