//! The elements of remembered plans.

use throng_traffic_scenario::{Activity, Leg, ModeId, RouteKind};

/// An element of a remembered plan: 24 bytes. Places and routes are shared by plans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Element {
    /// An activity.
    Activity {
        /// The [place](Place).
        place: PlaceId,
        /// End time, seconds of the day; NaN if undefined.
        end_time_s: f64,
        /// Maximum duration, seconds; NaN if undefined.
        max_duration_s: f64,
    },
    /// A leg.
    Leg {
        /// The [route](Route).
        route: RouteId,
        /// Mode of the leg.
        mode: ModeId,
        /// Mode for which the route was computed, or [`ModeId::NONE`].
        routing_mode: ModeId,
        /// Vehicle index, or [`throng_core::NONE`].
        vehicle: u32,
        /// Planned travel time, seconds; NaN if undefined.
        travel_time_s: f64,
    },
}

impl Element {
    /// The element of an activity.
    pub fn activity(place: PlaceId, activity: &Activity) -> Self {
        Self::Activity { place, end_time_s: activity.end_time, max_duration_s: activity.max_duration }
    }

    /// The element of a leg.
    pub fn leg(route: RouteId, leg: &Leg) -> Self {
        let &Leg { mode, routing_mode, vehicle, travel_time: travel_time_s, .. } = leg;
        Self::Leg { route, mode, routing_mode, vehicle, travel_time_s }
    }
}

/// Id of a place in a [`PlanMemory`](super::PlanMemory).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlaceId(pub(super) u32);

/// Id of a route in a [`PlanMemory`](super::PlanMemory).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RouteId(pub(super) u32);

/// The place and type of an activity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Activity type, as in [`Activity::kind`].
    pub kind: u32,
    /// Link index.
    pub link: u32,
    /// Facility index, or [`throng_core::NONE`].
    pub facility: u32,
    /// X coordinate; NaN if unknown.
    pub x: f64,
    /// Y coordinate; NaN if unknown.
    pub y: f64,
}

impl Place {
    /// The place of an activity.
    pub fn of(activity: &Activity) -> Self {
        let &Activity { kind, link, facility, x, y, end_time: _, max_duration: _ } = activity;
        Self { kind, link, facility, x, y }
    }

    /// An activity at this place.
    pub(super) fn activity(self, end_time: f64, max_duration: f64) -> Activity {
        let Self { kind, link, facility, x, y } = self;
        Activity { kind, link, facility, x, y, end_time, max_duration }
    }

    pub(super) fn words(self) -> [u32; 7] {
        let ([x, x_high], [y, y_high]) = (halves(self.x), halves(self.y));
        [self.kind, self.link, self.facility, x, x_high, y, y_high]
    }

    pub(super) fn from_words(words: &[u32]) -> Self {
        Self { kind: words[0], link: words[1], facility: words[2], x: joined(&words[3..]), y: joined(&words[5..]) }
    }
}

/// The route of a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route<'a> {
    /// Kind of route.
    pub kind: RouteKind,
    /// Link where the leg starts.
    pub start_link: u32,
    /// Link where the leg ends.
    pub end_link: u32,
    /// Distance, metres; NaN if unknown.
    pub distance_m: f64,
    /// Index of the [ride](throng_traffic_scenario::Ride); only for [`RouteKind::Transit`].
    pub ride: u32,
    /// The links, including the start and end link; only for [`RouteKind::Links`].
    pub links: &'a [u32],
}

/// Words of a route before its links.
const ROUTE_HEAD: usize = 6;

impl<'a> Route<'a> {
    /// The route of a leg; `links` are those of [`Population::route`](throng_traffic_scenario::Population::route).
    pub fn of(leg: &Leg, links: &'a [u32]) -> Self {
        Self {
            kind: leg.route,
            start_link: leg.start_link,
            end_link: leg.end_link,
            distance_m: leg.distance,
            ride: if leg.route == RouteKind::Transit { leg.route_start as u32 } else { 0 },
            links,
        }
    }

    /// A leg with this route, whose links are at position `start` of all route links; without vehicle and times.
    pub(super) fn leg(&self, mode: ModeId, start: usize) -> Leg {
        Leg {
            route: self.kind,
            route_start: if self.kind == RouteKind::Transit { self.ride.into() } else { start as u64 },
            route_len: self.links.len() as u32,
            distance: self.distance_m,
            ..Leg::new(mode, self.start_link, self.end_link)
        }
    }

    pub(super) fn put_words(&self, words: &mut Vec<u32>) {
        let kind = match self.kind {
            RouteKind::Missing => 0,
            RouteKind::Links => 1,
            RouteKind::Generic => 2,
            RouteKind::Transit => 3,
        };
        let [distance, distance_high] = halves(self.distance_m);
        words.clear();
        words.extend([kind, self.start_link, self.end_link, distance, distance_high, self.ride]);
        words.extend(self.links);
    }

    pub(super) fn from_words(words: &'a [u32]) -> Self {
        let kind = match words[0] {
            0 => RouteKind::Missing,
            1 => RouteKind::Links,
            2 => RouteKind::Generic,
            _ => RouteKind::Transit,
        };
        Self {
            kind,
            start_link: words[1],
            end_link: words[2],
            distance_m: joined(&words[3..]),
            ride: words[5],
            links: &words[ROUTE_HEAD..],
        }
    }
}

fn halves(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

fn joined(words: &[u32]) -> f64 {
    f64::from_bits(u64::from(words[0]) | (u64::from(words[1]) << 32))
}

const _: () = assert!(size_of::<Element>() == 24);
