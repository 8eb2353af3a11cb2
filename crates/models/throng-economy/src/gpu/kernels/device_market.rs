//! The market of a kind of device: a cube for each pair, with the stock of both in shared memory.

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};
use throng_device::team::CubeTeam;

use super::device_partners::DeviceRound;
use super::{Day, report_cut_loops};
use crate::gpu::agents::{AgentArrays, AgentsOnDevice, agents_of, sides_of};
use crate::gpu::buffers::RecipeArrays;
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::device_market;

/// Executes a round of the market of all pairs.
#[cube(launch_unchecked)]
pub fn trade_devices(
    tables: &Tables,
    recipes: &RecipeArrays,
    pairs: &Array<u32>,
    arrays: &mut AgentArrays,
    market: &DeviceRound,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let pair = CUBE_POS as u32;
    let at = 2 * min(pair, market.all_pairs - 1u32) as usize;
    if pair < market.all_pairs && pairs[at] != NONE {
        let society = pair / market.pairs;
        let model = model_of(tables, society, comptime!(shape.agents));
        let mut team = CubeTeam::new(
            comptime!(shape.resources),
            comptime!(device_market::lists(shape.resources, shape.menu_size)),
        );
        let first = society * comptime!(shape.agents) + pairs[at];
        let second = society * comptime!(shape.agents) + pairs[at + 1];
        let sides = sides_of(&arrays.stock, &arrays.minutes, first, second, shape);
        let mut agents = agents_of(tables, &mut arrays.owned, recipes, day, sides, shape);
        agents.load(&arrays.stock, true);
        device_market::trade_devices::<ModelOnDevice<'_>, AgentsOnDevice<'_>, CubeTeam>(
            &model,
            &mut agents,
            &mut team,
            market.kind,
            market.attempts,
        );
        agents.store(&mut arrays.stock, &mut arrays.minutes, true);
        report_cut_loops(&mut arrays.are_cut, day.loop_probe);
    }
}
