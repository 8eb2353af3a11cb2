//! The end of a day: agents forget and look at their stock, which is measured and consumed, and devices wear out.

use throng_device::cubecl::{self, prelude::*};
use throng_device::{exact, philox};

use super::device_value::component;
use super::{Day, column, memory, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, about, about_kind, number, number_of, number_of_kind, of_next, of_units, seed_of, set_of,
};
use crate::rules::assembly::{kept, worn};
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
        let set = set_of(tables, society, comptime!(shape.agents));
        let full = number_of(tables, &set, comptime!(number::FULL_ASSEMBLY));
        let of_owner = number_of(tables, &set, comptime!(number::OWNER_EXPERIENCE));
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
            let kind = tables.kinds[comptime!(about_kind::PRODUCTION) + place as usize];
            let below = about(tables, kind, comptime!(about_kind::MADE_OF));
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
                        for which in 0..about(tables, kind, comptime!(about_kind::COMPONENTS)) {
                            let other = component(recipes, society, kind, device as u32, which, shape);
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
        let set = set_of(tables, society, comptime!(shape.agents));
        let at = agent as usize * resources + unit;
        if unit < resources {
            let own = held[at];
            valued[at] = of_next(tables, &set, own);
            utilities[unit] = of_units(tables, &set, own);
            stock[unit] = own;
            held_before[at] = own;
            held[at] = own - consumed(tables, &set, society, agent % comptime!(shape.agents), UNIT_POS, own, day);
            let wear = number_of(tables, &set, comptime!(number::WEAR_MIN));
            for kind in 0..comptime!(shape.kinds) {
                let lifetime = number_of_kind(tables, &set, kind, comptime!(number::LIFETIME));
                let minutes = column(kind, agent, UNIT_POS, day, shape);
                owned_minutes[minutes] = worn(owned_minutes[minutes], lifetime, wear, set.zero);
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

/// How many of some units are consumed: a draw of 32 bits for each.
#[cube]
fn consumed(tables: &Tables, set: &Set, society: u32, entity: u32, resource: u32, units: u32, day: &Day) -> u32 {
    let (low, high) = seed_of(tables, society);
    let to = number_of(tables, set, comptime!(number::CONSUMED_TO)) as u32;
    let mut consumed = 0u32;
    let mut first = 0u32;
    while first < units {
        let block = philox::block(low, high, entity, day.number, purpose::CONSUMED | resource, first / 4u32);
        let left = units - first;
        consumed += select(block.first <= to, 1u32, 0u32);
        consumed += select(left > 1u32 && block.second <= to, 1u32, 0u32);
        consumed += select(left > 2u32 && block.third <= to, 1u32, 0u32);
        consumed += select(left > 3u32 && block.fourth <= to, 1u32, 0u32);
        first += 4u32;
    }
    consumed
}
