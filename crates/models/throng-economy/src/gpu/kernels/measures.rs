//! The measures of a day: a cube for each society.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::{Buffer, KernelArrays, KernelParameter};

use super::{Day, memory, report_cut_loops};
use crate::devices::KINDS;
use crate::gpu::buffers::{Buffers, TodayBuffers};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::model::measures::MEASURES;
use crate::rules::inequality::{concentration, gini_coefficient};
use crate::rules::measures::{mean_complexity, place_of_quartile, share_by_hand};
use crate::rules::prelude::*;

/// Number of columns of a series: the measures of the model. The last ones are the devices made, by kind.
pub const COLUMNS: usize = MEASURES.len();

/// Column of the first kind of device.
const FIRST_KIND: usize = COLUMNS - KINDS;

/// Measurements of agents and pairs on a day.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct TodayArrays {
    /// Utility of agents today, yesterday and the day before.
    pub utility: Array<f64>,
    pub utility_before: Array<f64>,
    pub utility_two_before: Array<f64>,
    pub units_held: Array<u32>,
    pub units_with: Array<u32>,
    pub extracted: Array<u32>,
    pub traded: Array<u32>,
    pub made: Array<u32>,
    /// Buffers for sorting: a value per agent, and the values in ascending order.
    pub values: Array<f64>,
    pub sorted: Array<f64>,
}

impl<'b> TodayArraysBuffers<'b> {
    /// The measurements in these buffers.
    pub fn of(buffers: &'b Buffers, values: &'b Buffer<f64>, sorted: &'b Buffer<f64>) -> Self {
        let [utility, utility_before, utility_two_before] = &buffers.today.utility;
        let TodayBuffers { units_held, units_with, extracted, traded, .. } = &buffers.today;
        Self {
            utility,
            utility_before,
            utility_two_before,
            units_held,
            units_with,
            extracted,
            traded,
            made: &buffers.owned.made,
            values,
            sorted,
        }
    }
}

/// Destination of the measures.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Row {
    /// Row of the first society.
    pub first: u32,
    /// Agents that were not removed, and pairs per round of barter.
    pub present: u32,
    pub pairs: u32,
}

