//! Connections of public transport: walk to a stop, ride, change, walk to the destination.
//!
//! * [`TransitRouter`] finds the connection with the lowest cost in a [`Timetable`].
//! * [`TripRequest`] is a question, [`TransitTrip`] the answer: its [`TransitLeg`]s, cost and arrival.
//! * [`TransitRouterParameters`] has the weights, with MATSim's names and defaults.
//! * [`TransitRouterScratch`] is the memory of one search, for callers that keep one per thread.
//!
//! ```
//! use throng_traffic_scenario::transit_routing::{
//!     RouteDeparture, Timetable, TransitLeg, TransitRouter, TransitRouterParameters, TransitRouterScratch, TripRequest,
//! };
//! use throng_traffic_scenario::{Routes, Stops};
//!
//! let mut stops = Stops::default();
//! for id in ["west", "east"] {
//!     stops.ids.insert(id)?;
//! }
//! stops.link = vec![0, 1];
//! let routes = Routes {
//!     ids: vec!["r".to_owned()],
//!     line: vec![0],
//!     first_call: vec![0, 2],
//!     stop: vec![0, 1],
//!     arrival_offset_s: vec![f64::NAN, 300.0],
//!     departure_offset_s: vec![0.0, f64::NAN],
//!     awaits_departure: vec![false, false],
//! };
//! let timetable = Timetable {
//!     stops: &stops,
//!     coordinates: &[[0.0, 0.0], [5000.0, 0.0]],
//!     routes: &routes,
//!     route_links: &[vec![0, 1]],
//!     link_lengths_m: &[100.0, 5000.0],
//!     departures: vec![RouteDeparture { route: 0, time_s: 28_800.0 }],
//!     transfer_times: &[],
//! };
//! let router = TransitRouter::new(&timetable, &TransitRouterParameters::default())?;
//!
//! // From 10 m south of one stop to 10 m south of the other one, at 07:55.
//! let request = TripRequest { from: [0.0, -10.0], to: [5000.0, -10.0], departure_time_s: 28_500 };
//! let trip = router.route(&mut TransitRouterScratch::default(), &request).unwrap();
//! // The walks have 10 m * 1.3 at 3 km/h, 15.6 s, which become 16 s.
//! assert_eq!(trip.arrival_time_s, 28_800.0 + 300.0 + 16.0);
//! let [TransitLeg::Walk(_), TransitLeg::Ride(ride), TransitLeg::Walk(_)] = trip.legs[..] else { panic!("{trip:?}") };
//! assert_eq!((ride.departure_time_s, ride.boarding_time_s, ride.distance_m), (28_516.0, 28_800.0, 5000.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which connection
//! The search follows MATSim's `SwissRailRaptor`, a round-based search (RAPTOR; Delling, Pajor and Werneck 2015) for
//! costs instead of arrival times. A **call** is a stop in the sequence of a route. Each call, and each stop, keeps the
//! best arrival found so far. A search has these parts:
//!
//! 1. A walk to an access stop is an arrival at its calls, except at those that are the last of their route or from
//!    which nothing departs any more. Compared with other arrivals at the call, it includes the cost of waiting for the
//!    departure. It is also an arrival at the stop, if it is one at any call there, without the cost of waiting.
//! 2. A round begins with **rides**: every route with improved calls is followed once. It is boarded at the first
//!    improved call from which a vehicle departs, and the vehicle is the next one (departing in the same second
//!    suffices). At each later call, the ride replaces the arrival if it does not cost more in total. If it costs more,
//!    and boarding there after the other arrival costs less than the ride has cost up to there, the other arrival
//!    continues instead; if the other one is itself a ride of the route, it stays in its vehicle.
//! 3. The round ends with **transfers**, at the same time from all stops that rides have improved: each leads from the
//!    call of the ride to a call of another route, and replaces an arrival there, or at the stop, if it costs less.
//! 4. The last round is the second one ([`extra_transfers`](TransitRouterParameters::extra_transfers)) after the round
//!    that first reached an egress stop, or round [`max_transfers`](TransitRouterParameters::max_transfers), counted
//!    from 0, or a round that improves nothing. Arrivals that cost more than the best connection are dropped.
//!
//! Costs are integers, in units of 2^-20 utils × seconds per hour, and times are whole seconds, so that equal
//! connections have equal costs. Among equal costs the order is:
//!
//! * at a call or stop: a ride goes before an earlier arrival, so the later round, the route with the higher index, and
//!   the later call win; a transfer does not, so the stop with the lower index wins, and then the lower target call;
//! * at the destination: fewer transfers, then the egress stop with the lower index.
//!
//! If the best connection has no ride, because the walk leads past a stop, there is no result.
//!
//! # The result is not always the optimum
//! Each call and stop keeps one arrival, the one with the lowest cost, even where a more expensive one is earlier and
//! would catch a vehicle; and transfers that rarely help are left out. So the result never costs less than the optimum
//! over all connections and is a possible connection with exactly the stated cost, but it may cost more. It is the
//! optimum if walking, riding and waiting cost the same, transfers cost nothing and are only within stops, no route is
//! faster between two consecutive stops than another one, and vehicles depart as they arrive.

mod arrays;
mod labels;
mod legs;
mod parameters;
mod router;
mod search;
mod stops_by_x;
mod timetable;
mod transfers;

#[cfg(test)]
mod tests;

pub use labels::TransitRouterScratch;
pub use legs::{RideLeg, TransitLeg, TransitTrip, WalkLeg};
pub use parameters::TransitRouterParameters;
pub use router::{TransitRouter, TripRequest};
pub use timetable::{RouteDeparture, Timetable, TransferTime};
