//! Agents make devices for themselves, and what they promised: a cube for each agent.

use throng_device::cubecl::{self, prelude::*};
use throng_device::team::CubeTeam;

use super::{Day, report_cut_loops};
use crate::gpu::agents::{AgentsOnDevice, agents_of};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays, Stock};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::production::{make_for_itself, make_promised};
use crate::rules::promises::lists;

/// Agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
#[cube(launch_unchecked)]
pub fn make_for_themselves(
    tables: &Tables,
    stock: &mut Stock,
    minutes: &mut Minutes,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    are_cut: &mut Array<u32>,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let agent = CUBE_POS as u32;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        if model.is_present(agent % comptime!(shape.agents)) {
            let mut team = CubeTeam::new(comptime!(shape.resources), comptime!(lists(shape.resources)));
            let mut agents = agents_of(tables, stock, minutes, owned, recipes, day, agent, agent, shape);
            agents.load(stock, false);
            make_for_itself::<ModelOnDevice<'_>, AgentsOnDevice<'_>, CubeTeam>(&model, &mut agents, &mut team, kind);
            agents.store(stock, minutes, false);
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}

/// Promised devices are made, components first. The time is taken from the next extraction.
#[cube(launch_unchecked)]
pub fn produce(
    tables: &Tables,
    stock: &Stock,
    minutes: &mut Minutes,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    are_cut: &mut Array<u32>,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut times = SharedMemory::<f64>::new(resources);
    let agent = CUBE_POS as u32;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        let mut agents = agents_of(tables, stock, minutes, owned, recipes, day, agent, agent, shape);
        let mut overtime = minutes.overtime[agent as usize];
        for place in 0..comptime!(shape.kinds) {
            let kind = model.in_production(place);
            if UNIT_POS < comptime!(shape.resources) {
                let minutes = make_promised::<ModelOnDevice<'_>, AgentsOnDevice<'_>>(
                    &model,
                    &mut agents,
                    0u32.runtime(),
                    kind,
                    UNIT_POS,
                );
                times[UNIT_POS as usize] = minutes;
            }
            sync_cube();
            for resource in 0..resources {
                overtime += times[resource];
            }
            sync_cube();
        }
        if UNIT_POS == 0u32 {
            minutes.overtime[agent as usize] = overtime;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}
