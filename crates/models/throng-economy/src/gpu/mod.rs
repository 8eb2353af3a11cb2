//! Societies on a device: many of them in one sequence of launches, with different seeds and different sets of
//! parameters.
//!
//! Each phase of a day is a kernel with a cube for each agent, pair or society and a unit for each resource: the
//! mapping of Kloosterman (section 6). Societies are the outer dimension of all arrays.

mod agents;
mod buffers;
mod day;
mod kernels;
mod many;
mod model;
mod series;
mod shape;
mod state;
mod tables;
use std::sync::Arc;

use throng_device::{Buffer, Device};
use throng_model::Failure;

use crate::curves::Utility;
use crate::model::{MAX_AGENTS, MAX_MENU_SIZE, MAX_RESOURCES};
use crate::parameters::Parameters;
use buffers::{Buffers, Bytes};
use kernels::barter::TradeRecordsBuffers;
use kernels::invention::InventionArraysBuffers;
use shape::Common;
use tables::TablesBuffers;

pub(crate) use agents::AgentsOnDevice;
pub(crate) use kernels::barter::PairOnDevice;
pub(crate) use kernels::device_partners::PartnersOnDevice;
pub(crate) use kernels::extraction::WorkerOnDevice;
pub(crate) use kernels::invention::InventorOnDevice;
pub(crate) use many::{MAX_RUNS, Task, simulate_many};
pub(crate) use model::ModelOnDevice;
pub use series::{Series, simulate};
pub use state::{Snapshot, SocietyOnDevice};

/// One of many societies: its parameter set and its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replicate {
    /// Index of the set.
    pub set: usize,
    /// The seed of all draws.
    pub seed: u64,
}

/// Whether societies with these parameter sets can be simulated together. They must have the same numbers of agents and
/// resources, barter or none, the same devices with the same numbers of components, the same rounds, attempts and menu
/// sizes of markets, and the same removals; all other parameters may differ.
pub fn can_be_together(a: &Parameters, b: &Parameters) -> bool {
    Common::new(a) == Common::new(b)
}

/// Societies on a device.
pub struct SocietiesOnDevice {
    device: Arc<Device>,
    common: Common,
    replicates: Vec<Replicate>,
    days: u32,
    tables: TablesBuffers,
    buffers: Buffers,
    /// Agents that were not removed; `members` is their copy on the device.
    present: Vec<u32>,
    is_left: Vec<bool>,
    members: Buffer<u32>,
    all: Buffer<u32>,
    trades: TradeRecordsBuffers,
    inventions: InventionArraysBuffers,
    /// Set to 1 if the driver ended loops early.
    are_cut: Buffer<u32>,
    keeps_records: bool,
    bytes: Bytes,
}

impl SocietiesOnDevice {
    /// Creates societies before their first day, with parameter sets that [can be together](can_be_together). If
    /// records are kept, which is possible for one society only, its trades and inventions can be read.
    ///
    /// # Errors
    /// When the device lacks memory or buffers, sets are invalid or cannot be together, or replicates are invalid.
    pub fn new(
        device: &Arc<Device>,
        sets: &[Parameters],
        replicates: &[Replicate],
        keeps_records: bool,
    ) -> Result<Self, Failure> {
        let Some(first) = sets.first() else {
            return Err(Failure::input("parameters", "there is no set", "give at least one set of parameters"));
        };
        if !sets.iter().all(|set| can_be_together(set, first)) {
            let remedy = "simulate them one after the other";
            return Err(Failure::input("parameters", "the sets cannot be simulated together", remedy));
        }
        let is_simulated = (2..=MAX_AGENTS).contains(&first.agents)
            && (2..=MAX_RESOURCES).contains(&first.resources)
            && (1..=MAX_MENU_SIZE).contains(&first.market.menu_size)
            && sets.iter().all(|set| !set.trade_powers.is_empty() && !set.invention_speeds.is_empty());
        if !is_simulated {
            return Err(Failure::input("parameters", "are out of their ranges", "check the scenario first"));
        }
        if replicates.is_empty() || replicates.iter().any(|replicate| replicate.set >= sets.len()) {
            return Err(Failure::input("replicates", "refer to a missing set", "give each the index of a set"));
        }
        if keeps_records && replicates.len() > 1 {
            return Err(Failure::input(
                "replicates",
                "only a single society can keep records",
                "give one, or keep no records",
            ));
        }
        let common = Common::new(first);
        device.check_buffers(MAX_BUFFERS)?;
        let societies: Vec<(u32, u64)> =
            replicates.iter().map(|replicate| (replicate.set as u32, replicate.seed)).collect();
        let of_first: Vec<f64> = sets.iter().map(|set| Utility::new(set).of_next(0)).collect();
        let of_societies: Vec<f64> = replicates.iter().map(|replicate| of_first[replicate.set]).collect();
        let (buffers, bytes) = Buffers::new(device, &common, &of_societies)?;
        let all: Vec<u32> = (0..first.agents).collect();
        let pairs_of_day = common.rounds_of_day() as usize * first.agents as usize / 2;
        Ok(Self {
            tables: TablesBuffers::new(device, sets, &societies)?,
            members: device.upload("agents", &all)?,
            all: device.upload("agents", &all)?,
            trades: TradeRecordsBuffers::new(
                device,
                if keeps_records { pairs_of_day } else { 0 },
                first.market.attempts,
            )?,
            inventions: InventionArraysBuffers::new(device, if keeps_records { first.agents } else { 0 })?,
            are_cut: device.upload("loops", &[0])?,
            is_left: vec![true; first.resources as usize],
            present: all,
            device: Arc::clone(device),
            common,
            replicates: replicates.to_vec(),
            days: 0,
            buffers,
            keeps_records,
            bytes,
        })
    }

    /// Bytes of a society on the device, without the tables, which all societies with the same parameter set share.
    pub fn bytes_per_society(&self) -> u64 {
        self.bytes.all / self.replicates.len().max(1) as u64
    }

    /// Bytes of a society in the largest buffer.
    pub fn largest_buffer_per_society(&self) -> u64 {
        self.bytes.largest / self.replicates.len().max(1) as u64
    }

    /// Number of completed days.
    pub fn days(&self) -> u32 {
        self.days
    }
}

/// Maximum number of buffers of a kernel: those of the market of devices.
const MAX_BUFFERS: u32 = 30;
