//! The arguments of kernels: entities, tiles and rasters.

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Gpu, KernelParameter, cubecl};

use super::super::entities::DeviceEntities;
use super::super::launch::Work;
use super::super::record::{DISC, LINEAR, MIDDLE_X, MIDDLE_Y, PIECEWISE, QUADRATIC, STAMP, TABLE, X, Y};

/// Entities in columns; see [`super::super::record`].
#[derive(CubeLaunch, CubeType)]
pub struct Entities {
    pub reals: Array<f32>,
    pub words: Array<u32>,
    /// Sides of polygons, and values of profiles and stamps.
    pub tables: Array<f32>,
    /// Length of a column.
    pub count: u32,
}

/// The entities that a tile considers.
#[derive(CubeLaunch, CubeType)]
pub struct Lists {
    /// The tiles to compute, if not all.
    pub tiles: Array<u32>,
    /// With bins: the start of each tile's list in `members`, plus one entry for the end.
    pub first: Array<u32>,
    pub members: Array<u32>,
}

impl DeviceEntities {
    /// The columns as a kernel argument.
    pub(in crate::gpu) fn arg(&self) -> EntitiesLaunch<Gpu> {
        EntitiesLaunch {
            reals: self.reals.arg(),
            words: self.words.arg(),
            tables: self.tables.arg(),
            count: self.count as u32,
            _phantom_runtime: PhantomData,
        }
    }
}

impl Work<'_> {
    /// The lists as a kernel argument.
    pub fn lists(&self) -> ListsLaunch<Gpu> {
        let Self { listed, bins, unused, .. } = *self;
        ListsLaunch {
            tiles: listed.unwrap_or(unused).arg(),
            first: bins.map_or(unused, |bins| &bins.first).arg(),
            members: bins.map_or(unused, |bins| &bins.members).arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

/// Dimensions of the grid and its tiles, and constants of the arithmetic.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Raster {
    pub columns: u32,
    pub rows: u32,
    /// Tiles per row of tiles.
    pub tile_columns: u32,
    /// Number of tiles to compute.
    pub tiles: u32,
    /// In fixed point: the value of one step.
    pub step: f32,
    /// The `zero` of `throng_device::exact::rounded_product`.
    pub zero: f32,
}

/// Properties that all entities share. A separate kernel is compiled for each value, with only the code that entities
/// with these properties need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Figures {
    /// All entities have this shape and this profile, given as constants of [`super::super::record`].
    Same { shape: u32, fall: u32 },
    /// Any mix of shapes and profiles.
    Any,
}

impl Figures {
    pub const LINEAR_DISCS: Self = Self::Same { shape: DISC, fall: LINEAR };
    /// Discs with a quadratic profile need no square root.
    pub const QUADRATIC_DISCS: Self = Self::Same { shape: DISC, fall: QUADRATIC };

    /// The columns with the centre of the circle beyond which an entity has no effect.
    pub fn middle(self) -> [u32; 2] {
        if matches!(self, Self::LINEAR_DISCS | Self::QUADRATIC_DISCS) { [X, Y] } else { [MIDDLE_X, MIDDLE_Y] }
    }

    /// Whether any entity may have a profile, unlike a stamp.
    pub fn may_have_profile(self) -> bool {
        !matches!(self, Self::Same { shape: STAMP, .. })
    }
}

impl How {
    /// Whether any entity may have this shape.
    pub fn may_have_shape(&self, wanted: u32) -> bool {
        match self.figures {
            Figures::Same { shape, .. } => shape == wanted,
            Figures::Any => true,
        }
    }

    /// Whether any entity may have this profile.
    pub fn may_have_fall(&self, wanted: u32) -> bool {
        match self.figures {
            Figures::Same { fall, .. } => fall == wanted,
            Figures::Any => true,
        }
    }

    /// Whether any profile may need a square root.
    pub fn may_need_distance(&self) -> bool {
        [LINEAR, PIECEWISE, TABLE].into_iter().any(|fall| self.may_have_fall(fall))
    }
}

/// Compile-time parameters of gathering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct How {
    pub figures: Figures,
    /// Whether sums are whole numbers of steps, which are the same on every executor.
    pub fixed: bool,
    /// Rows of cells that each unit computes.
    pub rows: u32,
    /// Whether only the tiles in a list are computed.
    pub listed: bool,
    /// Whether each tile has a list of the entities that may reach it.
    pub binned: bool,
    /// Whether only entities of some layers count.
    pub layered: bool,
    /// Whether the kernel is compiled for CUDA.
    pub cuda: bool,
}

#[cube]
impl Entities {
    /// An entity's value in a column of reals.
    pub fn real(&self, column: u32, entity: u32) -> f32 {
        self.reals[(column * self.count + entity) as usize]
    }

    /// An entity's value in a column of words.
    pub fn word(&self, column: u32, entity: u32) -> u32 {
        self.words[(column * self.count + entity) as usize]
    }

    /// A value of the tables.
    pub fn entry(&self, at: u32) -> f32 {
        self.tables[at as usize]
    }
}
