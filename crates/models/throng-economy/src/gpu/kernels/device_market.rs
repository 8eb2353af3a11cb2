//! The market of a kind of device: a cube for each pair, with the stock of both in shared memory.

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact;

use super::device_partners::DeviceRound;
use super::device_value::{
    Appraiser, can_make, can_promise, component, cost_of_device, gross_benefit, whole_assembly_min,
};
use super::menus::rank;
use super::promises::{promise, withdraw};
use super::{BELOW_ALL, Day, column, memory, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned, RecipeArrays};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, about, about_kind, number, number_of, number_of_kind, of_next, of_units, set_of, trade_power,
};
use crate::rules::barter::offered;
use crate::rules::worth::net_benefit;
use crate::society::MEMORY;

/// A bundle of units from the menu of a buyer.
#[derive(CubeType)]
struct Bundle {
    /// Resources on the menu, in its order, and [`NONE`] after them.
    menu: SharedMemory<u32>,
    /// Units of each: the least that the seller takes, and the most that the buyer gives.
    taken: SharedMemory<u32>,
    given: SharedMemory<u32>,
    /// What the next unit of each is worth.
    next: SharedMemory<f64>,
    /// Units of each resource that are offered.
    offered: SharedMemory<u32>,
}

/// All pairs of a round trade devices.
#[cube(launch_unchecked)]
pub fn trade_devices(
    tables: &Tables,
    held: &mut Array<u32>,
    valued: &mut Array<f64>,
    experience: &Array<f64>,
    agent_minutes: &mut Minutes,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    pairs: &Array<u32>,
    are_cut: &mut Array<u32>,
    market: &DeviceRound,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let menu_size = comptime!(shape.menu_size as usize);
    let mut stock = SharedMemory::<u32>::new(comptime!(2 * resources));
    let mut values_of_stock = SharedMemory::<f64>::new(comptime!(2 * resources));
    let mut below = SharedMemory::<f64>::new(resources);
    let mut values = SharedMemory::<f64>::new(resources);
    let mut is_bought = SharedMemory::<u32>::new(comptime!(2 * resources));
    let mut bundle = Bundle {
        menu: SharedMemory::<u32>::new(menu_size),
        taken: SharedMemory::<u32>::new(menu_size),
        given: SharedMemory::<u32>::new(menu_size),
        next: SharedMemory::<f64>::new(menu_size),
        offered: SharedMemory::<u32>::new(resources),
    };
    let mut flags = SharedMemory::<u32>::new(2usize);
    let pair = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    let is_resource = unit < resources;
    if pair < market.all_pairs && pairs[2 * min(pair, market.all_pairs - 1u32) as usize] != NONE {
        let society = pair / market.pairs;
        let set = set_of(tables, society, comptime!(shape.agents));
        let kind = market.kind;
        let first_agent = society * comptime!(shape.agents);
        let agent_a = first_agent + pairs[2 * pair as usize];
        let agent_b = first_agent + pairs[2 * pair as usize + 1];
        let at_a = (agent_a * comptime!(shape.resources) + own) as usize;
        let at_b = (agent_b * comptime!(shape.resources) + own) as usize;
        let experience_a = experience[at_a];
        let experience_b = experience[at_b];
        let gain_a = agent_minutes.gain_per_min[agent_a as usize];
        let gain_b = agent_minutes.gain_per_min[agent_b as usize];
        let mut set_aside_a = agent_minutes.set_aside[agent_a as usize];
        let mut set_aside_b = agent_minutes.set_aside[agent_b as usize];
        let mut gained_a = agent_minutes.gained[agent_a as usize];
        let mut gained_b = agent_minutes.gained[agent_b as usize];
        if is_resource {
            stock[unit] = held[at_a];
            stock[resources + unit] = held[at_b];
            values_of_stock[unit] = valued[at_a];
            values_of_stock[resources + unit] = valued[at_b];
            is_bought[unit] = 0u32;
            is_bought[resources + unit] = 0u32;
        }
        sync_cube();
        let lifetime = number_of_kind(tables, &set, kind, comptime!(number::LIFETIME));
        let mut side = 0u32;
        let mut attempts = 0u32;
        // Two failures in a row would go on: a failed attempt changes nothing.
        let mut failures = 0u32;
        while attempts < market.attempts && failures < 2u32 {
            attempts += 1u32;
            let is_a = side == 0u32;
            let buyer = Appraiser {
                agent: select(is_a, agent_a, agent_b),
                society,
                first: side * comptime!(shape.resources),
                gain_per_min: select(is_a, gain_a, gain_b),
            };
            let seller = Appraiser {
                agent: select(is_a, agent_b, agent_a),
                society,
                first: (1u32 - side) * comptime!(shape.resources),
                gain_per_min: select(is_a, gain_b, gain_a),
            };
            let set_aside = select(is_a, set_aside_b, set_aside_a);
            let minutes = whole_assembly_min(tables, &set, owned, recipes, &mut below, &seller, kind, day, shape);
            let own_cost = cost_of_device(tables, &set, owned, recipes, &stock, &mut below, &buyer, kind, day, shape);
            let mut value = 0.0f64;
            if can_promise(tables, &set, owned, recipes, &stock, &seller, kind, set_aside, minutes, day, shape)
                && is_bought[seller.first as usize + own as usize] == 0u32
            {
                value = value_of_device(
                    tables,
                    &set,
                    owned,
                    recipes,
                    &buyer,
                    kind,
                    stock[buyer.first as usize + own as usize],
                    select(is_a, experience_a, experience_b),
                    own_cost,
                    day,
                    shape,
                );
            }
            if is_resource {
                values[unit] = value;
            }
            sync_cube();
            let mut most = 0.0f64;
            let mut chosen = NONE.runtime();
            for resource in 0..resources {
                let is_better = values[resource] > most;
                chosen = select(is_better, resource as u32, chosen);
                most = select(is_better, values[resource], most);
            }
            let mut has_traded = false;
            if chosen != NONE {
                let _ = cost_of_device(tables, &set, owned, recipes, &stock, &mut below, &seller, kind, day, shape);
                let cost = below[chosen as usize];
                offer(
                    tables,
                    &set,
                    &stock,
                    &values_of_stock,
                    &mut bundle,
                    &buyer,
                    &seller,
                    most,
                    cost,
                    first_agent,
                    shape,
                );
                // Sums of floats depend on the order: by resource.
                let mut loss = 0.0f64;
                let mut gain = 0.0f64;
                for resource in 0..resources {
                    let units = bundle.offered[resource];
                    if units > 0u32 {
                        let of_buyer = stock[buyer.first as usize + resource];
                        let of_seller = stock[seller.first as usize + resource];
                        loss += of_units(tables, &set, of_buyer) - of_units(tables, &set, of_buyer - units);
                        gain += of_units(tables, &set, of_seller + units) - of_units(tables, &set, of_seller);
                    }
                }
                has_traded = loss < most && gain > cost;
                if has_traded {
                    // The seller gives a device that it has, or promises one.
                    let sold = column(kind, seller.agent, chosen, day, shape);
                    let bought = column(kind, buyer.agent, chosen, day, shape);
                    if UNIT_POS == chosen {
                        flags[0] = select(owned.minutes[sold] >= lifetime, 1u32, 0u32);
                        flags[1] = select(owned.to_make[bought] > 0u32, 1u32, 0u32);
                    }
                    sync_cube();
                    let mut of_seller = exact::copied(set_aside);
                    let mut of_buyer = select(is_a, set_aside_a, set_aside_b);
                    if flags[0] == 1u32 {
                        if UNIT_POS == chosen {
                            owned.minutes[sold] -= lifetime;
                        }
                    } else {
                        of_seller = promise(
                            tables, &set, owned, recipes, &mut stock, &seller, kind, chosen, set_aside, day, shape,
                        );
                    }
                    if flags[1] == 1u32 {
                        // It takes the place of one that the buyer would have made.
                        let before = exact::copied(of_buyer);
                        of_buyer = withdraw(
                            tables,
                            &set,
                            owned,
                            recipes,
                            &mut stock,
                            &mut values,
                            &buyer,
                            kind,
                            chosen,
                            before,
                            day,
                            shape,
                        );
                    } else if UNIT_POS == chosen {
                        owned.minutes[bought] += lifetime;
                    }
                    find_out(tables, &set, owned, recipes, &buyer, kind, chosen, day, shape);
                    if is_resource {
                        let units = bundle.offered[unit];
                        let of_buyer = stock[buyer.first as usize + unit] - units;
                        let of_seller = stock[seller.first as usize + unit] + units;
                        stock[buyer.first as usize + unit] = of_buyer;
                        stock[seller.first as usize + unit] = of_seller;
                        values_of_stock[buyer.first as usize + unit] = of_next(tables, &set, of_buyer);
                        values_of_stock[seller.first as usize + unit] = of_next(tables, &set, of_seller);
                    }
                    if UNIT_POS == chosen {
                        remember_price(owned, kind, &buyer, chosen, loss, day, shape);
                        remember_price(owned, kind, &seller, chosen, cost - gain, day, shape);
                        is_bought[buyer.first as usize + unit] = 1u32;
                    }
                    let surplus_of_buyer = most - loss;
                    let surplus_of_seller = gain - cost;
                    if UNIT_POS == 0u32 {
                        remember_surplus(owned, kind, &buyer, seller.agent - first_agent, surplus_of_buyer, day, shape);
                        remember_surplus(
                            owned,
                            kind,
                            &seller,
                            buyer.agent - first_agent,
                            surplus_of_seller,
                            day,
                            shape,
                        );
                    }
                    gained_a += select(is_a, surplus_of_buyer, surplus_of_seller);
                    gained_b += select(is_a, surplus_of_seller, surplus_of_buyer);
                    set_aside_a = select(is_a, of_buyer, of_seller);
                    set_aside_b = select(is_a, of_seller, of_buyer);
                }
            }
            sync_cube();
            failures = select(has_traded, 0u32, failures + 1u32);
            side = select(has_traded, side, 1u32 - side);
        }
        if is_resource {
            held[at_a] = stock[unit];
            held[at_b] = stock[resources + unit];
            valued[at_a] = values_of_stock[unit];
            valued[at_b] = values_of_stock[resources + unit];
        }
        if UNIT_POS == 0u32 {
            agent_minutes.set_aside[agent_a as usize] = set_aside_a;
            agent_minutes.set_aside[agent_b as usize] = set_aside_b;
            agent_minutes.gained[agent_a as usize] = gained_a;
            agent_minutes.gained[agent_b as usize] = gained_b;
        }
        report_cut_loops(are_cut, day.loop_probe);
    }
}

