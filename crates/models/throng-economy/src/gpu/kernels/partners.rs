//! Random orders of agents: which of them meet in a round, and the order in which they invent.

use throng_device::KernelParameter;
use throng_device::cube::shuffle;
use throng_device::cubecl::{self, prelude::*};

use crate::gpu::model::model_of;
use crate::gpu::tables::Tables;

/// The orders of a day.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Orders {
    /// Orders of all societies, and of each.
    pub all: u32,
    pub of_society: u32,
    /// Agents in an order, and the places that it takes.
    pub agents: u32,
    pub places: u32,
    pub day: u32,
    /// Of the draws; the number of the order is added.
    pub purpose: u32,
}

/// Writes orders of members, `[society][order][place]`: a cube for each.
#[cube(launch_unchecked)]
pub fn draw_orders(
    tables: &Tables,
    members: &Array<u32>,
    written: &mut Array<u32>,
    orders: &Orders,
    #[comptime] most: usize,
) {
    let mut order = SharedMemory::<u32>::new(most);
    let cube = CUBE_POS as u32;
    if cube < orders.all {
        let number = cube % orders.of_society;
        let society = cube / orders.of_society;
        let model = model_of(tables, society, comptime!(most as u32));
        let draws = model.draws(0u32.runtime(), orders.day, orders.purpose | number);
        shuffle(orders.agents, &draws, &mut order, most);
        let mut place = UNIT_POS;
        while place < orders.agents {
            written[(cube * orders.places + place) as usize] = members[order[place as usize] as usize];
            place += CUBE_DIM;
        }
    }
}
