//! Influence maps: values that spread from cell to cell, and therefore around walls.
//!
//! * [`InfluenceMap`] propagates the strongest influence, as games do: fast, with sharp edges where paths meet.
//! * [`Teams`] has an influence map per team, and views of several of them: the team that holds a cell, the front line.
//! * [`DiffusionMap`] spreads amounts, like heat and scents: sources add up, and only decay reduces the total.

mod diffusion;
mod exchange;
mod passes;
mod propagation;
mod rows;
mod series;
mod sources;
mod sweep;
mod teams;

pub use diffusion::{Diffusion, DiffusionMap};
#[cfg(feature = "gpu")]
pub use propagation::Weights;
pub use propagation::{InfluenceMap, Propagation};
pub use sources::open_cell;
pub use teams::Teams;
