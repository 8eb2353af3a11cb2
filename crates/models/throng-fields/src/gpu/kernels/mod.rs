//! Kernels, and the arrays they operate on.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]
// Compile-time conditions are kept separate: combined with a runtime condition, they would be evaluated at run time.
#![allow(clippy::collapsible_if, clippy::collapsible_else_if)]
// Kernels do not support inclusive ranges, `clamp`, or small structs passed by value.
#![allow(clippy::range_plus_one, clippy::manual_clamp, clippy::trivially_copy_pass_by_ref)]

mod bins;
mod charge;
mod combination;
mod entity_record;
mod gather;
mod hash;
mod influence;
mod interpolation;
mod layers;
mod polygon;
mod profile;
mod replace;
mod second_order;
mod shape;
mod stamp;
mod sums;
mod time_tiles;
mod travel_times;
mod windows;
mod world;

pub use bins::{TileListBuffers, TileRaster, count_tiles, find_starts, list_tiles};
pub use combination::{LayerAndMaskBuffers, StepKind, StepNumbers, combine_cells, set_cells};
pub use gather::gather_tiles;
pub use hash::{HASH_COUNTERS, HashNumbers, MAX_HASH_UNITS, hash_cells};
pub use influence::{
    InfluencesBuffers, LINE, SWEEP_ROWS, SourcesBuffers, Spread, TILE_LINES, set_sources, spread_influence,
};
pub use interpolation::{Around, PointsBuffers, sample_points, slopes_at_points};
pub use layers::{ADD, MASKED, MAX, MIN, THRESHOLD, TIMES, combine_tiles, pack_tiles};
pub use replace::{Columns, ReplacedBuffers, ReplacementsBuffers, replace_entities};
pub use second_order::{FirstOrderBuffers, SecondOrderBuffers, refine_tiles};
pub use sums::{TILE_COLUMNS, UNIT_ROWS, UNITS};
pub use time_tiles::{SIDE, TileFlagsBuffers, TimeRaster, fill_words, set_words};
pub use travel_times::lower_tiles;
pub use windows::{
    BEST_WORDS, BLOCK_WORDS, FieldBlocksBuffers, NONE, TILE_REALS, TILE_WORDS, WindowNumbers, WindowTilesBuffers,
    best_in_blocks, best_in_tiles,
};
pub use world::{Figures, How, Raster};
