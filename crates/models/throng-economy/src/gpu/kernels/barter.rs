//! A round of barter: a cube for each pair, with the stock of both in shared memory.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::{Device, DeviceError, KernelArrays, KernelParameter};

use super::menus::rank;
use super::report_cut_loops;
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::barter::{BELOW_ALL, BestOffers, Offer, PairView, PairViewExpand, Swap, trade, worth_of_swap};
use crate::rules::prelude::*;

/// Arguments of a round.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Round {
    /// Pairs of all societies, and pairs per society.
    pub all_pairs: u32,
    pub pairs: u32,
    pub agents: u32,
    /// Index of the round on this day, and rounds per day.
    pub number: u32,
    pub rounds: u32,
    pub attempts: u32,
    /// Always 2: an argument of [`report_cut_loops`] that must not be a compile-time constant.
    pub loop_probe: u32,
}

/// Recorded trades. Without records the arrays have space for one trade.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct TradeRecords {
    /// Number of trades of each pair: `[round][pair]`.
    pub counts: Array<u32>,
    /// Resource given and received, units given and received: `[round][pair][attempt][4]`.
    pub lots: Array<u32>,
    /// Surplus of both agents: `[round][pair][attempt][2]`.
    pub surplus: Array<f64>,
}

impl TradeRecordsBuffers {
    /// Allocates space for the trades of `pairs` pairs.
    pub fn new(device: &Device, pairs: usize, attempts: u32) -> Result<Self, DeviceError> {
        let trades = (pairs * attempts as usize).max(1);
        Ok(Self {
            counts: device.upload("trades", &vec![0; pairs.max(1)])?,
            lots: device.empty("lots", 4 * trades)?,
            surplus: device.empty("surplus", 2 * trades)?,
        })
    }
}

/// A pair on a device.
#[derive(CubeType)]
pub struct PairOnDevice<'w> {
    model: ModelOnDevice<'w>,
    records: &'w mut TradeRecords,
    /// Index of the pair in the records.
    number: u32,
    attempts: u32,
    power_a: u32,
    power_b: u32,
    /// Units of each resource, `[2][resource]`, and the value of a further unit when the agent last valued its stock.
    held: SharedMemory<u32>,
    valued: SharedMemory<f64>,
    /// Menu positions of the resources.
    ranks: SharedMemory<u32>,
    menus: SharedMemory<u32>,
    /// Number of swaps, length of the second menu, worths of swaps, and which are untried. Tried ones are marked, not
    /// removed from a list as on the CPU, so that each unit finds its swaps by index.
    swaps: u32,
    of_second_menu: u32,
    worths: SharedMemory<f64>,
    is_open: SharedMemory<u32>,
    /// Best offers of each unit: `[side][unit][2]`.
    surplus: SharedMemory<f64>,
    lots: SharedMemory<u32>,
    #[cube(comptime)]
    keeps_records: bool,
    #[cube(comptime)]
    shape: Shape,
}

#[cube]
fn pair_of<'w>(
    tables: &'w Tables,
    records: &'w mut TradeRecords,
    round: &Round,
    first: u32,
    second: u32,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) -> PairOnDevice<'w> {
    let resources = comptime!(shape.resources as usize);
    let menu_size = comptime!(shape.menu_size as usize);
    let units = comptime!(shape.units() as usize);
    let model = model_of(tables, CUBE_POS as u32 / round.pairs, comptime!(shape.agents));
    PairOnDevice::<'w> {
        model,
        records,
        number: round.number * round.pairs + CUBE_POS as u32 % round.pairs,
        attempts: round.attempts,
        power_a: model.trade_power(first),
        power_b: model.trade_power(second),
        held: SharedMemory::<u32>::new(comptime!(2 * resources)),
        valued: SharedMemory::<f64>::new(comptime!(2 * resources)),
        ranks: SharedMemory::<u32>::new(comptime!(2 * resources)),
        menus: SharedMemory::<u32>::new(comptime!(2 * menu_size)),
        swaps: 0u32.runtime(),
        of_second_menu: 0u32.runtime(),
        worths: SharedMemory::<f64>::new(comptime!(2 * menu_size * menu_size)),
        is_open: SharedMemory::<u32>::new(comptime!(menu_size * menu_size)),
        surplus: SharedMemory::<f64>::new(comptime!(4 * units)),
        lots: SharedMemory::<u32>::new(comptime!(4 * units)),
        keeps_records,
        shape,
    }
}

#[cube]
impl<'w> PairOnDevice<'w> {
    fn stock(&self, who: u32, resource: u32) -> usize {
        (who * comptime!(self.shape.resources) + resource) as usize
    }

