//! The scenario of a society, as described by the user.

use throng_model::step_scenario;

use crate::devices::Devices;
use crate::parameters::{Assembly, DeviceMarket, DeviceTable, Economy, Invention, Market, Parameters, Removal, Work};

step_scenario! {
    /// A scenario file.
    pub struct Scenario(days = 200, frame_every = 1, folder = "output/societies") {
        /// Agents of the society, 2 to 4096.
        pub agents: u32 = 24,
        /// Kinds of resources, 2 to 256.
        pub resources: u32 = 24,
        /// Whether agents barter resources.
        pub trade: bool = true,
        /// Devices that agents invent, trade and make: `none`; `tools`; `extracting`, which are tools, machines,
        /// factories and industries; or `all`, which adds the two kinds that speed up assembly.
        pub devices: Devices = Devices::Tools,
        /// Whether to write all trades of resources to `trades.csv`.
        pub trade_list: bool = false,
        /// Interval of the rows in `agents.csv`, from which images are rendered, days; 0 for no table.
        pub agents_every: u64 = 10,
        /// Interval of the rows in `stock.csv`, with a row for each agent and resource, days; 0 for no table.
        pub stock_every: u64 = 0,
        /// Utility of units, and their lifetime.
        pub economy: Economy = Economy::default(),
        /// Extraction of resources.
        pub work: Work = Work::default(),
        /// Barter of resources.
        pub market: Market = Market::default(),
        /// Inventions.
        pub invention: Invention = Invention::default(),
        /// The markets of devices.
        pub device_market: DeviceMarket = DeviceMarket::default(),
        /// Assembly of devices.
        pub assembly: Assembly = Assembly::default(),
        /// Effects of devices, by kind.
        pub device: DeviceTable = DeviceTable::default(),
        /// Powers of agents in trade, integers from 1 to 8: a price is closer to what the weaker agent would just
        /// accept. The list is repeated for all agents; with [1, 3] every other agent is strong.
        pub trade_powers: Vec<u32> = vec![1],
        /// Factors on the probabilities of invention, 0 to 1000. The list is repeated for all agents.
        pub invention_speeds: Vec<f64> = vec![1.0],
        /// Scheduled shocks: resources that run out, and agents that leave.
        pub removals: Vec<Removal> = Vec::new(),
    }
}

impl Scenario {
    /// A scenario of the default number of days, or more if its removals need them.
    pub(crate) fn of(parameters: &Parameters) -> Self {
        let Parameters { agents, resources, trade, devices, .. } = *parameters;
        let Parameters { economy, work, market, device_market, assembly, invention, device, .. } = *parameters;
        let Parameters { trade_powers, invention_speeds, removals, .. } = parameters.clone();
        let days = Scenario::default().days.max(removals.iter().map(|removal| removal.day).max().unwrap_or(0));
        Self {
            days,
            agents,
            resources,
            trade,
            devices,
            economy,
            work,
            market,
            invention,
            device_market,
            assembly,
            device,
            trade_powers,
            invention_speeds,
            removals,
            ..Self::default()
        }
    }

    /// Returns the parameters of the model.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            agents: self.agents,
            resources: self.resources,
            trade: self.trade,
            devices: self.devices,
            economy: self.economy,
            work: self.work,
            market: self.market,
            device_market: self.device_market,
            assembly: self.assembly,
            invention: self.invention,
            device: self.device,
            trade_powers: self.trade_powers.clone(),
            invention_speeds: self.invention_speeds.clone(),
            removals: self.removals.clone(),
        }
    }
}
