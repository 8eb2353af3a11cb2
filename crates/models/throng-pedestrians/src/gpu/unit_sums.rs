//! Sums of field strengths space unit by space unit, and the traces of steps.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::fields::FieldTables;
use super::super::rules::directional::{NONE, STEP, attracted, decayed, repels};
use super::super::rules::fixed::scaled;
use super::super::rules::grid::NOWHERE;
use super::super::rules::vote::exchange;
use super::super::scene::{EMPTY, WALL};
use super::field_sums::FieldSums;
use super::state::{Config, EXCHANGE, FREE, INTENT_BITS, NUMBER_BITS, Parameters, Planes, Tables};

const HEADINGS: u32 = 8;

/// The offsets of a field, each in one word: x and y plus 128, the ring and the sector, of 8 bits each.
pub(super) fn packed_offsets(tables: &FieldTables) -> Vec<u32> {
    let packed = |(x, y, ring, sector): (i32, i32, usize, usize)| {
        (x + 128) as u32 | ((y + 128) as u32) << 8 | (ring as u32) << 16 | (sector as u32) << 24
    };
    tables.offsets().map(packed).collect()
}

/// Adds up the fields at a space unit for a pedestrian with `own` heading, as `unit_sums.rs` adds them.
///
/// The surroundings are read from global memory. A tile of a cube with a halo of 3 space units and nine words for each, with
/// traces, would take 55 kB of shared memory, more than some devices have.
#[cube]
pub(super) fn unit_sums(
    params: &Parameters,
    occupants: &Array<u32>,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    own: u32,
    sums: &mut FieldSums,
    #[comptime] config: Config,
) {
    let rings = comptime!(config.side / 2 + 1);
    for i in 0..comptime!(config.side * config.side - 1) {
        let offset = tables.offsets[i as usize];
        let (dx, dy) = ((offset & 0xFFu32) as i32 - 128, ((offset >> 8u32) & 0xFFu32) as i32 - 128);
        let (ring, sector) = ((offset >> 16u32) & 0xFFu32, offset >> 24u32);
        let unit = params.grid.unit_at(x as i32 + dx, y as i32 + dy);
        if unit != NOWHERE {
            let followed = tables.strengths[(rings + ring) as usize];
            let avoided = tables.strengths[(2 * rings + ring) as usize];
            let other = occupants[unit as usize];
            if other < WALL {
                sums.crowd[sector as usize] += tables.strengths[ring as usize];
                let heading = other >> NUMBER_BITS;
                if comptime!(config.trace_decay == 0) {
                    if heading < HEADINGS {
                        add_source(heading, sector, own, followed, avoided, sums, config);
                    }
                }
            }
            if comptime!(config.trace_decay > 0) {
                for heading in 0..HEADINGS {
                    let trace = planes.traces[(unit * HEADINGS + heading) as usize] as i32;
                    if trace > 0 {
                        let (followed, avoided) = (scaled(followed, trace), scaled(avoided, trace));
                        add_source(heading, sector, own, followed, avoided, sums, config);
                    }
                }
            }
        }
    }
}

/// Adds a source of directional fields.
#[cube]
fn add_source(
    heading: u32,
    sector: u32,
    own: u32,
    followed: i32,
    avoided: i32,
    sums: &mut FieldSums,
    #[comptime] config: Config,
) {
    let direction = attracted(heading, sector, own, config.reading);
    if direction != NONE {
        sums.same[direction as usize] += followed;
    }
    if repels(heading, sector, own, config.reading) {
        sums.oncoming[sector as usize] += avoided;
    }
}

/// After a vote, lets all traces fade, and those who have made a step leave one: a unit for each space unit.
#[cube(launch)]
pub(super) fn leave_traces(
    params: &Parameters,
    intents: &Array<u32>,
    occupants: &Array<u32>,
    traces: &mut Array<u32>,
    #[comptime] config: Config,
) {
    let unit = ABSOLUTE_POS as u32;
    let width = params.grid.width;
    if unit < width * params.grid.height {
        let occupant = occupants[unit as usize];
        let intent = intents[unit as usize];
        let mut has_entered = intent == FREE && occupant != EMPTY;
        if comptime!(config.exchanges) {
            if intent & comptime!((1u32 << INTENT_BITS) - 1) == EXCHANGE {
                let direction = intent >> INTENT_BITS;
                let beside = params.grid.neighbour((unit % width) as i32, (unit / width) as i32, direction);
                let other = intents[beside as usize];
                if other & comptime!((1u32 << INTENT_BITS) - 1) == EXCHANGE {
                    has_entered = exchange(direction, other >> INTENT_BITS);
                }
            }
        }
        #[unroll]
        for heading in 0..HEADINGS {
            let at = (unit * HEADINGS + heading) as usize;
            let left = decayed(traces[at], comptime!(config.trace_decay));
            let leaves = has_entered && occupant >> NUMBER_BITS == heading;
            traces[at] = left + select(leaves, STEP, 0u32);
        }
    }
}
