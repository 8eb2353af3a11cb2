//! Value of a device, its cost, and the requirements for making it.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(
    clippy::cast_lossless,
    clippy::collapsible_if,
    reason = "kernels have no `f64::from`, and evaluate both sides of `&&`"
)]

use super::assembly::{devices_begun, minutes_with_more_devices};
use super::extraction::units_during;
use super::prelude::*;
use super::worth::{cost_of_making, net_benefit};
use crate::society::MEMORY;

/// Returns the factor of the device with which the agent assembles devices of a kind; 1 if it has none.
#[cube]
pub fn assembly_factor<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let with = model.about(kind, comptime!(kind_property::ASSEMBLED_WITH));
    let mut factor = 1.0f64.runtime();
    if with != NONE {
        if agents.minutes(who, with, resource) > 0.0f64 {
            factor = model.of_kind(with, comptime!(number::FACTOR));
        }
    }
    factor
}

/// Returns the minutes to assemble a device from its components, using a device for assembly if the agent has one.
#[cube]
pub fn assembly_min<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let by_hand = model.assembly(agents.experience(who, kind, resource));
    by_hand / assembly_factor::<M, A>(model, agents, who, kind, resource)
}

/// Returns the minutes to assemble a device and all its components.
#[cube]
pub fn whole_assembly_min<M: ModelView, A: AgentsView>(
    model: &M,
    agents: &A,
    who: u32,
    kind: u32,
    resource: u32,
) -> f64 {
    let mut minutes = assembly_min::<M, A>(model, agents, who, kind, resource);
    let made_of = model.about(kind, comptime!(kind_property::MADE_OF));
    if made_of != NONE {
        for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
            let component = agents.component(kind, resource, which);
            if component != NONE {
                minutes += agents.appraised(who, made_of, component, false);
            }
        }
    }
    minutes
}

/// Returns the agent's cost of acquiring a device: the mean of at least two recent prices, or else its time and the
/// cost of the components.
#[cube]
pub fn cost_of_device<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let mut sum = 0.0f64;
    let mut bought = 0u32.runtime();
    #[unroll]
    for age in 0..comptime!(MEMORY as u32) {
        let price = agents.price(who, kind, resource, age.runtime());
        if price > 0.0f64 {
            sum += price;
            bought += 1u32;
        }
    }
    if bought >= 2u32 {
        sum / bought as f64
    } else {
        let made_of = model.about(kind, comptime!(kind_property::MADE_OF));
        let mut components = 0.0f64;
        for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
            let component = agents.component(kind, resource, which);
            if component != NONE {
                if made_of == NONE {
                    components += model.of_next(max(agents.held(who, component), 1u32) - 1u32);
                } else {
                    components += agents.appraised(who, made_of, component, true);
                }
            }
        }
        let minutes = assembly_min::<M, A>(model, agents, who, kind, resource);
        cost_of_making(agents.gain_per_min(who), minutes, components, model.zero())
    }
}

/// Whether the agent has enough experience to make a device.
#[cube]
pub fn can_make<A: AgentsView>(agents: &A, who: u32, kind: u32, resource: u32) -> bool {
    agents.experience(who, kind, resource) >= 1.0f64 && agents.component(kind, resource, 0u32.runtime()) != NONE
}

/// Whether the agent has the skill, resources and time to build a device from scratch.
#[cube]
pub fn can_promise<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> bool {
    let mut can = can_make::<A>(agents, who, kind, resource);
    if can {
        can = agents.has_units(who, kind, resource);
    }
    if can {
        let minutes = agents.set_aside(who) + agents.appraised(who, kind, resource, false);
        can = minutes < model.number(comptime!(number::DAY_MIN));
    }
    can
}

