//! Scheduled shocks: a resource runs out, or an agent leaves. The CPU replaces the agent with a new one; here each unit
//! overwrites the columns of its resource.

use super::{Day, column, memory};
use crate::gpu::buffers::{Minutes, Owned, Stock};
use crate::gpu::model::model_of;
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::prelude::*;
use crate::society::MEMORY;

/// Removes the devices for the resource and, together with its stock, also the experience in it. A unit for each agent.
#[cube(launch_unchecked)]
pub fn remove_resource(
    tables: &Tables,
    stock: &mut Stock,
    owned_minutes: &mut Array<f64>,
    resource: u32,
    day: &Day,
    #[comptime] with_stock: bool,
    #[comptime] shape: Shape,
) {
    let agent = ABSOLUTE_POS as u32;
    if agent < day.all_agents {
        for kind in 0..comptime!(shape.kinds) {
            owned_minutes[column(kind, agent, resource, day, shape)] = 0.0f64;
        }
        if comptime!(with_stock) {
            let at = (agent * comptime!(shape.resources) + resource) as usize;
            let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
            stock.held[at] = 0u32;
            stock.experience[at] = 0.0f64;
            stock.valued[at] = model.of_next(0u32.runtime());
        }
    }
}

/// Removes an agent with all its possessions: a cube for each society.
#[cube(launch_unchecked)]
pub fn remove_agent(
    tables: &Tables,
    stock: &mut Stock,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    number: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let agent = society * comptime!(shape.agents) + number;
    let model = model_of(tables, society, comptime!(shape.agents));
    if UNIT_POS < comptime!(shape.resources) {
        let at = (agent * comptime!(shape.resources) + UNIT_POS) as usize;
        stock.held[at] = 0u32;
        stock.experience[at] = 0.0f64;
        stock.valued[at] = model.of_next(0u32.runtime());
        for kind in 0..comptime!(shape.kinds) {
            let own = column(kind, agent, UNIT_POS, day, shape);
            owned.minutes[own] = 0.0f64;
            owned.experience[own] = 0.0f64;
            for age in 0..comptime!(MEMORY as u32) {
                owned.prices[memory(kind, age, agent, UNIT_POS, day, shape)] = 0.0f64;
                owned.made[memory(kind, age, agent, UNIT_POS, day, shape)] = 0u32;
            }
        }
    }
    for kind in 0..comptime!(shape.kinds) {
        let first = (kind * day.all_agents + agent) * comptime!(shape.partners);
        let mut place = UNIT_POS;
        while place < comptime!(shape.partners) {
            let at = (first + place) as usize;
            owned.partners[at] = NONE;
            for age in 0..comptime!(MEMORY) {
                owned.surplus[at * comptime!(MEMORY) + age] = 0.0f64;
            }
            place += CUBE_DIM;
        }
    }
    if UNIT_POS == 0u32 {
        agent_minutes.gain_per_min[agent as usize] = 0.0f64;
        agent_minutes.set_aside[agent as usize] = 0.0f64;
        agent_minutes.overtime[agent as usize] = 0.0f64;
        agent_minutes.gained[agent as usize] = 0.0f64;
        agent_minutes.clock[agent as usize] = 0.0f64;
    }
}
