//! Societies on a device: many of them, with equal parameters and different seeds, in one sequence of launches.
//!
//! Each phase of a day is a kernel, with a cube for each agent or pair of all societies and a unit for each resource, which
//! is the mapping of Kloosterman (section 6). Agents do not make devices here, and nothing is removed.

mod kernels;
mod series;
mod state;

use throng_core::Philox;
use throng_device::cube::host::shuffle;
use throng_device::cubecl::prelude::*;
use throng_device::exact::NEGATIVE_ZERO;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use crate::curves::{Effort, Utility};
use crate::devices::Devices;
use crate::parameters::Parameters;
use crate::society::purpose;
use kernels::barter::{RecordBuffers, Round};
use kernels::end_of_day::Evening;
use kernels::extraction::WorkDay;
use kernels::{TableBuffers, barter, end_of_day, extraction, partners};

pub use series::{COLUMNS, Series, simulate};
pub use state::SocietyOnDevice;

/// Societies of at most this many agents draw their partners on the device; those of larger ones are drawn on the host, since
/// a cube has too little memory.
const MOST_DRAWN_ON_DEVICE: u32 = 1024;

/// Markets of resources on a day without devices.
const MARKETS: u32 = 2;

/// Why a device cannot simulate societies with these parameters.
pub fn unsuitable(parameters: &Parameters) -> Option<&'static str> {
    if parameters.devices != Devices::None {
        Some("societies with devices are simulated on the CPU")
    } else if !parameters.removals.is_empty() {
        Some("societies with removals are simulated on the CPU")
    } else {
        None
    }
}

/// Rounds of barter on a day.
fn rounds_of_day(parameters: &Parameters) -> u32 {
    MARKETS * parameters.market.rounds
}

/// Societies on a device.
pub struct SocietiesOnDevice<'d, R: Runtime> {
    device: &'d Device<R>,
    parameters: Parameters,
    seeds: Vec<u64>,
    days: u32,
    tables: TableBuffers,
    buffers: Buffers,
    records: RecordBuffers,
    keeps_records: bool,
}

/// The state of all societies, and what is measured on a day.
struct Buffers {
    seeds: Buffer<u32>,
    /// `[society][agent][resource]`.
    held: Buffer<u32>,
    experience: Buffer<f64>,
    valued: Buffer<f64>,
    extracted: Buffer<u32>,
    /// `[society][agent]`.
    gain_per_min: Buffer<f64>,
    clock_min: Buffer<f64>,
    /// Utility today, yesterday and on the day before.
    utility: [Buffer<f64>; 3],
    units_held: Buffer<u32>,
    units_extracted: Buffer<u32>,
    /// `[society][pair]`.
    traded: Buffer<u32>,
    /// `[society][round][agent]`.
    orders: Buffer<u32>,
}

