//! The random numbers of the model, each a function of the seed and a counter.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::philox::Counter;

/// Returns the counter of draw `index` of a node in a step. `node` is its index in the scenario.
#[cube]
#[inline]
pub fn node_draw(node: u32, step: u32, index: u32) -> Counter {
    Counter { entity: node, step, purpose: 1u32.runtime(), index }
}
