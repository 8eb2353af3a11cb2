//! Cells that belong to someone, such as the strongest team: in the colour of their owner.

use super::colour::Colour;
use super::colours::{Rgb, WHITE};
use super::picture::mixed;
use super::value_range::ValueRange;

/// The share of the owner's colour in cells with the lowest value: enough to see whose they are.
const PALEST: f64 = 0.12;
/// Owners that the legend names.
pub const MAX_NAMES: usize = 12;

/// The owners of the cells of a field.
#[derive(Debug, Clone)]
pub struct Owners {
    /// Names and colours of owners.
    names: Vec<(String, Colour)>,
    /// The owner of each cell, row by row.
    of_cells: Vec<Option<u8>>,
}

impl Owners {
    /// The owners of cells by their numbers in `names`, row by row.
    pub fn new(names: Vec<(String, Colour)>, of_cells: Vec<Option<u8>>) -> Self {
        Self { names, of_cells }
    }

    /// The colour of a cell: that of its owner, the paler, the lower its value; white without an owner.
    pub(super) fn colour(&self, cell: usize, value: f32, range: ValueRange) -> Rgb {
        let owner = self.of_cells.get(cell).copied().flatten();
        owner
            .and_then(|owner| self.names.get(usize::from(owner)))
            .map_or(WHITE, |(_, colour)| shade(*colour, value, range))
    }

    /// The colours of the bar of a legend.
    pub(super) fn colours(&self) -> Vec<Colour> {
        self.names.iter().map(|(_, colour)| *colour).collect()
    }

    /// Entries of the legend; only the first of very many.
    pub(super) fn entries(&self) -> Vec<(String, Option<Colour>)> {
        let mut entries: Vec<_> =
            self.names.iter().take(MAX_NAMES).map(|(name, colour)| (name.clone(), Some(*colour))).collect();
        if self.names.len() > MAX_NAMES {
            entries.push((format!("and {} more", self.names.len() - MAX_NAMES), None));
        }
        entries
    }
}

/// The colour of an owner for a value. The root shows small values, most of which are far below the largest.
pub fn shade(colour: Colour, value: f32, range: ValueRange) -> Rgb {
    let share = range.share(value.clamp(range.low(), range.high()));
    mixed(WHITE, colour.rgb(), PALEST + (1.0 - PALEST) * share.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_colour_of_their_owner_the_fuller_the_higher_their_value() {
        let names = [("us", Colour::RED), ("them", Colour::BLUE)].map(|(name, colour)| (name.to_owned(), colour));
        let owners = Owners::new(names.to_vec(), vec![Some(0), Some(1), None, Some(7)]);
        let range = ValueRange::new(0.0, 4.0).unwrap();
        assert_eq!([0, 1].map(|cell| owners.colour(cell, 4.0, range)), [Colour::RED.rgb(), Colour::BLUE.rgb()]);
        // Values beyond the range have the colour of its end.
        assert_eq!(owners.colour(0, 9.0, range), Colour::RED.rgb());
        // No owner, an owner without a name, and no such cell.
        assert_eq!([2, 3, 4].map(|cell| owners.colour(cell, 4.0, range)), [WHITE; 3]);
        let greens = [0.0, 0.1, 1.0, 3.0].map(|value| owners.colour(0, value, range)[1]);
        assert!(greens.is_sorted_by(|a, b| a > b) && greens[0] < 240, "{greens:?}");
        assert_eq!(owners.entries().len(), 2);
        let many = Owners::new(vec![names[0].clone(); 40], Vec::new());
        assert_eq!(many.entries().last(), Some(&("and 28 more".to_owned(), None)));
    }
}
