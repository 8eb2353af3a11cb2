//! Persons and their selected plans, as arrays.

use throng_core::{IdTable, InputError, NONE};

use super::ModeId;

/// One element of a plan: an activity or a leg, by index into [`Population::activities`] or [`Population::legs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanElement {
    /// Index into [`Population::activities`].
    Activity(u32),
    /// Index into [`Population::legs`].
    Leg(u32),
}

const LEG_BIT: u32 = 1 << 31;

/// All persons with their selected plans. Person indices follow the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Population {
    /// Person ids.
    pub person_ids: IdTable,
    /// Names of the attributes of persons in the plans file, in the order of their first appearance. Their values stay
    /// in the file.
    pub person_attributes: IdTable,
    /// Index of each person's first plan element in the list of elements; one more entry than persons.
    pub first_element: Vec<u32>,
    /// Plan elements of all persons, encoded.
    elements: Vec<u32>,
    /// Ids of the activity types.
    pub activity_types: IdTable,
    /// Activities of all selected plans.
    pub activities: Activities,
    /// Legs of all selected plans.
    pub legs: Legs,
    /// Links of all network routes; each route includes its start and end link. [`NONE`] marks a link that does not
    /// exist.
    pub route_links: Vec<u32>,
}

/// Activities as arrays, one entry per activity of any selected plan.
#[derive(Debug, Clone, Default)]
pub struct Activities {
    /// Index into [`Population::activity_types`].
    pub kind: Vec<u32>,
    /// Link index of each activity.
    pub link: Vec<u32>,
    /// Index into the scenario's facilities, or [`NONE`].
    pub facility: Vec<u32>,
    /// X coordinate of each activity; NaN if unknown.
    pub x: Vec<f64>,
    /// Y coordinate of each activity; NaN if unknown.
    pub y: Vec<f64>,
    /// End time, seconds of the day; NaN if undefined.
    pub end_time: Vec<f64>,
    /// Maximum duration, seconds; NaN if undefined.
    pub max_duration: Vec<f64>,
}

/// Data that the route of a leg contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteKind {
    /// No route; the agent is aborted when the leg begins.
    Missing,
    /// A list of links to drive.
    Links,
    /// Travel time and distance only.
    Generic,
    /// A [`Ride`](crate::Ride) in a vehicle of a line; its index is in `route_start`.
    Transit,
}

/// Legs as arrays, one entry per leg of any selected plan.
#[derive(Debug, Clone, Default)]
pub struct Legs {
    /// Mode of each leg.
    pub mode: Vec<ModeId>,
    /// Mode for which the route was computed (`routingMode`), or [`ModeId::NONE`].
    pub routing_mode: Vec<ModeId>,
    /// Kind of route.
    pub route: Vec<RouteKind>,
    /// First entry in [`Population::route_links`]; for [`RouteKind::Transit`], the index of the ride.
    pub route_start: Vec<u64>,
    /// Number of links of the route, including the start and end link; 1 for a leg that starts and ends on the same
    /// link.
    pub route_len: Vec<u32>,
    /// Link where the leg starts.
    pub start_link: Vec<u32>,
    /// Link where the leg ends.
    pub end_link: Vec<u32>,
    /// Planned travel time, seconds; NaN if undefined.
    pub travel_time: Vec<f64>,
    /// Distance, metres; NaN if unknown.
    pub distance: Vec<f64>,
    /// Vehicle index, or [`NONE`] for modes that are not simulated on the network.
    pub vehicle: Vec<u32>,
}

impl Population {
    /// Returns the number of persons.
    pub fn persons(&self) -> usize {
        self.person_ids.len()
    }

