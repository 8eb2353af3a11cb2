//! What the user describes.

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
        /// Which devices agents invent, trade and make: `none`; `tools`; `extracting`, tools, machines, factories and
        /// industries; or `all`, with the two kinds that speed up assembly.
        pub devices: Devices = Devices::Tools,
        /// Whether to write all trades of resources to `trades.csv`.
        pub trade_list: bool = false,
        /// What units are worth, and how long they last.
        pub economy: Economy = Economy::default(),
        /// Extraction of resources.
        pub work: Work = Work::default(),
        /// The barter of resources.
        pub market: Market = Market::default(),
        /// Inventions.
        pub invention: Invention = Invention::default(),
        /// The markets of devices.
        pub device_market: DeviceMarket = DeviceMarket::default(),
        /// Making devices.
        pub assembly: Assembly = Assembly::default(),
        /// What devices of each kind do.
        pub device: DeviceTable = DeviceTable::default(),
        /// Scheduled shocks: resources that run out, and agents that leave.
        pub removals: Vec<Removal> = Vec::new(),
    }
}

impl Scenario {
    /// The numbers of the model.
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
            removals: self.removals.clone(),
        }
    }
}
