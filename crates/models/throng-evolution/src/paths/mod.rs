//! Time-dependent least-cost paths.
//!
//! * [`LinkDisutility`] is the cost of a link: travel time and length, weighted by a person's preferences.
//! * [`LeastCostRouter`] finds the path of least cost between two links, at the travel times of an iteration.
//! * [`PathScratch`] is the memory of one search; keep one per thread.
//!
//! [`routing`](throng_traffic_scenario::routing) has fastest paths at free speed, with integer costs and another rule
//! for ties.
//!
//! # Which path
//! The rules are those of MATSim's Dijkstra.
//!
//! * A path leads from the end of the start link to the beginning of the end link, so travel time and cost include
//!   neither. If both links are the same, the path is empty, and time and distance are 0.
//! * A link has the travel time and the cost of the time at which it is entered. Vehicles do not wait.
//! * A node keeps the time of its cheapest path. Where a costlier path arrives earlier, and the cost of later links
//!   falls with time, the result is therefore not necessarily the path of least cost. With travel times that do not let
//!   vehicles overtake and without a cost of distance, it is.
//! * Of paths to a node with exactly equal costs, the one whose last link has the smallest id in text order is taken.
//!
//! The default of MATSim, `AStarLandmarks`, finds paths of the same cost, but resolves ties in an order that depends on
//! rounding. [`LeastCostRouter`] with landmarks finds the same paths as without, ties included; see
//! [`LeastCostRouter::set_least_travel_times`].

mod alt;
mod dijkstra;
mod disutility;
mod router;

pub use disutility::LinkDisutility;
pub use router::{LeastCostRouter, Path, PathQuery, PathScratch};
