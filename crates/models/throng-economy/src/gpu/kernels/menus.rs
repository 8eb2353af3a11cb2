//! Menus of agents. All pairs of resources are compared, but in parallel; a CPU thread inserts resources into a sorted
//! list instead.

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};

/// Returns the position of a resource on the menu of an agent, or [`NONE`]. The menu holds the resources in stock that
/// the agent values least; ties go to the lower index. `first` is the index of the agent's first resource in both
/// arrays.
#[cube]
pub fn rank(
    held: &SharedMemory<u32>,
    valued: &SharedMemory<f64>,
    unit: usize,
    first: usize,
    #[comptime] resources: usize,
    #[comptime] menu_size: u32,
) -> u32 {
    let own = valued[first + unit];
    let mut rank = 0u32;
    for other in 0..resources {
        let other_valued = valued[first + other];
        let is_before = other_valued < own || (other_valued == own && other < unit);
        rank += select(held[first + other] > 0u32 && is_before, 1u32, 0u32);
    }
    select(held[first + unit] > 0u32 && rank < menu_size, rank, NONE.runtime())
}
