//! The market of a kind of device: choice of devices to trade, and their payment.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use super::barter::units_offered;
use super::device_value::{can_promise, value_of_device};
use super::prelude::*;
use super::promises::{NEEDED, promise, withdraw};

/// Word lists, after those of promises: units offered of each resource; resources for which each of the two agents
/// bought a device; and units of each menu position that the seller takes, followed by those that the buyer gives.
const OFFERED: u32 = 2;
const BOUGHT: u32 = 3;
const BUNDLE: u32 = 5;
/// Whether a device can be sold. Shares memory with [`NEEDED`], which is used only once a device is promised.
const SOLD: u32 = NEEDED;
/// Float list, after that of promises: worth of the next unit of each menu position.
const NEXT: u32 = 1;

/// Returns the memory required by a market.
pub fn lists(resources: u32, menu_size: u32) -> Lists {
    Lists { places: resources, words: 5 * resources + 2 * menu_size, reals: resources + menu_size }
}

/// Lets two agents trade devices of a kind. They exchange roles after each failed attempt.
#[cube]
pub fn trade_devices<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    kind: u32,
    most_attempts: u32,
) {
    let mut item = team.first();
    while item < 2u32 * agents.resources() {
        team.set_word(BOUGHT, item, 0u32.runtime());
        item += team.size();
    }
    team.barrier();
    let mut buyer = 0u32;
    let mut attempts = 0u32;
    // A failed attempt changes nothing, so after both agents failed to buy, all further attempts would fail as well.
    let mut failures = 0u32;
    while attempts < most_attempts && failures < 2u32 {
        let has_traded = trade_device::<M, A, T>(model, agents, team, kind, buyer, 1u32 - buyer);
        team.barrier();
        attempts += 1u32;
        failures = select(has_traded, 0u32, failures + 1u32);
        buyer = select(has_traded, buyer, 1u32 - buyer);
    }
}

