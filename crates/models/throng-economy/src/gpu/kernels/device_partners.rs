//! Choice of partners in the trade of devices.

use super::{Day, column, report_cut_loops};
use crate::gpu::buffers::{Meetings, Owned};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::partners::{self, PartnersView, PartnersViewExpand};
use crate::rules::prelude::*;
use crate::society::{MEMORY, purpose};

/// A round of the market of a kind of device.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct DeviceRound {
    pub kind: u32,
    pub round: u32,
    /// Agents per society that were not removed.
    pub present: u32,
    /// Pairs of all societies, and pairs per society.
    pub all_pairs: u32,
    pub pairs: u32,
    /// Attempts per pair.
    pub attempts: u32,
}

/// The partners that agents remember, the utility gained with them, and today's meetings.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Memories {
    pub partners: Array<u32>,
    pub surplus: Array<f64>,
    pub met: Array<u32>,
}

/// Begins a day of the market: agents forget gains older than the remembered days, and all meetings. One unit per entry
/// in the memory of each agent, some of which are free; on the CPU an agent has a list of the partners that it
/// remembers.
#[cube(launch_unchecked)]
pub fn begin_market(memories: &mut Memories, kind: u32, day: &Day, #[comptime] shape: Shape) {
    let days = comptime!(MEMORY);
    let at = ABSOLUTE_POS as u32;
    if at < day.all_agents * comptime!(shape.partners) {
        let place = (kind * day.all_agents * comptime!(shape.partners) + at) as usize;
        let mut is_remembered = false;
        for step in 1..days {
            let age = days - step;
            let gained = memories.surplus[place * days + age - 1];
            memories.surplus[place * days + age] = gained;
            is_remembered = is_remembered || gained > 0.0f64;
        }
        memories.surplus[place * days] = 0.0f64;
        if !is_remembered {
            memories.partners[place] = NONE;
        }
    }
    if at < day.all_agents * comptime!(shape.agent_words()) {
        memories.met[at as usize] = 0u32;
    }
}

/// The agents of a society as partners on a device.
#[derive(CubeType)]
pub struct PartnersOnDevice<'w> {
    model: ModelOnDevice<'w>,
    owned: &'w Owned,
    meetings: &'w mut Meetings,
    day: &'w Day,
    kind: u32,
    /// First agent and first pair of the society among those of all societies.
    first_agent: u32,
    first_pair: u32,
    #[cube(comptime)]
    shape: Shape,
}

#[cube]
fn partners_of<'w>(
    tables: &'w Tables,
    owned: &'w Owned,
    meetings: &'w mut Meetings,
    day: &'w Day,
    market: &DeviceRound,
    society: u32,
    #[comptime] shape: Shape,
) -> PartnersOnDevice<'w> {
    PartnersOnDevice::<'w> {
        model: model_of(tables, society, comptime!(shape.agents)),
        owned,
        meetings,
        day,
        kind: market.kind,
        first_agent: society * comptime!(shape.agents),
        first_pair: society * market.pairs,
        shape,
    }
}

#[cube]
impl<'w> PartnersOnDevice<'w> {
    /// Index of a remembered partner.
    fn at(&self, agent: u32, place: u32) -> usize {
        let of_kind = self.kind * self.day.all_agents + self.first_agent + agent;
        (of_kind * comptime!(self.shape.partners) + place) as usize
    }
}

#[cube]
impl<'w> PartnersView for PartnersOnDevice<'w> {
    fn words(&self) -> u32 {
        comptime!(self.shape.agent_words()).runtime()
    }

    fn is_present(&self, agent: u32) -> bool {
        let agents = comptime!(self.shape.agents);
        self.model.is_present(min(agent, agents - 1u32)) && agent < agents
    }

    fn met(&self, agent: u32, word: u32) -> u32 {
        self.meetings.met[((self.first_agent + agent) * comptime!(self.shape.agent_words()) + word) as usize]
    }

    fn set_met(&mut self, agent: u32, word: u32, bits: u32) {
        let at = (self.first_agent + agent) * comptime!(self.shape.agent_words()) + word;
        self.meetings.met[at as usize] = bits;
    }

    fn places(&self, _agent: u32) -> u32 {
        comptime!(self.shape.partners).runtime()
    }

    fn partner(&self, agent: u32, place: u32) -> u32 {
        self.owned.partners[self.at(agent, place)]
    }

    fn gained(&self, agent: u32, place: u32) -> f64 {
        let at = self.at(agent, place) * comptime!(MEMORY);
        let mut gained = 0.0f64;
        for age in 0..comptime!(MEMORY) {
            gained += self.owned.surplus[at + age];
        }
        gained
    }

    fn set_pair(&mut self, pair: u32, agent: u32, partner: u32) {
        let at = 2 * (self.first_pair + pair) as usize;
        self.meetings.pairs[at] = agent;
        self.meetings.pairs[at + 1] = partner;
    }
}

/// Chooses the pairs of a round: a cube for each society, since each choice depends on the previous ones.
#[cube(launch_unchecked)]
pub fn choose_partners(
    tables: &Tables,
    owned: &Owned,
    meetings: &mut Meetings,
    are_cut: &mut Array<u32>,
    market: &DeviceRound,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let agents = comptime!(shape.agents);
    let mut known = SharedMemory::<u32>::new(comptime!(shape.units() as usize));
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let model = model_of(tables, society, comptime!(shape.agents));
    // The market takes place if some agent can make a device of this kind.
    let mut is_market = false;
    if market.round == 0u32 {
        let mut is_known = 0u32;
        if UNIT_POS < comptime!(shape.resources) {
            for agent in 0..agents {
                if owned.experience[column(market.kind, society * agents + agent, UNIT_POS, day, shape)] > 0.0f64 {
                    is_known = 1u32;
                }
            }
        }
        known[UNIT_POS as usize] = is_known;
        sync_cube();
        for unit in 0..comptime!(shape.units()) {
            is_market = is_market || known[unit as usize] == 1u32;
        }
        if UNIT_POS == 0u32 {
            meetings.is_open[society as usize] = select(is_market, 1u32, 0u32);
        }
    } else {
        is_market = meetings.is_open[society as usize] == 1u32;
    }
    if is_market {
        let mut team = CubeTeam::new(comptime!(shape.units()), comptime!(partners::lists(shape.agent_words())));
        let mut partners = partners_of(tables, owned, meetings, day, market, society, shape);
        let purpose = comptime!(purpose::DEVICE_PARTNERS).runtime() | market.round;
        let draws = model.draws(market.kind, day.number, purpose);
        partners::choose_partners::<PartnersOnDevice<'_>, CubeTeam>(
            &mut partners,
            &mut team,
            &draws,
            market.pairs,
            market.present,
        );
    } else {
        let mut pair = UNIT_POS;
        while pair < market.pairs {
            meetings.pairs[2 * (society * market.pairs + pair) as usize] = NONE;
            pair += CUBE_DIM;
        }
    }
    report_cut_loops(are_cut, day.loop_probe);
}
