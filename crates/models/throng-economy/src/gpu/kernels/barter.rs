//! A round of barter: a cube for each pair, with the stock of both in shared memory.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use std::marker::PhantomData;

use throng_device::cubecl::{self, prelude::*};
use throng_device::{Buffer, Device, DeviceError, Gpu, KernelParameter, exact};

use super::menus::rank;
use super::{BELOW_ALL, report_cut_loops};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, inverse_of_next, number, number_of, of_next, of_units, set_of, trade_power,
};
use crate::rules::barter::{bought, price_power, smallest_lot};
use crate::rules::worth::worth;

/// The numbers of a round.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Round {
    /// Pairs of all societies, and of each.
    pub all_pairs: u32,
    pub pairs: u32,
    pub agents: u32,
    /// The number of the round on this day, and the rounds of a day.
    pub number: u32,
    pub rounds: u32,
    pub attempts: u32,
    /// 2, for [`report_cut_loops`], which the compiler must not know.
    pub loop_probe: u32,
}

/// What is recorded of trades. Without records the arrays have an element each.
#[derive(CubeType, CubeLaunch)]
pub struct TradeRecords {
    /// Trades of each pair: `[round][pair]`.
    pub counts: Array<u32>,
    /// Resource given and received, units given and received: `[round][pair][attempt][4]`.
    pub lots: Array<u32>,
    /// The surplus of both: `[round][pair][attempt][2]`.
    pub surplus: Array<f64>,
}

/// The same on a device.
pub struct RecordBuffers {
    pub counts: Buffer<u32>,
    pub lots: Buffer<u32>,
    pub surplus: Buffer<f64>,
}

impl RecordBuffers {
    /// Room for the trades of some pairs.
    pub fn new(device: &Device, pairs: usize, attempts: u32) -> Result<Self, DeviceError> {
        let trades = (pairs * attempts as usize).max(1);
        Ok(Self {
            counts: device.upload("trades", &vec![0; pairs.max(1)])?,
            lots: device.empty("lots", 4 * trades)?,
            surplus: device.empty("surplus", 2 * trades)?,
        })
    }