/// The most that an agent would give for a device: no more than making it itself would cost. 0 if it has no use for one.
#[cube]
fn value_of_device(
    tables: &Tables,
    set: &Set,
    owned: &Owned,
    recipes: &RecipeArrays,
    buyer: &Appraiser,
    kind: u32,
    held: u32,
    experience: f64,
    own_cost: f64,
    day: &Day,
    #[comptime] shape: Shape,
) -> f64 {
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    let gross = gross_benefit(tables, set, owned, kind, buyer, held, experience, day, shape);
    let mut value = exact::copied(gross);
    if about(tables, kind, comptime!(about_kind::ASSEMBLES)) == NONE {
        let lifetime = number_of_kind(tables, set, kind, comptime!(number::LIFETIME));
        value = net_benefit(gross, buyer.gain_per_min, lifetime, set.zero);
    }
    if can_make(owned, recipes, buyer, kind, own, day, shape) {
        value = exact::lesser::<f64>(value, own_cost);
    }
    exact::greater::<f64>(value, 0.0f64)
}

/// The mean of the least that the seller takes and the most that the buyer gives, both in what the buyer values least.
#[cube]
fn offer(
    tables: &Tables,
    set: &Set,
    stock: &SharedMemory<u32>,
    values_of_stock: &SharedMemory<f64>,
    bundle: &mut Bundle,
    buyer: &Appraiser,
    seller: &Appraiser,
    value: f64,
    cost: f64,
    first_agent: u32,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let menu_size = comptime!(shape.menu_size as usize);
    let unit = UNIT_POS as usize;
    let first = buyer.first as usize;
    if unit < menu_size {
        bundle.menu[unit] = NONE;
    }
    sync_cube();
    if unit < resources {
        let place = rank(stock, values_of_stock, unit, first, resources, comptime!(shape.menu_size));
        if place != NONE {
            bundle.menu[place as usize] = UNIT_POS;
        }
        bundle.offered[unit] = 0u32;
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        take(tables, set, stock, bundle, buyer, seller, cost, shape);
        give(tables, set, stock, bundle, buyer, value, shape);
        let of_buyer = trade_power(tables, set, buyer.agent - first_agent);
        let of_seller = trade_power(tables, set, seller.agent - first_agent);
        for place in 0..menu_size {
            if bundle.menu[place] != NONE {
                let units = offered(bundle.taken[place], of_buyer, bundle.given[place], of_seller);
                bundle.offered[bundle.menu[place] as usize] = units;
            }
        }
    }
    sync_cube();
}

