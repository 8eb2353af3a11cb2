//! Promised devices: what they take is set aside.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

use super::device_value::{Appraiser, assembly_min, component};
use super::{Day, column};
use crate::gpu::buffers::{Owned, RecipeArrays};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{NONE, Set, Tables, about, about_kind, level_of, number, number_of_kind};

/// Promises a device and sets aside what it takes, level by level; returns the minutes that are set aside then.
#[cube]
pub fn promise(
    tables: &Tables,
    set: &Set,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    held: &mut SharedMemory<u32>,
    appraiser: &Appraiser,
    kind: u32,
    resource: u32,
    set_aside: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resources = comptime!(shape.resources as usize);
    let mut promised = SharedMemory::<u32>::new(resources);
    let mut times = SharedMemory::<f64>::new(resources);
    let unit = UNIT_POS as usize;
    let is_resource = unit < resources;
    let mut new_set_aside = exact::copied(set_aside);
    sync_cube();
    if is_resource {
        promised[unit] = select(UNIT_POS == resource, 1u32, 0u32);
    }
    let levels = about(tables, kind, comptime!(about_kind::LEVELS));
    for step in 0..levels {
        let of = level_of(tables, kind, levels - 1u32 - step);
        let below = about(tables, of, comptime!(about_kind::MADE_OF));
        if is_resource {
            let count = promised[unit];
            let minutes = assembly_min(tables, set, owned, of, appraiser.agent, UNIT_POS, day, shape);
            times[unit] = exact::rounded_product::<f64>(count as f64, minutes, set.zero);
            owned.to_make[column(of, appraiser.agent, UNIT_POS, day, shape)] += count;
        }
        sync_cube();
        let mut needed = 0u32;
        for other in 0..resources {
            let count = promised[other];
            if count > 0u32 {
                new_set_aside += times[other];
                for which in 0..about(tables, of, comptime!(about_kind::COMPONENTS)) {
                    let component = component(recipes, appraiser.society, of, other as u32, which, shape);
                    needed += select(component == UNIT_POS, count, 0u32);
                }
            }
        }
        sync_cube();
        if is_resource {
            if below == NONE {
                held[appraiser.first as usize + unit] -= needed;
            } else {
                let lifetime = number_of_kind(tables, set, below, comptime!(number::LIFETIME));
                let at = column(below, appraiser.agent, UNIT_POS, day, shape);
                let mut minutes = owned.minutes[at];
                while needed > 0u32 && minutes >= lifetime {
                    minutes -= lifetime;
                    needed -= 1u32;
                }
                owned.minutes[at] = minutes;
            }
            promised[unit] = needed;
        }
        sync_cube();
    }
    new_set_aside
}

/// Takes a promise back: the components belong to the agent again. Returns the minutes that are set aside then. `times` has a
/// place for each resource.
#[cube]
pub fn withdraw(
    tables: &Tables,
    set: &Set,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    held: &mut SharedMemory<u32>,
    times: &mut SharedMemory<f64>,
    appraiser: &Appraiser,
    kind: u32,
    resource: u32,
    set_aside: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let resources = comptime!(shape.resources as usize);
    let unit = UNIT_POS as usize;
    let is_resource = unit < resources;
    sync_cube();
    if is_resource {
        times[unit] = assembly_min(tables, set, owned, kind, appraiser.agent, UNIT_POS, day, shape);
    }
    sync_cube();
    let new_set_aside = exact::greater::<f64>(set_aside - times[resource as usize], 0.0f64);
    let below = about(tables, kind, comptime!(about_kind::MADE_OF));
    if is_resource {
        if UNIT_POS == resource {
            owned.to_make[column(kind, appraiser.agent, UNIT_POS, day, shape)] -= 1u32;
        }
        for which in 0..about(tables, kind, comptime!(about_kind::COMPONENTS)) {
            if component(recipes, appraiser.society, kind, resource, which, shape) == UNIT_POS {
                if below == NONE {
                    held[appraiser.first as usize + unit] += 1u32;
                } else {
                    let lifetime = number_of_kind(tables, set, below, comptime!(number::LIFETIME));
                    owned.minutes[column(below, appraiser.agent, UNIT_POS, day, shape)] += lifetime;
                }
            }
        }
    }
    sync_cube();
    new_set_aside
}
