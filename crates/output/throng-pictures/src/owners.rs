//! Cells with an owner, such as the strongest team, in the colour of the owner.

use super::colour::Colour;
use super::colours::{Rgb, WHITE};
use super::picture::mixed;
use super::value_range::ValueRange;

/// Fraction of the owner's colour in cells with the lowest value, sufficient to recognise the owner.
const PALEST: f64 = 0.12;
/// Maximum number of owners, or of kinds of agents, named in the legend.
pub const MAX_NAMES: usize = 12;

/// The owners of the cells of a field.
#[derive(Debug, Clone)]
pub struct Owners {
    /// Name and colour of each owner.
    names: Vec<(String, Colour)>,
    /// Owner of each cell, row by row, as an index into `names`.
    of_cells: Vec<Option<u8>>,
}

impl Owners {
    /// Creates the owners of cells, given as indices into `names`, row by row.
    pub fn new(names: Vec<(String, Colour)>, of_cells: Vec<Option<u8>>) -> Self {
        Self { names, of_cells }
    }

    /// Returns the colour of a cell: that of its owner, paler for lower values; white without an owner.
    pub(super) fn colour(&self, cell: usize, value: f32, range: ValueRange) -> Rgb {
        let owner = self.of_cells.get(cell).copied().flatten();
        owner
            .and_then(|owner| self.names.get(usize::from(owner)))
            .map_or(WHITE, |(_, colour)| shade(*colour, value, range))
    }

    /// Returns the colours for the bar of the legend.
    pub(super) fn colours(&self) -> Vec<Colour> {
        self.names.iter().map(|(_, colour)| *colour).collect()
    }

    /// Returns the legend entries; only the first [`MAX_NAMES`] owners are named.
    pub(super) fn entries(&self) -> Vec<(String, Option<Colour>)> {
        let mut entries: Vec<_> =
            self.names.iter().take(MAX_NAMES).map(|(name, colour)| (name.clone(), Some(*colour))).collect();
        if self.names.len() > MAX_NAMES {
            entries.push((format!("and {} more", self.names.len() - MAX_NAMES), None));
        }
        entries
    }
}

/// Returns the shade of an owner's colour for a value. The square root makes small values visible, because most values
/// are far below the maximum.
pub fn shade(colour: Colour, value: f32, range: ValueRange) -> Rgb {
    let share = range.share(value.clamp(range.low(), range.high()));
    mixed(WHITE, colour.rgb(), PALEST + (1.0 - PALEST) * share.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_colours_get_stronger_with_the_value() {
        let names = [("us", Colour::RED), ("them", Colour::BLUE)].map(|(name, colour)| (name.to_owned(), colour));
        let owners = Owners::new(names.to_vec(), vec![Some(0), Some(1), None, Some(7)]);
        let range = ValueRange::new(0.0, 4.0).unwrap();
        assert_eq!([0, 1].map(|cell| owners.colour(cell, 4.0, range)), [Colour::RED.rgb(), Colour::BLUE.rgb()]);
        // Values beyond the range have the colour of its end.
        assert_eq!(owners.colour(0, 9.0, range), Colour::RED.rgb());
        // No owner, an owner without a name, and a cell that does not exist.
        assert_eq!([2, 3, 4].map(|cell| owners.colour(cell, 4.0, range)), [WHITE; 3]);
        let greens = [0.0, 0.1, 1.0, 3.0].map(|value| owners.colour(0, value, range)[1]);
        assert!(greens.is_sorted_by(|a, b| a > b) && greens[0] < 240, "{greens:?}");
        assert_eq!(owners.entries().len(), 2);
        let many = Owners::new(vec![names[0].clone(); 40], Vec::new());
        assert_eq!(many.entries().last(), Some(&("and 28 more".to_owned(), None)));
    }
}