    /// Iterates over the plan elements of `person`.
    pub fn plan(&self, person: u32) -> impl ExactSizeIterator<Item = PlanElement> + '_ {
        let range = self.plan_range(person);
        range.map(|i| self.element(i))
    }

    /// Returns the range of the plan of `person` in the list of elements.
    pub fn plan_range(&self, person: u32) -> std::ops::Range<u32> {
        self.first_element[person as usize]..self.first_element[person as usize + 1]
    }

    /// Returns the plan element at position `index` in the list of elements of all persons.
    pub fn element(&self, index: u32) -> PlanElement {
        let code = self.elements[index as usize];
        if code & LEG_BIT == 0 { PlanElement::Activity(code) } else { PlanElement::Leg(code & !LEG_BIT) }
    }

    /// Returns the leg at position `index` in the list of elements; `None` for an activity, and beyond the end of the
    /// list.
    pub fn leg_at(&self, index: u32) -> Option<u32> {
        match self.elements.get(index as usize) {
            Some(code) if code & LEG_BIT != 0 => Some(code & !LEG_BIT),
            _ => None,
        }
    }

    /// Returns the number of plan elements of all persons.
    pub fn elements(&self) -> usize {
        self.elements.len()
    }

    /// Whether the plan element at position `index` is a leg.
    pub fn is_leg(&self, index: u32) -> bool {
        self.elements[index as usize] & LEG_BIT != 0
    }

    /// Sets the plans of all persons. `plan_len` is the number of elements per person; `is_leg` contains 1 for each leg
    /// and 0 for each activity, in the order of the plans. Activities and legs are numbered in this order. Returns the
    /// number of activities and the number of legs that must be added.
    ///
    /// # Errors
    /// If the lengths do not add up, a plan begins or ends with a leg, or there are more than 2^31 elements.
    pub fn set_plans(&mut self, plan_len: &[u32], is_leg: &[u8]) -> Result<[usize; 2], InputError> {
        if is_leg.len() > LEG_BIT as usize {
            let message = format!("{} elements are more than can be indexed", is_leg.len());
            return Err(InputError::one("plans", message, "give at most 2147483648 elements"));
        }
        let wrong_length = || {
            let message = format!("the lengths of all plans do not add up to {} elements", is_leg.len());
            InputError::one("plans", message, "give one length per person")
        };
        self.first_element = Vec::with_capacity(plan_len.len() + 1);
        self.first_element.push(0);
        let mut end = 0;
        for (person, &len) in plan_len.iter().enumerate() {
            let first = end;
            end += len as usize;
            let plan = is_leg.get(first..end).ok_or_else(wrong_length)?;
            if plan.first() != Some(&0) || plan.last() != Some(&0) {
                let message = format!("the plan of person {person} does not begin and end with an activity");
                return Err(InputError::one("plans", message, "begin and end each plan with an activity"));
            }
            self.first_element.push(end as u32);
        }
        if end != is_leg.len() {
            return Err(wrong_length());
        }
        let mut counts = [0; 2];
        let code = |&leg: &u8| {
            let leg = usize::from(leg & 1);
            counts[leg] += 1;
            (counts[leg] - 1) as u32 | if leg == 1 { LEG_BIT } else { 0 }
        };
        self.elements = is_leg.iter().map(code).collect();
        Ok(counts)
    }

    /// Returns the links of a leg's network route, including the start and end link; none for other routes, such as the
    /// ride of a passenger, whose [`Legs::route_start`] is no link.
    pub fn route(&self, leg: u32) -> &[u32] {
        let (start, len) = (self.legs.route_start[leg as usize] as usize, self.legs.route_len[leg as usize] as usize);
        if len == 0 { &[] } else { &self.route_links[start..start + len] }
    }

    /// Returns an activity as one value.
    pub fn activity(&self, activity: u32) -> Activity {
        let (a, i) = (&self.activities, activity as usize);
        Activity {
            kind: a.kind[i],
            link: a.link[i],
            facility: a.facility[i],
            x: a.x[i],
            y: a.y[i],
            end_time: a.end_time[i],
            max_duration: a.max_duration[i],
        }
    }

    /// Returns a leg as one value.
    pub fn leg(&self, leg: u32) -> Leg {
        let (l, i) = (&self.legs, leg as usize);
        Leg {
            mode: l.mode[i],
            routing_mode: l.routing_mode[i],
            route: l.route[i],
            route_start: l.route_start[i],
            route_len: l.route_len[i],
            start_link: l.start_link[i],
            end_link: l.end_link[i],
            travel_time: l.travel_time[i],
            distance: l.distance[i],
            vehicle: l.vehicle[i],
        }
    }

    /// Begins a new person. Its plan elements are added next.
    ///
    /// # Errors
    /// If the id is taken or too long.
    pub fn begin_person(&mut self, id: &str) -> Result<u32, throng_core::IdError> {
        let person = self.person_ids.insert(id)?;
        self.begin_plan();
        Ok(person)
    }

    /// Begins the plan of the next person, after [`Population::clear_plans`].
    pub fn begin_plan(&mut self) {
        if self.first_element.is_empty() {
            self.first_element.push(0);
        }
        self.first_element.push(self.elements.len() as u32);
    }

    /// Removes all plans, which are then [begun](Population::begin_plan) and added again in the order of persons. The
    /// persons stay.
    pub fn clear_plans(&mut self) {
        self.first_element.clear();
        self.elements.clear();
        self.route_links.clear();
        let (a, l) = (&mut self.activities, &mut self.legs);
        [&mut a.kind, &mut a.link, &mut a.facility].into_iter().for_each(Vec::clear);
        [&mut a.x, &mut a.y, &mut a.end_time, &mut a.max_duration].into_iter().for_each(Vec::clear);
        [&mut l.mode, &mut l.routing_mode].into_iter().for_each(Vec::clear);
        l.route.clear();
        l.route_start.clear();
        [&mut l.route_len, &mut l.start_link, &mut l.end_link, &mut l.vehicle].into_iter().for_each(Vec::clear);
        [&mut l.travel_time, &mut l.distance].into_iter().for_each(Vec::clear);
    }

    /// Adds an activity to the plan of the last person.
    pub fn add_activity(&mut self, activity: &Activity) -> u32 {
        let a = &mut self.activities;
        let index = a.kind.len() as u32;
        a.kind.push(activity.kind);
        a.link.push(activity.link);
        a.facility.push(activity.facility);
        a.x.push(activity.x);
        a.y.push(activity.y);
        a.end_time.push(activity.end_time);
        a.max_duration.push(activity.max_duration);
        self.push_element(index);
        index
    }

    /// Adds a leg to the plan of the last person. Its route, if any, must be at the end of `route_links`.
    pub fn add_leg(&mut self, leg: &Leg) -> u32 {
        let l = &mut self.legs;
        let index = l.mode.len() as u32;
        l.mode.push(leg.mode);
        l.routing_mode.push(leg.routing_mode);
        l.route.push(leg.route);
        l.route_start.push(leg.route_start);
        l.route_len.push(leg.route_len);
        l.start_link.push(leg.start_link);
        l.end_link.push(leg.end_link);
        l.travel_time.push(leg.travel_time);
        l.distance.push(leg.distance);
        l.vehicle.push(leg.vehicle);
        self.push_element(index | LEG_BIT);
        index
    }

    /// Replaces legs, given in ascending order, by the elements that `add` appends: it gets the population, the
    /// position in `replaced`, and the leg. All legs and activities are numbered again; takes time and memory for all
    /// plans.
    pub fn replace_legs(&mut self, replaced: &[u32], mut add: impl FnMut(&mut Self, usize, &Leg)) {
        let mut old = std::mem::take(self);
        self.person_ids = std::mem::take(&mut old.person_ids);
        self.person_attributes = std::mem::take(&mut old.person_attributes);
        self.activity_types = std::mem::take(&mut old.activity_types);
        self.route_links = std::mem::take(&mut old.route_links);
        self.first_element.push(0);
        let mut position = 0;
        for plan in old.first_element.windows(2) {
            self.first_element.push(self.elements.len() as u32);
            for element in plan[0]..plan[1] {
                match old.element(element) {
                    PlanElement::Activity(activity) => {
                        self.add_activity(&old.activity(activity));
                    }
                    PlanElement::Leg(leg) if replaced.get(position) == Some(&leg) => {
                        add(self, position, &old.leg(leg));
                        position += 1;
                    }
                    PlanElement::Leg(leg) => {
                        self.add_leg(&old.leg(leg));
                    }
                }
            }
        }
    }

    fn push_element(&mut self, code: u32) {
        self.elements.push(code);
        *self.first_element.last_mut().expect("begin_person has been called") = self.elements.len() as u32;
    }
}

