//! A single society on a device, and reading its state.

use throng_device::Device;
use throng_device::cubecl::prelude::Runtime;
use throng_model::{Failure, Steps};

use super::buffers::Buffers;
use super::tables::NONE;
use super::{Replicate, SocietiesOnDevice};
use crate::devices::{KINDS, Kind};
use crate::society::{Agent, Lot, MEMORY, Recipes, Society, Today, Trade};

/// A society that is simulated on a device; on the host are its parameters and curves.
pub struct SocietyOnDevice<'d, R: Runtime> {
    device: &'d Device<R>,
    societies: SocietiesOnDevice<'d, R>,
    on_host: Society,
}

impl<'d, R: Runtime> SocietyOnDevice<'d, R> {
    /// A society before its first day.
    ///
    /// # Errors
    /// As [`SocietiesOnDevice::new`].
    pub fn new(device: &'d Device<R>, society: Society) -> Result<Self, Failure> {
        let replicate = Replicate { set: 0, seed: society.seed };
        let sets = std::slice::from_ref(&society.parameters);
        let societies = SocietiesOnDevice::new(device, sets, &[replicate], true)?;
        Ok(Self { device, societies, on_host: society })
    }
}

impl<R: Runtime> Steps for SocietyOnDevice<'_, R> {
    type State = Society;

    fn step(&mut self) -> Result<(), Failure> {
        self.societies.day()
    }

    fn state(&self) -> Result<Society, Failure> {
        let mut society = self.on_host.clone();
        society.days = self.societies.days();
        if society.days == 0 {
            return Ok(society);
        }
        self.societies.check_loops()?;
        society.is_present =
            (0..society.parameters.agents).map(|agent| self.societies.present.contains(&agent)).collect();
        society.is_left.clone_from(&self.societies.is_left);
        self.read_agents(&mut society.agents)?;
        self.read_devices(&mut society)?;
        society.today = self.read_today(&society)?;
        for (day, utility) in self.societies.buffers.today.utility.iter().enumerate().take(society.days as usize) {
            society.utility_of_days[day] = self.device.read(utility)?;
        }
        Ok(society)
    }
}