/// The seller takes units, the dearest to itself first, until it gains the cost.
#[cube]
fn take(
    tables: &Tables,
    set: &Set,
    stock: &SharedMemory<u32>,
    bundle: &mut Bundle,
    buyer: &Appraiser,
    seller: &Appraiser,
    cost: f64,
    #[comptime] shape: Shape,
) {
    let menu_size = comptime!(shape.menu_size as usize);
    for place in 0..menu_size {
        bundle.taken[place] = 0u32;
        if bundle.menu[place] != NONE {
            bundle.next[place] = of_next(tables, set, stock[(seller.first + bundle.menu[place]) as usize]);
        }
    }
    let mut gain = 0.0f64;
    let mut goes_on = true;
    while goes_on && gain < cost {
        let mut best = NONE.runtime();
        let mut most = BELOW_ALL.runtime();
        for place in 0..menu_size {
            let resource = bundle.menu[place];
            if resource != NONE {
                let has_more = bundle.taken[place] < stock[(buyer.first + resource) as usize];
                let is_better = has_more && bundle.next[place] > most;
                best = select(is_better, place as u32, best);
                most = select(is_better, bundle.next[place], most);
            }
        }
        goes_on = best != NONE;
        if goes_on {
            gain += most;
            let taken = bundle.taken[best as usize] + 1u32;
            bundle.taken[best as usize] = taken;
            let of_seller = stock[(seller.first + bundle.menu[best as usize]) as usize];
            bundle.next[best as usize] = of_next(tables, set, of_seller + taken);
        }
    }
}

