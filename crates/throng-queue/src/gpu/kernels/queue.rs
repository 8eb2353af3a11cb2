//! The vehicles driving on a link: first in first out, or by earliest exit time.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::lists::{append, link_word, prepend, remove_first};
use super::passing;
use super::world::{Fixed, Now, World};

/// The vehicle that leaves next, or `NONE`.
#[cube]
pub fn first(world: &World, link: u32, #[comptime] fixed: Fixed) -> u32 {
    if comptime!(fixed.passing) { passing::first(world, link) } else { world.links[link_word(link, QUEUE)] }
}

/// Adds a vehicle that has entered the link.
#[cube]
pub fn push(world: &mut World, link: u32, person: u32, #[comptime] fixed: Fixed) {
    if comptime!(fixed.passing) {
        passing::push(world, link, person);
    } else {
        append(world, link, person, QUEUE);
    }
}

/// Adds a vehicle that wants to arrive on the link where it departs, in front of all others.
#[cube]
pub fn push_to_front(world: &mut World, now: &Now, link: u32, person: u32, #[comptime] fixed: Fixed) {
    world.times[person as usize] = now.run.long_ago;
    if comptime!(fixed.passing) {
        passing::push(world, link, person);
    } else {
        prepend(world, link, person, QUEUE);
    }
}

/// Removes the vehicle that leaves next, which is `person`.
#[cube]
pub fn pop(world: &mut World, link: u32, person: u32, #[comptime] fixed: Fixed) {
    if comptime!(fixed.passing) {
        passing::pop(world, link, person);
    } else {
        remove_first(world, link, person, QUEUE);
    }
}
