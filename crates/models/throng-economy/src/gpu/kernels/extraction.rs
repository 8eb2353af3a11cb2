//! Extraction: a cube for each agent, with the gain of each resource in shared memory.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;
use throng_device::philox::Draws;

use super::{BELOW_ALL, Day, column, draws, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, effort, is_left, is_present, number, number_of, number_of_kind, of_next, set_of,
};
use crate::rules::extraction::kept_experience;
use crate::rules::worth::gain_per_min;
use crate::society::purpose;

/// What a unit knows of its resource.
#[derive(CubeType)]
struct Resource {
    held: u32,
    experience: f64,
    /// Minutes that are left of each kind of device.
    minutes: Array<f64>,
    /// Units extracted with each kind.
    units_with: Array<u32>,
    extracted: u32,
    is_left: bool,
}

/// The best device for the resource, or [`NONE`], and its factor.
#[derive(CubeType, Clone, Copy)]
struct Best {
    kind: u32,
    factor: f64,
}

#[cube]
fn best_device(tables: &Tables, set: &Set, resource: &Resource, #[comptime] shape: Shape) -> Best {
    let mut kind = NONE.runtime();
    let mut factor = 1.0f64.runtime();
    #[unroll]
    for other in 0..comptime!(shape.extracting) {
        if resource.minutes[other as usize] > 0.0f64 {
            kind = other.runtime();
            factor = number_of_kind(tables, set, other.runtime(), comptime!(number::FACTOR));
        }
    }
    Best { kind, factor }
}

/// Writes minutes and gain of the next unit, and returns the device for it.
#[cube]
fn look(
    tables: &Tables,
    set: &Set,
    resource: &Resource,
    times: &mut SharedMemory<f64>,
    gains: &mut SharedMemory<f64>,
    #[comptime] shape: Shape,
) -> Best {
    let unit = UNIT_POS as usize;
    let best = best_device(tables, set, resource, shape);
    let by_hand = effort(tables, set, resource.experience);
    times[unit] = by_hand / best.factor;
    let gain = gain_per_min(of_next(tables, set, resource.held), best.factor, by_hand);
    gains[unit] = select(resource.is_left, gain, BELOW_ALL.runtime());
    best
}

/// A unit looks through so many gains, and then all units through what is left of each group.
const GROUP: u32 = 16;

/// Chooses one of the resources whose gain is the best, or less by no more than a tolerance; [`NONE`] if all were removed.
#[cube]
fn choose(
    gains: &SharedMemory<f64>,
    greatest: &mut SharedMemory<f64>,
    counts: &mut SharedMemory<u32>,
    tolerance: f64,
    draws: &Draws,
    drawn: u32,
    #[comptime] shape: Shape,
) -> u32 {
    let groups = comptime!(shape.resources.div_ceil(GROUP));
    if UNIT_POS < groups {
        let mut most = BELOW_ALL.runtime();
        #[unroll]
        for place in 0..comptime!(GROUP) {
            most = exact::greater::<f64>(most, gains[(comptime!(GROUP) * UNIT_POS + place) as usize]);
        }
        greatest[UNIT_POS as usize] = most;
    }
    sync_cube();
    let mut most = BELOW_ALL.runtime();
    #[unroll]
    for group in 0..groups {
        most = exact::greater::<f64>(most, greatest[group as usize]);
    }
    // No gain is negative but that of a resource that was removed.
    let bound = exact::greater::<f64>(most - tolerance, BELOW_ALL.runtime() / 2.0f64);
    if UNIT_POS < groups {
        let mut count = 0u32;
        #[unroll]
        for place in 0..comptime!(GROUP) {
            count += select(gains[(comptime!(GROUP) * UNIT_POS + place) as usize] >= bound, 1u32, 0u32);
        }
        counts[UNIT_POS as usize] = count;
    }
    sync_cube();
    let mut count = 0u32;
    #[unroll]
    for group in 0..groups {
        count += counts[group as usize];
    }
    // Of one there is no choice, and the draws are numbered.
    let mut left = 0u32;
    if count > 1u32 {
        left = draws.below(count, drawn);
    }
    let mut first = 0u32;
    let mut is_found = false;
    #[unroll]
    for group in 0..groups {
        let of_group = counts[group as usize];
        let is_here = !is_found && left < of_group;
        first = select(is_here, comptime!(group * GROUP).runtime(), first);
        left -= select(is_found || is_here, 0u32, of_group);
        is_found = is_found || is_here;
    }
    let mut chosen = NONE.runtime();
    #[unroll]
    for place in 0..comptime!(GROUP) {
        let is_good = gains[(first + place) as usize] >= bound;
        chosen = select(is_good && left == 0u32 && chosen == NONE, first + place, chosen);
        left -= select(is_good && left > 0u32, 1u32, 0u32);
    }
    chosen
}

