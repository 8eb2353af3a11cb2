//! Invention: an agent with experience in some resources may invent a tool for one, made of the others, and an agent that can
//! make devices may invent one that is made of them.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;
use throng_device::philox::Draws;
use throng_device::team::*;

use super::numbers::{about_kind, number};
use super::views::*;
use crate::devices::Kind;
use crate::society::draw;

/// An agent that tries to invent, its society, and what the agent considers.
#[cube]
pub trait InventorView {
    /// The number of the agent, and those of all.
    fn number(&self) -> u32;
    fn agents(&self) -> u32;
    fn resources(&self) -> u32;
    /// Multiplies the probability that it invents.
    fn speed(&self) -> f64;
    /// The draws for a kind of device.
    fn draws(&self, kind: u32) -> Draws;
    /// Units of a resource in its stock, and its experience in extraction.
    fn held(&self, resource: u32) -> u32;
    fn extraction(&self, resource: u32) -> f64;
    /// Experience of an agent in assembly.
    fn experience(&self, agent: u32, kind: u32, resource: u32) -> f64;
    fn set_experience(&mut self, agent: u32, kind: u32, resource: u32, devices: f64);
    /// Whether some agent can make a device.
    fn is_known(&self, kind: u32, resource: u32) -> bool;
    fn set_known(&mut self, kind: u32, resource: u32, is_known: bool);
    /// Writes the recipe of a device, made of the first resources in the list; a tool is made of those other than its own.
    fn publish(&mut self, kind: u32, resource: u32, count: u32);
    /// Rules of the authors' program: see [`Deviations`](crate::society::Deviations).
    fn may_be_best(&self, kind: u32, resource: u32) -> bool;
    fn has_short_recipes(&self) -> bool;

    /// What it considers, in its order.
    fn considered(&self, place: u32) -> u32;
    fn set_considered(&mut self, place: u32, resource: u32);
    /// Whether a resource can still be drawn.
    fn is_other(&self, resource: u32) -> bool;
    fn set_other(&mut self, resource: u32, is_other: bool);
    /// The experience of the inventor that counts.
    fn own(&self, resource: u32) -> f64;
    fn set_own(&mut self, resource: u32, experience: f64);
}

/// The probability that an agent invents: one for each unit of experience in what it considers, times its own speed.
#[cube]
#[inline]
fn probability_of_invention(for_each: f64, experience: f64, speed: f64) -> f64 {
    for_each * experience * speed
}

/// Looks for what is known at the start of the phase. No invention takes anything from it: the inventor can make what it
/// invented, also in place of another recipe.
#[cube]
pub fn count_known<I: InventorView, T: Team>(inventor: &mut I, team: &T, #[comptime] kinds: u32) {
    let mut resource = team.first();
    while resource < inventor.resources() {
        for kind in 0..kinds {
            let mut is_known = false;
            for agent in 0..inventor.agents() {
                is_known = is_known || inventor.experience(agent, kind, resource) > 0.0f64;
            }
            inventor.set_known(kind, resource, is_known);
        }
        resource += team.size();
    }
    team.barrier();
}

/// An attempt to invent a tool or, if all that the agent considers has a tool, another device. Returns the number of
/// inventions. The first kinds are for extraction.
#[cube]
pub fn invent<M: ModelView, I: InventorView, T: Team>(
    model: &M,
    inventor: &mut I,
    team: &T,
    #[comptime] kinds: u32,
    #[comptime] extracting: u32,
) -> u32 {
    let tool = 0u32.runtime();
    let count = consider_resources::<M, I, T>(model, inventor, team);
    let mut inventions = 0u32;
    let without = count_without::<I>(inventor, tool, count);
    if without > 0u32 {
        let for_each = model.number(comptime!(number::TOOL_PROBABILITY));
        inventions += attempt::<M, I, T>(model, inventor, team, tool, count, without, for_each);
    }
    if comptime!(kinds > 1) {
        let mut kind = select(count > 0u32 && without == 0u32, 1u32, NONE.runtime());
        if comptime!(kinds > extracting) {
            if kind != NONE {
                let coin = inventor.draws(tool).below(2u32.runtime(), comptime!(draw::COIN).runtime());
                kind = select(coin == 1u32, comptime!(Kind::DevMachine as u32).runtime(), kind);
            }
        }
        while kind != NONE {
            let count = consider_devices::<M, I, T>(model, inventor, team, kind);
            let without = count_without::<I>(inventor, kind, count);
            let mut next = NONE.runtime();
            if without > 0u32 {
                let for_each = model.number(comptime!(number::DEVICE_PROBABILITY));
                inventions += attempt::<M, I, T>(model, inventor, team, kind, count, without, for_each);
            } else if count > 0u32 {
                // All that the agent considers has a device of the kind.
                next = model.about(kind, comptime!(about_kind::NEXT_ORDER));
            }
            kind = next;
        }
    }
    inventions
}

