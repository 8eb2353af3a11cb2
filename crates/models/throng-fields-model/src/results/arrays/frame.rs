//! The values of an array at one time.

use throng_fields_core::Field;
use throng_fields_core::layers::BitLayers;
use throng_fields_scenario::arrays::{Array, Content};
use throng_fields_scenario::extracts::Quantity;
use throng_fields_scenario::{FieldId, Scenario};
use throng_model::Failure;

use crate::results::quantities::{Quantities, grid_of_part, part_of};

/// The numbers of an array in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Floats,
    /// Unsigned integers of 8 bits.
    Bytes,
    /// Unsigned integers of 32 bits.
    Words,
}

impl Numbers {
    /// The numbers with a bit for each layer of a scenario.
    fn of_bits(scenario: &Scenario) -> Self {
        if scenario.layers.len() > 8 { Self::Words } else { Self::Bytes }
    }

    /// The numbers in the files of an array; `for_python` if these are NPY files.
    pub(super) fn of(scenario: &Scenario, array: &Array, for_python: bool) -> Self {
        match array.content {
            Content::Bits(_) => Self::of_bits(scenario),
            Content::Quantity(Quantity::Open) if for_python => Self::Bytes,
            Content::Quantity(_) => Self::Floats,
        }
    }
}

/// The values of an array at one time, in its part of the grid.
pub(super) enum Frame {
    Field(Field),
    Bits(BitLayers, Numbers),
}

impl Frame {
    pub fn new(quantities: &Quantities<'_, '_>, array: &Array) -> Result<Self, Failure> {
        let (scenario, cells) = (quantities.scenario(), array.cells);
        match &array.content {
            Content::Quantity(quantity) => Ok(Self::Field(part_of(quantities.field(*quantity)?.as_ref(), cells)?)),
            Content::Bits(thresholds) => {
                let mut bits = BitLayers::new(grid_of_part(scenario.grid(), cells)?);
                for &(layer, threshold) in thresholds {
                    let field = quantities.field(Quantity::Field(FieldId::Layer(layer)))?;
                    bits.add_where(layer as u32, &part_of(field.as_ref(), cells)?, threshold)?;
                }
                Ok(Self::Bits(bits, Numbers::of_bits(scenario)))
            }
        }
    }
}
