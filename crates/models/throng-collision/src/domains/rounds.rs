//! The rounds of decisions of a domain, and the messages about them.

use std::sync::atomic::Ordering::Relaxed;

use super::super::deciding::DecisionContext;
use super::super::rules::contest::{MOVED, Rule, UNDECIDED};
use super::agreement::Agreement;
use super::domain_discs::{CellLookup, DomainDiscs};
use super::exchange::{Exchange, Failed, Message};

/// For one neighbour: own discs whose decision is open, each with its ghost index there.
pub type Shared = Vec<(u32, u32)>;

/// Makes the decisions about the domain's own discs in rounds, and sends them to the neighbours. Returns the number of
/// rounds.
pub fn decide(
    common: &Agreement,
    exchange: &impl Exchange,
    neighbours: &[usize],
    known: &DomainDiscs,
    lookup: &CellLookup<'_>,
    mut shared: Vec<Shared>,
) -> Result<u64, Failed> {
    let deciding = DecisionContext {
        storage: lookup,
        world: &common.world,
        rule: common.rule,
        radii: &known.radii,
        largest: common.largest,
        longest_step: Some(common.longest_step),
        targets: None,
        priorities: &known.priorities,
        states: &known.states,
        ids: &known.ids,
    };
    let mut open: Vec<u32> = (0..known.own as u32).collect();
    let (mut rounds, mut open_before) = (0, u64::MAX);
    loop {
        open = deciding.decide_each(open.into_iter());
        rounds += 1;
        exchange_decisions(exchange, neighbours, known, &mut shared)?;
        if common.rule == Rule::Conservative {
            for &disc in &open {
                deciding.compete(disc);
            }
            return Ok(rounds + 1);
        }
        let open_now = exchange.sum(open.len() as u64)?;
        if open_now == 0 {
            return Ok(rounds);
        }
        if open_now == open_before {
            // No domain has decided anything: the remaining discs follow each other in rings.
            for &disc in &open {
                known.states[disc as usize].store(MOVED, Relaxed);
            }
            return Ok(rounds);
        }
        open_before = open_now;
    }
}

/// Sends new decisions to the neighbours that have the discs as ghosts, and stores their decisions about our ghosts.
fn exchange_decisions(
    exchange: &impl Exchange,
    neighbours: &[usize],
    known: &DomainDiscs,
    shared: &mut [Shared],
) -> Result<(), Failed> {
    let mut outgoing = vec![Vec::new(); neighbours.len()];
    for (open, messages) in shared.iter_mut().zip(&mut outgoing) {
        open.retain(|&(local, ghost)| {
            let state = known.states[local as usize].load(Relaxed);
            if state != UNDECIDED {
                messages.push(Message::Decision { ghost, state });
            }
            state == UNDECIDED
        });
    }
    for (messages, first) in exchange.exchange(neighbours, outgoing)?.into_iter().zip(&known.ghosts_from) {
        for message in messages {
            if let Message::Decision { ghost, state } = message
                && let Some(known) = known.states.get(first + ghost as usize)
            {
                known.store(state, Relaxed);
            }
        }
    }
    Ok(())
}