impl<'d, R: Runtime> SocietiesOnDevice<'d, R> {
    /// Societies before their first day, one for each seed. With records, of which there can only be those of one society,
    /// trades can be read.
    ///
    /// # Errors
    /// When the device has too little memory, or [cannot simulate](unsuitable) them.
    pub fn new(
        device: &'d Device<R>,
        parameters: &Parameters,
        seeds: &[u64],
        keeps_records: bool,
    ) -> Result<Self, Failure> {
        if let Some(reason) = unsuitable(parameters) {
            return Err(Failure::input("--device", reason, "use --device cpu"));
        }
        let utility = Utility::new(parameters);
        let (of_units, of_next, inverse_of_next) = utility.tables();
        let agents = seeds.len() * parameters.agents as usize;
        let stock = agents * parameters.resources as usize;
        let rounds = rounds_of_day(parameters) as usize;
        let words: Vec<u32> = seeds.iter().flat_map(|&seed| [seed as u32, (seed >> 32) as u32]).collect();
        let pairs_of_day = if keeps_records { rounds * parameters.agents as usize / 2 } else { 0 };
        let trades = pairs_of_day * parameters.market.attempts as usize;
        let zeros = |what, len| device.upload::<f64>(what, &vec![0.0; len]);
        let no_units = |what, len| device.upload::<u32>(what, &vec![0; len]);
        Ok(Self {
            device,
            tables: TableBuffers {
                of_units: device.upload("utility", of_units)?,
                of_next: device.upload("marginal utility", &of_next)?,
                inverse_of_next: device.upload("inverse utility", &inverse_of_next)?,
                minutes: device.upload("effort", &Effort::of_extraction(parameters).table())?,
            },
            buffers: Buffers {
                seeds: device.upload("seeds", &words)?,
                held: no_units("stock", stock)?,
                experience: zeros("experience", stock)?,
                valued: device.upload("valued", &vec![utility.of_next(0); stock])?,
                extracted: no_units("extracted", stock)?,
                gain_per_min: zeros("gain per minute", agents)?,
                clock_min: zeros("clock", agents)?,
                utility: [zeros("utility", agents)?, zeros("utility", agents)?, zeros("utility", agents)?],
                units_held: no_units("units held", agents)?,
                units_extracted: no_units("units extracted", agents)?,
                traded: no_units("units traded", seeds.len() * (parameters.agents as usize / 2).max(1))?,
                orders: no_units("partners", (agents * rounds).max(1))?,
            },
            records: RecordBuffers {
                counts: no_units("trades", pairs_of_day.max(1))?,
                lots: no_units("lots", 4 * trades.max(1))?,
                surplus: zeros("surplus", 2 * trades.max(1))?,
            },
            parameters: parameters.clone(),
            seeds: seeds.to_vec(),
            days: 0,
            keeps_records,
        })
    }

    /// Bytes of a society on the device, without the tables, of which all share one copy.
    pub fn bytes_per_society(&self) -> u64 {
        let parameters = &self.parameters;
        let (agents, resources) = (u64::from(parameters.agents), u64::from(parameters.resources));
        let rounds = u64::from(rounds_of_day(parameters));
        agents * resources * (4 + 8 + 8 + 4) + agents * (5 * 8 + 2 * 4 + 2 + 4 * rounds) + 8
    }

    /// Days that are over.
    pub fn days(&self) -> u32 {
        self.days
    }

    /// A day of all societies.
    ///
    /// # Errors
    /// When the device fails.
    pub fn day(&mut self) -> Result<(), Failure> {
        self.days += 1;
        if self.parameters.trade {
            self.draw_partners()?;
            self.market(0)?;
        }
        self.extract()?;
        if self.parameters.trade {
            self.market(1)?;
        }
        self.buffers.utility.rotate_right(1);
        self.end_day()?;
        Ok(())
    }

    fn all_agents(&self) -> u32 {
        self.seeds.len() as u32 * self.parameters.agents
    }

    /// Units of a cube: one for each resource, in whole warps.
    fn units(&self) -> u32 {
        self.parameters.resources.next_multiple_of(32)
    }

    /// The partners of all rounds of today.
    #[allow(unsafe_code)]
    fn draw_partners(&mut self) -> Result<(), DeviceError> {
        let Self { device, parameters, seeds, days, buffers, .. } = self;
        let rounds = rounds_of_day(parameters);
        let all_rounds = seeds.len() as u32 * rounds;
        if parameters.agents > MOST_DRAWN_ON_DEVICE {
            let mut orders = Vec::with_capacity(buffers.orders.len());
            for &seed in seeds.iter() {
                for round in 0..rounds {
                    let purpose = purpose::PARTNERS | round;
                    orders.extend(shuffle(parameters.agents, Philox::new(seed), 0, *days, purpose));
                }
            }
            buffers.orders = device.upload("partners", &orders)?;
            return Ok(());
        }
        let units = parameters.agents.next_multiple_of(32).min(256);
        device.launch_cubes("partners", all_rounds, units, |client, cubes, dim| {
            // SAFETY: a cube below `all_rounds` writes the places of its round, of which there are that many times the agents,
            // and reads the two words of its society's seed.
            unsafe {
                partners::draw_partners::launch_unchecked::<R>(
                    client,
                    cubes,
                    dim,
                    buffers.seeds.arg(),
                    buffers.orders.arg(),
                    all_rounds,
                    rounds,
                    *days,
                    parameters.agents as usize,
                );
            }
        })
    }

