//! A day of all societies: the launches of its phases.

use throng_core::Philox;
use throng_device::cube::host::shuffle;
use throng_device::loops::CUT_LOOPS;
use throng_device::{Buffer, DeviceError, KernelParameter};
use throng_model::Failure;

use super::SocietiesOnDevice;
use super::agents::AgentArraysBuffers;
use super::buffers::Buffers;
use super::kernels::barter::{Round, TraderArraysBuffers};
use super::kernels::device_partners::{DeviceRound, MemoriesBuffers};
use super::kernels::end_of_day::EveningBuffers;
use super::kernels::extraction::WorkerArraysBuffers;
use super::kernels::invention::InventorArraysBuffers;
use super::kernels::partners::Orders;
use super::kernels::production::ProducerArraysBuffers;
use super::kernels::{
    Day, barter, device_market, device_partners, end_of_day, extraction, invention, partners, production, removals,
};
use super::shape::Common;
use crate::parameters::{DeviceMarket, Removal};
use crate::rules::phases::Phase;
use crate::society::purpose;

/// Maximum number of agents of a society whose orders are drawn on the device. Larger orders do not fit into the memory
/// of a cube and are drawn on the host.
const MAX_AGENTS_DRAWN_ON_DEVICE: u32 = 1024;

/// An argument of kernels, for [`are_cut`](throng_device::loops::are_cut()).
const LOOP_PROBE: u32 = 2;

// Why the launches in this file are sound: a cube below the number of agents, pairs or societies accesses only the
// columns of its agents, and each unit below the number of resources only its own resource. Agents in orders and pairs
// are below the number of agents, and resources in menus, recipes and lists below the number of resources. Table
// indices are bounded by the table lengths, and indices of memories and records by their sizes, which `Buffers`
// allocates from the same shape.

/// Launches a kernel in some cubes with one unit per resource. Its first argument is the tables, its last one the
/// shape.
macro_rules! launch {
    ($societies:expr, $label:literal, $cubes:expr, $($kernel:ident)::+, $($argument:expr),+ $(,)?) => {
        $societies.device.launch_cubes($label, $cubes, $societies.common.shape.units(), |client, cubes, dim| {
            // SAFETY: see above.
            unsafe { $($kernel)::+::launch_unchecked(client, cubes, dim, $societies.tables.arg(), $($argument),+, $societies.common.shape) }
        })
    };
}

impl SocietiesOnDevice {
    /// Simulates a day of all societies.
    ///
    /// # Errors
    /// When the device fails.
    pub fn day(&mut self) -> Result<(), Failure> {
        self.remove_scheduled()?;
        self.days += 1;
        self.draw_partners()?;
        for at in 0..self.common.phases.len() {
            match self.common.phases[at] {
                Phase::Market(number) => self.trade(number)?,
                Phase::DeviceMarket(kind) => self.trade_devices(kind as u32)?,
                Phase::OwnDevices(kind) => self.make_for_themselves(kind as u32)?,
                Phase::Production => self.produce()?,
                Phase::Extraction => self.extract()?,
                Phase::Invention => self.invent()?,
                Phase::Forgetting => self.forget_assembly()?,
            }
        }
        self.buffers.today.utility.rotate_right(1);
        self.end_day()?;
        Ok(())
    }

    /// Carries out the removals scheduled for the end of yesterday.
    fn remove_scheduled(&mut self) -> Result<(), DeviceError> {
        for at in 0..self.common.removals.len() {
            let removal = self.common.removals[at];
            if removal.day == self.days {
                self.remove(&removal)?;
            }
        }
        Ok(())
    }

    /// Returns an error if the driver ended loops of kernels early: their results are wrong.
    pub(super) fn check_loops(&self) -> Result<(), DeviceError> {
        if self.device.read(&self.are_cut)?[0] == 0 {
            return Ok(());
        }
        Err(DeviceError::Unsuitable { device: self.device.label(), lacks: CUT_LOOPS.to_owned() })
    }

    pub(super) fn societies(&self) -> u32 {
        self.replicates.len() as u32
    }

    pub(super) fn today(&self) -> Day {
        Day { all_agents: self.societies() * self.common.shape.agents, number: self.days, loop_probe: LOOP_PROBE }
    }

    /// Returns the number of agents per society that were not removed.
    pub(super) fn present(&self) -> u32 {
        self.present.len() as u32
    }

