//! Locations of activities: link, facility and coordinate.

use rustc_hash::FxHashMap;
use throng_core::NONE;

use super::nearest_link::NearestLink;
use super::report::Report;
use super::routes::Routes;
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{ActivityRecord, ElementRecord, PersonRecord};
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{self, FacilitiesSource};
use throng_traffic_scenario::{Facilities, Network};

/// Link, facility and coordinate of one activity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    /// Index of the link; [`NONE`] if the activity has no usable location, which has been reported as a problem.
    pub(super) link: u32,
    /// Link named by the activity itself, or else `link`; routes that name no end link end there.
    pub(super) own_link: u32,
    /// Whether the link had to be found from the coordinate.
    pub(super) from_coordinate: bool,
    /// Index of the facility, or [`NONE`].
    pub(super) facility: u32,
    /// Coordinate of the activity, or else of its facility; NaN if unknown.
    pub(super) x: f64,
    pub(super) y: f64,
    /// Coordinate from which routers measure: of the facility, or else of the activity; NaN if unknown.
    pub(super) routed_x: f64,
    pub(super) routed_y: f64,
}

impl Place {
    /// No location.
    pub(super) const NOWHERE: Self = Self {
        link: NONE,
        own_link: NONE,
        from_coordinate: false,
        facility: NONE,
        x: f64::NAN,
        y: f64::NAN,
        routed_x: f64::NAN,
        routed_y: f64::NAN,
    };
}

/// Finds locations, and creates the facilities that the settings request.
#[derive(Debug)]
pub(super) struct Places<'a> {
    network: &'a Network,
    source: FacilitiesSource,
    prefix: &'a str,
    pub(super) facilities: Facilities,
    // Number of facilities that were read from a file; they come first.
    read: u32,
    near: NearestLink<'a>,
    by_link: Vec<u32>,
    by_coordinate: FxHashMap<(u64, u64), u32>,
    id: String,
}

impl<'a> Places<'a> {
    /// Starts with the `facilities` that were read from a file.
    pub(super) fn new(
        network: &'a Network,
        settings: &'a settings::Facilities,
        facilities: Facilities,
        near: NearestLink<'a>,
    ) -> Self {
        let mut places = Self {
            network,
            source: settings.source,
            prefix: &settings.id_prefix,
            read: facilities.link.len() as u32,
            facilities,
            near,
            by_link: Vec::new(),
            by_coordinate: FxHashMap::default(),
            id: String::new(),
        };
        places.link_facilities();
        places
    }

    /// Assigns a link to each facility that was read without one.
    fn link_facilities(&mut self) {
        let Facilities { link, x, y, .. } = &mut self.facilities;
        for ((link, x), y) in link.iter_mut().zip(x).zip(y) {
            if *link == NONE {
                *link = self.near.at_nearest_node(*x, *y).unwrap_or(NONE);
            }
        }
    }

    /// Creates the facilities for the activities of all plans of a person, if facilities come from the plans.
    ///
    /// MATSim creates them for all plans, not only the simulated one, and assigns their indices in this order.
    pub(super) fn make_facilities(&mut self, person: &PersonRecord) {
        if !self.source.is_from_plans() {
            return;
        }
        for plan in person.plans() {
            for element in person.elements(plan) {
                if let ElementRecord::Activity(activity) = element {
                    self.facility_from_plans(person, activity);
                }
            }
        }
    }

    /// Returns the facility that the plans give an activity; `None` without a usable location, or with a long id.
    fn facility_from_plans(&mut self, person: &PersonRecord, activity: &ActivityRecord) -> Option<u32> {
        let link = match person.optional(activity.link) {
            Some(id) => self.network.link_ids.get(id)?,
            None => self.near.nearest(activity.x, activity.y)?,
        };
        let (x, y) =
            if activity.x.is_nan() || activity.y.is_nan() { self.end_of(link) } else { (activity.x, activity.y) };
        if self.source == FacilitiesSource::OnePerActivityLinkInPlansFile {
            self.by_link.resize(self.network.links(), NONE);
            let known = self.by_link[link as usize];
            if known != NONE {
                return Some(known);
            }
            let facility = self.add_facility(|id, network| id.push_str(network.link_ids.name(link)), link, x, y)?;
            self.by_link[link as usize] = facility;
            return Some(facility);
        }
        let key = (x.to_bits(), y.to_bits());
        if let Some(&known) = self.by_coordinate.get(&key) {
            return Some(known);
        }
        let number = self.by_coordinate.len().to_string();
        let facility = self.add_facility(|id, _| id.push_str(&number), link, x, y)?;
        self.by_coordinate.insert(key, facility);
        Some(facility)
    }