/// Considers the resources of a tool, and the one that it is for: the two in which the agent has most experience, held or
/// not, and others that it holds. Returns how many they are, 0 if they are too few.
#[cube]
fn consider_resources<M: ModelView, I: InventorView, T: Team>(model: &M, inventor: &mut I, team: &T) -> u32 {
    let tool = 0u32.runtime();
    let more_than = model.number(comptime!(number::MORE_HELD_THAN)) as u32;
    team.barrier();
    let mut resource = team.first();
    while resource < inventor.resources() {
        let experience = inventor.extraction(resource);
        let is_other = inventor.held(resource) > more_than;
        inventor.set_own(resource, experience);
        inventor.set_other(resource, is_other);
        resource += team.size();
    }
    team.barrier();
    let wanted = model.about(tool, comptime!(about_kind::COMPONENTS)) + 1u32;
    // Also resources without experience.
    let best = consider_two_highest::<I, T>(inventor, team, tool, wanted, 0.0f64.runtime() - 1.0f64);
    let mut count = draw_others::<I, T>(inventor, team, tool, best, wanted);
    if count < wanted {
        count = select(inventor.has_short_recipes(), best, 0u32);
    }
    count
}

/// Considers components of a device: the two that the agent makes best, others that it can make, and others that some agent
/// can make. Returns how many they are, 0 if they are too few or it can make none.
#[cube]
fn consider_devices<M: ModelView, I: InventorView, T: Team>(model: &M, inventor: &mut I, team: &T, kind: u32) -> u32 {
    let component = model.about(kind, comptime!(about_kind::MADE_OF));
    team.barrier();
    let mut resource = team.first();
    while resource < inventor.resources() {
        let experience = inventor.experience(inventor.number(), component, resource);
        inventor.set_own(resource, experience);
        inventor.set_other(resource, experience > 0.0f64);
        resource += team.size();
    }
    team.barrier();
    let wanted = model.about(kind, comptime!(about_kind::COMPONENTS));
    let best = consider_two_highest::<I, T>(inventor, team, kind, wanted, 0.0f64.runtime());
    let own = draw_others::<I, T>(inventor, team, kind, best, wanted);
    let mut resource = team.first();
    while resource < inventor.resources() {
        let is_other = inventor.is_known(component, resource) && !is_considered::<I>(inventor, resource, own);
        inventor.set_other(resource, is_other);
        resource += team.size();
    }
    team.barrier();
    let count = draw_others::<I, T>(inventor, team, kind, own, wanted);
    select(own > 0u32 && count == wanted, count, 0u32)
}

/// Considers the two resources with most experience, if it is more than some; of equal ones the smaller number. Returns how
/// many they are.
#[cube]
pub fn consider_two_highest<I: InventorView, T: Team>(
    inventor: &mut I,
    team: &T,
    kind: u32,
    wanted: u32,
    more_than: f64,
) -> u32 {
    let mut first = NONE.runtime();
    let mut second = NONE.runtime();
    let mut most = exact::copied(more_than);
    let mut next = exact::copied(more_than);
    for resource in 0..inventor.resources() {
        let own = inventor.own(resource);
        if own > next && inventor.may_be_best(kind, resource) {
            if own > most {
                second = first;
                next = most;
                first = resource;
                most = own;
            } else {
                second = resource;
                next = own;
            }
        }
    }
    let count = min(wanted, select(first == NONE, 0u32, select(second == NONE, 1u32, 2u32)));
    team.barrier();
    if team.leads() {
        if count > 0u32 {
            inventor.set_considered(0u32.runtime(), first);
            inventor.set_other(first, false.runtime());
        }
        if count > 1u32 {
            inventor.set_considered(1u32.runtime(), second);
            inventor.set_other(second, false.runtime());
        }
    }
    team.barrier();
    count
}

