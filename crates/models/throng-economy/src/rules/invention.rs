//! Invention: an agent with experience in some resources may invent a tool for one, made of the others. An agent that
//! can make devices may invent a device made of them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "one condition is a compile-time constant in kernels")]

use throng_device::philox::Draws;

use super::prelude::*;
use crate::devices::Kind;
use crate::society::draw;

/// An agent that tries to invent, its society, and the resources under consideration.
#[cube]
pub trait InventorView {
    /// Index of the agent, and number of agents.
    fn number(&self) -> u32;
    fn agents(&self) -> u32;
    fn resources(&self) -> u32;
    /// Factor on the probability that it invents.
    fn speed(&self) -> f64;
    /// The draws for a kind of device.
    fn draws(&self, kind: u32) -> Draws;
    /// Units of a resource in its stock, and its experience in extraction.
    fn held(&self, resource: u32) -> u32;
    fn extraction(&self, resource: u32) -> f64;
    /// Experience of an agent in assembly.
    fn experience(&self, agent: u32, kind: u32, resource: u32) -> f64;
    fn set_experience(&mut self, agent: u32, kind: u32, resource: u32, devices: f64);
    /// Writes a component of a recipe.
    fn write_component(&mut self, kind: u32, resource: u32, which: u32, component: u32);
    /// Publishes a recipe of `count` components.
    fn publish(&mut self, kind: u32, resource: u32, count: u32);
    /// Rules of the authors' program: see [`Deviations`](crate::society::Deviations).
    fn may_be_best(&self, kind: u32, resource: u32) -> bool;
    fn has_short_recipes(&self) -> bool;
}

/// Word lists: the resources that the agent considers, in order; whether each resource can still be drawn; and whether
/// some agent can make a device, by kind and resource.
pub const CONSIDERED: u32 = 0;
const OTHER: u32 = 1;
const KNOWN: u32 = 2;
/// Float list: the inventor's experience that counts.
pub const OWN: u32 = 0;

/// Returns the memory required by inventions.
pub fn lists(resources: u32, kinds: u32) -> Lists {
    Lists { places: resources, words: (2 + kinds) * resources, reals: resources }
}

/// Returns the probability that an agent invents: `for_each` per unit of experience in the considered resources, times
/// its own speed.
#[cube]
#[inline]
fn probability_of_invention(for_each: f64, experience: f64, speed: f64) -> f64 {
    for_each * experience * speed
}

/// Determines the devices that some agent can make at the start of the phase. No invention removes any of them: the
/// inventor can make its invention, even if it replaces another recipe.
#[cube]
pub fn count_known<I: InventorView, T: Team>(inventor: &I, team: &mut T, #[comptime] kinds: u32) {
    let mut resource = team.first();
    while resource < inventor.resources() {
        for kind in 0..kinds {
            let mut is_known = false;
            for agent in 0..inventor.agents() {
                is_known = is_known || inventor.experience(agent, kind, resource) > 0.0f64;
            }
            set_known::<I, T>(inventor, team, kind, resource, is_known);
        }
        resource += team.size();
    }
    team.barrier();
}

/// Whether some agent can make a device.
#[cube]
fn is_known<I: InventorView, T: Team>(inventor: &I, team: &T, kind: u32, resource: u32) -> bool {
    team.word(KNOWN, kind * inventor.resources() + resource) == 1u32
}

#[cube]
fn set_known<I: InventorView, T: Team>(inventor: &I, team: &mut T, kind: u32, resource: u32, is_known: bool) {
    team.set_word(KNOWN, kind * inventor.resources() + resource, select(is_known, 1u32, 0u32));
}

/// Attempts to invent a tool or, if all considered resources have a tool, another device. Returns the number of
/// inventions. The first kinds are for extraction.
#[cube]
pub fn invent<M: ModelView, I: InventorView, T: Team>(
    model: &M,
    inventor: &mut I,
    team: &mut T,
    #[comptime] kinds: u32,
    #[comptime] extracting: u32,
) -> u32 {
    let tool = 0u32.runtime();
    let count = consider_resources::<M, I, T>(model, inventor, team);
    let mut inventions = 0u32;
    let without = count_without::<I, T>(inventor, team, tool, count);
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
            let without = count_without::<I, T>(inventor, team, kind, count);
            let mut next = NONE.runtime();
            if without > 0u32 {
                let for_each = model.number(comptime!(number::DEVICE_PROBABILITY));
                inventions += attempt::<M, I, T>(model, inventor, team, kind, count, without, for_each);
            } else if count > 0u32 {
                // All considered resources have a device of this kind.
                next = model.about(kind, comptime!(kind_property::NEXT_ORDER));
            }
            kind = next;
        }
    }
    inventions
}