    /// Returns a resource on the menu of an agent.
    fn menu(&self, who: u32, place: u32) -> u32 {
        self.menus[(who * comptime!(self.shape.menu_size) + place) as usize]
    }

    /// Returns the worth of a swap to an agent.
    fn marginal_rate(&self, who: u32, swap: u32) -> f64 {
        self.worths[(who * comptime!(self.shape.menu_size * self.shape.menu_size) + swap) as usize]
    }

    /// Writes the menus of both agents, without the resources that are on both. A unit counts the resources that
    /// precede its own, where a single thread would insert them into a list.
    fn write_menus(&mut self) {
        let resources = comptime!(self.shape.resources as usize);
        let menu_size = comptime!(self.shape.menu_size);
        let unit = UNIT_POS as usize;
        if unit < resources {
            self.ranks[unit] = rank(&self.held, &self.valued, unit, 0usize, resources, menu_size);
            self.ranks[resources + unit] = rank(&self.held, &self.valued, unit, resources, resources, menu_size);
        }
        sync_cube();
        let mut count_a = 0u32;
        let mut count_b = 0u32;
        let mut before_a = 0u32;
        let mut before_b = 0u32;
        let own = min(unit, resources - 1);
        for other in 0..resources {
            let (rank_a, rank_b) = (self.ranks[other], self.ranks[resources + other]);
            let only_a = rank_a != NONE && rank_b == NONE;
            let only_b = rank_b != NONE && rank_a == NONE;
            count_a += select(only_a, 1u32, 0u32);
            count_b += select(only_b, 1u32, 0u32);
            before_a += select(only_a && rank_a < self.ranks[own], 1u32, 0u32);
            before_b += select(only_b && rank_b < self.ranks[resources + own], 1u32, 0u32);
        }
        if unit < resources {
            let (rank_a, rank_b) = (self.ranks[unit], self.ranks[resources + unit]);
            if rank_a != NONE && rank_b == NONE {
                self.menus[before_a as usize] = UNIT_POS;
            }
            if rank_b != NONE && rank_a == NONE {
                self.menus[comptime!(menu_size as usize) + before_b as usize] = UNIT_POS;
            }
        }
        sync_cube();
        self.of_second_menu = count_b;
        self.swaps = count_a * count_b;
    }

    fn write_offer(&mut self, side: u32, offer: Offer) {
        let at = (side * comptime!(self.shape.units()) + UNIT_POS) as usize;
        self.surplus[2 * at] = offer.surplus_a;
        self.surplus[2 * at + 1] = offer.surplus_b;
        self.lots[2 * at] = offer.given;
        self.lots[2 * at + 1] = offer.received;
    }

    /// Returns the best of the units' offers for one side.
    fn best_offer(&self, side: u32) -> Offer {
        let mut best = 0u32;
        let mut best_surplus = BELOW_ALL.runtime();
        let mut best_given = NONE.runtime();
        for unit in 0..comptime!(self.shape.units()) {
            let at = 2 * (side * comptime!(self.shape.units()) + unit) as usize;
            let of_unit = self.surplus[at + side as usize];
            let given = self.lots[at];
            let is_better = of_unit > best_surplus || (of_unit == best_surplus && given < best_given);
            best = select(is_better, at as u32, best);
            best_surplus = select(is_better, of_unit, best_surplus);
            best_given = select(is_better, given, best_given);
        }
        let at = best as usize;
        Offer {
            given: self.lots[at],
            received: self.lots[at + 1],
            surplus_a: self.surplus[at],
            surplus_b: self.surplus[at + 1],
        }
    }
}

#[cube]
impl<'w> PairView for PairOnDevice<'w> {
    fn held(&self, who: u32, resource: u32) -> u32 {
        self.held[self.stock(who, resource)]
    }

    fn set_stock(&mut self, who: u32, resource: u32, units: u32, valued: f64) {
        let at = self.stock(who, resource);
        self.held[at] = units;
        self.valued[at] = valued;
    }

    fn power(&self, who: u32) -> u32 {
        select(who == 0u32, self.power_a, self.power_b)
    }

    fn write_swaps(&mut self, _attempts: u32) -> u32 {
        self.write_menus();
        let max_swaps = comptime!(self.shape.menu_size as usize * self.shape.menu_size as usize);
        let mut swap = UNIT_POS;
        while swap < self.swaps {
            let i = self.menu(0u32.runtime(), swap / self.of_second_menu);
            let j = self.menu(1u32.runtime(), swap % self.of_second_menu);
            let (a_i, a_j) = (self.held(0u32.runtime(), i), self.held(0u32.runtime(), j));
            let (b_i, b_j) = (self.held(1u32.runtime(), i), self.held(1u32.runtime(), j));
            self.worths[swap as usize] = worth_of_swap::<ModelOnDevice<'w>>(&self.model, a_j, a_i);
            self.worths[max_swaps + swap as usize] = worth_of_swap::<ModelOnDevice<'w>>(&self.model, b_i, b_j);
            self.is_open[swap as usize] = 1u32;
            swap += CUBE_DIM;
        }
        sync_cube();
        self.swaps
    }

