//! Facilities: locations of activities.

use throng_core::IdTable;

/// Facility ids, with links and coordinates where the file contains them.
#[derive(Debug, Clone, Default)]
pub struct Facilities {
    /// Coordinate system of the facilities, if the file names one.
    pub coordinate_system: Option<String>,
    /// Facility ids.
    pub ids: IdTable,
    /// Link of each facility, or [`throng_core::NONE`].
    pub link: Vec<u32>,
    /// X coordinate of each facility; NaN if unknown.
    pub x: Vec<f64>,
    /// Y coordinate of each facility; NaN if unknown.
    pub y: Vec<f64>,
}
