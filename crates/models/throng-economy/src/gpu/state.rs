//! Reading the states of societies, and a single society on a device.

use std::ops::Range;
use std::sync::Arc;

use throng_device::Device;
use throng_device::cube::NONE;
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::buffers::Buffers;
use super::shape::Shape;
use super::{Replicate, SocietiesOnDevice};
use crate::devices::{KINDS, Kind};
use crate::parameters::Market;
use crate::society::{Agent, Lot, MEMORY, MarketRound, OwnDevices, Recipes, Society, Today, Trade};

/// A society that is simulated on a device; its parameters and curves are on the host.
pub struct SocietyOnDevice {
    device: Arc<Device>,
    societies: SocietiesOnDevice,
    on_host: Society,
}

impl SocietyOnDevice {
    /// Creates a society before its first day.
    ///
    /// # Errors
    /// As [`SocietiesOnDevice::new`], and if the society uses rules of the authors' program.
    pub fn new(device: &Arc<Device>, society: Society) -> Result<Self, Failure> {
        if society.deviations.is_any() {
            return Err(Failure::input("deviations", "devices support only the rules of the model", "use the CPU"));
        }
        let replicate = Replicate { set: 0, seed: society.seed };
        let sets = std::slice::from_ref(&society.parameters);
        let societies = SocietiesOnDevice::new(device, sets, &[replicate], true)?;
        Ok(Self { device: Arc::clone(device), societies, on_host: society })
    }
}

impl Steps for SocietyOnDevice {
    type State = Society;

    fn step(&mut self) -> Result<(), Failure> {
        self.societies.day()
    }

    fn state(&self) -> Result<Society, Failure> {
        let mut society = self.on_host.clone();
        if self.societies.days() > 0 {
            Snapshot::read(&self.societies)?.write(0, &mut society);
            society.today.inventions = self.inventions()?;
            society.today.trades = self.trades(&society)?;
        }
        Ok(society)
    }
}

/// The state of all societies, read from a device.
pub struct Snapshot {
    shape: Shape,
    days: u32,
    is_present: Vec<bool>,
    is_left: Vec<bool>,
    held: Vec<u32>,
    experience: Vec<f64>,
    valued: Vec<f64>,
    extracted: Vec<u32>,
    gain_per_min: Vec<f64>,
    set_aside: Vec<f64>,
    overtime: Vec<f64>,
    gained: Vec<f64>,
    clock: Vec<f64>,
    utility: [Vec<f64>; 3],
    held_in_the_evening: Vec<u32>,
    units_with: Vec<u32>,
    /// Minutes, experience and promises of devices.
    devices: (Vec<f64>, Vec<f64>, Vec<u32>),
    prices: Vec<f64>,
    made: Vec<u32>,
    partners: Vec<u32>,
    surplus: Vec<f64>,
    components: Vec<u32>,
}

impl Snapshot {
    /// Reads the state.
    ///
    /// # Errors
    /// When the device fails, or its driver ended loops early.
    pub fn read(societies: &SocietiesOnDevice) -> Result<Self, Failure> {
        societies.check_loops()?;
        let device = &societies.device;
        let Buffers { stock, minutes, owned, recipes, today, .. } = &societies.buffers;
        let [now, before, two_before] = &today.utility;
        Ok(Self {
            shape: societies.common.shape,
            days: societies.days(),
            is_present: societies.are_present().collect(),
            is_left: societies.is_left.clone(),
            held: device.read(&stock.held)?,
            experience: device.read(&stock.experience)?,
            valued: device.read(&stock.valued)?,
            extracted: device.read(&today.extracted)?,
            gain_per_min: device.read(&minutes.gain_per_min)?,
            set_aside: device.read(&minutes.set_aside)?,
            overtime: device.read(&minutes.overtime)?,
            gained: device.read(&minutes.gained)?,
            clock: device.read(&minutes.clock)?,
            utility: [device.read(now)?, device.read(before)?, device.read(two_before)?],
            held_in_the_evening: device.read(&today.held)?,
            units_with: device.read(&today.units_with)?,
            devices: (device.read(&owned.minutes)?, device.read(&owned.experience)?, device.read(&owned.to_make)?),
            prices: device.read(&owned.prices)?,
            made: device.read(&owned.made)?,
            partners: device.read(&owned.partners)?,
            surplus: device.read(&owned.surplus)?,
            components: device.read(&recipes.components)?,
        })
    }

