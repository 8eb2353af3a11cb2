//! Who trades devices with whom: a cube for each society, since each choice depends on those before.

use throng_device::KernelParameter;
use throng_device::cubecl::{self, prelude::*};

use super::{Day, column, draws, report_cut_loops};
use crate::gpu::shape::Shape;
use crate::gpu::tables::{NONE, Tables, is_present};
use crate::society::{MEMORY, purpose};

/// A round of the market of a kind of device.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct DeviceRound {
    pub kind: u32,
    pub round: u32,
    /// Agents that were not removed.
    pub present: u32,
    /// Pairs of all societies, and of each.
    pub all_pairs: u32,
    pub pairs: u32,
    /// Attempts of a pair.
    pub attempts: u32,
}

/// A new day of the market: agents forget what they gained before the last days, and whom they met. A unit for each place in
/// the memory of each agent.
#[cube(launch_unchecked)]
pub fn begin_market(
    partners: &mut Array<u32>,
    surplus: &mut Array<f64>,
    met: &mut Array<u32>,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let days = comptime!(MEMORY);
    let at = ABSOLUTE_POS as u32;
    if at < day.all_agents * comptime!(shape.partners) {
        let place = (kind * day.all_agents * comptime!(shape.partners) + at) as usize;
        let mut is_remembered = false;
        for step in 1..days {
            let age = days - step;
            let gained = surplus[place * days + age - 1];
            surplus[place * days + age] = gained;
            is_remembered = is_remembered || gained > 0.0f64;
        }
        surplus[place * days] = 0.0f64;
        if !is_remembered {
            partners[place] = NONE;
        }
    }
    if at < day.all_agents * comptime!(shape.agent_words()) {
        met[at as usize] = 0u32;
    }
}

