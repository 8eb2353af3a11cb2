//! The methods by which executors sum up field strengths.

use throng_core::InputError;

use super::counting::MAX_WINDOW_SIDE;
use super::fields::FieldTables;

/// Method of summing field strengths. All methods give the same results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Summing {
    /// Counting the bits of a window, ring by ring and sector by sector; for fields of up to 11 x 11.
    Windows,
    /// Differences of prefix counts along the sides of rings, which are segments of rows and columns.
    Sides,
    /// Space unit by space unit: the only method for traces. The time grows with the square of the field size. On
    /// devices each pedestrian reads its surroundings from global memory, one word per space unit and nine with traces;
    /// no tile is staged in shared memory.
    Units,
    /// Transforms, for all pedestrians at once; for large fields.
    Transforms,
}

impl Summing {
    /// Returns the fastest method for these fields; never [`Self::Transforms`].
    pub fn fastest(tables: &FieldTables) -> Self {
        if tables.has_traces() {
            Self::Units
        } else if tables.size() <= MAX_WINDOW_SIDE {
            Self::Windows
        } else {
            Self::Sides
        }
    }

    /// Returns the name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows of bits",
            Self::Sides => "counts along rows and columns",
            Self::Units => "space units one by one",
            Self::Transforms => "transforms",
        }
    }

    /// Rejects windows for fields that are too large, and all methods but [`Self::Units`] for traces.
    pub(super) fn check(self, tables: &FieldTables) -> Result<(), InputError> {
        let size = tables.size();
        if self != Self::Units && tables.has_traces() {
            let found = format!("{} for fields with traces", self.name());
            return Err(InputError::one("summing", found, "sum up space units one by one"));
        }
        if self == Self::Windows && size > MAX_WINDOW_SIDE {
            let found = format!("windows of bits for fields of {size} x {size}");
            return Err(InputError::one("summing", found, format!("use counts, or fields of up to {MAX_WINDOW_SIDE}")));
        }
        Ok(())
    }
}
