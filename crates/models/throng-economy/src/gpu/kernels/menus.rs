//! What agents offer: as many comparisons as pairs of resources, but side by side, where one thread inserts into a list.

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};

/// The place of a resource on the menu of an agent, or [`NONE`]. On a menu are the resources in stock that the agent
/// values least; of equal ones the smaller number comes first. `first` is the place of the agent's first resource in both
/// lists.
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
