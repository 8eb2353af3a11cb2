//! Sums of field strengths at a space unit, whichever way they are summed up.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::rules::direction::{angle, turned};
use super::super::rules::directional::{Reading, around};
use super::super::summing::Summing;
use super::side_sums::side_sums;
use super::state::{Config, Parameters, Planes, Tables};
use super::transforms::transform_sums;
use super::unit_sums::unit_sums;
use super::window_sums::window_sums;

const HEADINGS: u32 = 8;

/// Which fields are summed up, and in which sectors: the largest angles between a direction and the sectors that scores need,
/// in units of 45°.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    /// Whether RR is, in all sectors.
    pub crowd: bool,
    /// The largest angle of DA.
    pub same: Option<u32>,
    /// The largest angle of DR.
    pub oncoming: Option<u32>,
}

impl Wanted {
    /// For [`Reading::Heading`]: all fields, those of the pedestrian's own heading.
    const ALL: Self = Self { crowd: true, same: Some(1), oncoming: Some(2) };
    /// For [`Reading::Cone`]: RR, and then for each direction DA in a cone about it, and DR in its sector.
    const CROWD: Self = Self { crowd: true, same: None, oncoming: None };
    const CONE: Self = Self { crowd: false, same: Some(1), oncoming: Some(0) };
}

/// The sums at a space unit: RR by sector, DA and DR by direction. Those that scores do not need are undefined.
#[derive(CubeType)]
pub(super) struct FieldSums {
    pub crowd: Array<i32>,
    pub same: Array<i32>,
    pub oncoming: Array<i32>,
}

/// Sums without sources.
#[cube]
pub(super) fn no_sums() -> FieldSums {
    let mut crowd = Array::<i32>::new(comptime!(HEADINGS as usize));
    let mut same = Array::<i32>::new(comptime!(HEADINGS as usize));
    let mut oncoming = Array::<i32>::new(comptime!(HEADINGS as usize));
    #[unroll]
    for sector in 0..HEADINGS {
        crowd[sector as usize] = 0i32;
        same[sector as usize] = 0i32;
        oncoming[sector as usize] = 0i32;
    }
    FieldSums { crowd, same, oncoming }
}

/// The sums for a pedestrian with a heading. `window`: that of all pedestrians, for windows.
#[cube]
pub(super) fn field_sums(
    params: &Parameters,
    occupants: &Array<u32>,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    heading: u32,
    window: &mut Array<u32>,
    #[comptime] config: Config,
) -> FieldSums {
    let mut sums = no_sums();
    if comptime!(config.summing == Summing::Units) {
        unit_sums(params, occupants, planes, tables, x, y, heading, &mut sums, config);
    } else if comptime!(config.summing == Summing::Transforms) {
        transform_sums(params, planes, x, y, &mut sums);
    } else if comptime!(config.reading == Reading::Heading) {
        plane_sums(params, planes, tables, x, y, heading, window, &mut sums, comptime!(Wanted::ALL), config);
    } else {
        plane_sums(params, planes, tables, x, y, heading, window, &mut sums, comptime!(Wanted::CROWD), config);
        for turn in 0..5u32 {
            let direction = turned(heading, turn + 6u32);
            let mut cone = no_sums();
            plane_sums(params, planes, tables, x, y, direction, window, &mut cone, comptime!(Wanted::CONE), config);
            sums.oncoming[direction as usize] = cone.oncoming[direction as usize];
            if angle(direction, heading) <= 1u32 {
                sums.same[direction as usize] = cone.same[around(direction, 0u32) as usize]
                    + cone.same[direction as usize]
                    + cone.same[around(direction, 2u32) as usize];
            }
        }
    }
    sums
}

/// Adds up what is wanted of the planes of a direction.
#[cube]
fn plane_sums(
    params: &Parameters,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    direction: u32,
    window: &mut Array<u32>,
    sums: &mut FieldSums,
    #[comptime] wanted: Wanted,
    #[comptime] config: Config,
) {
    if comptime!(config.summing == Summing::Windows) {
        window_sums(params, planes, tables, x, y, direction, window, sums, wanted, config);
    } else {
        side_sums(params, planes, tables, x, y, direction, sums, wanted, config);
    }
}
