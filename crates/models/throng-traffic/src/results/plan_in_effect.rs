//! The selected plan of a person as it is simulated: the plan of the input, with trips that were routed again.

use throng_core::NONE;
use throng_matsim::formats::person::{
    ActivityRecord, Attribute, AttributeRange, ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord, Text,
};
use throng_matsim::load::separates_trips;
use throng_traffic_scenario::{ModeId, PlanElement, RouteKind, Scenario, is_interaction};

use super::ride_text::ride_text;

/// Changes the selected plan to the plan in effect. Legs get the route in effect, activities without a link the one
/// that was assigned to them. A trip that was routed with another number of legs, such as one by public transport, gets
/// new legs and interaction activities. All else remains as it was read.
pub(super) fn complete(record: &mut PersonRecord, scenario: &Scenario, person: u32) {
    let Some(selected) = record.selected_plan() else { return };
    let used: Vec<PlanElement> = scenario.population.plan(person).collect();
    let given = record.elements_mut(selected).to_vec();
    let plan = Plan { scenario, is_routed: lacks_route_or_link(&given) };
    let trips_used = trips(&used, |element| match *element {
        PlanElement::Activity(activity) => !super::trips::is_interaction(scenario, activity),
        PlanElement::Leg(_) => false,
    });
    let trips_given = trips(&given, |element| separates_trips(record, element));
    // Another number of trips occurs only in a file that changed after it was loaded, which is rejected at its end.
    if trips_used.len() != trips_given.len() {
        return;
    }
    let mut elements = Vec::with_capacity(used.len());
    for (used, given) in trips_used.into_iter().zip(trips_given) {
        if used.len() == given.len() {
            let completed = given.iter().zip(used).map(|(&element, &used)| plan.completed(record, element, used));
            elements.extend(completed);
        } else {
            plan.replace(record, given, used, &mut elements);
        }
    }
    record.replace_elements(selected, &elements);
}

/// Splits the elements of a plan before each activity that is no interaction.
fn trips<T>(elements: &[T], is_boundary: impl Fn(&T) -> bool) -> Vec<&[T]> {
    elements.chunk_by(|_, next| !is_boundary(next)).collect()
}

/// Whether trips may have been routed although their legs have routes.
fn lacks_route_or_link(elements: &[ElementRecord]) -> bool {
    elements.iter().any(|element| match element {
        ElementRecord::Activity(activity) => activity.link.is_none(),
        ElementRecord::Leg(leg) => leg.route.is_none(),
    })
}

/// The context of a plan.
struct Plan<'s> {
    scenario: &'s Scenario,
    /// Whether trips may have been routed although their legs have routes.
    is_routed: bool,
}

