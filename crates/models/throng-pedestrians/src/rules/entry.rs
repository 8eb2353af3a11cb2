//! Entries: the choice of space units at which pedestrians enter.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::high_product;

/// Purpose of the draws of entries: the first word of the block of an entry, a tick and this purpose.
pub const FIRST_PLACE: u32 = 5;

/// Returns the index of the space unit at which an entry starts searching for empty ones.
#[cube]
#[inline]
pub fn first_place(drawn: u32, units: u32) -> u32 {
    high_product(drawn, units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_space_units_of_an_entry_are_equally_likely() {
        assert_eq!([0, 0x5555_5555, 0x5555_5556, u32::MAX].map(|drawn| first_place(drawn, 3)), [0, 0, 1, 2]);
    }
}
