//! Influence maps: values that spread from cell to cell, and so go round walls.

mod propagation;

pub use propagation::{InfluenceMap, Propagation};
