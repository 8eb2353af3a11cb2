//! The rules of the queue model as small values and pure functions, one idea per file.
//!
//! The executor on threads calls these, and both executors call those that need no state of a step: capacities, travel
//! times, the kinds of rules. Kernels still have their own text of the others, in `gpu/kernels`, which tests compare with
//! this one. Nothing here depends on partitions, events or files.

pub mod activity_end;
pub mod flow_capacity;
pub mod holes;
pub mod inflow_capacity;
pub mod java_random;
pub mod link_speed;
pub mod node_selection;
pub mod node_transition;
pub mod step_clock;
pub mod storage_capacity;
pub mod upstream_end;
pub mod vehicle_queue;
