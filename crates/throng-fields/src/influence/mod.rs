//! Influence maps: values that spread from cell to cell, and so go round walls.
//!
//! * [`InfluenceMap`] hands on the strongest influence, as games do: quick, and sharp where ways meet.
//! * [`Teams`] holds a map for each team, and the views that follow from several: who holds a cell, where the front is.
//! * [`DiffusionMap`] spreads amounts, as heat and scents do: sources add up, and nothing is lost but by decay.

mod diffusion;
mod propagation;
mod sources;
mod teams;

pub use diffusion::{Diffusion, DiffusionMap};
pub use propagation::{InfluenceMap, Propagation};
#[cfg(feature = "gpu")]
pub(crate) use propagation::{Weights, WeightsLaunch};
pub(crate) use sources::open_cell;
pub use teams::Teams;
