//! The parts of plans that took place.

use throng_traffic_scenario::{PlanElement, Scenario};

use super::analysis::LegTimes;

/// An element of a plan that took place. Times are seconds of the day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Experienced {
    /// An activity that began or ended during the run.
    Activity {
        /// Index in the population.
        activity: u32,
        /// NaN for the first activity of a plan.
        start_s: f64,
        /// NaN if the person was still there at the end of the run.
        end_s: f64,
    },
    /// A finished leg.
    Leg {
        /// Index in the population.
        leg: u32,
        /// Departure.
        departure_s: f64,
        /// Arrival.
        arrival_s: f64,
    },
}

/// Calls `each` with the elements of the plan of `person` that took place, in order. As in MATSim, these are the
/// activities that began or ended during the run, and the legs that arrived; so nothing remains of a person who never
/// left the first activity.
pub(super) fn for_each(scenario: &Scenario, times: &LegTimes, person: u32, mut each: impl FnMut(Experienced)) {
    let mut elements = scenario.population.plan(person).peekable();
    let mut start_s = f64::NAN;
    while let Some(element) = elements.next() {
        match element {
            PlanElement::Activity(activity) => {
                let end = match elements.peek() {
                    Some(&PlanElement::Leg(leg)) => times.departure(leg),
                    _ => None,
                };
                let end_s = end.unwrap_or(f64::NAN);
                if start_s.is_nan() && end_s.is_nan() {
                    return;
                }
                each(Experienced::Activity { activity, start_s, end_s });
            }
            PlanElement::Leg(leg) => {
                let Some((departure_s, arrival_s)) = times.departure(leg).zip(times.arrival(leg)) else { return };
                each(Experienced::Leg { leg, departure_s, arrival_s });
                start_s = if times.reached_activity(leg) { arrival_s } else { f64::NAN };
            }
        }
    }
}
