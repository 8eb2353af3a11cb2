//! The first activities of agents, and the time of the first step.

use crate::rules::activity_end::activity_end;
use throng_traffic_scenario::settings::StartInterpretation;
use throng_traffic_scenario::{PlanElement, Scenario};

/// An agent at an activity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtActivity {
    /// The time at which it leaves, seconds of the day.
    pub end: f64,
    pub person: u32,
    /// The activity, as a position in the list of plan elements.
    pub element: u32,
    /// The link of the activity, by link index of the scenario.
    pub link: u32,
}

/// Returns the first activity of every plan with its end. An agent whose first activity is also the last never leaves.
pub(crate) fn first_activities(scenario: &Scenario) -> Vec<AtActivity> {
    let population = &scenario.population;
    let interpretation = scenario.settings.plans.activity_duration_interpretation;
    let mut agents = Vec::with_capacity(population.persons());
    for person in 0..population.persons() as u32 {
        let plan = population.plan_range(person);
        if plan.is_empty() {
            continue;
        }
        let PlanElement::Activity(activity) = population.element(plan.start) else { continue };
        let a = activity as usize;
        let end = if plan.len() == 1 {
            f64::INFINITY
        } else {
            let (end, duration) = (population.activities.end_time[a], population.activities.max_duration[a]);
            activity_end(end, duration, 0.0, interpretation)
        };
        agents.push(AtActivity { end, person, element: plan.start, link: population.activities.link[a] });
    }
    agents
}

/// Returns the time of the first step, seconds of the day; `None` if no agent ever leaves.
pub(crate) fn start_time(scenario: &Scenario, agents: &[AtActivity]) -> Option<f64> {
    let configured = scenario.settings.qsim.start_time.unwrap_or(0.0);
    let earliest = agents.iter().map(|a| a.end).fold(f64::INFINITY, f64::min);
    let start = match scenario.settings.qsim.start_interpretation {
        StartInterpretation::MaxOfStarttimeAndEarliestActivityEnd => configured.max(earliest).floor(),
        StartInterpretation::OnlyUseStarttime => configured,
    };
    (start.is_finite() && earliest.is_finite()).then_some(start)
}
