//! A single society on a device, and reading its state.

use throng_device::Device;
use throng_device::cubecl::prelude::Runtime;
use throng_model::{Failure, Steps};

use super::SocietiesOnDevice;
use crate::society::{Lot, Society, Trade};

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
        let societies = SocietiesOnDevice::new(device, &society.parameters, &[society.seed], true)?;
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
        let buffers = &self.societies.buffers;
        let resources = society.is_left.len();
        let held = self.device.read(&buffers.held)?;
        let experience = self.device.read(&buffers.experience)?;
        let valued = self.device.read(&buffers.valued)?;
        let gain_per_min = self.device.read(&buffers.gain_per_min)?;
        let clock_min = self.device.read(&buffers.clock_min)?;
        for (number, agent) in society.agents.iter_mut().enumerate() {
            let own = number * resources..(number + 1) * resources;
            agent.held.copy_from_slice(&held[own.clone()]);
            agent.experience.copy_from_slice(&experience[own.clone()]);
            agent.valued.copy_from_slice(&valued[own]);
            agent.gain_per_min = gain_per_min[number];
            agent.clock_min = clock_min[number];
        }
        let trades = self.trades(&society)?;
        let today = &mut society.today;
        today.extracted = self.device.read(&buffers.extracted)?.chunks(resources).map(<[u32]>::to_vec).collect();
        today.units_by_hand = self.device.read(&buffers.units_extracted)?.into_iter().map(u64::from).sum();
        today.devices_made = std::array::from_fn(|_| vec![0; resources]);
        today.units_held = self.device.read(&buffers.units_held)?.into_iter().map(u64::from).sum();
        today.utility = self.device.read(&buffers.utility[0])?;
        today.trades = trades;
        for (day, utility) in buffers.utility.iter().enumerate().take(society.days as usize) {
            society.utility_of_days[day] = self.device.read(utility)?;
        }
        Ok(society)
    }
}

impl<R: Runtime> SocietyOnDevice<'_, R> {
    /// The trades of today, in the order of rounds and pairs.
    fn trades(&self, society: &Society) -> Result<Vec<Trade>, Failure> {
        let mut trades = Vec::new();
        if !society.parameters.trade {
            return Ok(trades);
        }
        let records = &self.societies.records;
        let orders = self.device.read(&self.societies.buffers.orders)?;
        let counts = self.device.read(&records.counts)?;
        let lots = self.device.read(&records.lots)?;
        let surplus = self.device.read(&records.surplus)?;
        let (agents, attempts) = (society.agents.len(), society.parameters.market.attempts as usize);
        let pairs = agents / 2;
        for (at, &count) in counts.iter().enumerate() {
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