/// A day of extraction.
#[cube(launch_unchecked)]
pub fn extract(
    tables: &Tables,
    held: &mut Array<u32>,
    experience: &mut Array<f64>,
    extracted: &mut Array<u32>,
    units_with: &mut Array<u32>,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    are_cut: &mut Array<u32>,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let groups = comptime!(shape.resources.div_ceil(GROUP) as usize);
    let mut gains = SharedMemory::<f64>::new(comptime!((shape.resources.div_ceil(GROUP) * GROUP) as usize));
    let mut greatest = SharedMemory::<f64>::new(groups);
    let mut counts = SharedMemory::<u32>::new(groups);
    let mut times = SharedMemory::<f64>::new(resources);
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if agent < day.all_agents {
        let society = agent / comptime!(shape.agents);
        let number = agent % comptime!(shape.agents);
        let set = set_of(tables, society, comptime!(shape.agents));
        let at = agent as usize * resources + unit;
        let is_resource = unit < resources;
        let is_present = is_present(tables, number);
        let day_min = number_of(tables, &set, comptime!(number::DAY_MIN));
        let mut own = Resource {
            held: 0u32,
            experience: 0.0f64,
            minutes: Array::<f64>::new(comptime!(shape.extracting.max(1) as usize)),
            units_with: Array::<u32>::new(comptime!(shape.extracting.max(1) as usize)),
            extracted: 0u32,
            is_left: true,
        };
        let mut best = Best { kind: NONE.runtime(), factor: 1.0f64 };
        if is_resource {
            own.held = held[at];
            own.experience = experience[at];
            own.is_left = is_left(tables, comptime!(shape.agents).runtime(), UNIT_POS);
            #[unroll]
            for kind in 0..comptime!(shape.extracting) {
                own.minutes[kind as usize] = owned.minutes[column(kind.runtime(), agent, UNIT_POS, day, shape)];
                own.units_with[kind as usize] = 0u32;
            }
            let looked = look(tables, &set, &own, &mut times, &mut gains, shape);
            best.kind = looked.kind;
            best.factor = looked.factor;
        }
        if !is_resource && UNIT_POS < comptime!(shape.resources.div_ceil(GROUP) * GROUP) {
            gains[unit] = BELOW_ALL;
        }
        let overtime = agent_minutes.overtime[agent as usize];
        let is_overtime = overtime >= day_min;
        let mut clock = exact::copied(overtime);
        let mut gain_of_last = agent_minutes.gain_per_min[agent as usize];
        let mut new_overtime = 0.0f64.runtime();
        if is_overtime {
            // The day goes by with assembly.
            gain_of_last = agent_minutes.gained[agent as usize] / overtime;
            new_overtime = overtime - day_min;
        }
        sync_cube();
        let tolerance = number_of(tables, &set, comptime!(number::TOLERANCE));
        let draws = draws(tables, society, number, day.number, comptime!(purpose::EXTRACTED).runtime());
        let mut drawn = 0u32;
        let mut goes_on = is_present && !is_overtime;
        while goes_on && clock < day_min {
            let best_of_all = choose(&gains, &mut greatest, &mut counts, tolerance, &draws, drawn, shape);
            drawn += 1u32;
            // Of none: all resources were removed.
            goes_on = best_of_all != NONE;
            let chosen = select(goes_on, best_of_all, 0u32);
            let minutes = times[chosen as usize];
            if goes_on {
                clock += minutes;
                gain_of_last = gains[chosen as usize];
            }
            sync_cube();
            if goes_on && UNIT_POS == chosen {
                own.held += 1u32;
                own.extracted += 1u32;
                own.experience += 1.0f64 / best.factor;
                #[unroll]
                for kind in 0..comptime!(shape.extracting) {
                    if best.kind == kind {
                        let left = exact::greater::<f64>(own.minutes[kind as usize] - minutes, 0.0f64);
                        own.minutes[kind as usize] = left;
                        own.units_with[kind as usize] += 1u32;
                    }
                }
                let looked = look(tables, &set, &own, &mut times, &mut gains, shape);
                best.kind = looked.kind;
                best.factor = looked.factor;
            }
            sync_cube();
        }
        if is_resource {
            if is_present {
                let forgotten = number_of(tables, &set, comptime!(number::FORGOTTEN));
                let full = number_of(tables, &set, comptime!(number::FULL_EXPERIENCE));
                held[at] = own.held;
                experience[at] = kept_experience(own.experience, own.extracted, forgotten, full);
                #[unroll]
                for kind in 0..comptime!(shape.extracting) {
                    owned.minutes[column(kind.runtime(), agent, UNIT_POS, day, shape)] = own.minutes[kind as usize];
                }
            }
            extracted[at] = own.extracted;
        }
        write_units_with(units_with, &own, agent, day, shape);
        if UNIT_POS == 0u32 && is_present {
            agent_minutes.gain_per_min[agent as usize] = gain_of_last;
            agent_minutes.overtime[agent as usize] = new_overtime;
            if !is_overtime {
                agent_minutes.clock[agent as usize] = clock;
            }
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}

/// Adds up the units extracted with each kind of device.
#[cube]
fn write_units_with(units_with: &mut Array<u32>, own: &Resource, agent: u32, day: &Day, #[comptime] shape: Shape) {
    let resources = comptime!(shape.resources as usize);
    if comptime!(shape.extracting > 0) {
        let mut counts = SharedMemory::<u32>::new(comptime!((shape.extracting * shape.resources) as usize));
        let unit = UNIT_POS as usize;
        if unit < resources {
            #[unroll]
            for kind in 0..comptime!(shape.extracting) {
                counts[comptime!(kind as usize * resources) + unit] = own.units_with[kind as usize];
            }
        }
        sync_cube();
        if UNIT_POS < comptime!(shape.extracting) {
            let mut units = 0u32;
            for resource in 0..resources {
                units += counts[unit * resources + resource];
            }
            units_with[(UNIT_POS * day.all_agents + agent) as usize] = units;
        }
    }
}
