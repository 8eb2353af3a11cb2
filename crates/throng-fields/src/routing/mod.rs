//! Ways to goals: costs from fields, travel times over them, the directions that follow, and crowds that go there.
//!
//! * [`Danger`], [`costs_by`] and [`uniform_costs`] turn fields and masks into costs.
//! * [`TravelTimes`] are the times to the nearest goal over such costs, and a [`FlowField`] has a direction per cell.
//! * A [`Crowd`] walks on a [`Ground`], by a [`Steering`]: up or down a field as a [`Sense`] feels it, or along a flow field.
//!   [`Measures`] tell how it fared.
//! * [`maps`] has small maps on which that can be compared.

mod cost;
mod crowd;
mod flow_field;
mod ground;
pub mod maps;
mod measures;
mod steering;
mod travel_times;

pub use cost::{Danger, costs_by, uniform_costs};
pub use crowd::Crowd;
pub use flow_field::FlowField;
pub use ground::Ground;
pub use measures::Measures;
pub use steering::{Sense, Steering, Trail};
pub use travel_times::TravelTimes;
#[cfg(feature = "gpu")]
pub(crate) use travel_times::{NEVER, godunov};

/// What random draws are for: the third number of a draw, so that none is used twice.
mod purpose {
    pub(super) const NOISE: u32 = 0;
    pub(super) const MAZE: u32 = 1;
    pub(super) const START: u32 = 2;
}