    fn take_best(&mut self, who: u32) -> Swap {
        let mut best = 0u32;
        let mut best_worth = BELOW_ALL.runtime();
        for swap in 0..self.swaps {
            let worth = self.marginal_rate(who, swap);
            let is_better = self.is_open[swap as usize] == 1u32 && worth > best_worth;
            best = select(is_better, swap, best);
            best_worth = select(is_better, worth, best_worth);
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            self.is_open[best as usize] = 0u32;
        }
        Swap {
            given: self.menu(0u32.runtime(), best / self.of_second_menu),
            received: self.menu(1u32.runtime(), best % self.of_second_menu),
            most: self.marginal_rate(0u32.runtime(), best),
        }
    }

    fn price(&self, power_of_price: f64) -> f64 {
        power_of_price
    }

    fn max_given(&self, _price: f64, _n: u32, _first: u32, of_i: u32, _of_j: u32) -> u32 {
        of_i
    }

    // The previous lot belongs to another unit.
    fn guess(&self, given: u32, root: f64, _before: u32, most: u32) -> u32 {
        min(max((given as f64 / root) as u32, 1u32), most)
    }

    fn best_offers(&mut self, own: BestOffers) -> BestOffers {
        self.write_offer(0u32.runtime(), own.for_a);
        self.write_offer(1u32.runtime(), own.for_b);
        sync_cube();
        let best = BestOffers { for_a: self.best_offer(0u32.runtime()), for_b: self.best_offer(1u32.runtime()) };
        sync_cube();
        best
    }

    fn record(&mut self, trade: u32, swap: &Swap, offer: &Offer) {
        if comptime!(self.keeps_records) {
            let at = (self.number * self.attempts + trade) as usize;
            self.records.lots[4 * at] = swap.given;
            self.records.lots[4 * at + 1] = swap.received;
            self.records.lots[4 * at + 2] = offer.given;
            self.records.lots[4 * at + 3] = offer.received;
            self.records.surplus[2 * at] = offer.surplus_a;
            self.records.surplus[2 * at + 1] = offer.surplus_b;
        }
    }
}

/// State that barter changes.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct TraderArrays {
    pub held: Array<u32>,
    pub valued: Array<f64>,
    /// Units traded by each pair on this day.
    pub traded: Array<u32>,
    pub records: TradeRecords,
    pub are_cut: Array<u32>,
}

/// Executes a round of barter of all pairs.
#[cube(launch_unchecked)]
pub fn barter(
    tables: &Tables,
    orders: &Array<u32>,
    arrays: &mut TraderArrays,
    round: &Round,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let cube = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if cube < round.all_pairs {
        let society = cube / round.pairs;
        let model = model_of(tables, society, comptime!(shape.agents));
        let number = cube % round.pairs;
        let place = ((society * round.rounds + round.number) * round.agents + 2u32 * number) as usize;
        let at_a = (society * round.agents + orders[place]) as usize * resources + unit;
        let at_b = (society * round.agents + orders[place + 1]) as usize * resources + unit;
        let team = CubeTeam::new(comptime!(shape.units()), comptime!(Lists::default()));
        let mut pair =
            pair_of(tables, &mut arrays.records, round, orders[place], orders[place + 1], keeps_records, shape);
        if unit < resources {
            pair.held[unit] = arrays.held[at_a];
            pair.valued[unit] = arrays.valued[at_a];
            pair.held[resources + unit] = arrays.held[at_b];
            pair.valued[resources + unit] = arrays.valued[at_b];
        }
        sync_cube();
        let min_surplus = model.number(comptime!(number::MIN_SURPLUS));
        let of_pair = trade::<ModelOnDevice<'_>, PairOnDevice<'_>, CubeTeam>(
            &model,
            &mut pair,
            &team,
            round.attempts,
            min_surplus,
        );
        if unit < resources {
            arrays.held[at_a] = pair.held[unit];
            arrays.valued[at_a] = pair.valued[unit];
            arrays.held[at_b] = pair.held[resources + unit];
            arrays.valued[at_b] = pair.valued[resources + unit];
        }
        if UNIT_POS == 0u32 {
            arrays.traded[cube as usize] += of_pair.units;
            if comptime!(keeps_records) {
                arrays.records.counts[(round.number * round.pairs + number) as usize] = of_pair.trades;
            }
        }
        report_cut_loops(&mut arrays.are_cut, round.loop_probe);
    }
}