    /// Draws orders of members for each society: on the device, or on the host for large societies.
    #[allow(unsafe_code)]
    fn draw_orders(
        &self,
        members: &[u32],
        on_device: &Buffer<u32>,
        of_society: u32,
        purpose: u32,
        written: &Buffer<u32>,
    ) -> Result<Option<Buffer<u32>>, DeviceError> {
        let max_agents = self.common.shape.agents;
        if max_agents > MAX_AGENTS_DRAWN_ON_DEVICE {
            let mut orders = Vec::with_capacity(written.len());
            for replicate in &self.replicates {
                for number in 0..of_society {
                    let draws = Philox::new(replicate.seed);
                    let order = shuffle(members.len() as u32, draws, 0, self.days, purpose | number);
                    orders.extend(order.into_iter().map(|place| members[place as usize]));
                    // Each order has an entry for each agent of the society.
                    orders.resize(orders.len() + max_agents as usize - members.len(), 0);
                }
            }
            return Ok(Some(self.device.upload("orders of agents", &orders)?));
        }
        let orders = Orders {
            all: self.societies() * of_society,
            of_society,
            agents: members.len() as u32,
            places: max_agents,
            day: self.days,
            purpose,
        };
        let units = max_agents.next_multiple_of(32).min(256);
        self.device.launch_cubes("orders of agents", orders.all, units, |client, cubes, dim| {
            // SAFETY: a cube below `all` writes only its own order, and `members` has one entry per agent of an order.
            unsafe {
                partners::draw_orders::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    self.tables.arg(),
                    on_device.arg(),
                    written.arg(),
                    orders.arg(),
                    max_agents as usize,
                );
            }
        })?;
        Ok(None)
    }
}

/// Launches of the phases.
#[allow(unsafe_code)]
impl SocietiesOnDevice {
    /// Draws the partners of all rounds of today.
    fn draw_partners(&mut self) -> Result<(), DeviceError> {
        let rounds = self.common.rounds_of_day();
        if rounds == 0 {
            return Ok(());
        }
        let orders = &self.buffers.orders.partners;
        let drawn = self.draw_orders(&self.present, &self.members, rounds, purpose::PARTNERS, orders)?;
        if let Some(drawn) = drawn {
            self.buffers.orders.partners = drawn;
        }
        Ok(())
    }

    /// Runs a market of resources.
    fn trade(&self, market: u32) -> Result<(), DeviceError> {
        if !self.common.trade {
            return Ok(());
        }
        let shape = self.common.shape;
        let Common { rounds, attempts, .. } = self.common;
        let pairs = self.present() / 2;
        let Buffers { stock, today, .. } = &self.buffers;
        let traders = TraderArraysBuffers {
            held: &stock.held,
            valued: &stock.valued,
            traded: &today.traded,
            records: &self.trades,
            are_cut: &self.are_cut,
        };
        for number in market * rounds..(market + 1) * rounds {
            let round = Round {
                all_pairs: pairs * self.societies(),
                pairs,
                agents: shape.agents,
                number,
                rounds: self.common.rounds_of_day(),
                attempts,
                loop_probe: LOOP_PROBE,
            };
            launch!(
                self,
                "barter",
                round.all_pairs,
                barter::barter,
                self.buffers.orders.partners.arg(),
                traders.arg(),
                round.arg(),
                self.keeps_records,
            )?;
        }
        Ok(())
    }