/// The pairs of a round: agents are drawn one by one, and each chooses a partner among those who are left.
#[cube(launch_unchecked)]
pub fn choose_partners(
    tables: &Tables,
    experience: &Array<f64>,
    partners: &Array<u32>,
    surplus: &Array<f64>,
    met: &mut Array<u32>,
    is_open: &mut Array<u32>,
    pairs: &mut Array<u32>,
    are_cut: &mut Array<u32>,
    market: &DeviceRound,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let words = comptime!(shape.agent_words());
    let agents = comptime!(shape.agents);
    let mut free = SharedMemory::<u32>::new(comptime!(shape.agent_words() as usize));
    let mut strangers = SharedMemory::<u32>::new(comptime!(shape.agent_words() as usize));
    let mut gains = SharedMemory::<f64>::new(comptime!(shape.units() as usize));
    let mut others = SharedMemory::<u32>::new(comptime!(shape.units() as usize));
    let mut known = SharedMemory::<u32>::new(comptime!(shape.units() as usize));
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let first_agent = society * agents;
    let mut word = UNIT_POS;
    while word < words {
        let mut bits = 0u32;
        for bit in 0..32u32 {
            let agent = 32u32 * word + bit;
            let is_free = is_present(tables, min(agent, agents - 1u32)) && agent < agents;
            bits |= select(is_free, 1u32 << bit, 0u32);
        }
        free[word as usize] = bits;
        word += CUBE_DIM;
    }
    // There is a market if some agent can make such a device.
    let mut is_market = false;
    if market.round == 0u32 {
        let mut is_known = 0u32;
        if UNIT_POS < comptime!(shape.resources) {
            for agent in 0..agents {
                if experience[column(market.kind, first_agent + agent, UNIT_POS, day, shape)] > 0.0f64 {
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
            is_open[society as usize] = select(is_market, 1u32, 0u32);
        }
    } else {
        is_market = is_open[society as usize] == 1u32;
    }
    sync_cube();
    let first_pair = society * market.pairs;
    if is_market {
        let purpose = comptime!(purpose::DEVICE_PARTNERS).runtime() | market.round;
        let draws = draws(tables, society, market.kind, day.number, purpose);
        for pair in 0..market.pairs {
            let left = market.present - 2u32 * pair;
            let agent = nth_set(&free, draws.below(left, 2u32 * pair), words);
            sync_cube();
            if UNIT_POS == 0u32 {
                free[(agent / 32u32) as usize] ^= 1u32 << (agent % 32u32);
            }
            sync_cube();
            // Those who are left and were not met today.
            let of_agent = (first_agent + agent) * words;
            let mut word = UNIT_POS;
            while word < words {
                let bits = free[word as usize];
                strangers[word as usize] = bits ^ (bits & met[(of_agent + word) as usize]);
                word += CUBE_DIM;
            }
            sync_cube();
            // First comes the partner with whom the agent gained most; of equal ones the smaller number. Each unit looks at some
            // places, and then all units at what each has found.
            let mut own_partner = NONE.runtime();
            let mut own_gain = 0.0f64;
            let mut place = UNIT_POS;
            while place < comptime!(shape.partners) {
                let own = market.kind * day.all_agents + first_agent + agent;
                let at = (own * comptime!(shape.partners) + place) as usize;
                let other = partners[at];
                let mut gained = 0.0f64;
                if other != NONE {
                    let bits = strangers[(other / 32u32) as usize];
                    if (bits >> (other % 32u32)) & 1u32 == 1u32 {
                        for age in 0..comptime!(MEMORY) {
                            gained += surplus[at * comptime!(MEMORY) + age];
                        }
                    }
                }
                let is_better = is_better_partner(gained, other, own_gain, own_partner);
                own_partner = select(is_better, other, own_partner);
                own_gain = select(is_better, gained, own_gain);
                place += CUBE_DIM;
            }
            gains[UNIT_POS as usize] = own_gain;
            others[UNIT_POS as usize] = own_partner;
            sync_cube();
            let mut partner = NONE.runtime();
            let mut most = 0.0f64;
            for unit in 0..comptime!(shape.units() as usize) {
                let is_better = is_better_partner(gains[unit], others[unit], most, partner);
                partner = select(is_better, others[unit], partner);
                most = select(is_better, gains[unit], most);
            }
            if partner == NONE {
                partner = nth_set(&strangers, 0u32.runtime(), words);
            }
            if partner == NONE {
                partner = nth_set(&free, draws.below(left - 1u32, 2u32 * pair + 1u32), words);
            }
            sync_cube();
            if UNIT_POS == 0u32 {
                free[(partner / 32u32) as usize] ^= 1u32 << (partner % 32u32);
                let of_partner = (first_agent + partner) * words;
                met[(of_agent + partner / 32u32) as usize] |= 1u32 << (partner % 32u32);
                met[(of_partner + agent / 32u32) as usize] |= 1u32 << (agent % 32u32);
                let at = 2u32 * (first_pair + pair);
                pairs[at as usize] = agent;
                pairs[at as usize + 1] = partner;
            }
            sync_cube();
        }
    } else {
        let mut pair = UNIT_POS;
        while pair < market.pairs {
            pairs[2 * (first_pair + pair) as usize] = NONE;
            pair += CUBE_DIM;
        }
    }
    report_cut_loops(are_cut, day.loop_probe);
}

/// Whether a partner comes before the best so far.
#[cube]
fn is_better_partner(gained: f64, partner: u32, most: f64, best: u32) -> bool {
    gained > most || (gained == most && gained > 0.0f64 && partner < best)
}

/// The place of the n-th bit that is set, from 0; [`NONE`] if fewer are set.
#[cube]
fn nth_set(bits: &SharedMemory<u32>, n: u32, words: u32) -> u32 {
    let mut left = throng_device::exact::copied(n);
    let mut found = NONE.runtime();
    for at in 0..words {
        let mut word = bits[at as usize];
        let count = word.count_ones();
        if found == NONE {
            if left < count {
                for _ in 0..left {
                    word &= word - 1u32;
                }
                found = 32u32 * at + word.find_first_set() - 1u32;
            } else {
                left -= count;
            }
        }
    }
    found
}
