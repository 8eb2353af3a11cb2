//! Random orders of agents, for the pairs of each round and for inventions.

use throng_device::KernelParameter;
use throng_device::cube::shuffle;
use throng_device::cubecl::{self, prelude::*};

use crate::gpu::model::model_of;
use crate::gpu::tables::Tables;

/// The orders of a day.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Orders {
    /// Number of orders of all societies, and per society.
    pub all: u32,
    pub of_society: u32,
    /// Number of agents in an order, and its stride in elements.
    pub agents: u32,
    pub places: u32,
    pub day: u32,
    /// Purpose of the draws; the index of the order is added.
    pub purpose: u32,
}

/// Writes random orders of the members as `[society][order][index]`, one cube per order.
#[cube(launch_unchecked)]
pub fn draw_orders(
    tables: &Tables,
    members: &Array<u32>,
    written: &mut Array<u32>,
    orders: &Orders,
    #[comptime] society_size: usize,
) {
    let mut order = SharedMemory::<u32>::new(society_size);
    let cube = CUBE_POS as u32;
    if cube < orders.all {
        let number = cube % orders.of_society;
        let society = cube / orders.of_society;
        let model = model_of(tables, society, comptime!(society_size as u32));
        let draws = model.draws(0u32.runtime(), orders.day, orders.purpose | number);
        shuffle(orders.agents, &draws, &mut order, society_size);
        let mut place = UNIT_POS;
        while place < orders.agents {
            written[(cube * orders.places + place) as usize] = members[order[place as usize] as usize];
            place += CUBE_DIM;
        }
    }
}
