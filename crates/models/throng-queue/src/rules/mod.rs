//! The rules of the queue model as small values and pure functions, one idea per file.
//!
//! Rules marked `#[cube]` are written once for all executors: the CPU executor calls them, and kernels inline them. A
//! rule that needs the state of a link or a node takes a view of it ([`node_transition::NodeView`],
//! [`link_exit::QueueView`]), which each executor implements for its own data structures. The other rules are computed
//! on the host before the first step. Nothing here depends on partitions, events or files.
//!
//! Some things have a text for each executor. A queue with passing is Java's heap: an array on the CPU, linked slots of
//! fixed memory on devices ([`vehicle_queue`]). The plan of an agent is continued by a loop over values on the CPU and, on
//! devices, by one over packed words, written such that the code for events occurs once. [`node_transition`] draws from
//! `throng_core::Philox` on the CPU and from `throng_device::philox` on devices, which has no 64-bit products.

#![allow(missing_docs, reason = "what #[cube] makes of an item has no documentation")]
#![allow(clippy::collapsible_if, clippy::assign_op_pattern, reason = "kernels need these forms")]

pub mod activity_end;
pub mod crossing;
pub mod flow_capacity;
pub mod inflow_capacity;
pub mod java_random;
pub mod link_exit;
pub mod link_speed;
pub mod node_selection;
pub mod node_transition;
pub mod storage_capacity;
pub mod upstream_end;
pub mod vehicle_queue;
