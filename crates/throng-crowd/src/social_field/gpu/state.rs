//! The arguments of kernels.

#![allow(missing_docs, reason = "what #[cube] makes of a struct has no documentation")]

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, KernelParameter, cubecl};

use super::super::cpu::Summing;
use super::super::rules::decision::Weights;
use super::super::rules::grid::Grid;

/// An occupant is the number of a pedestrian in the lower 24 bits, and its heading above them; or
/// [`EMPTY`](super::super::EMPTY) or [`WALL`](super::super::WALL).
pub(super) const NUMBER_BITS: u32 = 24;

/// An intent is a direction, or one of the following, in the lower bits, and above them the priority of a pedestrian that
/// wants to go in the direction.
pub(super) const INTENT_BITS: u32 = 4;
/// The intent of an empty space unit.
pub(super) const FREE: u32 = 8;
/// The intent of a pedestrian that stays, and of a wall.
pub(super) const STILL: u32 = 9;

/// What is compiled into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Config {
    /// Columns of a field.
    pub side: u32,
    pub summing: Summing,
    /// Whether some pedestrians do not move in every tick.
    pub has_periods: bool,
    /// Rows of a window in a word, and words of a window.
    pub rows_in_word: u32,
    pub window_words: u32,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub grid: Grid,
    pub weights: Weights,
    /// The radius of fields.
    pub radius: u32,
    /// Columns and rows of the planes.
    pub columns: u32,
    pub rows: u32,
    /// Words of a row and of a column of a plane.
    pub row_words: u32,
    pub column_words: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub tick: u32,
}

/// Bit planes: see `planes.rs`.
#[derive(CubeType, CubeLaunch)]
pub struct Planes {
    /// `[plane][y][word]`.
    pub rows: Array<u32>,
    /// `[plane][word][x]`.
    pub columns: Array<u32>,
}

/// What fields are summed up with: see `counting.rs`.
#[derive(CubeType, CubeLaunch)]
pub struct Tables {
    /// `[sector][ring - 1][word]`.
    pub masks: Array<u32>,
    /// The cuts of each ring, first and last.
    pub cuts: Array<i32>,
    /// `[field][ring]`.
    pub strengths: Array<i32>,
}

/// When pedestrians move.
#[derive(CubeType, CubeLaunch)]
pub struct Periods {
    pub periods: Array<u32>,
    pub due: Array<u32>,
}

#[derive(Debug)]
pub(super) struct PlaneBuffers {
    pub rows: Buffer<u32>,
    pub columns: Buffer<u32>,
}

impl PlaneBuffers {
    pub fn planes<R: Runtime>(&self) -> PlanesLaunch<R> {
        PlanesLaunch { rows: self.rows.arg(), columns: self.columns.arg(), _phantom_runtime: PhantomData }
    }
}

#[derive(Debug)]
pub(super) struct TableBuffers {
    pub masks: Buffer<u32>,
    pub cuts: Buffer<i32>,
    pub strengths: Buffer<i32>,
}

impl TableBuffers {
    pub fn tables<R: Runtime>(&self) -> TablesLaunch<R> {
        TablesLaunch {
            masks: self.masks.arg(),
            cuts: self.cuts.arg(),
            strengths: self.strengths.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

#[derive(Debug)]
pub(super) struct PeriodBuffers {
    pub periods: Buffer<u32>,
    pub due: Buffer<u32>,
}

impl PeriodBuffers {
    pub fn periods<R: Runtime>(&self) -> PeriodsLaunch<R> {
        PeriodsLaunch { periods: self.periods.arg(), due: self.due.arg(), _phantom_runtime: PhantomData }
    }
}