/// Considers others that are drawn, until so many are considered or no others are left; returns how many are considered then.
/// The place in the list is the number of the draw.
#[cube]
fn draw_others<I: InventorView, T: Team>(inventor: &mut I, team: &T, kind: u32, count: u32, wanted: u32) -> u32 {
    let draws = inventor.draws(kind);
    let mut others = 0u32;
    for resource in 0..inventor.resources() {
        others += select(inventor.is_other(resource), 1u32, 0u32);
    }
    let mut considers = exact::copied(count);
    while considers < wanted && others > 0u32 {
        let drawn = draws.below(others, considers);
        let mut chosen = 0u32;
        let mut seen = 0u32;
        for resource in 0..inventor.resources() {
            if inventor.is_other(resource) {
                chosen = select(seen == drawn, resource, chosen);
                seen += 1u32;
            }
        }
        team.barrier();
        if team.leads() {
            inventor.set_considered(considers, chosen);
            inventor.set_other(chosen, false.runtime());
        }
        team.barrier();
        considers += 1u32;
        others -= 1u32;
    }
    considers
}

/// Whether a resource is one of the first in the list.
#[cube]
fn is_considered<I: InventorView>(inventor: &I, resource: u32, count: u32) -> bool {
    let mut found = false;
    for place in 0..count {
        found = found || inventor.considered(place) == resource;
    }
    found
}

/// The number of resources in the list for which no agent can make a device of a kind.
#[cube]
fn count_without<I: InventorView>(inventor: &I, kind: u32, count: u32) -> u32 {
    let mut without = 0u32;
    for place in 0..count {
        without += select(inventor.is_known(kind, inventor.considered(place)), 0u32, 1u32);
    }
    without
}

/// An attempt to invent a device for one of the resources without. Returns the inventions: 0 or 1.
#[cube]
fn attempt<M: ModelView, I: InventorView, T: Team>(
    model: &M,
    inventor: &mut I,
    team: &T,
    kind: u32,
    count: u32,
    without: u32,
    for_each: f64,
) -> u32 {
    let mut experience = 0.0f64;
    for place in 0..count {
        experience += inventor.own(inventor.considered(place));
    }
    let draws = inventor.draws(kind);
    let drawn = draws.unit(comptime!(draw::SUCCESS).runtime());
    let mut inventions = 0u32;
    if drawn < probability_of_invention(for_each, experience, inventor.speed()) {
        let chosen = draws.below(without, comptime!(draw::USE).runtime());
        let mut resource = 0u32;
        let mut seen = 0u32;
        for place in 0..count {
            let considered = inventor.considered(place);
            if !inventor.is_known(kind, considered) {
                resource = select(seen == chosen, considered, resource);
                seen += 1u32;
            }
        }
        team.barrier();
        let component = model.about(kind, comptime!(about_kind::MADE_OF));
        if component != NONE {
            for place in 0..count {
                let considered = inventor.considered(place);
                if team.owns(considered) {
                    let experience = inventor.experience(inventor.number(), component, considered);
                    let learnt = exact::greater::<f64>(experience, 1.0f64.runtime());
                    inventor.set_experience(inventor.number(), component, considered, learnt);
                }
            }
        }
        if team.owns(resource) {
            // The inventor alone can make the device, also if there was one of another recipe.
            inventor.publish(kind, resource, count);
            for agent in 0..inventor.agents() {
                inventor.set_experience(agent, kind, resource, 0.0f64.runtime());
            }
            let of_inventor = model.number(comptime!(number::INVENTOR_EXPERIENCE));
            inventor.set_experience(inventor.number(), kind, resource, of_inventor);
            inventor.set_known(kind, resource, true.runtime());
        }
        team.barrier();
        inventions = 1u32;
    }
    inventions
}
