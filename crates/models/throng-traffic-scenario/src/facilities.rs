//! Facilities: places of activities.

use throng_core::IdTable;

/// Facility ids, and link and coordinate where the file gives them.
#[derive(Debug, Clone, Default)]
pub struct Facilities {
    /// Coordinate system of the facilities, where the file names one.
    pub coordinate_system: Option<String>,
    /// Facility ids.
    pub ids: IdTable,
    /// Link of each facility, or [`throng_core::NONE`].
    pub link: Vec<u32>,
    /// Coordinate; NaN when unknown.
    pub x: Vec<f64>,
    /// See [`Facilities::x`].
    pub y: Vec<f64>,
}
