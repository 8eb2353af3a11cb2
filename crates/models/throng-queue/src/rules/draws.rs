//! The random numbers of the model, each a function of the seed and of a counter.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// The counter of a random number, in the terms of `throng_core::Philox`.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    pub entity: u32,
    pub step: u32,
    pub purpose: u32,
    pub index: u32,
}

/// The counter of draw `index` of a node in a step. `node` is its number in the scenario.
#[cube]
#[inline]
pub fn node_draw(node: u32, step: u32, index: u32) -> Counter {
    Counter { entity: node, step, purpose: 1u32.runtime(), index }
}
