//! Puts the events of a batch in order and hands them on.

use rayon::prelude::*;

use super::record::*;
use crate::events::{Event, EventKind};
use crate::prepare::layout::Layout;
use crate::scenario::ModeId;

/// Events in order, and where those of each step end.
pub(super) struct Ordered {
    pub events: Vec<Event>,
    /// Step within the batch and end of its events, in order.
    pub steps: Vec<(u32, usize)>,
}

/// Orders the records of a batch by step, phase and owner; those of one owner stay in the order in which they were told.
pub(super) fn order(records: &[u32], layout: &Layout) -> Ordered {
    let record = |i: u32| &records[i as usize * EVENT_WORDS as usize..][..EVENT_WORDS as usize];
    let mut keys: Vec<(u64, u32)> = (0..(records.len() / EVENT_WORDS as usize) as u32)
        .into_par_iter()
        .map(|i| ((u64::from(record(i)[0] >> PHASE_SHIFT) << 32) | u64::from(record(i)[4]), i))
        .collect();
    keys.par_sort_unstable();
    let external = |link: u32| layout.link_external.get(link as usize).copied().unwrap_or(link);
    let events = keys.par_iter().map(|&(_, i)| {
        let record = record(i);
        Event {
            kind: EventKind::ALL[(record[0] & ((1 << MODE_SHIFT) - 1)) as usize],
            mode: ModeId((record[0] >> MODE_SHIFT) as u8),
            person: record[1],
            link: external(record[2]),
            detail: record[3],
        }
    });
    let events = events.collect();
    let step = |key: u64| (key >> (32 + STEP_SHIFT - PHASE_SHIFT)) as u32;
    let mut steps: Vec<(u32, usize)> = Vec::new();
    for (end, &(key, _)) in keys.iter().enumerate() {
        match steps.last_mut() {
            Some(last) if last.0 == step(key) => last.1 = end + 1,
            _ => steps.push((step(key), end + 1)),
        }
    }
    Ordered { events, steps }
}
