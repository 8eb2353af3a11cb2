//! Persons who are not simulated on a day.

use throng_traffic_scenario::{PlanElement, Population};

/// Persons who stay at home for a day: their first activities, and the original end times of these, seconds of the day.
pub(super) struct AtHome(Vec<(u32, f64)>);

impl AtHome {
    /// Makes the persons for whom `stays` holds stay at home.
    pub(super) fn new(population: &mut Population, stays: impl Fn(u32) -> bool) -> Self {
        let mut at_home = Vec::new();
        for person in (0..population.persons() as u32).filter(|&person| stays(person)) {
            let first = population.plan(person).next();
            if let Some(PlanElement::Activity(first)) = first {
                // An activity without an end lasts forever.
                let end = &mut population.activities.end_time[first as usize];
                at_home.push((first, std::mem::replace(end, f64::NAN)));
            }
        }
        Self(at_home)
    }

    /// Restores the plans of all persons.
    pub(super) fn restore(self, population: &mut Population) {
        for (activity, end) in self.0 {
            population.activities.end_time[activity as usize] = end;
        }
    }
}