/// One activity, as added to a [`Population`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activity {
    /// Index into [`Population::activity_types`].
    pub kind: u32,
    /// Link index.
    pub link: u32,
    /// Facility index, or [`NONE`].
    pub facility: u32,
    /// X coordinate; NaN if unknown.
    pub x: f64,
    /// Y coordinate; NaN if unknown.
    pub y: f64,
    /// End time, seconds of the day; NaN if undefined.
    pub end_time: f64,
    /// Maximum duration, seconds; NaN if undefined.
    pub max_duration: f64,
}

/// One leg, as added to a [`Population`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// Mode of the leg.
    pub mode: ModeId,
    /// Mode for which the route was computed, or [`ModeId::NONE`].
    pub routing_mode: ModeId,
    /// Kind of route.
    pub route: RouteKind,
    /// First entry in [`Population::route_links`], or the index of a ride.
    pub route_start: u64,
    /// Number of links of the route.
    pub route_len: u32,
    /// Link where the leg starts.
    pub start_link: u32,
    /// Link where the leg ends.
    pub end_link: u32,
    /// Planned travel time, seconds; NaN if undefined.
    pub travel_time: f64,
    /// Distance, metres; NaN if unknown.
    pub distance: f64,
    /// Vehicle index, or [`NONE`].
    pub vehicle: u32,
}

impl Leg {
    /// Creates a leg without route, vehicle or times.
    pub fn new(mode: ModeId, start_link: u32, end_link: u32) -> Self {
        Self {
            mode,
            routing_mode: ModeId::NONE,
            route: RouteKind::Missing,
            route_start: 0,
            route_len: 0,
            start_link,
            end_link,
            travel_time: f64::NAN,
            distance: f64::NAN,
            vehicle: NONE,
        }
    }
}

/// Whether activities of this type are those between two legs of a trip, such as `pt interaction`.
pub fn is_interaction(kind: &str) -> bool {
    kind.ends_with("interaction")
}