/// Considers the resources of a tool and the one that it is for: the two in which the agent has most experience, held
/// or not, and others that it holds. Returns their number, 0 if they are too few.
#[cube]
fn consider_resources<M: ModelView, I: InventorView, T: Team>(model: &M, inventor: &I, team: &mut T) -> u32 {
    let tool = 0u32.runtime();
    let more_than = model.number(comptime!(number::MORE_HELD_THAN)) as u32;
    team.barrier();
    let mut resource = team.first();
    while resource < inventor.resources() {
        let experience = inventor.extraction(resource);
        let is_other = inventor.held(resource) > more_than;
        team.set_real(OWN, resource, experience);
        team.set_word(OTHER, resource, select(is_other, 1u32, 0u32));
        resource += team.size();
    }
    team.barrier();
    let wanted = model.about(tool, comptime!(kind_property::COMPONENTS)) + 1u32;
    // Includes resources without experience.
    let best = consider_two_highest::<I, T>(inventor, team, tool, wanted, 0.0f64.runtime() - 1.0f64);
    let mut count = draw_others::<I, T>(inventor, team, tool, best, wanted);
    if count < wanted {
        count = select(inventor.has_short_recipes(), best, 0u32);
    }
    count
}

/// Considers components of a device: the two that the agent makes best, others that it can make, and others that some
/// agent can make. Returns their number, 0 if they are too few or the agent can make none.
#[cube]
fn consider_devices<M: ModelView, I: InventorView, T: Team>(model: &M, inventor: &I, team: &mut T, kind: u32) -> u32 {
    let component = model.about(kind, comptime!(kind_property::MADE_OF));
    team.barrier();
    let mut resource = team.first();
    while resource < inventor.resources() {
        let experience = inventor.experience(inventor.number(), component, resource);
        team.set_real(OWN, resource, experience);
        team.set_word(OTHER, resource, select(experience > 0.0f64, 1u32, 0u32));
        resource += team.size();
    }
    team.barrier();
    let wanted = model.about(kind, comptime!(kind_property::COMPONENTS));
    let best = consider_two_highest::<I, T>(inventor, team, kind, wanted, 0.0f64.runtime());
    let own = draw_others::<I, T>(inventor, team, kind, best, wanted);
    let mut resource = team.first();
    while resource < inventor.resources() {
        let is_other =
            is_known::<I, T>(inventor, team, component, resource) && !is_considered::<T>(team, resource, own);
        team.set_word(OTHER, resource, select(is_other, 1u32, 0u32));
        resource += team.size();
    }
    team.barrier();
    let count = draw_others::<I, T>(inventor, team, kind, own, wanted);
    select(own > 0u32 && count == wanted, count, 0u32)
}

