//! The columns in which kernels read entities. Each column has one entry per entity.

/// Columns of reals.
pub const X: u32 = 0;
pub const Y: u32 = 1;
/// Radius of the circle beyond which the value is zero, with a margin for rounding. The circle of a disc is centred at
/// its position.
pub const CULL: u32 = 2;
/// The inverse of the reach.
pub const INVERSE: u32 = 3;
pub const CHARGE: u32 = 4;
/// The number of columns of discs in floating point.
pub const REALS_OF_DISCS: u32 = 5;
/// Distance from the shape beyond which the value is zero.
pub const REACH: u32 = 5;
/// Factor of distances: a decrease per distance or per squared distance, a rate, or samples per distance.
pub const SLOPE: u32 = 6;
/// In fixed point: units of distance per cell, a power of two.
pub const UNITS: u32 = 7;
/// In fixed point: the difference between the double-precision position and `X`.
pub const X_LOW: u32 = 8;
pub const Y_LOW: u32 = 9;
/// The number of columns of discs in fixed point.
pub const REALS_OF_STEPPED_DISCS: u32 = 10;
pub const SIN: u32 = 10;
pub const COS: u32 = 11;
/// Radius of a ring, a diamond or a square, length of a capsule, half the length of a box, distance of a polygon's
/// farthest corner from the position, sine of half the angle of a cone, or samples of a stamp per cell.
pub const EXTENT: u32 = 12;
/// Half the width of a box, or cosine of half the angle of a cone.
pub const WIDTH: u32 = 13;
/// In fixed point: cells per unit of distance.
pub const CELLS: u32 = 14;
/// The centre of the circle of `CULL`.
pub const MIDDLE_X: u32 = 15;
pub const MIDDLE_Y: u32 = 16;
pub const REALS: u32 = 17;

/// First column of words: the layers of the entity, one bit each.
pub const LAYERS: u32 = 0;
/// The number of columns of discs.
pub const WORDS_OF_DISCS: u32 = 1;
pub const SHAPE: u32 = 1;
pub const FALL: u32 = 2;
/// Start of a polygon's sides in the tables, and their number; for a stamp, the number of columns.
pub const CORNERS: u32 = 3;
pub const CORNER_COUNT: u32 = 4;
/// Start of the profile or stamp in the tables, and the number of slots, values, or rows.
pub const PROFILE: u32 = 5;
pub const PROFILE_COUNT: u32 = 6;
/// For a ring in fixed point, see [`Ring`](throng_fields_core::rules::ring::Ring): the cell before its centre, and the
/// distance of the centre from that cell, in units; the radius and the reach, in units; the number of cells beyond
/// which it has no effect.
pub const RING_COLUMN: u32 = 7;
pub const RING_ROW: u32 = 8;
pub const RING_X: u32 = 9;
pub const RING_Y: u32 = 10;
pub const RING_RADIUS: u32 = 11;
pub const RING_REACH: u32 = 12;
pub const RING_CELLS: u32 = 13;
pub const WORDS: u32 = 14;

/// Shapes.
pub const DISC: u32 = 0;
pub const RING: u32 = 1;
pub const CAPSULE: u32 = 2;
pub const BOX: u32 = 3;
pub const POLYGON: u32 = 4;
pub const CONE: u32 = 5;
pub const STAMP: u32 = 6;
pub const DIAMOND: u32 = 7;
pub const SQUARE: u32 = 8;

/// Profiles.
pub const LINEAR: u32 = 0;
pub const QUADRATIC: u32 = 1;
pub const GAUSSIAN: u32 = 2;
pub const PIECEWISE: u32 = 3;
pub const TABLE: u32 = 4;

/// Reals per side of a polygon: start, vector, the inverse of its squared length, x per y, y of the end.
pub const SIDE_REALS: u32 = 7;
/// Reals per piece of a profile: start, value at the start, slope, end.
pub const PIECE_REALS: u32 = 4;
