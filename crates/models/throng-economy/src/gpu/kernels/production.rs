//! Production: agents make devices for themselves, make promised devices, and forget. A cube for each agent.

use throng_device::KernelArrays;
use throng_device::cubecl::{self, prelude::*};
use throng_device::team::CubeTeam;

use super::{Day, report_cut_loops};
use crate::gpu::agents::{AgentArrays, AgentsOnDevice, agents_of, sides_of};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays, Stock};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::production::{self, make_for_itself};
use crate::rules::promises::lists;

/// State that agents change when they produce promised devices or forget.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct ProducerArrays {
    pub minutes: Minutes,
    pub owned: Owned,
    pub are_cut: Array<u32>,
}

/// Lets agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
#[cube(launch_unchecked)]
pub fn make_for_themselves(
    tables: &Tables,
    recipes: &RecipeArrays,
    arrays: &mut AgentArrays,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let agent = CUBE_POS as u32;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        if model.is_present(agent % comptime!(shape.agents)) {
            let mut team = CubeTeam::new(comptime!(shape.resources), comptime!(lists(shape.resources)));
            let sides = sides_of(&arrays.stock, &arrays.minutes, agent, agent, shape);
            let mut agents = agents_of(tables, &mut arrays.owned, recipes, day, sides, shape);
            agents.load(&arrays.stock, false);
            make_for_itself::<ModelOnDevice<'_>, AgentsOnDevice<'_>, CubeTeam>(&model, &mut agents, &mut team, kind);
            agents.store(&mut arrays.stock, &mut arrays.minutes, false);
        }
        report_cut_loops(&mut arrays.are_cut, day.loop_probe);
    }
}

/// Makes the promised devices.
#[cube(launch_unchecked)]
pub fn produce(
    tables: &Tables,
    stock: &Stock,
    recipes: &RecipeArrays,
    arrays: &mut ProducerArrays,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let agent = CUBE_POS as u32;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        let mut team = CubeTeam::new(comptime!(shape.resources), comptime!(lists(shape.resources)));
        let sides = sides_of(stock, &arrays.minutes, agent, agent, shape);
        let mut agents = agents_of(tables, &mut arrays.owned, recipes, day, sides, shape);
        let overtime = production::produce::<ModelOnDevice<'_>, AgentsOnDevice<'_>, CubeTeam>(
            &model,
            &mut agents,
            &mut team,
            0u32.runtime(),
            arrays.minutes.overtime[agent as usize],
        );
        if UNIT_POS == 0u32 {
            arrays.minutes.overtime[agent as usize] = overtime;
        }
        report_cut_loops(&mut arrays.are_cut, day.loop_probe);
    }
}

/// Ends the day of agents that can make devices.
#[cube(launch_unchecked)]
pub fn forget_assembly(
    tables: &Tables,
    stock: &Stock,
    recipes: &RecipeArrays,
    arrays: &mut ProducerArrays,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let agent = CUBE_POS as u32;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        let mut team = CubeTeam::new(comptime!(shape.resources), comptime!(lists(shape.resources)));
        let sides = sides_of(stock, &arrays.minutes, agent, agent, shape);
        let mut agents = agents_of(tables, &mut arrays.owned, recipes, day, sides, shape);
        production::forget_assembly::<ModelOnDevice<'_>, AgentsOnDevice<'_>, CubeTeam>(
            &model,
            &mut agents,
            &mut team,
            0u32.runtime(),
        );
        // All units have read the values that one of them replaces.
        sync_storage();
        if UNIT_POS == 0u32 {
            arrays.minutes.set_aside[agent as usize] = arrays.minutes.overtime[agent as usize];
            arrays.minutes.gained[agent as usize] = 0.0f64;
        }
        report_cut_loops(&mut arrays.are_cut, day.loop_probe);
    }
}
