//! The phases of a day for many societies: a cube for each agent, pair or society, a unit for each resource. Each
//! unit accesses only its own resource's data of the agents; all units compute shared results, such as a sum in order.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "on the host, shared memory is a name without a value")]

pub mod barter;
pub mod device_market;
pub mod device_partners;
pub mod end_of_day;
pub mod extraction;
pub mod invention;
pub mod measures;
pub mod menus;
pub mod partners;
pub mod production;
pub mod removals;

use throng_device::cubecl::{self, prelude::*};
use throng_device::{KernelParameter, loops};

use super::shape::Shape;

/// Arguments common to the kernels of a day.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Day {
    /// Agents of all societies.
    pub all_agents: u32,
    /// Index of the day, from 1.
    pub number: u32,
    /// Always 2: an argument of [`report_cut_loops`] that must not be a compile-time constant.
    pub loop_probe: u32,
}

// Views hold a reference to it.
impl CubeType for &Day {
    type ExpandType = DayExpand;
}

/// Reports if the driver ended loops of this kernel early: its results are wrong then.
#[cube]
pub fn report_cut_loops(are_cut: &mut Array<u32>, loop_probe: u32) {
    if loops::are_cut(loop_probe) {
        are_cut[0] = 1u32;
    }
}

/// Index of an agent's devices of a kind for a resource. `agent` counts the agents of all societies.
#[cube]
pub fn column(kind: u32, agent: u32, resource: u32, day: &Day, #[comptime] shape: Shape) -> usize {
    ((kind * day.all_agents + agent) * comptime!(shape.resources) + resource) as usize
}

/// Index of an entry in the agent's memory of these devices.
#[cube]
pub fn memory(kind: u32, age: u32, agent: u32, resource: u32, day: &Day, #[comptime] shape: Shape) -> usize {
    column(kind * comptime!(crate::society::MEMORY as u32) + age, agent, resource, day, shape)
}
