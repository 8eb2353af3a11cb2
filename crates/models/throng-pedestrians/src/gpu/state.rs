//! The arguments of kernels.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::super::rules::decision::Weights;
use super::super::rules::direction::NONE;
use super::super::rules::directional::Reading;
use super::super::rules::draws::Seed;
use super::super::rules::grid::Grid;
use super::super::sector_map::SectorMap;
use super::super::summing::Summing;

/// Number of bits of a pedestrian's index in the word of an occupant. Above them is its heading, a direction or
/// [`STANDS`](super::super::rules::direction::STANDS). The whole word may also be [`EMPTY`](super::super::EMPTY) or
/// [`WALL`](super::super::WALL).
pub(super) const NUMBER_BITS: u32 = 24;
pub(super) const NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// Number of bits of a route's first step in its word. Above them is the length.
pub(super) const ROUTE_BITS: u32 = 4;
/// Sentinel length of a route that does not exist.
pub(super) const NO_ROUTE: u32 = u32::MAX >> ROUTE_BITS;

/// Number of bits of an intent: a direction, or one of the following. Above them is the priority of a pedestrian that
/// wants to move in the direction, or the direction of one that wants to exchange places.
pub(super) const INTENT_BITS: u32 = 4;
pub(super) const INTENT: u32 = (1 << INTENT_BITS) - 1;
/// The intent of an empty space unit.
pub(super) const FREE: u32 = 8;
/// The intent of a pedestrian that stays, and of a wall.
pub(super) const STILL: u32 = 9;
/// The intent of a pedestrian that wants to exchange places.
pub(super) const EXCHANGE: u32 = 10;

/// Returns the direction in which a pedestrian with this intent wants to exchange places, or [`NONE`].
#[cube]
pub(super) fn exchange_of(intent: u32) -> u32 {
    select(intent & INTENT == EXCHANGE, intent >> INTENT_BITS, NONE)
}

/// Compile-time parameters of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Config {
    /// Number of columns of a field.
    pub side: u32,
    pub summing: Summing,
    pub reading: Reading,
    /// Decay exponent of traces; 0 without traces.
    pub trace_decay: u32,
    /// Whether some pedestrians do not move in every tick.
    pub has_periods: bool,
    /// Whether steps take several ticks, so that space units just left stay closed for some ticks.
    pub has_free_from: bool,
    /// Whether some pedestrians may have no direction.
    pub some_stand: bool,
    /// Whether exits or walls have fields.
    pub has_static_scores: bool,
    pub exchanges: bool,
    pub equal_speeds: bool,
    /// Map from offsets to sectors.
    pub map: SectorMap,
    /// Whether there may be walls, including doors and a closed border.
    pub has_walls: bool,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub grid: Grid,
    pub weights: Weights,
    /// Radius of fields, space units.
    pub radius: u32,
    /// Columns and rows of the planes.
    pub columns: u32,
    pub rows: u32,
    /// Words per row and per column of a plane.
    pub row_words: u32,
    pub column_words: u32,
    pub seed: Seed,
    pub tick: u32,
    /// Duration of an exchange of places, ticks per tick of the walk period.
    pub exchange_ticks: u32,
}

#[cube]
impl Parameters {
    /// Returns the number of space units of the world.
    pub fn units(&self) -> u32 {
        self.grid.width * self.grid.height
    }
}

/// The sources of fields. Bit planes: see `planes.rs`. For windows a word has the bits of the next word instead of the
/// count before it.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Planes {
    /// `[plane][word][y]`; for windows `[plane][y][word]`.
    pub rows: Array<u32>,
    /// `[plane][word][x]`.
    pub columns: Array<u32>,
    /// Traces: `[unit][heading]`.
    pub traces: Array<u32>,
    /// The sums of transforms: `[plane][unit]`.
    pub sums: Array<u32>,
}

/// Tables for summing fields: see `counting.rs`.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Tables {
    /// The cuts of each ring, first and last.
    pub cuts: Array<i32>,
    /// `[field][ring]`.
    pub strengths: Array<i32>,
    /// The offsets of a field: see `unit_sums.rs`. Only for [`Summing::Units`].
    pub offsets: Array<u32>,
    /// Contribution of exits and walls to scores: `[unit][direction]`.
    pub static_scores: Array<i32>,
}

/// The permitted and the chosen exits of pedestrians.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Travellers {
    /// The exits through which each may leave, a bit for each.
    pub exits: Array<u32>,
    /// The exit that each walks to.
    pub exit: Array<u32>,
}

/// The timing of pedestrians and space units.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Periods {
    /// Walk periods.
    pub walk: Array<u32>,
    pub due: Array<u32>,
    /// The first tick in which each space unit can be entered after a pedestrian has left it; see
    /// [`Pedestrians`](super::super::scene::Pedestrians).
    pub free_from: Array<u32>,
}

/// The surroundings of pedestrians that decide.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Floor {
    pub occupants: Array<u32>,
    pub periods: Periods,
    pub planes: Planes,
    pub tables: Tables,
}

/// The pedestrians and their routes, for openings.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Crowd {
    pub occupants: Array<u32>,
    pub periods: Periods,
    pub travellers: Travellers,
    /// Length and first step of the route from each space unit: `[exit][unit]`.
    pub routes: Array<u32>,
}

// Views borrow it.
impl CubeType for &Parameters {
    type ExpandType = ParametersExpand;
}

/// A space unit, and the heading of a pedestrian there or a direction in which it looks.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Spot {
    pub x: u32,
    pub y: u32,
    pub direction: u32,
}
