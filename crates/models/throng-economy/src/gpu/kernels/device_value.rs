//! What devices are worth, what they cost, and what it takes to make them. Units look at their own resources.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

use super::{Day, column, memory};
use crate::gpu::buffers::{Owned, RecipeArrays};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, about, about_kind, assembly, effort, is_left, level_of, minutes_until_whole, number, number_of,
    number_of_kind, of_next, of_units,
};
use crate::rules::assembly::{devices_begun, with_further};
use crate::rules::extraction::{minutes_until, units_begun};
use crate::rules::worth::cost_of_making;
use crate::society::MEMORY;

/// An agent that values devices.
#[derive(CubeType, Clone, Copy)]
pub struct Appraiser {
    /// Its number among the agents of all societies.
    pub agent: u32,
    pub society: u32,
    /// Where its stock begins in shared memory.
    pub first: u32,
    /// Utility per minute of the last unit that it extracted.
    pub gain_per_min: f64,
}

/// A component of a device, or [`NONE`].
#[cube]
pub fn component(
    recipes: &RecipeArrays,
    society: u32,
    kind: u32,
    resource: u32,
    which: u32,
    #[comptime] shape: Shape,
) -> u32 {
    let device = (society * comptime!(shape.kinds) + kind) * comptime!(shape.resources) + resource;
    recipes.components[(device * comptime!(shape.components) + which) as usize]
}

/// The factor of the device with which the agent assembles; 1 if it has none.
#[cube]
pub fn assembly_factor(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    kind: u32,
    agent: u32,
    resource: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let with = about(tables, kind, comptime!(about_kind::ASSEMBLED_WITH));
    let mut factor = 1.0f64.runtime();
    #[allow(clippy::collapsible_if, reason = "kernels evaluate both sides of `&&`")]
    if with != NONE {
        if owned.minutes[column(with, agent, resource, day, shape)] > 0.0f64 {
            factor = number_of_kind(tables, set, with, comptime!(number::FACTOR));
        }
    }
    factor
}

/// Minutes of the assembly of a device from its components.
#[cube]
pub fn assembly_min(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    kind: u32,
    agent: u32,
    resource: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let by_hand = assembly(tables, set, owned.experience[column(kind, agent, resource, day, shape)]);
    by_hand / assembly_factor(tables, set, owned, kind, agent, resource, day, shape)
}

/// Minutes of the assembly of a device and all its components.
#[cube]
pub fn whole_assembly_min(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    recipes: &RecipeArrays,
    below: &mut SharedMemory<f64>,
    appraiser: &Appraiser,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    let mut minutes = 0.0f64;
    for level in 0..about(tables, kind, comptime!(about_kind::LEVELS)) {
        let of = level_of(tables, kind, level);
        minutes = assembly_min(tables, set, owned, of, appraiser.agent, resource, day, shape);
        if level > 0u32 {
            for which in 0..about(tables, of, comptime!(about_kind::COMPONENTS)) {
                let component = component(recipes, appraiser.society, of, resource, which, shape);
                if component != NONE {
                    minutes += below[component as usize];
                }
            }
        }
        sync_cube();
        if UNIT_POS < comptime!(shape.resources) {
            below[UNIT_POS as usize] = minutes;
        }
        sync_cube();
    }
    minutes
}

/// What it costs the agent to come by a device; that of all resources is in `below`.
#[cube]
pub fn cost_of_device(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    recipes: &RecipeArrays,
    held: &SharedMemory<u32>,
    below: &mut SharedMemory<f64>,
    appraiser: &Appraiser,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    let mut cost = 0.0f64;
    for level in 0..about(tables, kind, comptime!(about_kind::LEVELS)) {
        let of = level_of(tables, kind, level);
        let mut components = 0.0f64;
        for which in 0..about(tables, of, comptime!(about_kind::COMPONENTS)) {
            let component = component(recipes, appraiser.society, of, resource, which, shape);
            if component != NONE {
                if level == 0u32 {
                    let units = held[(appraiser.first + component) as usize];
                    components += of_next(tables, set, max(units, 1u32) - 1u32);
                } else {
                    components += below[component as usize];
                }
            }
        }
        let minutes = assembly_min(tables, set, owned, of, appraiser.agent, resource, day, shape);
        cost = cost_of_making(appraiser.gain_per_min, minutes, components, set.zero);
        // What it paid lately counts more.
        let mut sum = 0.0f64;
        let mut bought = 0u32.runtime();
        #[unroll]
        for age in 0..comptime!(MEMORY as u32) {
            let price = owned.prices[memory(of, age.runtime(), appraiser.agent, resource, day, shape)];
            if price > 0.0f64 {
                sum += price;
                bought += 1u32;
            }
        }
        if bought >= 2u32 {
            cost = sum / bought as f64;
        }
        sync_cube();
        if UNIT_POS < comptime!(shape.resources) {
            below[UNIT_POS as usize] = cost;
        }
        sync_cube();
    }
    cost
}

/// Units that an agent begins within so many minutes with a device.
#[cube]
fn units_during(tables: &Tables, set: &Set, minutes: f64, experience: f64, factor: f64) -> u32 {
    let whole = min(experience as u32, set.last_effort);
    let until = minutes_until_whole(tables, set, whole);
    let end = minutes_until(experience, whole, until, effort(tables, set, experience), set.zero) + minutes;
    let mut reached = exact::copied(whole);
    let mut beyond = set.last_effort + 1u32;
    while beyond - reached > 1u32 {
        let middle = reached + (beyond - reached) / 2u32;
        if minutes_until_whole(tables, set, middle) <= end {
            reached = middle;
        } else {
            beyond = middle;
        }
    }
    let until = minutes_until_whole(tables, set, reached);
    units_begun(experience, factor, end, reached, until, effort(tables, set, reached as f64), set.zero)
}

