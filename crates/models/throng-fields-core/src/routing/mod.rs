//! Paths to goals: costs from fields, travel times and directions from costs, and crowds that walk to the goals.
//!
//! * [`Danger`], [`costs_by`] and [`uniform_costs`] turn fields and masks into costs.
//! * [`TravelTimes`] are the times to the nearest goal over such costs, and a [`FlowField`] has a direction at every
//!   position.
//! * A [`Crowd`] walks on a [`Ground`], with a [`Steering`]: up or down a field as perceived by a [`Sense`], or along a
//!   flow field. [`Measures`] describe its progress. Its agents may be on different [`Course`]s.
//! * A [`Planner`] chooses among several goals by their worth and the travel time to each.
//! * Agents with a [`Body`] take up space: [`walk_together`] moves several crowds that keep apart.
//!   [`Ground::for_bodies`] excludes cells in which they do not fit between walls.
//! * In a [`Formation`], agents keep slots of a shape that moves along a flow field.
//! * [`maps`] has small maps for comparisons.

mod agent;
mod bodies;
mod clearance;
mod cost;
mod course;
mod crowd;
mod descent;
mod flow_field;
mod formation;
mod gathered;
mod grid_descent;
mod ground;
pub mod maps;
mod measures;
mod nearby;
mod planner;
mod steering;
mod travel_times;

pub use bodies::{Body, walk_together};
pub use clearance::walkable;
pub use cost::{Danger, costs_by, uniform_costs};
pub use course::Course;
pub use crowd::{AgentState, Crowd};
pub use flow_field::FlowField;
pub use formation::{Formation, FormationShape};
pub use ground::Ground;
pub use measures::Measures;
pub use nearby::Nearby;
pub use planner::Planner;
pub use steering::{Sense, Steering, Trail};
#[cfg(feature = "gpu")]
pub use travel_times::{NEVER, Task, rules};
pub use travel_times::{Order, Scheme, TravelTimes};

/// The purposes of random draws, used as the third counter of a draw, so that no draw is used twice.
mod purpose {
    pub(super) const NOISE: u32 = 0;
    pub(super) const MAZE: u32 = 1;
    pub(super) const START: u32 = 2;
    pub(super) const APART: u32 = 3;
}
