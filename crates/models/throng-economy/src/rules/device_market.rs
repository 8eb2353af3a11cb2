//! The market of a kind of device: what two agents that meet trade, and what they pay.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;
use throng_device::team::*;

use super::barter::offered;
use super::device_value::{can_promise, value_of_device};
use super::numbers::{about_kind, number};
use super::promises::{promise, withdraw};
use super::views::*;

/// Two agents trade devices of a kind. They exchange their roles after each failed attempt.
#[cube]
pub fn trade_devices<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    kind: u32,
    most_attempts: u32,
) {
    let mut buyer = 0u32;
    let mut attempts = 0u32;
    // When neither buys, it would go on: a failed attempt changes nothing.
    let mut failures = 0u32;
    while attempts < most_attempts && failures < 2u32 {
        let has_traded = trade_device::<M, A, T>(model, agents, team, kind, buyer, 1u32 - buyer);
        team.barrier();
        attempts += 1u32;
        failures = select(has_traded, 0u32, failures + 1u32);
        buyer = select(has_traded, buyer, 1u32 - buyer);
    }
}

/// The buyer asks for the device of greatest value to it among those that the seller can promise, other than those that the
/// seller bought from it.
#[cube]
fn trade_device<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    kind: u32,
    buyer: u32,
    seller: u32,
) -> bool {
    agents.look_at_minutes(seller, kind);
    agents.look_at_costs(buyer, kind);
    let mut own = Best { value: 0.0f64, item: NONE.runtime() };
    let mut resource = team.first();
    while resource < agents.resources() {
        if can_promise::<M, A>(model, agents, seller, kind, resource) && !agents.has_bought(seller, resource) {
            own.consider(value_of_device::<M, A>(model, agents, buyer, kind, resource), resource);
        }
        resource += team.size();
    }
    let best = team.best(own);
    let mut has_traded = false;
    if best.item != NONE {
        agents.look_at_costs(seller, kind);
        let cost = exact::copied(agents.cost_of_device(seller, kind, best.item));
        offer::<M, A, T>(model, agents, team, buyer, seller, best.value, cost);
        // Sums of floats depend on the order: by resource.
        let mut loss = 0.0f64;
        let mut gain = 0.0f64;
        for item in 0..agents.resources() {
            let units = agents.offered(item);
            if units > 0u32 {
                let of_buyer = agents.held(buyer, item);
                let of_seller = agents.held(seller, item);
                loss += model.of_units(of_buyer) - model.of_units(of_buyer - units);
                gain += model.of_units(of_seller + units) - model.of_units(of_seller);
            }
        }
        has_traded = loss < best.value && gain > cost;
        if has_traded {
            hand_over::<M, A, T>(model, agents, team, kind, best.item, buyer, seller);
            pay::<M, A, T>(model, agents, team, buyer, seller);
            if team.owns(best.item) {
                agents.remember_price(buyer, kind, best.item, loss);
                agents.remember_price(seller, kind, best.item, cost - gain);
                agents.set_bought(buyer, best.item);
            }
            if team.leads() {
                agents.remember_surplus(buyer, kind, best.value - loss);
                agents.remember_surplus(seller, kind, gain - cost);
            }
            if agents.notices_trade() {
                agents.add_gain(buyer, best.value - loss);
                agents.add_gain(seller, gain - cost);
            }
        }
    }
    has_traded
}

/// The seller gives a device that it has, or promises one, which the buyer can use at once.
#[cube]
fn hand_over<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    kind: u32,
    resource: u32,
    buyer: u32,
    seller: u32,
) {
    let lifetime = model.of_kind(kind, comptime!(number::LIFETIME));
    let has_one = select(agents.minutes(seller, kind, resource) >= lifetime, 1u32, 0u32);
    let makes_one = select(agents.to_make(buyer, kind, resource) > 0u32, 2u32, 0u32);
    let told = team.told(resource, has_one + makes_one);
    if told % 2u32 == 0u32 {
        promise::<M, A, T>(model, agents, team, seller, kind, resource);
    } else if team.owns(resource) {
        let minutes = agents.minutes(seller, kind, resource);
        agents.set_minutes(seller, kind, resource, minutes - lifetime);
    }
    if told >= 2u32 {
        // It takes the place of one that the buyer would have made.
        withdraw::<M, A, T>(model, agents, team, buyer, kind, resource);
    } else if team.owns(resource) {
        let minutes = agents.minutes(buyer, kind, resource);
        agents.set_minutes(buyer, kind, resource, minutes + lifetime);
    }
    // An agent that has a device can find out how it is made.
    if team.owns(resource) {
        let of_owner = model.number(comptime!(number::OWNER_EXPERIENCE));
        learn::<A>(agents, buyer, kind, resource, of_owner);
    }
    let made_of = model.about(kind, comptime!(about_kind::MADE_OF));
    if made_of != NONE {
        for which in 0..model.about(kind, comptime!(about_kind::COMPONENTS)) {
            let component = agents.component(kind, resource, which);
            if component != NONE && team.owns(component) {
                learn::<A>(agents, buyer, made_of, component, 1.0f64.runtime());
            }
        }
    }
}