    /// A market of the day.
    #[allow(unsafe_code)]
    fn market(&self, number: u32) -> Result<(), DeviceError> {
        let market = &self.parameters.market;
        let pairs = self.parameters.agents / 2;
        let rounds = rounds_of_day(&self.parameters);
        for round in number * market.rounds..(number + 1) * market.rounds {
            let round = Round {
                all_pairs: pairs * self.seeds.len() as u32,
                pairs,
                agents: self.parameters.agents,
                number: round,
                rounds,
                attempts: market.attempts,
                least_surplus: market.least_surplus,
                zero: NEGATIVE_ZERO,
            };
            self.device.launch_cubes("barter", round.all_pairs, self.units(), |client, cubes, dim| {
                // SAFETY: a cube below `all_pairs` reads two agents of the order of its round, which has the agents of its
                // society, and writes only their stock, each unit below the number of resources its own. Places in tables
                // are bounded by their lengths, menus and candidates by the size of the menu, and records by the attempts.
                unsafe {
                    barter::barter::launch_unchecked::<R>(
                        client,
                        cubes,
                        dim,
                        self.tables.arg(),
                        self.buffers.orders.arg(),
                        self.buffers.held.arg(),
                        self.buffers.valued.arg(),
                        self.buffers.traded.arg(),
                        self.records.arg(),
                        round.arg(),
                        self.parameters.resources as usize,
                        market.menu_size,
                        self.units() as usize,
                        self.keeps_records,
                    );
                }
            })?;
        }
        Ok(())
    }

    #[allow(unsafe_code)]
    fn extract(&self) -> Result<(), DeviceError> {
        let work = &self.parameters.work;
        let numbers = WorkDay {
            all_agents: self.all_agents(),
            agents: self.parameters.agents,
            day: self.days,
            day_min: work.day_min,
            tolerance: work.tolerance,
            forgotten: work.forgotten_per_day,
            full_experience: f64::from(work.full_experience),
        };
        self.device.launch_cubes("extraction", self.all_agents(), self.units(), |client, cubes, dim| {
            // SAFETY: a cube below `all_agents` reads and writes the stock of its agent, each unit below the number of
            // resources its own; places in tables are bounded by their lengths.
            unsafe {
                extraction::extract::launch_unchecked::<R>(
                    client,
                    cubes,
                    dim,
                    self.tables.arg(),
                    self.buffers.seeds.arg(),
                    self.buffers.held.arg(),
                    self.buffers.experience.arg(),
                    self.buffers.extracted.arg(),
                    self.buffers.gain_per_min.arg(),
                    self.buffers.clock_min.arg(),
                    numbers.arg(),
                    self.parameters.resources as usize,
                );
            }
        })
    }

    #[allow(unsafe_code)]
    fn end_day(&self) -> Result<(), DeviceError> {
        // As many of the 2^32 words of a draw as the share of the units that is consumed; at least one.
        let words = (4_294_967_296.0 / self.parameters.economy.unit_lifetime_days) as u64;
        let evening = Evening {
            all_agents: self.all_agents(),
            agents: self.parameters.agents,
            day: self.days,
            consumed_to: words.saturating_sub(1) as u32,
            zero: NEGATIVE_ZERO,
        };
        self.device.launch_cubes("end of day", self.all_agents(), self.units(), |client, cubes, dim| {
            // SAFETY: as for extraction.
            unsafe {
                end_of_day::end_day::launch_unchecked::<R>(
                    client,
                    cubes,
                    dim,
                    self.tables.arg(),
                    self.buffers.seeds.arg(),
                    self.buffers.held.arg(),
                    self.buffers.valued.arg(),
                    self.buffers.extracted.arg(),
                    self.buffers.utility[0].arg(),
                    self.buffers.units_held.arg(),
                    self.buffers.units_extracted.arg(),
                    evening.arg(),
                    self.parameters.resources as usize,
                );
            }
        })
    }
}
