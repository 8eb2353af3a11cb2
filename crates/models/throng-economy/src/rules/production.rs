//! Production of devices.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use super::assembly::assembly_experience_after_day;
use super::device_market::raise_experience;
use super::device_value::{assembly_factor, can_promise, gross_benefit};
use super::prelude::*;
use super::promises::{NEEDED, TIMES, promise};

/// Lets an agent promise devices of a kind to itself, the most useful first, until none is worth its cost.
#[cube]
pub fn make_for_itself<M: ModelView, A: AgentsView, T: Team>(model: &M, agents: &mut A, team: &mut T, kind: u32) {
    let who = 0u32.runtime();
    let mut goes_on = true;
    while goes_on {
        agents.appraise(who, kind, false);
        let mut resource = team.first();
        while resource < agents.resources() {
            let is_made = can_promise::<M, A>(model, agents, who, kind, resource)
                && needs::<M, A>(model, agents, who, kind, resource);
            team.set_word(NEEDED, resource, select(is_made, 1u32, 0u32));
            resource += team.size();
        }
        agents.appraise(who, kind, true);
        let mut own = Best { value: 0.0f64, item: NONE.runtime() };
        let mut resource = team.first();
        while resource < agents.resources() {
            if team.word(NEEDED, resource) == 1u32 {
                let gross = gross_benefit::<M, A>(model, agents, who, kind, resource);
                own.consider(gross - agents.appraised(who, kind, resource, true), resource);
            }
            resource += team.size();
        }
        let best = team.best(own);
        goes_on = best.item != NONE;
        if goes_on {
            let cost = exact::copied(agents.appraised(who, kind, best.item, true));
            agents.add_gain(who, best.value);
            promise::<M, A, T>(model, agents, team, who, kind, best.item);
            if team.owns(best.item) {
                let minutes = agents.minutes(who, kind, best.item);
                let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
                agents.set_minutes(who, kind, best.item, minutes + lifetime);
                agents.remember_price(who, kind, best.item, -cost);
            }
        }
        team.barrier();
    }
}

/// Whether the agent needs more devices for the extraction of a resource; always true for devices for assembly.
#[cube]
fn needs<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> bool {
    let mut minutes = 0.0f64;
    for other in 0..agents.extracting() {
        minutes += agents.minutes(who, other, resource);
    }
    model.about(kind, comptime!(kind_property::ASSEMBLES)) != NONE
        || minutes < model.number(comptime!(number::STOCK_MIN))
}

/// Makes the promised devices, components first, and charges the minutes to the next extraction.
#[cube]
pub fn produce<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    who: u32,
    overtime: f64,
) -> f64 {
    let mut sum = exact::copied(overtime);
    for place in 0..agents.kinds() {
        let kind = model.in_production(place);
        let mut resource = team.first();
        while resource < agents.resources() {
            team.set_real(TIMES, resource, make_promised::<M, A>(model, agents, who, kind, resource));
            resource += team.size();
        }
        team.barrier();
        for resource in 0..agents.resources() {
            sum += team.real(TIMES, resource);
        }
        team.barrier();
    }
    sum
}

/// Makes the promised devices of a kind for a resource, from components that were set aside. Returns the minutes.
#[cube]
fn make_promised<M: ModelView, A: AgentsView>(model: &M, agents: &mut A, who: u32, kind: u32, resource: u32) -> f64 {
    let count = exact::copied(agents.to_make(who, kind, resource));
    agents.set_to_make(who, kind, resource, 0u32.runtime());
    agents.remember_made(who, kind, resource, count);
    let with = model.about(kind, comptime!(kind_property::ASSEMBLED_WITH));
    let mut sum = 0.0f64;
    for _ in 0..count {
        let factor = assembly_factor::<M, A>(model, agents, who, kind, resource);
        let experience = exact::copied(agents.experience(who, kind, resource));
        let minutes = model.assembly(experience) / factor;
        if factor > 1.0f64 && with != NONE {
            let left = agents.minutes(who, with, resource) - minutes;
            agents.set_minutes(who, with, resource, exact::ieee_max::<f64>(left, 0.0f64));
        }
        let added = model.of_kind(kind, comptime!(number::EXPERIENCE)) / factor;
        agents.set_experience(who, kind, resource, experience + added);
        sum += minutes;
    }
    sum
}

/// Ends the day of an agent that can make devices: it loses experience, except in devices contained in those that it
/// can make.
#[cube]
pub fn forget_assembly<M: ModelView, A: AgentsView, T: Team>(model: &M, agents: &mut A, team: &mut T, who: u32) {
    let full = model.number(comptime!(number::FULL_ASSEMBLY));
    let of_owner = model.number(comptime!(number::OWNER_EXPERIENCE));
    let mut resource = team.first();
    while resource < agents.resources() {
        for kind in 0..agents.kinds() {
            let made = agents.made(who, kind, resource, 0u32.runtime());
            let minutes = agents.minutes(who, kind, resource);
            let experience =
                assembly_experience_after_day(agents.experience(who, kind, resource), made, minutes, full, of_owner);
            agents.set_experience(who, kind, resource, experience);
        }
        resource += team.size();
    }
    // Devices come before their components.
    for step in 0..agents.kinds() {
        let kind = model.in_production(agents.kinds() - 1u32 - step);
        let made_of = model.about(kind, comptime!(kind_property::MADE_OF));
        if made_of != NONE {
            team.barrier();
            let mut resource = team.first();
            while resource < agents.resources() {
                let is_able = agents.experience(who, kind, resource) > 0.0f64;
                team.set_word(NEEDED, resource, select(is_able, 1u32, 0u32));
                resource += team.size();
            }
            team.barrier();
            for resource in 0..agents.resources() {
                if team.word(NEEDED, resource) == 1u32 {
                    for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
                        let component = agents.component(kind, resource, which);
                        if component != NONE && team.owns(component) {
                            raise_experience::<A>(agents, who, made_of, component, 1.0f64.runtime());
                        }
                    }
                }
            }
        }
    }
}
