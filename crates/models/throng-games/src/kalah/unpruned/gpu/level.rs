//! A level of the tree: its positions on a device, also as a kernel argument.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::marker::PhantomData;

use throng_device::cubecl::{self, prelude::*};
use throng_device::{Buffer, Device, DeviceError, Element, Gpu};

use crate::kalah::rules::Variant;
use crate::kalah::rules::position::Position;
use crate::kalah::rules::word::Word;

/// The positions of a level.
#[derive(CubeType, CubeLaunch)]
pub struct Level<W: Word> {
    /// The pits of the player to move, with a mark if the same player made the previous move.
    pub own: Array<W>,
    /// The pits of the opponent.
    pub other: Array<W>,
    /// The score of the player to move, later replaced by the value of the position.
    pub score: Array<i32>,
}

/// Returns the mark above the fields of a word of pits; it means that the same player made the previous move.
#[cube]
#[inline(always)]
pub fn mark<W: Word>(#[comptime] variant: Variant) -> W {
    W::new(comptime!(1i64 << (variant.pits * variant.bits)))
}

/// Returns a position of a level.
#[cube]
#[inline(always)]
pub fn position<W: Word>(level: &Level<W>, at: usize, #[comptime] variant: Variant) -> Position<W> {
    let fields = mark::<W>(variant) - W::new(1);
    Position::<W> { own: level.own[at] & fields, other: level.other[at], score: level.score[at] }
}

/// Whether the player to move also made the previous move.
#[cube]
#[inline(always)]
pub fn made_by_same<W: Word>(level: &Level<W>, at: usize, #[comptime] variant: Variant) -> bool {
    level.own[at] >= mark::<W>(variant)
}

/// A level on a device.
pub(super) struct LevelBuffers<W> {
    pub own: Buffer<W>,
    pub other: Buffer<W>,
    pub score: Buffer<i32>,
}

impl<W: Word + Element> LevelBuffers<W> {
    /// Allocates a level for `len` positions.
    pub fn empty(device: &Device, len: usize) -> Result<Self, DeviceError> {
        Ok(Self {
            own: device.empty("own pits", len)?,
            other: device.empty("opponent's pits", len)?,
            score: device.empty("scores", len)?,
        })
    }

    /// Uploads positions.
    pub fn upload(device: &Device, positions: &[Position<W>]) -> Result<Self, DeviceError> {
        let own: Vec<W> = positions.iter().map(|position| position.own).collect();
        let other: Vec<W> = positions.iter().map(|position| position.other).collect();
        let score: Vec<i32> = positions.iter().map(|position| position.score).collect();
        Ok(Self {
            own: device.upload("own pits", &own)?,
            other: device.upload("opponent's pits", &other)?,
            score: device.upload("scores", &score)?,
        })
    }

    /// Returns the level as a kernel argument; call it inside the closure of a launch.
    pub fn arg(&self) -> LevelLaunch<W, Gpu> {
        LevelLaunch {
            own: self.own.arg(),
            other: self.other.arg(),
            score: self.score.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}
