//! The directional fields: the sources that attract (DA) and repel (DR) a pedestrian, and their traces.
//!
//! The paper (Yu et al.) names both fields but does not define their sources: the rules here are Throng's own.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_device::cubecl::{self, prelude::*};

use super::direction::{NONE, angle, turned};
use super::fixed::ONE;

/// Sources of the directional fields of a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Pedestrians in the direction: for DA those with the reader's own heading, for DR those with the opposite heading
    /// or 45° off that. The fields depend on the heading of the reader.
    #[default]
    Heading,
    /// For DA, pedestrians whose heading is the direction and that are at most 45° off it; for DR, pedestrians in the
    /// direction that come from there, with the opposite heading or 45° off that. The fields are the same for all
    /// readers: eight values per space unit, as the paper stores them.
    Cone,
}

/// Returns the direction whose attraction (DA) grows by a source with a heading in a sector, for a reader with heading
/// `own`; [`NONE`] if there is none.
#[cube]
#[inline]
pub fn attracted(heading: u32, sector: u32, own: u32, #[comptime] reading: Reading) -> u32 {
    match reading {
        Reading::Heading => select(heading == own, sector, NONE),
        Reading::Cone => select(angle(heading, sector) <= 1u32, heading, NONE),
    }
}

/// Whether the repulsion (DR) of a sector grows by a source with a heading in it, for a reader with heading `own`.
#[cube]
#[inline]
pub fn repels(heading: u32, sector: u32, own: u32, #[comptime] reading: Reading) -> bool {
    let mut from = own;
    if comptime!(reading == Reading::Cone) {
        from = sector;
    }
    angle(heading, from) >= 3u32
}

/// Returns a trace after one tick of decay: it loses 1 / `2^decay` of its strength, rounded up, so that it reaches 0.
#[cube]
#[inline]
pub fn decayed(trace: u32, #[comptime] decay: u32) -> u32 {
    trace - ((trace + comptime!((1 << decay) - 1)) >> decay)
}

/// Strength of the trace of a step, a fixed-point number.
pub const STEP: u32 = ONE as u32;

/// Returns the strength of a trace after a tick. `has_step`: whether a step in its direction ended there.
#[cube]
#[inline]
pub fn trace_after_tick(trace: u32, has_step: bool, #[comptime] decay: u32) -> u32 {
    decayed(trace, decay) + select(has_step, STEP, 0u32)
}

/// Returns a direction next to another: `beside` is 0 for the one to the left, 1 for itself, 2 for the one to the
/// right.
#[cube]
#[inline]
pub fn adjacent_direction(direction: u32, beside: u32) -> u32 {
    turned(direction, 9u32 - beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_follow_their_own_stream_and_avoid_the_oncoming_one() {
        let of = |heading, sector, own, reading| {
            (attracted(heading, sector, own, reading), repels(heading, sector, own, reading))
        };
        // A source heading east, seen in the east, by readers with headings east, north and west.
        assert_eq!(of(0, 0, 0, Reading::Heading), (0, false));
        assert_eq!(of(0, 0, 2, Reading::Heading), (NONE, false));
        assert_eq!(of(0, 0, 4, Reading::Heading), (NONE, true));
        // In the direction of its heading, as it walks away, and in the south-west, where it comes towards the reader.
        assert_eq!(of(0, 0, 4, Reading::Cone), (0, false));
        assert_eq!(of(0, 7, 4, Reading::Cone), (0, false));
        assert_eq!(of(0, 2, 4, Reading::Cone), (NONE, false));
        assert_eq!(of(0, 5, 4, Reading::Cone), (NONE, true));
        assert_eq!([0, 1, 2].map(|beside| adjacent_direction(0, beside)), [1, 0, 7]);
    }

    #[test]
    fn traces_fade_to_nothing() {
        assert_eq!([8, 9, 1, 0].map(|trace| decayed(trace, 3)), [7, 7, 0, 0]);
        let mut trace = STEP;
        for _ in 0..100 {
            trace = decayed(trace, 3);
        }
        assert_eq!(trace, 0);
        // Where a pedestrian enters in every tick, a trace is at most 2^decay steps.
        let steady = (0..1000).fold(0, |trace, _| decayed(trace, 3) + STEP);
        assert!((7 * STEP..=8 * STEP).contains(&steady), "{steady}");
    }
}
