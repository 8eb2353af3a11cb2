//! Choice of partners in the trade of devices: agents are drawn one by one, and each chooses a partner among those
//! left.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "kernels evaluate both sides of `&&`")]

use throng_device::philox::Draws;

use super::prelude::*;

/// The agents of a society as partners. A set of agents is a bit set in words.
#[cube]
pub trait PartnersView {
    /// Words per set of agents.
    fn words(&self) -> u32;
    /// Whether an agent with this index exists and was not removed.
    fn is_present(&self, agent: u32) -> bool;
    /// A word of the set of agents that an agent met today.
    fn met(&self, agent: u32, word: u32) -> u32;
    fn set_met(&mut self, agent: u32, word: u32, bits: u32);
    /// Number of entries in an agent's memory of partners.
    fn places(&self, agent: u32) -> u32;
    /// The partner in an entry, or [`NONE`].
    fn partner(&self, agent: u32, place: u32) -> u32;
    /// Utility gained with that partner in the last days.
    fn gained(&self, agent: u32, place: u32) -> f64;
    fn set_pair(&mut self, pair: u32, agent: u32, partner: u32);
}

/// Sets in the word lists: agents left in this round, and those of them that the choosing agent did not meet today.
const FREE: u32 = 0;
const STRANGERS: u32 = 1;

/// Returns the memory required by a round.
pub fn lists(words: u32) -> Lists {
    Lists { places: words, words: 2 * words, reals: 0 }
}

/// Chooses the pairs of a round. An agent prefers those that it did not meet today: the one with whom it gained most in
/// the last days (ties go to the lower index), else the first; if it met all that are left, any.
#[cube]
pub fn choose_partners<P: PartnersView, T: Team>(
    partners: &mut P,
    team: &mut T,
    draws: &Draws,
    pairs: u32,
    present: u32,
) {
    let mut word = team.first();
    while word < partners.words() {
        let mut bits = 0u32;
        for bit in 0..32u32 {
            bits |= select(partners.is_present(32u32 * word + bit), 1u32 << bit, 0u32);
        }
        team.set_word(FREE, word, bits);
        word += team.size();
    }
    team.barrier();
    for pair in 0..pairs {
        let left = present - 2u32 * pair;
        let agent = nth::<P, T>(partners, team, draws.below(left, 2u32 * pair), FREE);
        team.barrier();
        if team.leads() {
            take::<T>(team, agent);
        }
        team.barrier();
        let mut word = team.first();
        while word < partners.words() {
            let free = team.word(FREE, word);
            team.set_word(STRANGERS, word, free ^ (free & partners.met(agent, word)));
            word += team.size();
        }
        team.barrier();
        let mut own = Best { value: 0.0f64, item: NONE.runtime() };
        let mut place = team.first();
        while place < partners.places(agent) {
            let other = partners.partner(agent, place);
            if other != NONE {
                if (team.word(STRANGERS, other / 32u32) >> (other % 32u32)) & 1u32 == 1u32 {
                    own.consider(partners.gained(agent, place), other);
                }
            }
            place += team.size();
        }
        let best = team.best(own);
        let mut partner = exact::copied(best.item);
        if partner == NONE {
            partner = nth::<P, T>(partners, team, 0u32.runtime(), STRANGERS);
        }
        if partner == NONE {
            partner = nth::<P, T>(partners, team, draws.below(left - 1u32, 2u32 * pair + 1u32), FREE);
        }
        team.barrier();
        if team.leads() {
            take::<T>(team, partner);
            meet::<P>(partners, agent, partner);
            meet::<P>(partners, partner, agent);
            partners.set_pair(pair, agent, partner);
        }
        team.barrier();
    }
}

#[cube]
fn take<T: Team>(team: &mut T, agent: u32) {
    let bits = team.word(FREE, agent / 32u32);
    team.set_word(FREE, agent / 32u32, bits ^ (1u32 << (agent % 32u32)));
}

#[cube]
fn meet<P: PartnersView>(partners: &mut P, agent: u32, other: u32) {
    let bits = partners.met(agent, other / 32u32);
    partners.set_met(agent, other / 32u32, bits | (1u32 << (other % 32u32)));
}

/// Returns the n-th agent of a set, from 0; [`NONE`] if the set has fewer.
#[cube]
fn nth<P: PartnersView, T: Team>(partners: &P, team: &T, n: u32, #[comptime] set: u32) -> u32 {
    let mut left = exact::copied(n);
    let mut found = NONE.runtime();
    for at in 0..partners.words() {
        let mut word = exact::copied(team.word(set, at));
        let count = word.count_ones();
        if found == NONE {
            if left < count {
                for _ in 0..left {
                    word &= word - 1u32;
                }
                // The mask covers the bits up to the lowest set one.
                found = 32u32 * at + (word ^ (word - 1u32)).count_ones() - 1u32;
            } else {
                left -= count;
            }
        }
    }
    found
}