    /// Overwrites the state of a society. Today's trades and inventions are left empty.
    pub fn write(&self, society: usize, over: &mut Society) {
        let agents = self.shape.agents as usize;
        let own = society * agents..(society + 1) * agents;
        over.days = self.days;
        over.is_present.clone_from(&self.is_present);
        over.is_left.clone_from(&self.is_left);
        for (number, agent) in own.clone().zip(&mut over.agents) {
            self.write_agent(number, agent);
        }
        if self.shape.kinds > 0 {
            over.recipes = self.recipes(society, over);
        }
        for (over, utility) in over.utility_of_days.iter_mut().zip(&self.utility).take(self.days as usize) {
            *over = utility[own.clone()].to_vec();
        }
        over.today = self.today(own, over);
    }

    fn all_agents(&self) -> usize {
        self.clock.len()
    }

    fn write_agent(&self, number: usize, agent: &mut Agent) {
        let resources = self.shape.resources as usize;
        let own = number * resources..(number + 1) * resources;
        agent.held.copy_from_slice(&self.held[own.clone()]);
        agent.experience.copy_from_slice(&self.experience[own.clone()]);
        agent.valued.copy_from_slice(&self.valued[own]);
        agent.gain_per_min = self.gain_per_min[number];
        agent.set_aside_min = self.set_aside[number];
        agent.overtime_min = self.overtime[number];
        agent.gained_by_devices = self.gained[number];
        agent.clock_min = self.clock[number];
        for (at, &kind) in self.kinds().iter().enumerate() {
            self.write_devices(number, at, agent.of_mut(kind));
        }
    }

    fn write_devices(&self, number: usize, kind: usize, own: &mut OwnDevices) {
        let (resources, places) = (self.shape.resources as usize, self.shape.partners as usize);
        let column = |of: usize| (of * self.all_agents() + number) * resources;
        let of_kind = column(kind)..column(kind) + resources;
        own.minutes.copy_from_slice(&self.devices.0[of_kind.clone()]);
        own.experience.copy_from_slice(&self.devices.1[of_kind.clone()]);
        own.to_make.copy_from_slice(&self.devices.2[of_kind]);
        for resource in 0..resources {
            let remembered = |age: usize| column(kind * MEMORY + age) + resource;
            own.prices[resource] = std::array::from_fn(|age| self.prices[remembered(age)]);
            own.made[resource] = std::array::from_fn(|age| self.made[remembered(age)]);
        }
        let first = (kind * self.all_agents() + number) * places;
        let of_place = |place: usize| {
            let surplus = std::array::from_fn(|age| self.surplus[place * MEMORY + age]);
            (self.partners[place] as usize, surplus)
        };
        let used = (first..first + places).filter(|&place| self.partners[place] != NONE);
        own.surplus = used.map(of_place).collect();
        own.surplus.sort_unstable_by_key(|entry| entry.0);
    }