/// The buyer gives units, the cheapest to itself first, until it loses the value, and takes the last one back.
#[cube]
fn give(
    tables: &Tables,
    set: &Set,
    stock: &SharedMemory<u32>,
    bundle: &mut Bundle,
    buyer: &Appraiser,
    value: f64,
    #[comptime] shape: Shape,
) {
    let menu_size = comptime!(shape.menu_size as usize);
    for place in 0..menu_size {
        bundle.given[place] = 0u32;
        if bundle.menu[place] != NONE {
            bundle.next[place] = of_next(tables, set, stock[(buyer.first + bundle.menu[place]) as usize] - 1u32);
        }
    }
    let mut loss = 0.0f64;
    let mut last = NONE.runtime();
    let mut goes_on = true;
    while goes_on && loss < value {
        let mut best = NONE.runtime();
        let mut least = -BELOW_ALL.runtime();
        for place in 0..menu_size {
            let resource = bundle.menu[place];
            if resource != NONE {
                let has_more = bundle.given[place] < stock[(buyer.first + resource) as usize];
                let is_better = has_more && bundle.next[place] < least;
                best = select(is_better, place as u32, best);
                least = select(is_better, bundle.next[place], least);
            }
        }
        goes_on = best != NONE;
        last = exact::copied(best);
        if goes_on {
            loss += least;
            let given = bundle.given[best as usize] + 1u32;
            bundle.given[best as usize] = given;
            let left = stock[(buyer.first + bundle.menu[best as usize]) as usize] - given;
            bundle.next[best as usize] = of_next(tables, set, max(left, 1u32) - 1u32);
        }
    }
    if last != NONE {
        bundle.given[last as usize] -= 1u32;
    }
}

/// An agent that has a device can find out how it is made, and how its components are made.
#[cube]
fn find_out(
    tables: &Tables,
    set: &Set,
    owned: &mut Owned,
    recipes: &RecipeArrays,
    buyer: &Appraiser,
    kind: u32,
    resource: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let below = about(tables, kind, comptime!(about_kind::MADE_OF));
    if UNIT_POS == resource {
        let at = column(kind, buyer.agent, resource, day, shape);
        let of_owner = number_of(tables, set, comptime!(number::OWNER_EXPERIENCE));
        owned.experience[at] = exact::greater::<f64>(owned.experience[at], of_owner);
    }
    if below != NONE && UNIT_POS < comptime!(shape.resources) {
        for which in 0..about(tables, kind, comptime!(about_kind::COMPONENTS)) {
            if component(recipes, buyer.society, kind, resource, which, shape) == UNIT_POS {
                let at = column(below, buyer.agent, UNIT_POS, day, shape);
                owned.experience[at] = exact::greater::<f64>(owned.experience[at], 1.0f64);
            }
        }
    }
}

/// Remembers a price and forgets the oldest one.
#[cube]
pub fn remember_price(
    owned: &mut Owned,
    kind: u32,
    appraiser: &Appraiser,
    resource: u32,
    price: f64,
    day: &Day,
    #[comptime] shape: Shape,
) {
    for step in 1..comptime!(MEMORY as u32) {
        let age = comptime!(MEMORY as u32) - step;
        owned.prices[memory(kind, age, appraiser.agent, resource, day, shape)] =
            owned.prices[memory(kind, age - 1u32, appraiser.agent, resource, day, shape)];
    }
    owned.prices[memory(kind, 0u32.runtime(), appraiser.agent, resource, day, shape)] = price;
}

/// Remembers what was gained from a trade today. There is a place for each partner of the days that are remembered.
#[cube]
fn remember_surplus(
    owned: &mut Owned,
    kind: u32,
    appraiser: &Appraiser,
    partner: u32,
    surplus: f64,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let first = (kind * day.all_agents + appraiser.agent) * comptime!(shape.partners);
    let mut place = NONE.runtime();
    let mut is_found = false;
    for other in 0..comptime!(shape.partners) {
        let of_place = owned.partners[(first + other) as usize];
        let is_free = of_place == NONE && place == NONE;
        let is_own = of_place == partner;
        place = select(is_own || (is_free && !is_found), other, place);
        is_found = is_found || is_own;
    }
    let at = (first + place) as usize;
    owned.partners[at] = partner;
    owned.surplus[at * comptime!(MEMORY)] += surplus;
}
