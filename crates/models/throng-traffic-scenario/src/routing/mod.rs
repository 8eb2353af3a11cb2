//! Fastest paths at free speed, from link to link.
//!
//! * [`Router`] finds the links of the fastest path between two links on the empty network.
//! * [`Route`] is the result: links, time, distance.
//! * [`RouterScratch`] is the memory of one search, for callers that keep one per thread.
//!
//! # Which path
//! The cost of a link is its length divided by the lower of its free speed and the vehicle's maximum speed, rounded
//! once to whole nanoseconds (at least one). Costs add up as integers, so whether two paths tie does not depend on the
//! order of additions. Ties are resolved backwards from the destination: at every node, of all links by which a fastest
//! path can arrive there, the one whose id comes first in text order is taken. The path is therefore a function of the
//! network alone and not of the search: landmarks and heaps affect the speed, never the result.

mod components;
mod graph;
mod heap;
mod landmarks;
mod router;
mod search;
mod tree;

pub use components::{components, largest, strong_components};
pub use graph::{Adjacency, Edge, Graph};
pub use landmarks::{Landmarks, Target};
pub use router::{Route, Router, RouterScratch};
pub use search::{Search, SearchSpace};