/// Lets the buyer try to buy the device of the greatest value to it among those that the seller can promise, except
/// those that the seller bought from it.
#[cube]
fn trade_device<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    kind: u32,
    buyer: u32,
    seller: u32,
) -> bool {
    agents.appraise(seller, kind, false);
    let mut resource = team.first();
    while resource < agents.resources() {
        let is_sold = can_promise::<M, A>(model, agents, seller, kind, resource)
            && team.word(BOUGHT, seller * agents.resources() + resource) == 0u32;
        team.set_word(SOLD, resource, select(is_sold, 1u32, 0u32));
        resource += team.size();
    }
    agents.appraise(buyer, kind, true);
    let mut own = Best { value: 0.0f64, item: NONE.runtime() };
    let mut resource = team.first();
    while resource < agents.resources() {
        if team.word(SOLD, resource) == 1u32 {
            own.consider(value_of_device::<M, A>(model, agents, buyer, kind, resource), resource);
        }
        resource += team.size();
    }
    let best = team.best(own);
    let mut has_traded = false;
    if best.item != NONE {
        agents.appraise(seller, kind, true);
        let cost = exact::copied(agents.appraised(seller, kind, best.item, true));
        propose::<M, A, T>(model, agents, team, buyer, seller, best.value, cost);
        // By resource: sums of floats depend on the order.
        let mut loss = 0.0f64;
        let mut gain = 0.0f64;
        for item in 0..agents.resources() {
            let units = team.word(OFFERED, item);
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
                team.set_word(BOUGHT, buyer * agents.resources() + best.item, 1u32.runtime());
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

/// Hands over a device that the seller has, or promises one, which the buyer can use at once.
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
    if told & 1u32 == 0u32 {
        promise::<M, A, T>(model, agents, team, seller, kind, resource);
    } else if team.owns(resource) {
        let minutes = agents.minutes(seller, kind, resource);
        agents.set_minutes(seller, kind, resource, minutes - lifetime);
    }
    if told >= 2u32 {
        // It replaces a device that the buyer would have made.
        withdraw::<M, A, T>(model, agents, team, buyer, kind, resource);
    } else if team.owns(resource) {
        let minutes = agents.minutes(buyer, kind, resource);
        agents.set_minutes(buyer, kind, resource, minutes + lifetime);
    }
    // An agent that has a device can find out how to make it.
    if team.owns(resource) {
        let of_owner = model.number(comptime!(number::OWNER_EXPERIENCE));
        raise_experience::<A>(agents, buyer, kind, resource, of_owner);
    }
    let made_of = model.about(kind, comptime!(kind_property::MADE_OF));
    if made_of != NONE {
        for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
            let component = agents.component(kind, resource, which);
            if component != NONE && team.owns(component) {
                raise_experience::<A>(agents, buyer, made_of, component, 1.0f64.runtime());
            }
        }
    }
}

/// Raises the agent's experience in assembly to at least `least`.
#[cube]
pub fn raise_experience<A: AgentsView>(agents: &mut A, who: u32, kind: u32, resource: u32, least: f64) {
    let experience = exact::ieee_max::<f64>(agents.experience(who, kind, resource), least);
    agents.set_experience(who, kind, resource, experience);
}

/// Transfers the offered units, and both agents value their stock again.
#[cube]
fn pay<M: ModelView, A: AgentsView, T: Team>(model: &M, agents: &mut A, team: &T, buyer: u32, seller: u32) {
    let mut resource = team.first();
    while resource < agents.resources() {
        let units = team.word(OFFERED, resource);
        let of_buyer = agents.held(buyer, resource) - units;
        let of_seller = agents.held(seller, resource) + units;
        agents.set_held(buyer, resource, of_buyer);
        agents.set_held(seller, resource, of_seller);
        agents.set_valued(buyer, resource, model.of_next(of_buyer));
        agents.set_valued(seller, resource, model.of_next(of_seller));
        resource += team.size();
    }
}

/// Offers the mean of the seller's minimum and the buyer's maximum, weighted with the powers in trade. Both are bundles
/// of the resources that the buyer values least.
#[cube]
fn propose<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &mut A,
    team: &mut T,
    buyer: u32,
    seller: u32,
    value: f64,
    cost: f64,
) {
    agents.write_menu(buyer);
    let mut resource = team.first();
    while resource < agents.resources() {
        team.set_word(OFFERED, resource, 0u32.runtime());
        resource += team.size();
    }
    team.barrier();
    if team.leads() {
        let _ = fill_bundle::<M, A, T>(model, agents, team, buyer, seller, cost, false);
        // The last unit would exceed the value.
        let last = fill_bundle::<M, A, T>(model, agents, team, buyer, buyer, value, true);
        for place in 0..agents.menu_size() {
            let resource = agents.menu(place);
            if resource != NONE {
                let taken = team.word(BUNDLE, place);
                let given = team.word(BUNDLE, agents.menu_size() + place) - select(place == last, 1u32, 0u32);
                let units = units_offered(taken, agents.trade_power(buyer), given, agents.trade_power(seller));
                team.set_word(OFFERED, resource, units);
            }
        }
    }
    team.barrier();
}

/// Fills a bundle from the menu of the buyer, unit by unit, until it is worth at least `utility`. If `given`, the buyer
/// first gives the units that are worth least to it; else the seller first takes those worth most to it. Returns the
/// menu position of the last unit, or `NONE` if the buyer has no more.
#[cube]
fn fill_bundle<M: ModelView, A: AgentsView, T: Team>(
    model: &M,
    agents: &A,
    team: &mut T,
    buyer: u32,
    who: u32,
    utility: f64,
    #[comptime] given: bool,
) -> u32 {
    let first = if comptime!(given) { agents.menu_size() } else { 0u32.runtime() };
    for place in 0..agents.menu_size() {
        team.set_word(BUNDLE, first + place, 0u32.runtime());
        let resource = agents.menu(place);
        if resource != NONE {
            let next = of_next_in_bundle::<M, A>(model, agents, who, resource, 0u32.runtime(), given);
            team.set_real(NEXT, place, next);
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
                let next = team.real(NEXT, place);
                let is_better = if comptime!(given) { next < of_best } else { next > of_best };
                if (best == NONE || is_better) && team.word(BUNDLE, first + place) < agents.held(buyer, resource) {
                    best = place;
                    of_best = next;
                }
            }
        }
        goes_on = best != NONE;
        last = best;
        if goes_on {
            sum += of_best;
            let units = team.word(BUNDLE, first + best) + 1u32;
            team.set_word(BUNDLE, first + best, units);
            let next = of_next_in_bundle::<M, A>(model, agents, who, agents.menu(best), units, given);
            team.set_real(NEXT, best, next);
        }
    }
    last
}

/// Returns the worth of the next unit to an agent that has given or taken `units`.
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