/// Returns the agent's gain from a further device, before the cost of its time.
///
/// For a device for extraction this is the utility of the units extracted with it, once the devices of the same and of
/// higher order are used up. For a device for assembly it is the worth of the time saved by all assemblies with it; the
/// device is useless to an agent that made few of the assembled devices lately.
#[cube]
pub fn gross_benefit<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let assembled = model.about(kind, comptime!(kind_property::ASSEMBLES));
    let mut benefit = 0.0f64;
    if assembled != NONE {
        let saved = saved_min::<M, A>(model, agents, who, kind, assembled, resource);
        benefit = exact::rounded_product::<f64>(agents.gain_per_min(who), saved, model.zero());
    } else if agents.is_left(resource) {
        // A removed resource cannot be extracted.
        benefit = extracted_with::<M, A>(model, agents, who, kind, resource);
    }
    benefit
}

/// Returns the utility of the units that a further device extracts.
#[cube]
fn extracted_with<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let mut held = exact::copied(agents.held(who, resource));
    let mut experience = exact::copied(agents.extraction(who, resource));
    for step in 0..agents.extracting() {
        let used = agents.extracting() - 1u32 - step;
        if used >= kind {
            let minutes = agents.minutes(who, used, resource);
            if minutes > 0.0f64 {
                let factor = model.of_kind(used, comptime!(number::FACTOR));
                let units = units_during::<M>(model, minutes, experience, factor);
                held += units;
                experience += units as f64 / factor;
            }
        }
    }
    let factor = model.of_kind(kind, comptime!(number::FACTOR));
    let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
    let units = units_during::<M>(model, lifetime, experience, factor);
    model.of_units(held + units) - model.of_units(held)
}

/// Returns the minutes that a further device saves in the assembly of other devices.
#[cube]
fn saved_min<M: ModelView, A: AgentsView>(
    model: &M,
    agents: &A,
    who: u32,
    kind: u32,
    assembled: u32,
    resource: u32,
) -> f64 {
    let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
    let factor = model.of_kind(kind, comptime!(number::FACTOR));
    let owned = agents.minutes(who, kind, resource) / lifetime;
    let mut made = 0u32;
    #[unroll]
    for age in 0..comptime!(MEMORY as u32) {
        made += agents.made(who, assembled, resource, age.runtime());
    }
    let mut saved = 0.0f64;
    if made as f64 > model.number(comptime!(number::MADE_FOR_ASSEMBLER)) * (owned + 1.0f64) {
        let added = model.of_kind(assembled, comptime!(number::EXPERIENCE));
        let mut experience = exact::copied(agents.experience(who, assembled, resource));
        let mut experience_with = exact::copied(experience);
        let mut without = 0.0f64;
        let mut with = 0.0f64;
        let full = model.number(comptime!(number::FULL_ASSEMBLY));
        while with < lifetime && experience_with < full && added > 0.0f64 {
            without += model.assembly(experience);
            experience += added;
            with += model.assembly(experience_with) / factor;
            experience_with += added / factor;
        }
        if with < lifetime {
            // Experience is full, also without the device, where it grows faster; or it does not grow at all.
            let of_each = model.assembly(experience_with);
            let devices = devices_begun(lifetime - with, of_each / factor);
            with = minutes_with_more_devices(exact::copied(with), devices, of_each / factor, model.zero());
            without = minutes_with_more_devices(exact::copied(without), devices, of_each, model.zero());
        }
        saved = without - with;
    }
    saved
}

/// Returns the maximum that an agent would give for a device, which is at most the cost of making it itself; 0 if it
/// has no use for one.
#[cube]
pub fn value_of_device<M: ModelView, A: AgentsView>(model: &M, agents: &A, who: u32, kind: u32, resource: u32) -> f64 {
    let gross = gross_benefit::<M, A>(model, agents, who, kind, resource);
    let mut value = exact::copied(gross);
    if model.about(kind, comptime!(kind_property::ASSEMBLES)) == NONE {
        let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
        value = net_benefit(gross, agents.gain_per_min(who), lifetime, model.zero());
    }
    if value > 0.0f64 {
        if can_make::<A>(agents, who, kind, resource) {
            value = exact::ieee_min::<f64>(value, agents.appraised(who, kind, resource, true));
        }
    }
    exact::ieee_max::<f64>(value, 0.0f64)
}
