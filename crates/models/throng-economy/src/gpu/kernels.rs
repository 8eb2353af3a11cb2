//! The phases of a day for many societies: a cube for each agent, pair or society, a unit for each resource. A unit alone
//! reads and writes what an agent has of its resource, and all units compute what they have in common, such as a sum in order.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
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

/// What the kernels of a day have in common.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Day {
    /// Agents of all societies.
    pub all_agents: u32,
    /// The number of the day, from 1.
    pub number: u32,
    /// 2, for [`report_cut_loops`], which the compiler must not know.
    pub loop_probe: u32,
}

// Views borrow it.
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

/// Where an agent has its devices of a kind for a resource. Agents are those of all societies.
#[cube]
pub fn column(kind: u32, agent: u32, resource: u32, day: &Day, #[comptime] shape: Shape) -> usize {
    ((kind * day.all_agents + agent) * comptime!(shape.resources) + resource) as usize
}

/// The same for what it remembers.
#[cube]
pub fn memory(kind: u32, age: u32, agent: u32, resource: u32, day: &Day, #[comptime] shape: Shape) -> usize {
    column(kind * comptime!(crate::society::MEMORY as u32) + age, agent, resource, day, shape)
}
