//! The kernels of a step. A kernel is thin: it selects an entity, checks whether anything is due, and calls a rule.
//!
//! Ownership keeps a step free of races. Nodes own the buffers of their in-links and the upstream ends of their
//! out-links; links own the rest of their state, including their stops. A vehicle in a buffer belongs to the node, with
//! its passengers. Nodes and links never run in the same half of a step. The only exceptions are atomics that notify a
//! link that it is due, that an agent departs on it or reaches one of its stops, and the counters of pools. A thread
//! may load words of others ahead of time, but uses none that may be changing.

// In kernels, arguments refer to device memory, and some of the suggested constructs do not exist in the device
// language.
#![allow(
    clippy::assign_op_pattern,
    clippy::collapsible_else_if,
    clippy::collapsible_if,
    clippy::let_and_return,
    clippy::manual_div_ceil,
    clippy::needless_pass_by_ref_mut,
    clippy::needless_range_loop,
    clippy::needless_bool,
    clippy::implicit_saturating_sub,
    clippy::trivially_copy_pass_by_ref,
    clippy::unreadable_literal,
    clippy::useless_conversion,
    clippy::identity_op
)]

mod agents;
mod calendar;
mod changes;
mod emit;
mod flow;
mod journey;
mod links;
mod lists;
mod next_step;
mod nodes;
mod passing;
mod persistent;
mod queue;
mod state;
mod transit;
mod upstream_end;

pub use changes::change_links;
pub use journey::JourneyOnDevice;
pub use links::{LinkOnDevice, links_and_teleports};
pub use next_step::horizon;
pub use nodes::{NodeOnDevice, agents_and_nodes};
pub use persistent::many_steps;
pub use state::{DeviceStateLaunch, KernelConfig, RunParameters, StepParameters, TransitParameters, state_argument};
pub use transit::AtStopsOnDevice;