/// Computes the measures of each society. Sums over agents are not divided among units, since they take
/// little of a day's time. To rank a value, a unit counts the smaller ones; the CPU sorts the values instead.
#[cube(launch_unchecked)]
pub fn measure(
    tables: &Tables,
    today: &mut TodayArrays,
    series: &mut Array<f64>,
    are_cut: &mut Array<u32>,
    row: &Row,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let mut shares = SharedMemory::<f64>::new(resources);
    let mut quartiles = SharedMemory::<f64>::new(4usize);
    let mut extracted = SharedMemory::<f64>::new(resources);
    let mut made = SharedMemory::<u32>::new(comptime!((shape.kinds.max(1) * shape.resources) as usize));
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let unit = UNIT_POS as usize;
    let model = model_of(tables, society, comptime!(shape.agents));
    let first = society * comptime!(shape.agents);
    let at = comptime!(COLUMNS) * (row.first + society) as usize;
    let gini = gini(&model, today, first, row.present, shape);
    // Concentration of the extraction of each resource.
    if unit < resources {
        let mut sum = 0.0f64;
        let mut squares = 0.0f64;
        for agent in 0..comptime!(shape.agents) {
            let units = today.extracted[(first + agent) as usize * resources + unit] as f64;
            sum += units;
            squares += units * units;
        }
        extracted[unit] = sum;
        // -1, less than every fraction, where nothing was extracted.
        shares[unit] = select(sum > 0.0f64, concentration(squares, sum), -1.0f64);
        for kind in 0..comptime!(shape.kinds) {
            let mut devices = 0u32;
            for agent in 0..comptime!(shape.agents) {
                devices += today.made[memory(kind, 0u32.runtime(), first + agent, UNIT_POS, day, shape)];
            }
            made[(kind * comptime!(shape.resources) + UNIT_POS) as usize] = devices;
        }
    }
    if unit < 4usize {
        quartiles[unit] = 0.0f64;
    }
    sync_cube();
    let mut all_extracted = 0.0f64;
    let mut count = 0u32;
    for resource in 0..resources {
        all_extracted += extracted[resource];
        count += select(shares[resource] > 0.0f64, 1u32, 0u32);
    }
    let own = shares[min(unit, resources - 1)];
    if unit < resources && own > 0.0f64 {
        let mut rank = 0u32;
        for other in 0..resources {
            let share = shares[other];
            let is_before = share < own || (share == own && other < unit);
            rank += select(share > 0.0f64 && is_before, 1u32, 0u32);
        }
        for quarter in 1..4u32 {
            if rank == place_of_quartile(quarter, count) {
                quartiles[quarter as usize] = own;
            }
        }
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        let agents = max(row.present, 1u32) as f64;
        let mut utility = 0.0f64;
        let mut held = 0.0f64;
        for agent in 0..comptime!(shape.agents) {
            utility += today.utility[(first + agent) as usize];
            held += today.units_held[(first + agent) as usize] as f64;
        }
        let mut traded = 0.0f64;
        for pair in society * row.pairs..(society + 1u32) * row.pairs {
            traded += today.traded[pair as usize] as f64;
            today.traded[pair as usize] = 0u32;
        }
        let mut with_devices = 0.0f64;
        let mut in_devices = 0.0f64;
        for kind in 0..comptime!(shape.extracting) {
            let mut units = 0.0f64;
            for agent in 0..comptime!(shape.agents) {
                units += today.units_with[(kind * day.all_agents + first + agent) as usize] as f64;
            }
            with_devices += units;
            // Products and sums of integers are exact.
            in_devices += units * model.of_kind(kind, comptime!(number::UNITS_IN));
        }
        series[at] = utility / agents;
        series[at + 1] = held / agents;
        series[at + 2] = all_extracted / agents;
        series[at + 3] = traded / agents;
        series[at + 4] = gini;
        series[at + 5] = quartiles[1];
        series[at + 6] = quartiles[2];
        series[at + 7] = quartiles[3];
        series[at + 8] = mean_complexity(in_devices, all_extracted);
        series[at + 9] = share_by_hand(all_extracted - with_devices, all_extracted);
        for kind in 0..comptime!(KINDS) {
            series[at + comptime!(FIRST_KIND) + kind] = 0.0f64;
        }
        for kind in 0..comptime!(shape.kinds) {
            let mut devices = 0.0f64;
            for resource in 0..comptime!(shape.resources) {
                devices += made[(kind * comptime!(shape.resources) + resource) as usize] as f64;
            }
            series[at + comptime!(FIRST_KIND) + kind as usize] = devices / agents;
        }
    }
    report_cut_loops(are_cut, day.loop_probe);
}

/// Returns the Gini coefficient of the utility of agents, summed over three days.
#[cube]
fn gini(model: &ModelOnDevice<'_>, today: &mut TodayArrays, first: u32, present: u32, #[comptime] shape: Shape) -> f64 {
    let agents = comptime!(shape.agents);
    let mut agent = UNIT_POS;
    while agent < agents {
        let at = (first + agent) as usize;
        today.values[at] = today.utility[at] + today.utility_before[at] + today.utility_two_before[at];
        agent += CUBE_DIM;
    }
    sync_storage();
    let mut agent = UNIT_POS;
    while agent < agents {
        if model.is_present(agent) {
            let own = today.values[(first + agent) as usize];
            let mut rank = 0u32;
            for other in 0..agents {
                let value = today.values[(first + other) as usize];
                let is_before = value < own || (value == own && other < agent);
                rank += select(is_before && model.is_present(other), 1u32, 0u32);
            }
            today.sorted[(first + rank) as usize] = own;
        }
        agent += CUBE_DIM;
    }
    sync_storage();
    let mut sum = 0.0f64;
    let mut sum_of_sums = 0.0f64;
    for place in 0..present {
        sum += today.sorted[(first + place) as usize];
        sum_of_sums += sum;
    }
    gini_coefficient(present as f64, sum, sum_of_sums)
}
