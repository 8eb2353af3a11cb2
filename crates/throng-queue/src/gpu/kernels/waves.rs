//! Freed room on its way upstream, and the inflow of kinematic waves: `crate::rules::inlet`, stepped in every step in
//! which a link holds vehicles or holes.
//!
//! Holes come from one pool. A link keeps those that have arrived for its next ones.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::emit::fail;
use super::lists::link_word;
use super::world::{Fixed, Now, World};

#[cube]
fn wave_real(link: u32, real: u32) -> usize {
    (link * WAVE_REALS + real) as usize
}

/// Whether holes and inflow let a vehicle in.
#[cube]
pub fn accept(world: &World, link: u32, #[comptime] fixed: Fixed) -> bool {
    let mut room = world.waves[wave_real(link, REMAINING)] > 0.0f64;
    if comptime!(fixed.is_kinematic()) {
        room = room && (world.waves[wave_real(link, INFLOW)] > 0.0f64);
    }
    room
}

/// A vehicle enters.
#[cube]
pub fn enter(world: &mut World, link: u32, pcu: f64, consumption: f64, #[comptime] fixed: Fixed) {
    world.waves[wave_real(link, REMAINING)] -= pcu;
    if comptime!(fixed.is_kinematic()) {
        world.waves[wave_real(link, INFLOW)] -= consumption;
    }
}

#[cube]
fn hole_real(hole: u32, real: u32) -> usize {
    (hole * HOLE_REALS + real) as usize
}

/// A vehicle has left the queue: a hole sets out.
#[cube]
pub fn free(world: &mut World, now: &Now, link: u32, person: u32, pcu: f64) {
    let mut hole = world.links[link_word(link, SPARE_HOLES)];
    if hole == NONE {
        hole = world.calendar[(2u32 * now.run.slots * now.run.ways) as usize].fetch_add(1u32);
    } else {
        world.links[link_word(link, SPARE_HOLES)] = u32::cast_from(world.holes[hole_real(hole, NEXT_HOLE)]);
    }
    if hole >= now.run.hole_capacity {
        fail(world, now, ERROR_HOLES, person, 0u32, link);
    } else {
        world.holes[hole_real(hole, ARRIVES_AT)] = now.time + world.waves[wave_real(link, HOLE_TIME)];
        world.holes[hole_real(hole, SIZE)] = pcu;
        world.holes[hole_real(hole, NEXT_HOLE)] = f64::cast_from(NONE.runtime());
        let first = link_word(link, HOLES);
        if world.links[first] == NONE {
            world.links[first] = hole;
        } else {
            let last = world.links[first + 1];
            world.holes[hole_real(last, NEXT_HOLE)] = f64::cast_from(hole);
        }
        world.links[first + 1] = hole;
    }
}

/// The link is stepped; `idle` when it holds neither queued nor waiting vehicles.
#[cube]
pub fn begin_step(world: &mut World, now: &Now, link: u32, idle: bool, #[comptime] fixed: Fixed) {
    if !idle {
        world.links[link_word(link, WAVES)] = STEPPED_TOO.runtime();
    }
    if world.links[link_word(link, WAVES)] != INACTIVE {
        if comptime!(fixed.is_kinematic()) {
            let most = world.waves[wave_real(link, MAX_INFLOW)];
            world.waves[wave_real(link, INFLOW)] = f64::min(world.waves[wave_real(link, INFLOW)] + most, most);
        }
        let first = link_word(link, HOLES);
        let mut hole = world.links[first];
        let mut arriving = true;
        while arriving {
            if hole == NONE {
                arriving = false;
            } else if world.holes[hole_real(hole, ARRIVES_AT)] < now.time {
                world.waves[wave_real(link, REMAINING)] += world.holes[hole_real(hole, SIZE)];
                let next = u32::cast_from(world.holes[hole_real(hole, NEXT_HOLE)]);
                world.links[first] = next;
                world.holes[hole_real(hole, NEXT_HOLE)] = f64::cast_from(world.links[link_word(link, SPARE_HOLES)]);
                world.links[link_word(link, SPARE_HOLES)] = hole;
                hole = next;
            } else {
                arriving = false;
            }
        }
    }
}

/// Ends the step of a link, as `crate::rules::inlet::Waves::end_step` does. True when the next step changes something here:
/// a hole is under way, or the inflow is below its maximum.
#[cube]
pub fn end_step(world: &mut World, link: u32, idle: bool, #[comptime] fixed: Fixed) -> bool {
    let under_way = world.links[link_word(link, HOLES)] != NONE;
    let active = under_way || !idle;
    world.links[link_word(link, WAVES)] = select(active, STEPPED_TOO, INACTIVE);
    let mut changes = under_way;
    if comptime!(fixed.is_kinematic()) {
        let most = world.waves[wave_real(link, MAX_INFLOW)];
        let inflow = world.waves[wave_real(link, INFLOW)];
        changes = changes || (active && f64::min(inflow + most, most) != inflow);
    }
    changes
}
