//! Promised devices, whose resources and time are set aside.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use super::device_value::assembly_min;
use super::prelude::*;

/// Word lists: devices of the current level of a promise, and components of all of them.
pub const PROMISED: u32 = 0;
pub const NEEDED: u32 = 1;
/// Float list: minutes that the promised devices take.
pub const TIMES: u32 = 0;

/// Returns the memory required by a promise.
pub fn lists(resources: u32) -> Lists {
    Lists { places: resources, words: 2 * resources, reals: resources }
}

/// Promises a device and sets aside its components and time: the components that the agent has, and the requirements of
/// those that it must make itself. All components of a level are set aside before those of the next.
#[cube]
pub fn promise<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    who: u32,
    kind: u32,
    resource: u32,
) {
    let resources = agents.resources();
    team.barrier();
    let mut item = team.first();
    while item < resources {
        team.set_word(PROMISED, item, select(item == resource, 1u32, 0u32));
        item += team.size();
    }
    let levels = model.about(kind, comptime!(kind_property::LEVELS));
    for step in 0..levels {
        let of = model.level(kind, levels - 1u32 - step);
        let mut item = team.first();
        while item < resources {
            let count = team.word(PROMISED, item);
            if count > 0u32 {
                let minutes = assembly_min::<M, A>(model, agents, who, of, item);
                team.set_real(TIMES, item, exact::rounded_product::<f64>(count as f64, minutes, model.zero()));
                let to_make = agents.to_make(who, of, item);
                agents.set_to_make(who, of, item, to_make + count);
            }
            item += team.size();
        }
        team.barrier();
        let mut item = team.first();
        while item < resources {
            let needed = count_needed::<M, A, T>(model, agents, team, of, item);
            team.set_word(NEEDED, item, needed);
            item += team.size();
        }
        let mut set_aside = exact::copied(agents.set_aside(who));
        for item in 0..resources {
            if team.word(PROMISED, item) > 0u32 {
                set_aside += team.real(TIMES, item);
            }
        }
        agents.set_set_aside(who, set_aside);
        team.barrier();
        let made_of = model.about(of, comptime!(kind_property::MADE_OF));
        let mut item = team.first();
        while item < resources {
            let left = take_components::<M, A>(model, agents, who, made_of, item, team.word(NEEDED, item));
            team.set_word(PROMISED, item, left);
            item += team.size();
        }
        team.barrier();
    }
}

/// Returns how often a resource, or the device for it, is a component of the promised devices of a kind.
#[cube]
fn count_needed<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &A,
    team: &T,
    kind: u32,
    resource: u32,
) -> u32 {
    let mut needed = 0u32;
    for other in 0..agents.resources() {
        let count = team.word(PROMISED, other);
        if count > 0u32 {
            for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
                needed += select(agents.component(kind, other, which) == resource, count, 0u32);
            }
        }
    }
    needed
}

/// Takes the available components; resources always suffice. Returns the number of components that remain to be
/// promised.
#[cube]
fn take_components<M: ModelView, A: AgentsView>(
    model: &M,
    agents: &mut A,
    who: u32,
    kind: u32,
    resource: u32,
    count: u32,
) -> u32 {
    let mut needed = exact::copied(count);
    if needed > 0u32 {
        if kind == NONE {
            let held = agents.held(who, resource);
            agents.set_held(who, resource, held - needed);
        } else {
            let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
            let mut minutes = exact::copied(agents.minutes(who, kind, resource));
            while needed > 0u32 && minutes >= lifetime {
                minutes -= lifetime;
                needed -= 1u32;
            }
            agents.set_minutes(who, kind, resource, minutes);
        }
    }
    needed
}

/// Withdraws a promise: the components belong to the agent again, including those that are still to be made.
#[cube]
pub fn withdraw<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    who: u32,
    kind: u32,
    resource: u32,
) {
    team.barrier();
    if team.owns(resource) {
        let minutes = assembly_min::<M, A>(model, agents, who, kind, resource);
        team.set_real(TIMES, resource, minutes);
        let to_make = agents.to_make(who, kind, resource);
        agents.set_to_make(who, kind, resource, to_make - 1u32);
    }
    team.barrier();
    // With a device for assembly, the promise may have taken less.
    let set_aside = exact::ieee_max::<f64>(agents.set_aside(who) - team.real(TIMES, resource), 0.0f64);
    agents.set_set_aside(who, set_aside);
    let made_of = model.about(kind, comptime!(kind_property::MADE_OF));
    for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
        let component = agents.component(kind, resource, which);
        if component != NONE && team.owns(component) {
            if made_of == NONE {
                let held = agents.held(who, component);
                agents.set_held(who, component, held + 1u32);
            } else {
                let minutes = agents.minutes(who, made_of, component);
                let lifetime = model.of_kind(made_of, comptime!(number::LIFETIME));
                agents.set_minutes(who, made_of, component, minutes + lifetime);
            }
        }
    }
    team.barrier();
}