    fn kinds(&self) -> &'static [Kind] {
        const ALL: [Kind; KINDS] = Kind::ALL;
        &ALL[..self.shape.kinds as usize]
    }

    fn recipes(&self, society: usize, of: &Society) -> Recipes {
        let max_components = self.shape.components as usize;
        let devices = self.shape.kinds as usize * self.shape.resources as usize;
        let own = &self.components[society * devices * max_components..(society + 1) * devices * max_components];
        let of_device = |(device, components): (usize, &[u32])| {
            let used = components.iter().take_while(|&&component| component != NONE);
            let list: Vec<usize> = used.map(|&component| component as usize).collect();
            let resources = self.shape.resources as usize;
            (!list.is_empty()).then_some((self.kinds()[device / resources], device % resources, list))
        };
        Recipes::of_components(&of.parameters, own.chunks(max_components).enumerate().filter_map(of_device))
    }

    fn today(&self, own: Range<usize>, society: &Society) -> Today {
        let resources = self.shape.resources as usize;
        let of_agents = |units: &[u32]| -> Vec<Vec<u32>> {
            units[own.start * resources..own.end * resources].chunks(resources).map(<[u32]>::to_vec).collect()
        };
        let extracted = of_agents(&self.extracted);
        let mut units_with = [0; KINDS];
        for (kind, units) in units_with.iter_mut().enumerate().take(self.shape.extracting as usize) {
            let first = kind * self.all_agents();
            *units = self.units_with[first + own.start..first + own.end].iter().copied().map(u64::from).sum();
        }
        let mut devices_made: [Vec<u32>; KINDS] = std::array::from_fn(|_| vec![0; resources]);
        for agent in &society.agents {
            for (sums, own) in devices_made.iter_mut().zip(&agent.devices) {
                for (sum, made) in sums.iter_mut().zip(&own.made) {
                    *sum += made[0];
                }
            }
        }
        let all: u64 = extracted.iter().flatten().copied().map(u64::from).sum();
        Today {
            units_by_hand: all - units_with.iter().sum::<u64>(),
            extracted,
            units_with,
            devices_made,
            held: of_agents(&self.held_in_the_evening),
            utility: self.utility[0][own].to_vec(),
            ..Today::default()
        }
    }
}

impl SocietyOnDevice {
    /// Returns today's inventions in order.
    fn inventions(&self) -> Result<Vec<(Kind, usize, usize)>, Failure> {
        let records = &self.societies.inventions;
        let count = self.device.read(&records.count)?[0] as usize;
        let words = self.device.read(&records.inventions)?;
        let invention = |of_one: &[u32]| (Kind::ALL[of_one[0] as usize], of_one[1] as usize, of_one[2] as usize);
        Ok(words.chunks_exact(3).take(count).map(invention).collect())
    }

    /// Returns today's trades in the order of rounds and pairs.
    fn trades(&self, society: &Society) -> Result<Vec<Trade>, Failure> {
        let mut trades = Vec::new();
        if !society.parameters.trade {
            return Ok(trades);
        }
        let records = &self.societies.trades;
        let orders = self.device.read(&self.societies.buffers.orders.partners)?;
        let counts = self.device.read(&records.counts)?;
        let lots = self.device.read(&records.lots)?;
        let surplus = self.device.read(&records.surplus)?;
        let Market { rounds, attempts, .. } = society.parameters.market;
        let (agents, attempts) = (society.agents.len(), attempts as usize);
        let pairs = self.societies.present.len() / 2;
        let pairs_of_day = self.societies.common.rounds_of_day() as usize * pairs;
        for (at, &count) in counts.iter().enumerate().take(pairs_of_day) {
            let (of_day, pair) = (at / pairs, at % pairs);
            let at_round = MarketRound { market: of_day as u32 / rounds, round: of_day as u32 % rounds };
            let agent = |side: usize| orders[of_day * agents + 2 * pair + side] as usize;
            for trade in (0..count as usize).map(|number| at * attempts + number) {
                let [i, j, given, received] = [0, 1, 2, 3].map(|word| lots[4 * trade + word]);
                let surplus = [surplus[2 * trade], surplus[2 * trade + 1]];
                let lot = Lot { resources: [i as usize, j as usize], given, received, surplus };
                trades.push(Trade { at: at_round, agents: [agent(0), agent(1)], lot });
            }
        }
        Ok(trades)
    }
}