/// Selects up to two resources whose experience exceeds `more_than`, ties to the lower index; returns the count.
#[cube]
pub fn consider_two_highest<I: InventorView, T: Team>(
    inventor: &I,
    team: &mut T,
    kind: u32,
    wanted: u32,
    more_than: f64,
) -> u32 {
    let mut first = NONE.runtime();
    let mut second = NONE.runtime();
    let mut highest = exact::copied(more_than);
    let mut next = exact::copied(more_than);
    for resource in 0..inventor.resources() {
        let own = team.real(OWN, resource);
        if own > next && inventor.may_be_best(kind, resource) {
            if own > highest {
                second = first;
                next = highest;
                first = resource;
                highest = own;
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
            team.set_word(CONSIDERED, 0u32.runtime(), first);
            team.set_word(OTHER, first, 0u32.runtime());
        }
        if count > 1u32 {
            team.set_word(CONSIDERED, 1u32.runtime(), second);
            team.set_word(OTHER, second, 0u32.runtime());
        }
    }
    team.barrier();
    count
}

/// Draws others to consider, until `wanted` are considered or no others are left; returns the number considered. The
/// position in the list is the number of the draw.
#[cube]
fn draw_others<I: InventorView, T: Team>(inventor: &I, team: &mut T, kind: u32, count: u32, wanted: u32) -> u32 {
    let draws = inventor.draws(kind);
    let mut others = 0u32;
    for resource in 0..inventor.resources() {
        others += team.word(OTHER, resource);
    }
    let mut considers = exact::copied(count);
    while considers < wanted && others > 0u32 {
        let drawn = draws.below(others, considers);
        let mut chosen = 0u32;
        let mut seen = 0u32;
        for resource in 0..inventor.resources() {
            if team.word(OTHER, resource) == 1u32 {
                chosen = select(seen == drawn, resource, chosen);
                seen += 1u32;
            }
        }
        team.barrier();
        if team.leads() {
            team.set_word(CONSIDERED, considers, chosen);
            team.set_word(OTHER, chosen, 0u32.runtime());
        }
        team.barrier();
        considers += 1u32;
        others -= 1u32;
    }
    considers
}

/// Whether a resource is among the first `count` of the list.
#[cube]
fn is_considered<T: Team>(team: &T, resource: u32, count: u32) -> bool {
    let mut found = false;
    for place in 0..count {
        found = found || team.word(CONSIDERED, place) == resource;
    }
    found
}

/// Returns the number of listed resources for which no agent can make a device of a kind.
#[cube]
fn count_without<I: InventorView, T: Team>(inventor: &I, team: &T, kind: u32, count: u32) -> u32 {
    let mut without = 0u32;
    for place in 0..count {
        without += select(is_known::<I, T>(inventor, team, kind, team.word(CONSIDERED, place)), 0u32, 1u32);
    }
    without
}

/// Attempts to invent a device for one of the resources without one. Returns the number of inventions: 0 or 1.
#[cube]
fn attempt<M: ModelView, I: InventorView, T: Team>(
    model: &M,
    inventor: &mut I,
    team: &mut T,
    kind: u32,
    count: u32,
    without: u32,
    for_each: f64,
) -> u32 {
    let mut experience = 0.0f64;
    for place in 0..count {
        experience += team.real(OWN, team.word(CONSIDERED, place));
    }
    let draws = inventor.draws(kind);
    let drawn = draws.unit(comptime!(draw::SUCCESS).runtime());
    let mut inventions = 0u32;
    if drawn < probability_of_invention(for_each, experience, inventor.speed()) {
        let chosen = draws.below(without, comptime!(draw::USE).runtime());
        let mut resource = 0u32;
        let mut seen = 0u32;
        for place in 0..count {
            let considered = team.word(CONSIDERED, place);
            if !is_known::<I, T>(inventor, team, kind, considered) {
                resource = select(seen == chosen, considered, resource);
                seen += 1u32;
            }
        }
        team.barrier();
        let component = model.about(kind, comptime!(kind_property::MADE_OF));
        if component != NONE {
            for place in 0..count {
                let considered = team.word(CONSIDERED, place);
                if team.owns(considered) {
                    let experience = inventor.experience(inventor.number(), component, considered);
                    let learnt = exact::ieee_max::<f64>(experience, 1.0f64.runtime());
                    inventor.set_experience(inventor.number(), component, considered, learnt);
                }
            }
        }
        if team.owns(resource) {
            // Only the inventor can make the device, even if there was another recipe for it.
            let mut written = 0u32;
            for place in 0..count {
                let component = team.word(CONSIDERED, place);
                // A tool is made of the other resources.
                if kind != 0u32 || component != resource {
                    inventor.write_component(kind, resource, written, component);
                    written += 1u32;
                }
            }
            inventor.publish(kind, resource, written);
            for agent in 0..inventor.agents() {
                inventor.set_experience(agent, kind, resource, 0.0f64.runtime());
            }
            let of_inventor = model.number(comptime!(number::INVENTOR_EXPERIENCE));
            inventor.set_experience(inventor.number(), kind, resource, of_inventor);
            set_known::<I, T>(inventor, team, kind, resource, true.runtime());
        }
        team.barrier();
        inventions = 1u32;
    }
    inventions
}
