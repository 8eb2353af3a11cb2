//! The end of a day: agents value their stock, which is measured and consumed, and devices wear out.

use super::{Day, column, report_cut_loops};
use crate::gpu::model::model_of;
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::assembly::minutes_after_wear;
use crate::rules::consumption::consumed;
use crate::rules::prelude::*;
use crate::society::purpose;

/// Ends the day of all agents, one cube per agent. `utility`, `held_before` and `units_held` are measured before
/// consumption.
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
                owned_minutes[minutes] = minutes_after_wear(owned_minutes[minutes], lifetime, wear, model.zero());
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
            utility[agent as usize] = sum;
            units_held[agent as usize] = units;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}
