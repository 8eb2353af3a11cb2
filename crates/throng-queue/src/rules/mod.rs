//! The rules of the queue model as small values and pure functions, one idea per file.
//!
//! Every executor calls these; they do not depend on partitions, events or files.

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
