//! Requirements of executors on scenarios.

use throng_core::NONE;

use crate::RunError;
use throng_traffic_scenario::{PlanElement, RouteKind, Scenario};

/// Checks that plans begin on a link, and that teleported legs end on one.
pub(crate) fn check_places(scenario: &Scenario, is_main: &[bool; 256]) -> Result<(), RunError> {
    let Scenario { population, network, .. } = scenario;
    let is_link = |link: u32| (link as usize) < network.links();
    for person in 0..population.persons() as u32 {
        let begins = match population.plan(person).next() {
            Some(PlanElement::Activity(a)) => is_link(population.activities.link[a as usize]),
            _ => true,
        };
        let ends = population.plan(person).all(|element| match element {
            PlanElement::Leg(l) if population.legs.route[l as usize] != RouteKind::Missing => {
                let legs = &population.legs;
                is_main[usize::from(legs.mode[l as usize].0)] || is_link(legs.end_link[l as usize])
            }
            _ => true,
        });
        if !(begins && ends) {
            return Err(RunError::NoLink { person: population.person_ids.name(person).to_owned() });
        }
    }
    Ok(())
}

/// Returns the vehicles that more than one person drives, in order.
pub(crate) fn shared_vehicles(scenario: &Scenario) -> Vec<u32> {
    let population = &scenario.population;
    let mut user = vec![NONE; scenario.vehicles.ids.len()];
    let mut shared = Vec::new();
    for person in 0..population.persons() as u32 {
        for element in population.plan(person) {
            let PlanElement::Leg(leg) = element else { continue };
            let vehicle = population.legs.vehicle[leg as usize];
            if let Some(user) = user.get_mut(vehicle as usize) {
                if *user != NONE && *user != person {
                    shared.push(vehicle);
                }
                *user = person;
            }
        }
    }
    shared.sort_unstable();
    shared.dedup();
    shared
}