/// What the agent gains from a further device for extraction, before the cost of its time.
#[cube]
fn extracted_with(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    kind: u32,
    appraiser: &Appraiser,
    own_held: u32,
    own_experience: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    let mut held = exact::copied(own_held);
    let mut experience = exact::copied(own_experience);
    for step in 0..comptime!(shape.extracting) {
        let used = comptime!(shape.extracting - 1) - step;
        if used >= kind {
            let minutes = owned.minutes[column(used, appraiser.agent, resource, day, shape)];
            if minutes > 0.0f64 {
                let factor = number_of_kind(tables, set, used, comptime!(number::FACTOR));
                let units = units_during(tables, set, minutes, experience, factor);
                held += units;
                experience += units as f64 / factor;
            }
        }
    }
    let factor = number_of_kind(tables, set, kind, comptime!(number::FACTOR));
    let lifetime = number_of_kind(tables, set, kind, comptime!(number::LIFETIME));
    let units = units_during(tables, set, lifetime, experience, factor);
    of_units(tables, set, held + units) - of_units(tables, set, held)
}

/// Minutes that a further device saves in the assembly of others.
#[cube]
fn saved_min(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    kind: u32,
    assembled: u32,
    appraiser: &Appraiser,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    let lifetime = number_of_kind(tables, set, kind, comptime!(number::LIFETIME));
    let factor = number_of_kind(tables, set, kind, comptime!(number::FACTOR));
    let devices = owned.minutes[column(kind, appraiser.agent, resource, day, shape)] / lifetime;
    let mut made = 0u32;
    #[unroll]
    for age in 0..comptime!(MEMORY as u32) {
        made += owned.made[memory(assembled, age.runtime(), appraiser.agent, resource, day, shape)];
    }
    let mut saved = 0.0f64;
    if made as f64 > number_of(tables, set, comptime!(number::MADE_FOR_ASSEMBLER)) * (devices + 1.0f64) {
        let added = number_of_kind(tables, set, assembled, comptime!(number::EXPERIENCE));
        let mut experience = owned.experience[column(assembled, appraiser.agent, resource, day, shape)];
        let mut experience_with = exact::copied(experience);
        let mut without = 0.0f64;
        let mut with = 0.0f64;
        let full = number_of(tables, set, comptime!(number::FULL_ASSEMBLY));
        while with < lifetime && experience_with < full && added > 0.0f64 {
            without += assembly(tables, set, experience);
            experience += added;
            with += assembly(tables, set, experience_with) / factor;
            experience_with += added / factor;
        }
        if with < lifetime {
            // Experience is full, or does not grow at all.
            let of_each = assembly(tables, set, experience_with);
            let devices = devices_begun(lifetime - with, of_each / factor);
            with = with_further(exact::copied(with), devices, of_each / factor, set.zero);
            without = with_further(exact::copied(without), devices, of_each, set.zero);
        }
        saved = without - with;
    }
    saved
}

/// What the agent gains from a further device, before the cost of its time.
#[cube]
pub fn gross_benefit(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    kind: u32,
    appraiser: &Appraiser,
    held: u32,
    experience: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let assembled = about(tables, kind, comptime!(about_kind::ASSEMBLES));
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    if assembled == NONE {
        // A resource that was removed cannot be extracted.
        let units = extracted_with(tables, set, owned, kind, appraiser, held, experience, day, shape);
        select(is_left(tables, comptime!(shape.agents).runtime(), resource), units, 0.0f64)
    } else {
        let saved = saved_min(tables, set, owned, kind, assembled, appraiser, day, shape);
        exact::rounded_product::<f64>(appraiser.gain_per_min, saved, set.zero)
    }
}

/// Whether the agent can make a device, and has the resources and the time, even if it has to make all components, which
/// takes so many minutes.
#[cube]
pub fn can_promise(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    recipes: &RecipeArrays,
    held: &SharedMemory<u32>,
    appraiser: &Appraiser,
    kind: u32,
    set_aside: f64,
    minutes: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> bool {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    let mut can = UNIT_POS < comptime!(shape.resources)
        && can_make(owned, recipes, appraiser, kind, resource, day, shape)
        && set_aside + minutes < number_of(tables, set, comptime!(number::DAY_MIN));
    if can {
        let device = (appraiser.society * comptime!(shape.kinds) + kind) * comptime!(shape.resources) + resource;
        for other in 0..comptime!(shape.resources) {
            let needed = recipes.units[(device * comptime!(shape.resources) + other) as usize];
            can = can && held[(appraiser.first + other) as usize] >= needed;
        }
    }
    can
}

/// Whether the agent has enough experience to make a device.
#[cube]
pub fn can_make(
    owned: &Owned,
    recipes: &RecipeArrays,
    appraiser: &Appraiser,
    kind: u32,
    resource: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> bool {
    owned.experience[column(kind, appraiser.agent, resource, day, shape)] >= 1.0f64
        && component(recipes, appraiser.society, kind, resource, 0u32.runtime(), shape) != NONE
}
