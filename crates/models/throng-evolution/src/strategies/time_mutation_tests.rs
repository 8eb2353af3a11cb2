use throng_traffic_scenario::{Activity, Leg, ModeId};

use super::super::selectors::tests::Script;
use super::*;
use crate::memory::{Place, PlanMemory, Route};

const NO: f64 = f64::NAN;
/// Kind of interaction activities in these tests.
const INTERACTION: u32 = 9;

/// Activities with kind, end time and maximum duration, with legs of 100 s between them.
struct Plan {
    memory: PlanMemory,
    elements: Vec<Element>,
}

impl Plan {
    fn new(activities: &[(u32, f64, f64)]) -> Self {
        let mut memory = PlanMemory::new(&throng_traffic_scenario::Population::default(), 1);
        let mut elements = vec![];
        for &(kind, end_time, max_duration) in activities {
            if !elements.is_empty() {
                let leg = Leg { travel_time: 100.0, ..Leg::new(ModeId(0), 0, 0) };
                elements.push(Element::leg(memory.add_route(&Route::of(&leg, &[])), &leg));
            }
            let activity = Activity { kind, link: 0, facility: 0, x: 0.0, y: 0.0, end_time, max_duration };
            elements.push(Element::activity(memory.add_place(Place::of(&activity)), &activity));
        }
        Self { memory, elements }
    }

    /// Returns the end times and durations after a mutation with these numbers.
    fn mutated(mut self, rule: TimeRule, affects_duration: bool, units: &[f64]) -> Vec<[f64; 2]> {
        let mut script = Script(units.to_vec());
        let settings = TimeMutation { range_s: 1800.0, affects_duration };
        let is_interaction = |place| self.memory.place(place).kind == INTERACTION;
        mutate_times(&mut self.elements, rule, &settings, is_interaction, &mut script);
        assert!(script.0.is_empty(), "numbers are left: {:?}", script.0);
        let times = self.elements.iter().filter_map(|element| match *element {
            Element::Activity { end_time_s, max_duration_s, .. } => Some([end_time_s, max_duration_s]),
            Element::Leg { .. } => None,
        });
        times.collect()
    }
}

fn assert_times(times: &[[f64; 2]], expected: &[[f64; 2]]) {
    assert_eq!(format!("{times:?}"), format!("{expected:?}"));
}

#[test]
fn independent_changes_are_truncated_and_stop_at_midnight() {
    let plan = || Plan::new(&[(0, 21600.0, NO), (1, 30000.0, 600.0), (INTERACTION, NO, 0.0), (0, NO, NO)]);
    // -1799.64 -> -1799; 0.36 -> 0; -900.
    let times = plan().mutated(TimeRule::Independent, true, &[0.0001, 0.5001, 0.25]);
    assert_times(&times, &[[19801.0, NO], [30000.0, 0.0], [NO, 0.0], [NO, NO]]);
    let times = plan().mutated(TimeRule::Independent, false, &[0.9999, 0.75]);
    assert_times(&times, &[[23399.0, NO], [30900.0, 600.0], [NO, 0.0], [NO, NO]]);
    let times = Plan::new(&[(0, 86000.0, NO), (0, NO, NO)]).mutated(TimeRule::Independent, true, &[0.9]);
    assert_times(&times, &[[87440.0, NO], [NO, NO]]);
}

#[test]
fn even_seconds_change_an_end_time_or_a_duration() {
    let plan = || Plan::new(&[(0, 21600.0, 500.0), (1, NO, 600.0), (INTERACTION, NO, 0.0), (0, NO, NO)]);
    // 1800 values: number 0 and number 1200.
    let times = plan().mutated(TimeRule::EvenSeconds, true, &[0.0, 0.66669]);
    assert_times(&times, &[[19800.0, 500.0], [NO, 1200.0], [NO, 0.0], [NO, NO]]);
    let times = plan().mutated(TimeRule::EvenSeconds, false, &[0.99999]);
    assert_times(&times, &[[23398.0, 500.0], [NO, 600.0], [NO, 0.0], [NO, NO]]);
    let times = Plan::new(&[(0, 86000.0, NO), (0, 100.0, NO)]).mutated(TimeRule::EvenSeconds, true, &[0.9, 0.0]);
    assert_times(&times, &[[86400.0, NO], [0.0, NO]]);
}

#[test]
fn sequential_changes_plan_the_day_from_midnight() {
    let plan =
        || Plan::new(&[(0, 21600.0, NO), (1, NO, 600.0), (INTERACTION, NO, 10.0), (2, 20000.0, NO), (0, 5.0, 5.0)]);
    let times = plan().mutated(TimeRule::Sequential, true, &[0.75, 0.25, 0.5]);
    // 22500; 100 s; no time is left of 600 s; 100 s, 10 s, 100 s; the third activity would have ended before.
    assert_times(&times, &[[22500.0, 22500.0], [22600.0, 0.0], [NO, 10.0], [22810.0, NO], [NO, NO]]);
    let times = plan().mutated(TimeRule::Sequential, false, &[0.5, 0.5]);
    assert_times(&times, &[[21600.0, NO], [22300.0, 600.0], [NO, 10.0], [22510.0, NO], [NO, NO]]);
    // A first activity without an end gets any.
    let times = Plan::new(&[(0, NO, NO), (0, NO, NO)]).mutated(TimeRule::Sequential, true, &[0.25]);
    assert_times(&times, &[[21600.0, 21600.0], [NO, NO]]);
    let times = Plan::new(&[(0, 86000.0, NO), (0, NO, NO)]).mutated(TimeRule::Sequential, true, &[0.99]);
    assert_times(&times, &[[86400.0, 86400.0], [NO, NO]]);
    assert_times(&Plan::new(&[(0, 5.0, NO)]).mutated(TimeRule::Sequential, true, &[]), &[[5.0, NO]]);
}

#[test]
fn the_form_follows_from_the_interpretation() {
    use ActivityDurationInterpretation::{EndTimeOnly, MinOfDurationAndEndTime, TryEndTimeThenDuration};
    let rules = [TryEndTimeThenDuration, EndTimeOnly, MinOfDurationAndEndTime].map(TimeRule::from);
    assert_eq!(rules, [TimeRule::Independent, TimeRule::Independent, TimeRule::Sequential]);
}
