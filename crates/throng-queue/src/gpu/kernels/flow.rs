//! How many vehicles may leave a link: `crate::rules::flow_capacity` on the device, operation by operation.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{link_real, link_word, person_word};
use super::world::{Fixed, Now, World};

/// A real of the vehicle type in the lowest bits of a word.
#[cube]
pub fn kind_real(world: &World, ahead_kind: u32, real: u32) -> f64 {
    let kind = ahead_kind & comptime!((1u32 << KIND_BITS) - 1);
    world.kinds[(kind * KIND_REALS + real) as usize]
}

/// Passenger car equivalents of a vehicle.
#[cube]
pub fn pcu(world: &World, person: u32) -> f64 {
    kind_real(world, world.persons[person_word(person, AHEAD_KIND)], PCU)
}

/// The flow that a vehicle uses.
#[cube]
pub fn consumption(world: &World, person: u32) -> f64 {
    kind_real(world, world.persons[person_word(person, AHEAD_KIND)], CONSUMPTION)
}

/// Slow update: adds the flow of one step.
#[cube]
pub fn refill_one_step(world: &mut World, link: u32) {
    let accumulated = world.flows[link_real(link, ACCUMULATED)];
    let rest = world.flows[link_real(link, REST)];
    if accumulated < rest {
        let more = accumulated + world.flows[link_real(link, PER_STEP)];
        world.flows[link_real(link, ACCUMULATED)] = f64::min(more, rest);
    }
}

/// Whether the vehicle may leave now. With the fast update, the flow of all time since the last one is added first.
#[cube]
pub fn has_capacity(world: &mut World, now: &Now, link: u32, person: u32, #[comptime] fixed: Fixed) -> bool {
    let mut accumulated = world.flows[link_real(link, ACCUMULATED)];
    if comptime!(fixed.fast_update) {
        let updated_at = world.flows[link_real(link, UPDATED_AT)];
        let rest = world.flows[link_real(link, REST)];
        let per_step = world.flows[link_real(link, PER_STEP)];
        if updated_at < now.time && accumulated < rest {
            let mut steps = now.time - updated_at;
            if now.run.step_s != 1.0f64 {
                steps /= now.run.step_s;
            }
            // The product has to be rounded before it is added, so no compiler may fuse the two.
            let more = fma(steps, per_step, now.run.zero);
            accumulated = f64::min(accumulated + more, rest);
            world.flows[link_real(link, ACCUMULATED)] = accumulated;
            world.flows[link_real(link, UPDATED_AT)] = now.time;
        }
    }
    accumulated > 0.0f64 || pcu(world, person) <= now.run.easing
}

/// A vehicle goes into the buffer.
#[cube]
pub fn consume(world: &mut World, now: &Now, link: u32, person: u32) {
    let used = consumption(world, person);
    world.flows[link_real(link, ACCUMULATED)] -= used;
    world.flows[link_real(link, UPDATED_AT)] = now.time;
    world.flows[link_real(link, REST)] -= used;
}

/// The bound of the flow follows from who is in the buffer, subtracted in their order.
#[cube]
pub fn recompute_rest(world: &mut World, link: u32) {
    let mut rest = world.flows[link_real(link, PER_STEP)];
    let mut person = world.links[link_word(link, BUFFER)];
    while person != NONE {
        rest -= consumption(world, person);
        person = world.persons[person_word(person, NEXT)];
    }
    world.flows[link_real(link, REST)] = rest;
}
