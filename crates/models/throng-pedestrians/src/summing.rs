//! The ways in which executors sum up field strengths.

use throng_core::InputError;

use super::counting::MAX_WINDOW_SIDE;
use super::fields::FieldTables;

/// How field strengths are summed up. The sums are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Summing {
    /// By counting the bits of a window, ring by ring and sector by sector; for fields of up to 11 x 11.
    Windows,
    /// By differences of counts along the sides of rings, which are parts of rows and columns.
    Sides,
    /// Space unit by space unit, also where pedestrians leave traces, for which it is the only way. The time grows with the
    /// square of the size of a field. On devices each pedestrian reads its surroundings from global memory, one word for
    /// each space unit, and nine with traces; no tile of them is staged in shared memory.
    Units,
    /// By transforms, for all pedestrians at once; for large fields.
    Transforms,
}

impl Summing {
    /// The fastest one for these fields.
    pub fn fastest(tables: &FieldTables) -> Self {
        if tables.has_traces() {
            Self::Units
        } else if tables.size() <= MAX_WINDOW_SIDE {
            Self::Windows
        } else {
            Self::Sides
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows of bits",
            Self::Sides => "counts along rows and columns",
            Self::Units => "space units one by one",
            Self::Transforms => "transforms",
        }
    }

    /// Refuses windows of fields that are too large for them, and bits of traces, which are more than bits.
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
