//! Agents make devices for themselves, and what they promised: a cube for each agent.

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

use super::device_market::remember_price;
use super::device_value::{Appraiser, assembly_factor, can_promise, cost_of_device, gross_benefit, whole_assembly_min};
use super::promises::promise;
use super::{Day, column, memory, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Tables, about, about_kind, assembly, is_present, number, number_of, number_of_kind, set_of,
};
use crate::society::MEMORY;

/// Agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
#[cube(launch_unchecked)]
pub fn make_for_themselves(
    tables: &Tables,
    held: &mut Array<u32>,
    experience: &Array<f64>,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    are_cut: &mut Array<u32>,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut stock = SharedMemory::<u32>::new(resources);
    let mut below = SharedMemory::<f64>::new(resources);
    let mut gains = SharedMemory::<f64>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    let is_resource = unit < resources;
    if agent < day.all_agents {
        let society = agent / comptime!(shape.agents);
        let set = set_of(tables, society, comptime!(shape.agents));
        let at = (agent * comptime!(shape.resources) + own) as usize;
        let own_experience = experience[at];
        let appraiser = Appraiser {
            agent,
            society,
            first: 0u32.runtime(),
            gain_per_min: agent_minutes.gain_per_min[agent as usize],
        };
        let mut set_aside = agent_minutes.set_aside[agent as usize];
        let mut gained = agent_minutes.gained[agent as usize];
        if is_resource {
            stock[unit] = held[at];
        }
        let lifetime = number_of_kind(tables, &set, kind, comptime!(number::LIFETIME));
        let enough_min = number_of(tables, &set, comptime!(number::STOCK_MIN));
        let is_for_extraction = about(tables, kind, comptime!(about_kind::ASSEMBLES)) == NONE;
        let mut goes_on = is_present(tables, agent % comptime!(shape.agents));
        sync_cube();
        while goes_on {
            let minutes = whole_assembly_min(tables, &set, owned, recipes, &mut below, &appraiser, kind, day, shape);
            let cost = cost_of_device(tables, &set, owned, recipes, &stock, &mut below, &appraiser, kind, day, shape);
            let mut has_min = 0.0f64;
            for other in 0..comptime!(shape.extracting) {
                has_min += owned.minutes[column(other, agent, own, day, shape)];
            }
            let needs = !is_for_extraction || has_min < enough_min;
            let mut gain = 0.0f64;
            if can_promise(tables, &set, owned, recipes, &stock, &appraiser, kind, set_aside, minutes, day, shape)
                && needs
            {
                let held = stock[own as usize];
                gain = gross_benefit(tables, &set, owned, kind, &appraiser, held, own_experience, day, shape) - cost;
            }
            if is_resource {
                gains[unit] = gain;
            }
            sync_cube();
            let mut most = 0.0f64;
            let mut chosen = NONE.runtime();
            for resource in 0..resources {
                let is_better = gains[resource] > most;
                chosen = select(is_better, resource as u32, chosen);
                most = select(is_better, gains[resource], most);
            }
            goes_on = chosen != NONE;
            if goes_on {
                gained += most;
                let cost = below[chosen as usize];
                let before = exact::copied(set_aside);
                set_aside =
                    promise(tables, &set, owned, recipes, &mut stock, &appraiser, kind, chosen, before, day, shape);
                if UNIT_POS == chosen {
                    owned.minutes[column(kind, agent, chosen, day, shape)] += lifetime;
                    remember_price(owned, kind, &appraiser, chosen, -cost, day, shape);
                }
            }
            sync_cube();
        }
        if is_resource {
            held[at] = stock[unit];
        }
        if UNIT_POS == 0u32 {
            agent_minutes.set_aside[agent as usize] = set_aside;
            agent_minutes.gained[agent as usize] = gained;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}

/// Promised devices are made, components first. The time is taken from the next extraction.
#[cube(launch_unchecked)]
pub fn produce(
    tables: &Tables,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    are_cut: &mut Array<u32>,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut times = SharedMemory::<f64>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    if agent < day.all_agents {
        let set = set_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        let mut overtime = agent_minutes.overtime[agent as usize];
        for place in 0..comptime!(shape.kinds) {
            let kind = tables.kinds[comptime!(about_kind::PRODUCTION) + place as usize];
            if unit < resources {
                let at = column(kind, agent, own, day, shape);
                let with = about(tables, kind, comptime!(about_kind::ASSEMBLED_WITH));
                let added = number_of_kind(tables, &set, kind, comptime!(number::EXPERIENCE));
                for step in 1..comptime!(MEMORY as u32) {
                    let age = comptime!(MEMORY as u32) - step;
                    owned.made[memory(kind, age, agent, own, day, shape)] =
                        owned.made[memory(kind, age - 1u32, agent, own, day, shape)];
                }
                let count = owned.to_make[at];
                owned.made[memory(kind, 0u32.runtime(), agent, own, day, shape)] = count;
                owned.to_make[at] = 0u32;
                let mut sum = 0.0f64;
                for _ in 0..count {
                    let factor = assembly_factor(tables, &set, owned, kind, agent, own, day, shape);
                    let minutes = assembly(tables, &set, owned.experience[at]) / factor;
                    if factor > 1.0f64 && with != NONE {
                        let left = column(with, agent, own, day, shape);
                        owned.minutes[left] = exact::greater::<f64>(owned.minutes[left] - minutes, 0.0f64);
                    }
                    owned.experience[at] += added / factor;
                    sum += minutes;
                }
                times[unit] = sum;
            }
            sync_cube();
            for resource in 0..resources {
                overtime += times[resource];
            }
            sync_cube();
        }
        if UNIT_POS == 0u32 {
            agent_minutes.overtime[agent as usize] = overtime;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}