impl Plan<'_> {
    /// Returns an element with the data in effect.
    fn completed(&self, record: &mut PersonRecord, element: ElementRecord, used: PlanElement) -> ElementRecord {
        match (element, used) {
            (ElementRecord::Activity(activity), PlanElement::Activity(a)) => {
                let link = self.scenario.population.activities.link[a as usize];
                let is_moved = self.is_routed
                    && is_interaction(record.text(activity.kind))
                    && record.text(activity.link) != self.link(link);
                if is_moved {
                    return ElementRecord::Activity(self.activity(record, a, activity.line));
                }
                let assigned = if activity.link.is_none() { self.add_link(record, link) } else { activity.link };
                ElementRecord::Activity(ActivityRecord { link: assigned, ..activity })
            }
            (ElementRecord::Leg(leg), PlanElement::Leg(l)) => {
                let legs = &self.scenario.population.legs;
                let is_kept = match legs.route[l as usize] {
                    RouteKind::Missing => true,
                    RouteKind::Links => false,
                    RouteKind::Generic | RouteKind::Transit => {
                        leg.route.is_some_and(|route| !self.is_routed || self.is_in_effect(record, &route, l))
                    }
                };
                if is_kept {
                    return element;
                }
                let mut leg = LegRecord { route: Some(self.route(record, l, leg.line)), ..leg };
                // Otherwise, outdated names of modes remain, and times of legs that differ from those of their routes.
                if self.is_routed {
                    let mode = self.scenario.modes.name(legs.mode[l as usize]);
                    if record.text(leg.mode) != mode {
                        leg.mode = record.add_text(mode);
                    }
                    leg.travel_time = legs.travel_time[l as usize];
                }
                ElementRecord::Leg(leg)
            }
            (element, _) => element,
        }
    }

    /// Whether a route of the input is the one in effect, or may differ from it only in data that it lacks.
    fn is_in_effect(&self, record: &PersonRecord, route: &RouteRecord, leg: u32) -> bool {
        let (legs, l) = (&self.scenario.population.legs, leg as usize);
        let is_link = |given: Text, used: u32| given.is_none() || record.text(given) == self.link(used);
        let is_number = |given: f64, used: f64| given.is_nan() || given == used;
        is_link(route.start_link, legs.start_link[l])
            && is_link(route.end_link, legs.end_link[l])
            && is_number(route.travel_time, legs.travel_time[l])
            && is_number(route.distance, legs.distance[l])
    }

    /// Adds a trip that has new legs. Its first element, the activity from which it starts, is that of the input.
    fn replace(
        &self,
        record: &mut PersonRecord,
        given: &[ElementRecord],
        used: &[PlanElement],
        elements: &mut Vec<ElementRecord>,
    ) {
        let ([origin, ..], [used_origin, trip @ ..]) = (given, used) else { return };
        elements.push(self.completed(record, *origin, *used_origin));
        let first = given.iter().find_map(|element| match element {
            ElementRecord::Leg(leg) => Some(*leg),
            ElementRecord::Activity(_) => None,
        });
        let Some(LegRecord { line, mut departure_time, .. }) = first else { return };
        for &element in trip {
            elements.push(match element {
                PlanElement::Activity(activity) => ElementRecord::Activity(self.activity(record, activity, line)),
                PlanElement::Leg(leg) => {
                    let leg = self.leg(record, leg, line, departure_time);
                    departure_time += leg.travel_time;
                    ElementRecord::Leg(leg)
                }
            });
        }
    }

    fn activity(&self, record: &mut PersonRecord, activity: u32, line: u64) -> ActivityRecord {
        let (population, a) = (&self.scenario.population, activity as usize);
        let activities = &population.activities;
        ActivityRecord {
            line,
            kind: record.add_text(population.activity_types.name(activities.kind[a])),
            link: self.add_link(record, activities.link[a]),
            facility: Text::NONE,
            x: activities.x[a],
            y: activities.y[a],
            z: f64::NAN,
            start_time: f64::NAN,
            end_time: activities.end_time[a],
            max_duration: activities.max_duration[a],
            attributes: AttributeRange::default(),
        }
    }

    fn leg(&self, record: &mut PersonRecord, leg: u32, line: u64, departure_time: f64) -> LegRecord {
        let (legs, l) = (&self.scenario.population.legs, leg as usize);
        let mut attributes = AttributeRange::default();
        if legs.routing_mode[l] != ModeId::NONE {
            attributes = record.begin_attributes();
            let mode = self.scenario.modes.name(legs.routing_mode[l]);
            let [name, class, value] = ["routingMode", "java.lang.String", mode].map(|text| record.add_text(text));
            record.add_attribute(&mut attributes, Attribute { name, class, value });
        }
        LegRecord {
            line,
            mode: record.add_text(self.scenario.modes.name(legs.mode[l])),
            departure_time,
            travel_time: legs.travel_time[l],
            attributes,
            route: (legs.route[l] != RouteKind::Missing).then(|| self.route(record, leg, line)),
        }
    }

    fn route(&self, record: &mut PersonRecord, leg: u32, line: u64) -> RouteRecord {
        let (population, l) = (&self.scenario.population, leg as usize);
        let legs = &population.legs;
        let (format, kind, description) = match legs.route[l] {
            RouteKind::Links => {
                let links: Vec<&str> = population.route(leg).iter().map(|&link| self.link(link)).collect();
                (RouteFormat::Links, "links", Some(links.join(" ")))
            }
            RouteKind::Transit => {
                let text = self.scenario.ride(leg).map(|ride| ride_text(&self.scenario.transit, ride, f64::NAN));
                (RouteFormat::Other, "default_pt", text)
            }
            RouteKind::Generic | RouteKind::Missing => (RouteFormat::Other, "generic", None),
        };
        let vehicle = legs.vehicle[l];
        RouteRecord {
            line,
            format,
            kind: record.add_text(kind),
            start_link: record.add_text(self.link(legs.start_link[l])),
            end_link: record.add_text(self.link(legs.end_link[l])),
            travel_time: legs.travel_time[l],
            distance: legs.distance[l],
            vehicle: record.add_optional((vehicle != NONE).then(|| self.scenario.vehicles.ids.name(vehicle))),
            description: record.add_optional(description.as_deref()),
        }
    }

    fn add_link(&self, record: &mut PersonRecord, link: u32) -> Text {
        record.add_optional((link != NONE).then(|| self.scenario.network.link_ids.name(link)))
    }

    /// Returns the id of a link; empty if there is none.
    fn link(&self, link: u32) -> &str {
        if link == NONE { "" } else { self.scenario.network.link_ids.name(link) }
    }
}