    /// Returns `None` if the id is too long; the activity then has no facility.
    fn add_facility(&mut self, name: impl FnOnce(&mut String, &Network), link: u32, x: f64, y: f64) -> Option<u32> {
        self.id.clear();
        self.id.push_str(self.prefix);
        name(&mut self.id, self.network);
        let facility = self.facilities.ids.intern(&self.id).ok()?;
        if facility as usize == self.facilities.link.len() {
            self.facilities.link.push(link);
            self.facilities.x.push(x);
            self.facilities.y.push(y);
        }
        Some(facility)
    }

    /// Returns the end of a link, where MATSim places activities and facilities that have no coordinate.
    pub(super) fn end_of(&self, link: u32) -> (f64, f64) {
        let node = self.network.to.get(link as usize).map_or(usize::MAX, |&node| node as usize);
        let coordinate = |of: &[f64]| of.get(node).copied().unwrap_or(f64::NAN);
        (coordinate(&self.network.node_x), coordinate(&self.network.node_y))
    }

    /// Returns the location of an activity. Problems go to `report`.
    pub(super) fn place(
        &mut self,
        person: &PersonRecord,
        activity: &ActivityRecord,
        routes: &Routes<'_>,
        report: &mut Report<'_>,
    ) -> Place {
        let mut own_link = NONE;
        if let Some(id) = person.optional(activity.link) {
            own_link = routes.link(id).unwrap_or(NONE);
            if own_link == NONE {
                let message = format!("activity at link {}, which the network does not have", quoted(id));
                report.problem(activity.line, message, "Use the network to which the plans belong.");
            }
        }
        let facility = self.facility(person, activity, report);
        let of_facility = self.of_facility(facility);
        let mut from_coordinate = false;
        let mut link = of_facility.map_or(NONE, |(link, ..)| link);
        if link == NONE {
            if own_link == NONE && activity.link.is_none() {
                own_link = self.located(activity, of_facility, report);
                from_coordinate = true;
            }
            link = own_link;
        }
        if own_link == NONE {
            own_link = link;
        }
        let known = |(x, y): (f64, f64)| (!x.is_nan() && !y.is_nan()).then_some((x, y));
        let given = known((activity.x, activity.y));
        let facility_coordinate = of_facility.and_then(|(_, x, y)| known((x, y)));
        let (x, y) = given.or(facility_coordinate).unwrap_or((f64::NAN, f64::NAN));
        let (routed_x, routed_y) = facility_coordinate.or(given).unwrap_or((f64::NAN, f64::NAN));
        Place { link, own_link, from_coordinate, facility, x, y, routed_x, routed_y }
    }

    fn facility(&mut self, person: &PersonRecord, activity: &ActivityRecord, report: &mut Report<'_>) -> u32 {
        if self.source.is_from_plans() {
            return self.facility_from_plans(person, activity).unwrap_or(NONE);
        }
        let Some(id) = person.optional(activity.facility) else { return NONE };
        if let Some(known) = self.facilities.ids.get(id) {
            return known;
        }
        if self.read > 0 {
            let kind = "activities name a facility that the facilities file does not have; their own location is used";
            report.warn(kind, activity.line, || format!("facility {}", quoted(id)));
        }
        // Events need the facility even if it is unknown.
        let facility = match self.facilities.ids.intern(id) {
            Ok(facility) => facility,
            Err(error) => {
                report.problem(activity.line, format!("the facility of this activity has {error}"), ID_REMEDY);
                return NONE;
            }
        };
        self.facilities.link.push(NONE);
        self.facilities.x.push(f64::NAN);
        self.facilities.y.push(f64::NAN);
        facility
    }

    /// Returns link and coordinate of a facility.
    fn of_facility(&self, facility: u32) -> Option<(u32, f64, f64)> {
        let i = facility as usize;
        let Facilities { link, x, y, .. } = &self.facilities;
        Some((*link.get(i)?, *x.get(i)?, *y.get(i)?))
    }

    /// Finds a link for an activity that names none.
    fn located(&self, activity: &ActivityRecord, of_facility: Option<(u32, f64, f64)>, report: &mut Report<'_>) -> u32 {
        let (x, y) = match of_facility {
            Some((_, x, y)) if activity.x.is_nan() || activity.y.is_nan() => (x, y),
            _ => (activity.x, activity.y),
        };
        self.near.at_nearest_node(x, y).unwrap_or_else(|| {
            let message = "no link can be found for this activity";
            let remedy = "Give it a link, a finite coordinate in a network with links for cars, or a facility that \
                has one of the two.";
            report.problem(activity.line, message, remedy);
            NONE
        })
    }
}