/// The agent has at least so much experience in assembly.
#[cube]
pub fn learn<A: AgentsView>(agents: &mut A, who: u32, kind: u32, resource: u32, least: f64) {
    let experience = exact::greater::<f64>(agents.experience(who, kind, resource), least);
    agents.set_experience(who, kind, resource, experience);
}

/// The offered units change hands, and both look at their stock.
#[cube]
fn pay<M: ModelView, A: AgentsView, T: Team>(model: &M, agents: &mut A, team: &T, buyer: u32, seller: u32) {
    let mut resource = team.first();
    while resource < agents.resources() {
        let units = agents.offered(resource);
        let of_buyer = agents.held(buyer, resource) - units;
        let of_seller = agents.held(seller, resource) + units;
        agents.set_held(buyer, resource, of_buyer);
        agents.set_held(seller, resource, of_seller);
        agents.set_valued(buyer, resource, model.of_next(of_buyer));
        agents.set_valued(seller, resource, model.of_next(of_seller));
        resource += team.size();
    }
}

/// The mean of the least that the seller takes and the most that the buyer gives, both in what the buyer values least,
/// weighted with powers in trade.
#[cube]
fn offer<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &T,
    buyer: u32,
    seller: u32,
    value: f64,
    cost: f64,
) {
    agents.write_menu(buyer);
    let mut resource = team.first();
    while resource < agents.resources() {
        agents.set_offered(resource, 0u32.runtime());
        resource += team.size();
    }
    team.barrier();
    if team.leads() {
        let _ = fill::<M, A>(model, agents, buyer, seller, cost, false);
        // The last unit would be too much.
        let last = fill::<M, A>(model, agents, buyer, buyer, value, true);
        for place in 0..agents.menu_size() {
            let resource = agents.menu(place);
            if resource != NONE {
                let given = agents.units(place, true) - select(place == last, 1u32, 0u32);
                let taken = agents.units(place, false);
                let units = offered(taken, agents.trade_power(buyer), given, agents.trade_power(seller));
                agents.set_offered(resource, units);
            }
        }
    }
    team.barrier();
}

/// Fills a bundle from the menu of the buyer, unit by unit: the buyer gives the cheapest to itself first until it loses so
/// much, or the seller takes the dearest to itself first until it gains so much. Returns the place of the last unit, or `NONE`
/// if the buyer has no more.
#[cube]
fn fill<M: ModelView, A: AgentsView>(
    model: &M,
    agents: &mut A,
    buyer: u32,
    who: u32,
    utility: f64,
    #[comptime] given: bool,
) -> u32 {
    for place in 0..agents.menu_size() {
        agents.set_units(place, 0u32.runtime(), given);
        let resource = agents.menu(place);
        if resource != NONE {
            agents.set_next(place, of_next_in_bundle::<M, A>(model, agents, who, resource, 0u32.runtime(), given));
        }
    }
    let mut sum = 0.0f64;
    let mut last = NONE.runtime();
    let mut goes_on = true;
    while goes_on && sum < utility {
        let mut best = NONE.runtime();
        let mut of_best = 0.0f64;
        for place in 0..agents.menu_size() {
            let resource = agents.menu(place);
            if resource != NONE {
                let next = agents.next(place);
                let is_better = if comptime!(given) { next < of_best } else { next > of_best };
                if (best == NONE || is_better) && agents.units(place, given) < agents.held(buyer, resource) {
                    best = place;
                    of_best = next;
                }
            }
        }
        goes_on = best != NONE;
        last = best;
        if goes_on {
            sum += of_best;
            let units = agents.units(best, given) + 1u32;
            agents.set_units(best, units, given);
            let resource = agents.menu(best);
            agents.set_next(best, of_next_in_bundle::<M, A>(model, agents, who, resource, units, given));
        }
    }
    last
}

/// What a further unit is worth to an agent that has given or taken some.
#[cube]
fn of_next_in_bundle<M: ModelView, A: AgentsView>(
    model: &M,
    agents: &A,
    who: u32,
    resource: u32,
    units: u32,
    #[comptime] given: bool,
) -> f64 {
    let held = agents.held(who, resource);
    let of_next = if comptime!(given) { max(held - units, 1u32) - 1u32 } else { held + units };
    model.of_next(of_next)
}
