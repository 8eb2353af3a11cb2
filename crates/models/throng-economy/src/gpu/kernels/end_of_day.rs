//! The end of a day: agents forget and look at their stock, which is measured and consumed, and devices wear out.

use super::{Day, column, memory, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays};
use crate::gpu::model::model_of;
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::assembly::{kept, worn};
use crate::rules::consumption::consumed;
use crate::rules::prelude::*;
use crate::society::purpose;

/// The end of the day for those who can make devices: a cube for each agent.
#[cube(launch_unchecked)]
pub fn forget_assembly(
    tables: &Tables,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut is_able = SharedMemory::<u32>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    if agent < day.all_agents {
        let society = agent / comptime!(shape.agents);
        let model = model_of(tables, society, comptime!(shape.agents));
        let full = model.number(comptime!(number::FULL_ASSEMBLY));
        let of_owner = model.number(comptime!(number::OWNER_EXPERIENCE));
        if unit < resources {
            for kind in 0..comptime!(shape.kinds) {
                let at = column(kind, agent, own, day, shape);
                let made = owned.made[memory(kind, 0u32.runtime(), agent, own, day, shape)];
                owned.experience[at] = kept(owned.experience[at], made, owned.minutes[at], full, of_owner);
            }
        }
        // An agent that can make a device can make its components: from the last kind of production to the first.
        for step in 1..comptime!(shape.kinds) {
            let place = comptime!(shape.kinds) - step;
            let kind = model.in_production(place);
            let below = model.about(kind, comptime!(about_kind::MADE_OF));
            sync_cube();
            if unit < resources {
                let is_own = owned.experience[column(kind, agent, own, day, shape)] > 0.0f64;
                is_able[unit] = select(is_own, 1u32, 0u32);
            }
            sync_cube();
            if unit < resources && below != NONE {
                let mut is_component = false;
                for device in 0..resources {
                    if is_able[device] == 1u32 {
                        for which in 0..model.about(kind, comptime!(about_kind::COMPONENTS)) {
                            let recipe =
                                (society * comptime!(shape.kinds) + kind) * comptime!(shape.resources) + device as u32;
                            let other = recipes.components[(recipe * comptime!(shape.components) + which) as usize];
                            is_component = is_component || other == own;
                        }
                    }
                }
                if is_component {
                    let at = column(below, agent, own, day, shape);
                    owned.experience[at] = exact::greater::<f64>(owned.experience[at], 1.0f64);
                }
            }
        }
        if UNIT_POS == 0u32 {
            agent_minutes.set_aside[agent as usize] = agent_minutes.overtime[agent as usize];
            agent_minutes.gained[agent as usize] = 0.0f64;
        }
    }
}

/// The evening of all agents, a cube for each. `utility`, `held_before` and `units_held` are measured before consumption.
#[cube(launch_unchecked)]
pub fn end_day(
    tables: &Tables,
    held: &mut Array<u32>,
    valued: &mut Array<f64>,
    owned_minutes: &mut Array<f64>,
    utility: &mut Array<f64>,
    held_before: &mut Array<u32>,
    units_held: &mut Array<u32>,
    are_cut: &mut Array<u32>,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut utilities = SharedMemory::<f64>::new(resources);
    let mut stock = SharedMemory::<u32>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if agent < day.all_agents {
        let society = agent / comptime!(shape.agents);
        let model = model_of(tables, society, comptime!(shape.agents));
        let at = agent as usize * resources + unit;
        if unit < resources {
            let own = held[at];
            valued[at] = model.of_next(own);
            utilities[unit] = model.of_units(own);
            stock[unit] = own;
            held_before[at] = own;
            let purpose = comptime!(purpose::CONSUMED).runtime() | UNIT_POS;
            let draws = model.draws(agent % comptime!(shape.agents), day.number, purpose);
            held[at] = own - consumed(&draws, own, model.number(comptime!(number::CONSUMED_TO)) as u32);
            let wear = model.number(comptime!(number::WEAR_MIN));
            for kind in 0..comptime!(shape.kinds) {
                let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
                let minutes = column(kind, agent, UNIT_POS, day, shape);
                owned_minutes[minutes] = worn(owned_minutes[minutes], lifetime, wear, model.zero());
            }
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            // One after the other: sums of floats depend on the order.
            let mut sum = 0.0f64;
            let mut units = 0u32;
            for resource in 0..resources {
                sum += utilities[resource];
                units += stock[resource];
            }
            utility[agent as usize] = sum;
            units_held[agent as usize] = units;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}
