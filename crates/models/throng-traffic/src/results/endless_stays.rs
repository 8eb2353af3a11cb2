//! Finds plans with an activity that never ends, so that the rest is never executed.

use throng_matsim::formats::value::quoted;
use throng_queue::rules::activity_end::activity_end;
use throng_traffic_scenario::{PlanElement, Scenario};

/// Persons who stay at an activity forever although their plan continues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndlessStays {
    /// Number of such persons.
    pub persons: u64,
    /// Indices of the first such person, in the order of the plans, and of the activity.
    pub first: Option<(u32, u32)>,
}

impl EndlessStays {
    /// Searches all plans of `scenario`. The last activity of a plan needs no end and does not count.
    pub fn of(scenario: &Scenario) -> Self {
        let mut found = Self::default();
        for person in 0..scenario.travellers() {
            if let Some(activity) = endless_activity(scenario, person) {
                found.persons += 1;
                found.first = found.first.or(Some((person, activity)));
            }
        }
        found
    }

    /// Describes the first case, with its ids from the plans file; empty if there is none.
    pub fn example(&self, scenario: &Scenario) -> String {
        let Some((person, activity)) = self.first else { return String::new() };
        let population = &scenario.population;
        let kind = population.activity_types.name(population.activities.kind[activity as usize]);
        format!("person {}, activity {}", quoted(population.person_ids.name(person)), quoted(kind))
    }
}

/// Returns the first activity without an end that is not the last one.
fn endless_activity(scenario: &Scenario, person: u32) -> Option<u32> {
    let (population, activities) = (&scenario.population, &scenario.population.activities);
    let interpretation = scenario.settings.plans.activity_duration_interpretation;
    let mut before_last = population.plan_range(person);
    before_last.end = before_last.end.saturating_sub(1).max(before_last.start);
    before_last.find_map(|element| {
        let PlanElement::Activity(activity) = population.element(element) else { return None };
        let (end, duration) = (activities.end_time[activity as usize], activities.max_duration[activity as usize]);
        // Whether there is an end does not depend on when the activity begins.
        activity_end(end, duration, 0.0, interpretation).is_infinite().then_some(activity)
    })
}

#[cfg(test)]
mod tests {
    use throng_core::NONE;

    use super::*;
    use throng_traffic_scenario::settings::ActivityDurationInterpretation::{EndTimeOnly, TryEndTimeThenDuration};
    use throng_traffic_scenario::{Activity, Leg, ModeId};

    #[test]
    fn endless_stays_depend_on_the_duration_interpretation() {
        const UNDEFINED: f64 = f64::NAN;
        let mut scenario = Scenario::default();
        let population = &mut scenario.population;
        let kind = population.activity_types.intern("home").unwrap();
        for (id, ends) in [
            ("goes", &[(60.0, UNDEFINED), (UNDEFINED, 5.0), (UNDEFINED, UNDEFINED)][..]),
            ("at home", &[(UNDEFINED, UNDEFINED)]),
            ("stays", &[(UNDEFINED, UNDEFINED), (UNDEFINED, UNDEFINED), (70.0, UNDEFINED)]),
            ("strands", &[(60.0, UNDEFINED), (UNDEFINED, UNDEFINED), (UNDEFINED, UNDEFINED)]),
        ] {
            population.begin_person(id).unwrap();
            for (i, &(end_time, max_duration)) in ends.iter().enumerate() {
                if i > 0 {
                    population.add_leg(&Leg::new(ModeId(0), 0, 0));
                }
                let nowhere = Activity { kind, link: 0, facility: NONE, x: 0.0, y: 0.0, end_time, max_duration };
                population.add_activity(&nowhere);
            }
        }
        scenario.settings.plans.activity_duration_interpretation = TryEndTimeThenDuration;
        let stays = EndlessStays::of(&scenario);
        assert_eq!(stays, EndlessStays { persons: 2, first: Some((2, 4)) });
        assert_eq!(stays.example(&scenario), "person \"stays\", activity \"home\"");
        scenario.settings.plans.activity_duration_interpretation = EndTimeOnly;
        assert_eq!(EndlessStays::of(&scenario), EndlessStays { persons: 3, first: Some((0, 1)) });
    }
}
