//! The rules of the queue model as small values and pure functions, one idea per file.
//!
//! Rules marked `#[cube]` are written once for all executors: the CPU executor calls them, and kernels inline them. A
//! rule that needs the state of a link, a node or an agent takes a view of it ([`link_step::LinkView`],
//! [`node_transition::NodeView`], [`journey::JourneyView`]), which each executor implements for its own data
//! structures. The other rules are computed on the host before the first step. Nothing here depends on partitions,
//! events or files.
//!
//! Some code exists once per executor. A queue with passing is Java's heap: an array on the CPU, linked slots of fixed
//! memory on devices ([`vehicle_queue`]). The CPU updates holes and inflow only when needed, devices in each step.
//! [`draws`] are made by `throng_core::Philox` on the CPU and by `throng_device::philox` on devices, which lack 64-bit
//! products.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, clippy::assign_op_pattern, reason = "kernels need these forms")]

pub mod activity_end;
pub mod crossing;
pub mod draws;
pub mod flow_capacity;
pub mod inflow_capacity;
pub mod java_random;
pub mod journey;
pub mod link_speed;
pub mod link_step;
pub mod node_selection;
pub mod node_transition;
pub mod storage_capacity;
pub mod upstream_end;
pub mod vehicle_queue;
