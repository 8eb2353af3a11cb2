//! The charges of an entity at known distances: [`Fall::charge`] in loops over adjacent cells, which compilers
//! vectorise.

use std::hint::select_unpredictable;

use super::cell_distances::{BLOCK, CellDistances, CellValues, TOGETHER};
use crate::NEGATIVE_ZERO;
use crate::rules::fall::{Fall, bell, entry_before, falling};
use crate::rules::interpolation::lerp;
use crate::rules::pieces::{Piece, Pieces, has_begun};

/// Whether the charge depends on the distance rather than its square.
#[inline(always)]
pub(super) fn needs_distance(fall: &Fall) -> bool {
    !matches!(fall, Fall::Quadratic { .. } | Fall::Gaussian { .. })
}

/// Buffers for the charges of cells.
pub(super) struct Charges {
    pub of_cells: CellValues,
    /// Positions in the pieces or values of a profile.
    places: CellValues,
    /// For each cell, the table entry before its position, the value of that entry, and the value of the next one.
    entries_before: [u32; BLOCK],
    from: CellValues,
    to: CellValues,
}

impl Charges {
    pub fn new() -> Self {
        let zeros = [0.0; BLOCK];
        Self { of_cells: zeros, places: zeros, entries_before: [0; BLOCK], from: zeros, to: zeros }
    }

    /// Computes [`Fall::charge`] for the first `count` cells. Charges of cells whose squared distance is not below
    /// the limit are unspecified.
    #[inline(always)]
    pub fn compute(&mut self, fall: &Fall, measured: &CellDistances, count: usize, limit: f32) {
        let (squares, distances) = (&measured.squares[..count], &measured.distances[..count]);
        match fall {
            Fall::Linear { charge, slope } => self.of_each(distances, Slope(*charge, *slope)),
            Fall::Quadratic { charge, slope } => self.of_each(squares, Slope(*charge, *slope)),
            Fall::Gaussian { charge, rate } => self.of_each(squares, Bell(*charge, *rate)),
            Fall::Piecewise { charge, pieces, per_cell } => {
                self.place(distances, *per_cell);
                self.of_pieces(squares, limit, pieces, *charge);
            }
            Fall::Table { charge, values, per_cell } => {
                self.place(distances, *per_cell);
                self.of_table(count, values, *charge);
            }
        }
    }

    #[inline(always)]
    fn of_each<F: ChargeRule>(&mut self, lengths: &[f32], rule: F) {
        let charges = &mut self.of_cells[..lengths.len()];
        for i in 0..lengths.len() {
            charges[i] = rule.charge(lengths[i]);
        }
    }

    #[inline(always)]
    fn place(&mut self, distances: &[f32], per_cell: f32) {
        let places = &mut self.places[..distances.len()];
        for i in 0..distances.len() {
            places[i] = distances[i] * per_cell;
        }
    }

    /// For each group of cells, tries all pieces from the piece of the nearest cell to the piece of the farthest cell,
    /// one after the other.
    #[inline(always)]
    fn of_pieces(&mut self, squares: &[f32], limit: f32, pieces: &Pieces, charge: f32) {
        let blocks = self.places.as_chunks::<TOGETHER>().0.iter().zip(self.of_cells.as_chunks_mut::<TOGETHER>().0);
        for (squares, (places, charges)) in squares.chunks(TOGETHER).zip(blocks) {
            let (mut low, mut high) = (f32::MAX, 0.0f32);
            for (&square, &place) in squares.iter().zip(places) {
                let [near, far] = if square < limit { [place; 2] } else { [f32::MAX, 0.0] };
                low = if near < low { near } else { low };
                high = if far > high { far } else { high };
            }
            let (first, last) = (pieces.at(low), pieces.at(high));
            // If no cell is within reach, `first` may be greater than `last`.
            let tried = &pieces.list()[first.min(last)..=last];
            let Piece { from, value, slope } = tried[0];
            // Separate arrays, so that the compiler can rule out aliasing.
            let (mut from, mut value, mut slope) = ([from; TOGETHER], [value; TOGETHER], [slope; TOGETHER]);
            for piece in &tried[1..] {
                for i in 0..TOGETHER {
                    // Stored unconditionally: conditional stores are slow.
                    let begun = has_begun(piece.from, places[i]);
                    from[i] = select_unpredictable(begun, piece.from, from[i]);
                    value[i] = select_unpredictable(begun, piece.value, value[i]);
                    slope[i] = select_unpredictable(begun, piece.slope, slope[i]);
                }
            }
            for i in 0..TOGETHER {
                let piece = Piece { from: from[i], value: value[i], slope: slope[i] };
                charges[i] = charge * piece.value_at(places[i], NEGATIVE_ZERO);
            }
        }
    }

    #[inline(always)]
    fn of_table(&mut self, count: usize, values: &[f32], charge: f32) {
        let (charges, places, entries_before) =
            (&mut self.of_cells[..count], &mut self.places[..count], &mut self.entries_before[..count]);
        for i in 0..count {
            let entry = entry_before(places[i], values.len() as u32);
            entries_before[i] = entry.before;
            places[i] = entry.share;
        }
        let (from, to) = (&mut self.from[..count], &mut self.to[..count]);
        for i in 0..count {
            let before = entries_before[i] as usize;
            if let Some(&[a, b]) = values.get(before..before + 2) {
                (from[i], to[i]) = (a, b);
            }
        }
        for i in 0..count {
            charges[i] = charge * lerp(from[i], to[i], places[i], NEGATIVE_ZERO);
        }
    }
}

/// A charge at a distance or its square.
trait ChargeRule: Copy {
    fn charge(self, length: f32) -> f32;
}

#[derive(Clone, Copy)]
struct Slope(f32, f32);

impl ChargeRule for Slope {
    #[inline(always)]
    fn charge(self, length: f32) -> f32 {
        falling(self.0, self.1, length, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct Bell(f32, f32);

impl ChargeRule for Bell {
    #[inline(always)]
    fn charge(self, length: f32) -> f32 {
        bell(self.0, self.1, length, NEGATIVE_ZERO)
    }
}