    /// The argument of a launch; made inside its closure.
    pub fn arg(&self) -> TradeRecordsLaunch<Gpu> {
        TradeRecordsLaunch {
            counts: self.counts.arg(),
            lots: self.lots.arg(),
            surplus: self.surplus.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

/// A lot, and what each side gains.
#[derive(CubeType, Clone, Copy)]
struct Offer {
    given: u32,
    received: u32,
    surplus_a: f64,
    surplus_b: f64,
}

/// The stock of a pair and what it is trading.
#[derive(CubeType)]
struct Pair {
    /// Units of each resource, those of the second agent after those of the first; and what they valued them at.
    held: SharedMemory<u32>,
    valued: SharedMemory<f64>,
}

/// All pairs of a round trade. `traded` counts the units of each pair on this day.
#[cube(launch_unchecked)]
pub fn barter(
    tables: &Tables,
    orders: &Array<u32>,
    held: &mut Array<u32>,
    valued: &mut Array<f64>,
    traded: &mut Array<u32>,
    records: &mut TradeRecords,
    are_cut: &mut Array<u32>,
    round: &Round,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let menu_size = comptime!(shape.menu_size);
    let units = comptime!(shape.units() as usize);
    let most_candidates = comptime!(menu_size as usize * menu_size as usize);
    let mut pair = Pair {
        held: SharedMemory::<u32>::new(comptime!(2 * resources)),
        valued: SharedMemory::<f64>::new(comptime!(2 * resources)),
    };
    let mut ranks = SharedMemory::<u32>::new(comptime!(2 * resources));
    let mut menus = SharedMemory::<u32>::new(comptime!(2 * menu_size as usize));
    let mut worths = SharedMemory::<f64>::new(comptime!(2 * most_candidates));
    let mut is_open = SharedMemory::<u32>::new(most_candidates);
    let mut surplus = SharedMemory::<f64>::new(comptime!(4 * units));
    let mut lots = SharedMemory::<u32>::new(comptime!(4 * units));
    let cube = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if cube < round.all_pairs {
        let society = cube / round.pairs;
        let set = set_of(tables, society, comptime!(shape.agents));
        let number = cube % round.pairs;
        let place = ((society * round.rounds + round.number) * round.agents + 2u32 * number) as usize;
        let first_agent = society * round.agents;
        let power_a = trade_power(tables, &set, orders[place]);
        let power_b = trade_power(tables, &set, orders[place + 1]);
        let at_a = (first_agent + orders[place]) as usize * resources + unit;
        let at_b = (first_agent + orders[place + 1]) as usize * resources + unit;
        if unit < resources {
            pair.held[unit] = held[at_a];
            pair.valued[unit] = valued[at_a];
            pair.held[resources + unit] = held[at_b];
            pair.valued[resources + unit] = valued[at_b];
        }
        sync_cube();
        let mut attempts = 0u32;
        let mut trades = 0u32;
        let mut units_traded = 0u32;
        let mut goes_on = true;
        while goes_on && attempts < round.attempts {
            let counts = write_menus(&pair, &mut ranks, &mut menus, resources, menu_size);
            let count_b = counts.of_b;
            let candidates = counts.of_a * count_b;
            let mut candidate = UNIT_POS;
            while candidate < candidates {
                let i = menus[(candidate / count_b) as usize] as usize;
                let j = menus[comptime!(menu_size as usize) + (candidate % count_b) as usize] as usize;
                let of_a =
                    worth(of_next(tables, &set, pair.held[j]), inverse_of_next(tables, &set, pair.held[i] - 1u32));
                let of_b = worth(
                    of_next(tables, &set, pair.held[resources + i]),
                    inverse_of_next(tables, &set, pair.held[resources + j] - 1u32),
                );
                worths[candidate as usize] = of_a;
                worths[most_candidates + candidate as usize] = of_b;
                is_open[candidate as usize] = 1u32;
                candidate += CUBE_DIM;
            }
            sync_cube();
            let mut left = exact::copied(candidates);
            let mut has_traded = false;
            while !has_traded && left > 0u32 && attempts < round.attempts {
                // The two take turns to name the swap that is best for themselves, the first of equal ones.
                let side = (attempts % 2u32) as usize * most_candidates;
                let mut best = 0u32;
                let mut best_worth = BELOW_ALL.runtime();
                for candidate in 0..candidates {
                    let of_candidate = worths[side + candidate as usize];
                    let is_better = is_open[candidate as usize] == 1u32 && of_candidate > best_worth;
                    best = select(is_better, candidate, best);
                    best_worth = select(is_better, of_candidate, best_worth);
                }
                attempts += 1u32;
                left -= 1u32;
                sync_cube();
                if UNIT_POS == 0u32 {
                    is_open[best as usize] = 0u32;
                }
                let i = menus[(best / count_b) as usize];
                let j = menus[comptime!(menu_size as usize) + (best % count_b) as usize];
                let most = worths[best as usize];
                let least = worth(
                    of_next(tables, &set, pair.held[resources + j as usize] - 1u32),
                    inverse_of_next(tables, &set, pair.held[resources + i as usize]),
                );
                if most > least {
                    let offer = agreed(
                        tables,
                        &set,
                        &pair,
                        &mut surplus,
                        &mut lots,
                        i,
                        j,
                        price_power(most, power_a, least, power_b),
                        power_a + power_b,
                        resources,
                        units,
                    );
                    if offer.given > 0u32 {
                        has_traded = true;
                        if UNIT_POS == 0u32 {
                            if comptime!(keeps_records) {
                                let of_pair = (round.number * round.pairs + number) as usize;
                                let trade = of_pair * round.attempts as usize + trades as usize;
                                records.lots[4 * trade] = i;
                                records.lots[4 * trade + 1] = j;
                                records.lots[4 * trade + 2] = offer.given;
                                records.lots[4 * trade + 3] = offer.received;
                                records.surplus[2 * trade] = offer.surplus_a;
                                records.surplus[2 * trade + 1] = offer.surplus_b;
                            }
                            swap(tables, &set, &mut pair, i as usize, j as usize, offer, resources);
                        }
                        trades += 1u32;
                        units_traded += offer.given + offer.received;
                    }
                }
                sync_cube();
            }
            goes_on = exact::copied(has_traded);
        }
        if unit < resources {
            held[at_a] = pair.held[unit];
            valued[at_a] = pair.valued[unit];
            held[at_b] = pair.held[resources + unit];
            valued[at_b] = pair.valued[resources + unit];
        }
        if UNIT_POS == 0u32 {
            traded[cube as usize] += units_traded;
            if comptime!(keeps_records) {
                records.counts[(round.number * round.pairs + number) as usize] = trades;
            }
        }
        report_cut_loops(are_cut, round.loop_probe);
    }
}

/// Resources on the menus of both.
#[derive(CubeType, Clone, Copy)]
struct Counts {
    of_a: u32,
    of_b: u32,
}

/// Moves the units of a lot, and both look at the two resources.
#[cube]
fn swap(tables: &Tables, set: &Set, pair: &mut Pair, i: usize, j: usize, offer: Offer, #[comptime] resources: usize) {
    pair.held[i] -= offer.given;
    pair.held[j] += offer.received;
    pair.held[resources + i] += offer.given;
    pair.held[resources + j] -= offer.received;
    pair.valued[i] = of_next(tables, set, pair.held[i]);
    pair.valued[j] = of_next(tables, set, pair.held[j]);
    pair.valued[resources + i] = of_next(tables, set, pair.held[resources + i]);
    pair.valued[resources + j] = of_next(tables, set, pair.held[resources + j]);
}

/// Writes what each of the two offers, without what both would offer; returns how many they are. A unit counts the resources
/// that come before its own.
#[cube]
fn write_menus(
    pair: &Pair,
    ranks: &mut SharedMemory<u32>,
    menus: &mut SharedMemory<u32>,
    #[comptime] resources: usize,
    #[comptime] menu_size: u32,
) -> Counts {
    let unit = UNIT_POS as usize;
    if unit < resources {
        ranks[unit] = rank(&pair.held, &pair.valued, unit, 0usize, resources, menu_size);
        ranks[resources + unit] = rank(&pair.held, &pair.valued, unit, resources, resources, menu_size);
    }
    sync_cube();
    let mut count_a = 0u32;
    let mut count_b = 0u32;
    let mut before_a = 0u32;
    let mut before_b = 0u32;
    let own = min(unit, resources - 1);
    for other in 0..resources {
        let (rank_a, rank_b) = (ranks[other], ranks[resources + other]);
        let only_a = rank_a != NONE && rank_b == NONE;
        let only_b = rank_b != NONE && rank_a == NONE;
        count_a += select(only_a, 1u32, 0u32);
        count_b += select(only_b, 1u32, 0u32);
        before_a += select(only_a && rank_a < ranks[own], 1u32, 0u32);
        before_b += select(only_b && rank_b < ranks[resources + own], 1u32, 0u32);
    }
    if unit < resources {
        let (rank_a, rank_b) = (ranks[unit], ranks[resources + unit]);
        if rank_a != NONE && rank_b == NONE {
            menus[before_a as usize] = UNIT_POS;
        }
        if rank_b != NONE && rank_a == NONE {
            menus[comptime!(menu_size as usize) + before_b as usize] = UNIT_POS;
        }
    }
    sync_cube();
    Counts { of_a: count_a, of_b: count_b }
}

/// The n-th root of a number, nearly: the product of its square root, the root of that and so on, as the binary digits of 1 / n
/// say. It is a guess, which changes no result.
#[cube]
fn root(number: f64, n: u32) -> f64 {
    let mut root = number.sqrt();
    if n > 2u32 {
        let mut part = number;
        let mut weight = 1.0f64.runtime();
        let mut left = 1.0f64 / n as f64;
        root = 1.0f64;
        #[unroll]
        for _ in 0..8 {
            part = part.sqrt();
            weight *= 0.5f64;
            if left >= weight {
                left -= weight;
                root *= part;
            }
        }
    }
    root
}

/// The lot on which the two agree: the best for the first agent, or else the best for the second one, if both gain enough;
/// otherwise one of 0 units. Each unit looks at every lot whose number is its own modulo the size of the cube.
#[cube]
fn agreed(
    tables: &Tables,
    set: &Set,
    pair: &Pair,
    surplus: &mut SharedMemory<f64>,
    lots: &mut SharedMemory<u32>,
    i: u32,
    j: u32,
    price: f64,
    n: u32,
    #[comptime] resources: usize,
    #[comptime] units: usize,
) -> Offer {
    let unit = UNIT_POS as usize;
    let of_i = pair.held[i as usize];
    let of_j = pair.held[resources + j as usize];
    let root = root(price, n);
    let first = smallest_lot(price, n, max(root as u32, 1u32));
    // The best lot of this unit for each side: [side][unit].
    let least = BELOW_ALL.runtime();
    let mut best_a = Offer { given: 0u32, received: 0u32, surplus_a: least, surplus_b: least };
    let mut best_b = Offer { given: 0u32, received: 0u32, surplus_a: least, surplus_b: least };
    let mut given = first + UNIT_POS;
    while given <= of_i {
        let guess = min(max((given as f64 / root) as u32, 1u32), of_j + 1u32);
        let received = bought(given, price, n, guess, of_j + 1u32);
        if received <= of_j {
            let offer = offered(tables, set, pair, i as usize, j as usize, given, received, resources);
            if offer.surplus_a > best_a.surplus_a {
                best_a.given = given;
                best_a.received = received;
                best_a.surplus_a = offer.surplus_a;
                best_a.surplus_b = offer.surplus_b;
            }
            if offer.surplus_b > best_b.surplus_b {
                best_b.given = given;
                best_b.received = received;
                best_b.surplus_a = offer.surplus_a;
                best_b.surplus_b = offer.surplus_b;
            }
        }
        given += CUBE_DIM;
    }
    write_offer(surplus, lots, unit, best_a);
    write_offer(surplus, lots, units + unit, best_b);
    sync_cube();
    let for_a = best_offer(surplus, lots, 0usize, 0usize, units);
    let for_b = best_offer(surplus, lots, units, 1usize, units);
    let least = number_of(tables, set, comptime!(number::LEAST_SURPLUS));
    let is_enough_a = for_a.surplus_a > least && for_a.surplus_b > least;
    let is_enough_b = for_b.surplus_a > least && for_b.surplus_b > least;
    let given = select(is_enough_a, for_a.given, select(is_enough_b, for_b.given, 0u32));
    let received = select(is_enough_a, for_a.received, for_b.received);
    let surplus_a = select(is_enough_a, for_a.surplus_a, for_b.surplus_a);
    let surplus_b = select(is_enough_a, for_a.surplus_b, for_b.surplus_b);
    sync_cube();
    Offer { given, received, surplus_a, surplus_b }
}

#[cube]
fn write_offer(surplus: &mut SharedMemory<f64>, lots: &mut SharedMemory<u32>, at: usize, offer: Offer) {
    surplus[2 * at] = offer.surplus_a;
    surplus[2 * at + 1] = offer.surplus_b;
    lots[2 * at] = offer.given;
    lots[2 * at + 1] = offer.received;
}

/// The best of the offers that the units wrote from `from` on, by the surplus of a side; of equal ones the smallest lot.
#[cube]
fn best_offer(
    surplus: &SharedMemory<f64>,
    lots: &SharedMemory<u32>,
    from: usize,
    side: usize,
    #[comptime] units: usize,
) -> Offer {
    let mut best = 0u32;
    let mut best_surplus = BELOW_ALL.runtime();
    let mut best_given = NONE.runtime();
    for unit in 0..units {
        let of_unit = surplus[2 * (from + unit) + side];
        let given = lots[2 * (from + unit)];
        let is_better = of_unit > best_surplus || (of_unit == best_surplus && given < best_given);
        best = select(is_better, unit as u32, best);
        best_surplus = select(is_better, of_unit, best_surplus);
        best_given = select(is_better, given, best_given);
    }
    let at = from + best as usize;
    Offer {
        given: lots[2 * at],
        received: lots[2 * at + 1],
        surplus_a: surplus[2 * at],
        surplus_b: surplus[2 * at + 1],
    }
}

/// What each side gains from a lot.
#[cube]
fn offered(
    tables: &Tables,
    set: &Set,
    pair: &Pair,
    i: usize,
    j: usize,
    given: u32,
    received: u32,
    #[comptime] resources: usize,
) -> Offer {
    let (a_i, a_j) = (pair.held[i], pair.held[j]);
    let (b_i, b_j) = (pair.held[resources + i], pair.held[resources + j]);
    let gain_a = of_units(tables, set, a_j + received) - of_units(tables, set, a_j);
    let loss_a = of_units(tables, set, a_i) - of_units(tables, set, a_i - given);
    let gain_b = of_units(tables, set, b_i + given) - of_units(tables, set, b_i);
    let loss_b = of_units(tables, set, b_j) - of_units(tables, set, b_j - received);
    Offer { given, received, surplus_a: gain_a - loss_a, surplus_b: gain_b - loss_b }
}
