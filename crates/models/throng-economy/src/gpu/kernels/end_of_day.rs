//! The end of a day: agents value their stock, which is measured and consumed, and devices wear out.

use super::{Day, column, report_cut_loops};
use crate::gpu::model::model_of;
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::assembly::minutes_after_wear;
use crate::rules::consumption::consumed;
use crate::rules::prelude::*;
use crate::society::purpose;

/// State that the end of a day changes.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Evening {
    pub held: Array<u32>,
    pub valued: Array<f64>,
    pub owned_minutes: Array<f64>,
    /// Measured before consumption, as are `held_before` and `units_held`.
    pub utility: Array<f64>,
    pub held_before: Array<u32>,
    pub units_held: Array<u32>,
    pub are_cut: Array<u32>,
}

/// Ends the day of all agents, one cube per agent.
#[cube(launch_unchecked)]
pub fn end_day(tables: &Tables, evening: &mut Evening, day: &Day, #[comptime] shape: Shape) {
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
            let own = evening.held[at];
            evening.valued[at] = model.of_next(own);
            utilities[unit] = model.of_units(own);
            stock[unit] = own;
            evening.held_before[at] = own;
            let purpose = comptime!(purpose::CONSUMED).runtime() | UNIT_POS;
            let draws = model.draws(agent % comptime!(shape.agents), day.number, purpose);
            evening.held[at] = own - consumed(&draws, own, model.number(comptime!(number::CONSUMED_TO)) as u32);
            let wear = model.number(comptime!(number::WEAR_MIN));
            for kind in 0..comptime!(shape.kinds) {
                let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
                let minutes = column(kind, agent, UNIT_POS, day, shape);
                evening.owned_minutes[minutes] =
                    minutes_after_wear(evening.owned_minutes[minutes], lifetime, wear, model.zero());
            }
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            // Sequential: sums of floats depend on the order.
            let mut sum = 0.0f64;
            let mut units = 0u32;
            for resource in 0..resources {
                sum += utilities[resource];
                units += stock[resource];
            }
            evening.utility[agent as usize] = sum;
            evening.units_held[agent as usize] = units;
        }
        report_cut_loops(&mut evening.are_cut, day.loop_probe);
    }
}