    /// Runs the market of a kind of device.
    fn trade_devices(&self, kind: u32) -> Result<(), DeviceError> {
        let shape = self.common.shape;
        let day = self.today();
        let Buffers { stock, minutes, owned, recipes, meetings, .. } = &self.buffers;
        let places = day.all_agents as usize * shape.partners.max(shape.agent_words()) as usize;
        let memories = MemoriesBuffers { partners: &owned.partners, surplus: &owned.surplus, met: &meetings.met };
        self.device.launch("market of devices", places, |client, cubes, dim| {
            // SAFETY: see above.
            unsafe {
                device_partners::begin_market::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    memories.arg(),
                    kind,
                    day.arg(),
                    shape,
                );
            }
        })?;
        let agents = AgentArraysBuffers { stock, minutes, owned, are_cut: &self.are_cut };
        let DeviceMarket { rounds, attempts } = self.common.device_market;
        let pairs = self.present() / 2;
        for round in 0..rounds {
            let market = DeviceRound {
                kind,
                round,
                present: self.present(),
                all_pairs: pairs * self.societies(),
                pairs,
                attempts,
            };
            launch!(
                self,
                "partners for devices",
                self.societies(),
                device_partners::choose_partners,
                owned.arg(),
                meetings.arg(),
                self.are_cut.arg(),
                market.arg(),
                day.arg(),
            )?;
            launch!(
                self,
                "trade in devices",
                market.all_pairs,
                device_market::trade_devices,
                recipes.arg(),
                meetings.pairs.arg(),
                agents.arg(),
                market.arg(),
                day.arg(),
            )?;
        }
        Ok(())
    }

    fn make_for_themselves(&self, kind: u32) -> Result<(), DeviceError> {
        let day = self.today();
        let Buffers { stock, minutes, owned, recipes, .. } = &self.buffers;
        launch!(
            self,
            "own devices",
            day.all_agents,
            production::make_for_themselves,
            recipes.arg(),
            AgentArraysBuffers { stock, minutes, owned, are_cut: &self.are_cut }.arg(),
            kind,
            day.arg(),
        )
    }

    fn produce(&self) -> Result<(), DeviceError> {
        let day = self.today();
        let Buffers { stock, minutes, owned, recipes, .. } = &self.buffers;
        launch!(
            self,
            "production",
            day.all_agents,
            production::produce,
            stock.arg(),
            recipes.arg(),
            ProducerArraysBuffers { minutes, owned, are_cut: &self.are_cut }.arg(),
            day.arg(),
        )
    }

    fn extract(&self) -> Result<(), DeviceError> {
        let day = self.today();
        let Buffers { stock, minutes, owned, today, .. } = &self.buffers;
        let workers = WorkerArraysBuffers {
            held: &stock.held,
            experience: &stock.experience,
            extracted: &today.extracted,
            units_with: &today.units_with,
            agent_minutes: minutes,
            owned,
            are_cut: &self.are_cut,
        };
        launch!(self, "extraction", day.all_agents, extraction::extract, workers.arg(), day.arg(),)
    }

    fn invent(&mut self) -> Result<(), DeviceError> {
        let all: Vec<u32> = (0..self.common.shape.agents).collect();
        let drawn = self.draw_orders(&all, &self.all, 1, purpose::INVENTORS, &self.buffers.orders.inventors)?;
        if let Some(drawn) = drawn {
            self.buffers.orders.inventors = drawn;
        }
        let day = self.today();
        let Buffers { stock, owned, recipes, orders, .. } = &self.buffers;
        launch!(
            self,
            "invention",
            self.societies(),
            invention::invent,
            orders.inventors.arg(),
            stock.arg(),
            InventorArraysBuffers { owned, recipes, records: &self.inventions, are_cut: &self.are_cut }.arg(),
            day.arg(),
            self.keeps_records,
        )
    }

    fn forget_assembly(&self) -> Result<(), DeviceError> {
        let day = self.today();
        let Buffers { stock, minutes, owned, recipes, .. } = &self.buffers;
        launch!(
            self,
            "experience",
            day.all_agents,
            production::forget_assembly,
            stock.arg(),
            recipes.arg(),
            ProducerArraysBuffers { minutes, owned, are_cut: &self.are_cut }.arg(),
            day.arg(),
        )
    }

    fn end_day(&self) -> Result<(), DeviceError> {
        let day = self.today();
        let Buffers { stock, owned, today, .. } = &self.buffers;
        let evening = EveningBuffers {
            held: &stock.held,
            valued: &stock.valued,
            owned_minutes: &owned.minutes,
            utility: &today.utility[0],
            held_before: &today.held,
            units_held: &today.units_held,
            are_cut: &self.are_cut,
        };
        launch!(self, "end of day", day.all_agents, end_of_day::end_day, evening.arg(), day.arg(),)
    }

    /// Yields for each agent whether it is still present. The field `present` is sorted.
    pub(super) fn are_present(&self) -> impl Iterator<Item = bool> {
        (0..self.common.shape.agents).map(|agent| self.present.binary_search(&agent).is_ok())
    }

    /// Presence of each agent, followed by availability of each resource: 1 if it was not removed.
    fn remains(&self) -> Vec<u32> {
        self.are_present().chain(self.is_left.iter().copied()).map(u32::from).collect()
    }

    fn remove(&mut self, removal: &Removal) -> Result<(), DeviceError> {
        let day = self.today();
        let shape = self.common.shape;
        if let Some(agent) = removal.agent {
            self.present.retain(|&other| other != agent);
            self.tables.remains = self.device.upload("removals", &self.remains())?;
            // An empty buffer cannot be a kernel argument.
            let mut members = self.present.clone();
            members.resize(members.len().max(1), 0);
            self.members = self.device.upload("agents", &members)?;
            let Buffers { stock, minutes, owned, .. } = &self.buffers;
            launch!(
                self,
                "removal",
                self.societies(),
                removals::remove_agent,
                stock.arg(),
                minutes.arg(),
                owned.arg(),
                agent,
                day.arg(),
            )?;
        }
        if let Some(resource) = removal.resource {
            self.is_left[resource as usize] = false;
            self.tables.remains = self.device.upload("removals", &self.remains())?;
            let Buffers { stock, owned, .. } = &self.buffers;
            self.device.launch("removal", day.all_agents as usize, |client, cubes, dim| {
                // SAFETY: see above.
                unsafe {
                    removals::remove_resource::launch_unchecked(
                        client,
                        cubes,
                        dim,
                        self.tables.arg(),
                        stock.arg(),
                        owned.minutes.arg(),
                        resource,
                        day.arg(),
                        removal.with_stock,
                        shape,
                    );
                }
            })?;
        }
        Ok(())
    }
}
