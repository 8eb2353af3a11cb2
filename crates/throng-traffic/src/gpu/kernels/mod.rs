//! The kernels of a step. A kernel is thin: which entity, is anything due, and a call of the rule.
//!
//! Who may write what keeps a step free of races. Nodes own the buffers of their in-links and the upstream ends of their
//! out-links; links own the rest of themselves. Nodes and links never run in the same launch, except where a link
//! is told something through an atomic: that it is due, or that somebody departs there.

mod agents;
mod calendar;
mod changes;
mod draw;
mod emit;
mod flow;
mod journey;
mod links;
mod lists;
mod next_step;
mod nodes;
mod passing;
mod queue;
mod waves;
mod world;

pub use changes::change_links;
pub use links::links_and_teleports;
pub use next_step::horizon;
pub use nodes::agents_and_nodes;
pub use world::{Fixed, NowLaunch, WorldLaunch};