impl<R: Runtime> SocietyOnDevice<'_, R> {
    fn read_agents(&self, agents: &mut [Agent]) -> Result<(), Failure> {
        let (stock, minutes) = (&self.societies.buffers.stock, &self.societies.buffers.minutes);
        let held = self.device.read(&stock.held)?;
        let experience = self.device.read(&stock.experience)?;
        let valued = self.device.read(&stock.valued)?;
        let gain_per_min = self.device.read(&minutes.gain_per_min)?;
        let set_aside = self.device.read(&minutes.set_aside)?;
        let overtime = self.device.read(&minutes.overtime)?;
        let gained = self.device.read(&minutes.gained)?;
        let clock = self.device.read(&minutes.clock)?;
        let resources = agents.first().map_or(0, |agent| agent.held.len());
        for (number, agent) in agents.iter_mut().enumerate() {
            let own = number * resources..(number + 1) * resources;
            agent.held.copy_from_slice(&held[own.clone()]);
            agent.experience.copy_from_slice(&experience[own.clone()]);
            agent.valued.copy_from_slice(&valued[own]);
            agent.gain_per_min = gain_per_min[number];
            agent.set_aside_min = set_aside[number];
            agent.overtime_min = overtime[number];
            agent.gained_by_devices = gained[number];
            agent.clock_min = clock[number];
        }
        Ok(())
    }

    /// Devices of agents, what they remember of them, and recipes.
    fn read_devices(&self, society: &mut Society) -> Result<(), Failure> {
        let shape = self.societies.common.shape;
        if shape.kinds == 0 {
            return Ok(());
        }
        let owned = &self.societies.buffers.owned;
        let minutes = self.device.read(&owned.minutes)?;
        let experience = self.device.read(&owned.experience)?;
        let to_make = self.device.read(&owned.to_make)?;
        let prices = self.device.read(&owned.prices)?;
        let made = self.device.read(&owned.made)?;
        let partners = self.device.read(&owned.partners)?;
        let surplus = self.device.read(&owned.surplus)?;
        let components = self.device.read(&self.societies.buffers.recipes.components)?;
        let (agents, resources, places) = (shape.agents as usize, shape.resources as usize, shape.partners as usize);
        let kinds = &Kind::ALL[..shape.kinds as usize];
        for (number, agent) in society.agents.iter_mut().enumerate() {
            for (at, &kind) in kinds.iter().enumerate() {
                let own = agent.of_mut(kind);
                let column = |memory: usize| (memory * agents + number) * resources;
                let of_kind = column(at)..column(at) + resources;
                own.minutes.copy_from_slice(&minutes[of_kind.clone()]);
                own.experience.copy_from_slice(&experience[of_kind.clone()]);
                own.to_make.copy_from_slice(&to_make[of_kind]);
                for resource in 0..resources {
                    let remembered = |age: usize| column(at * MEMORY + age) + resource;
                    own.prices[resource] = std::array::from_fn(|age| prices[remembered(age)]);
                    own.made[resource] = std::array::from_fn(|age| made[remembered(age)]);
                }
                let first = (at * agents + number) * places;
                own.surplus = (first..first + places)
                    .filter(|&place| partners[place] != NONE)
                    .map(|place| (partners[place] as usize, std::array::from_fn(|age| surplus[place * MEMORY + age])))
                    .collect();
                own.surplus.sort_unstable_by_key(|entry| entry.0);
            }
        }
        let most = shape.components as usize;
        let of_device = |(device, components): (usize, &[u32])| {
            let list: Vec<usize> =
                components.iter().take_while(|&&other| other != NONE).map(|&other| other as usize).collect();
            (!list.is_empty()).then_some((kinds[device / resources], device % resources, list))
        };
        society.recipes =
            Recipes::of_components(&society.parameters, components.chunks(most).enumerate().filter_map(of_device));
        Ok(())
    }

    fn read_today(&self, society: &Society) -> Result<Today, Failure> {
        let Buffers { stock, today, .. } = &self.societies.buffers;
        let resources = society.is_left.len();
        let extracted: Vec<Vec<u32>> =
            self.device.read(&stock.extracted)?.chunks(resources).map(<[u32]>::to_vec).collect();
        let mut units_with = [0; KINDS];
        if self.societies.common.shape.extracting > 0 {
            let of_agents = self.device.read(&today.units_with)?;
            for (units, of_kind) in units_with.iter_mut().zip(of_agents.chunks(extracted.len())) {
                *units = of_kind.iter().map(|&units| u64::from(units)).sum();
            }
        }
        let all: u64 = extracted.iter().flatten().map(|&units| u64::from(units)).sum();
        let mut devices_made: [Vec<u32>; KINDS] = std::array::from_fn(|_| vec![0; resources]);
        for agent in &society.agents {
            for (sums, own) in devices_made.iter_mut().zip(&agent.devices) {
                for (sum, made) in sums.iter_mut().zip(&own.made) {
                    *sum += made[0];
                }
            }
        }
        Ok(Today {
            units_by_hand: all - units_with.iter().sum::<u64>(),
            extracted,
            units_with,
            devices_made,
            inventions: self.inventions()?,
            trades: self.trades(society)?,
            units_held: self.device.read(&today.units_held)?.into_iter().map(u64::from).sum(),
            utility: self.device.read(&today.utility[0])?,
        })
    }

    /// The inventions of today, in their order.
    fn inventions(&self) -> Result<Vec<(Kind, usize, usize)>, Failure> {
        let records = &self.societies.inventions;
        let count = self.device.read(&records.count)?[0] as usize;
        let words = self.device.read(&records.inventions)?;
        let invention = |of_one: &[u32]| (Kind::ALL[of_one[0] as usize], of_one[1] as usize, of_one[2] as usize);
        Ok(words.chunks_exact(3).take(count).map(invention).collect())
    }

    /// The trades of today, in the order of rounds and pairs.
    fn trades(&self, society: &Society) -> Result<Vec<Trade>, Failure> {
        let mut trades = Vec::new();
        if !society.parameters.trade {
            return Ok(trades);
        }
        let records = &self.societies.trades;
        let orders = self.device.read(&self.societies.buffers.meetings.orders)?;
        let counts = self.device.read(&records.counts)?;
        let lots = self.device.read(&records.lots)?;
        let surplus = self.device.read(&records.surplus)?;
        let (agents, attempts) = (society.agents.len(), society.parameters.market.attempts as usize);
        let pairs = self.societies.present.len() / 2;
        let pairs_of_day = self.societies.common.rounds_of_day() as usize * pairs;
        for (at, &count) in counts.iter().enumerate().take(pairs_of_day) {
            let (round, pair) = (at / pairs, at % pairs);
            let agent = |side: usize| orders[round * agents + 2 * pair + side] as usize;
            for trade in (0..count as usize).map(|number| at * attempts + number) {
                let [i, j, given, received] = [0, 1, 2, 3].map(|word| lots[4 * trade + word]);
                let surplus = [surplus[2 * trade], surplus[2 * trade + 1]];
                let lot = Lot { resources: [i as usize, j as usize], given, received, surplus };
                trades.push(Trade { agents: [agent(0), agent(1)], lot });
            }
        }
        Ok(trades)
    }
}
