//! The charges of an entity at known distances, eight at a time.

use super::ways::{GROUPS, LANES, Lanes, Ways};
use crate::NEGATIVE_ZERO;
use crate::between::on_the_way;
use crate::fall::{Fall, Piece, bell, entry_before, falling, has_begun, piece_at};

/// Groups of cells for which a profile's pieces are searched together.
const SEARCHED: usize = 4;

/// Squares and distances of some groups of cells. Where a square is not below the limit, the charge is of no interest.
pub(super) struct Measured<'w> {
    pub squares: &'w [Lanes],
    pub distances: &'w [Lanes],
    pub limit: f32,
}

impl Ways {
    /// Those of the first groups.
    #[inline(always)]
    pub fn of_first(&self, groups: usize, limit: f32) -> Measured<'_> {
        Measured { squares: &self.squares[..groups], distances: &self.distances[..groups], limit }
    }
}

/// Whether the charge depends on the distance rather than its square.
#[inline(always)]
pub(super) fn needs_distance(fall: &Fall) -> bool {
    !matches!(fall, Fall::Quadratic { .. } | Fall::Gaussian { .. })
}

/// Computes the charges of all groups: [`Fall::charge`].
#[inline(always)]
pub(super) fn charges_of(fall: &Fall, at: &Measured<'_>, charges: &mut [Lanes; GROUPS]) {
    match fall {
        Fall::Linear { charge, slope } => of_each(at.distances, charges, Slope(*charge, *slope)),
        Fall::Quadratic { charge, slope } => of_each(at.squares, charges, Slope(*charge, *slope)),
        Fall::Gaussian { charge, rate } => of_each(at.squares, charges, Bell(*charge, *rate)),
        Fall::Piecewise { charge, pieces, per_cell } => in_pieces(at, charges, (*charge, pieces, *per_cell)),
        Fall::Table { charge, values, per_cell } => in_table(at.distances, charges, (*charge, values, *per_cell)),
    }
}

/// A charge at a distance or its square.
trait Falls: Copy {
    fn charge(self, way: f32) -> f32;
}

#[derive(Clone, Copy)]
struct Slope(f32, f32);

impl Falls for Slope {
    #[inline(always)]
    fn charge(self, way: f32) -> f32 {
        falling(self.0, self.1, way, NEGATIVE_ZERO)
    }
}

#[derive(Clone, Copy)]
struct Bell(f32, f32);

impl Falls for Bell {
    #[inline(always)]
    fn charge(self, way: f32) -> f32 {
        bell(self.0, self.1, way, NEGATIVE_ZERO)
    }
}

#[inline(always)]
fn of_each<F: Falls>(ways: &[Lanes], charges: &mut [Lanes; GROUPS], falls: F) {
    for (charges, ways) in charges.iter_mut().zip(ways) {
        for i in 0..LANES {
            charges[i] = falls.charge(ways[i]);
        }
    }
}

/// Pieces between those of the nearest and of the farthest cell are tried one after the other.
#[inline(always)]
fn in_pieces(at: &Measured<'_>, charges: &mut [Lanes; GROUPS], (charge, pieces, per_cell): (f32, &[Piece], f32)) {
    let blocks = at.squares.chunks(SEARCHED).zip(at.distances.chunks(SEARCHED));
    for ((squares, distances), charges) in blocks.zip(charges.chunks_mut(SEARCHED)) {
        let (mut low, mut high) = ([f32::MAX; LANES], [0.0f32; LANES]);
        for (squares, distances) in squares.iter().zip(distances) {
            for i in 0..LANES {
                let is_felt = squares[i] < at.limit;
                let distance = distances[i] * per_cell;
                low[i] = if is_felt & (distance < low[i]) { distance } else { low[i] };
                high[i] = if is_felt & (distance > high[i]) { distance } else { high[i] };
            }
        }
        let nearest = low.into_iter().fold(f32::MAX, |a, b| if b < a { b } else { a });
        let farthest = high.into_iter().fold(0.0, |a, b| if b > a { b } else { a });
        let (first, last) = (piece_at(pieces, nearest), piece_at(pieces, farthest));
        // Where no cell is felt, the first is not before the last.
        let tried = &pieces[first.min(last)..=last];
        for (distances, charges) in distances.iter().zip(charges) {
            let mut pieces_of = [[tried[0].from; LANES], [tried[0].value; LANES], [tried[0].slope; LANES]];
            for piece in &tried[1..] {
                for i in 0..LANES {
                    let begun = has_begun(piece.from, distances[i] * per_cell);
                    pieces_of[0][i] = if begun { piece.from } else { pieces_of[0][i] };
                    pieces_of[1][i] = if begun { piece.value } else { pieces_of[1][i] };
                    pieces_of[2][i] = if begun { piece.slope } else { pieces_of[2][i] };
                }
            }
            for i in 0..LANES {
                let piece = Piece { from: pieces_of[0][i], value: pieces_of[1][i], slope: pieces_of[2][i] };
                charges[i] = charge * piece.value_at(distances[i] * per_cell, NEGATIVE_ZERO);
            }
        }
    }
}

#[inline(always)]
fn in_table(distances: &[Lanes], charges: &mut [Lanes; GROUPS], (charge, values, per_cell): (f32, &[f32], f32)) {
    let count = values.len() as u32;
    for (charges, distances) in charges.iter_mut().zip(distances) {
        let (mut befores, mut shares) = ([0u32; LANES], [0.0; LANES]);
        for i in 0..LANES {
            let entry = entry_before(distances[i] * per_cell, count);
            befores[i] = entry.before;
            shares[i] = entry.share;
        }
        let mut ends = [[0.0; LANES]; 2];
        for (i, &before) in befores.iter().enumerate() {
            if let Some(&[from, to]) = values.get(before as usize..before as usize + 2) {
                [ends[0][i], ends[1][i]] = [from, to];
            }
        }
        for i in 0..LANES {
            charges[i] = charge * on_the_way(ends[0][i], ends[1][i], shares[i], NEGATIVE_ZERO);
        }
    }
}
