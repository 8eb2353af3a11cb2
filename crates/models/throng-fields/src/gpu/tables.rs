//! Tables of entities on a device. Tables shared by several entities are stored once.

use std::collections::HashMap;
use std::sync::Arc;

use throng_fields_core::rules::distance::Side;
use throng_fields_core::rules::pieces::Pieces;

/// The tables on a device, and their offsets.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    /// Values and pieces by address in host memory. Holding them here keeps the address from being reused.
    shared: HashMap<usize, (Held, u32)>,
    /// The sides of polygons, by the bits of their corners.
    sides: HashMap<Vec<[u32; 2]>, u32>,
    /// Number of reals on the device.
    copied_count: usize,
    /// Reals to be appended to those on the device.
    missing_reals: Vec<f32>,
}

#[derive(Debug, Clone)]
enum Held {
    Values(#[allow(dead_code, reason = "held, not read")] Arc<[f32]>),
    Pieces(#[allow(dead_code, reason = "held, not read")] Arc<Pieces>),
}

impl Tables {
    /// Returns the offset of values, which are added if they are new.
    pub fn values(&mut self, values: &Arc<[f32]>) -> u32 {
        self.find(values.as_ptr() as usize, || Held::Values(Arc::clone(values)), || values.to_vec())
    }

    /// The offset of the pieces of a profile, laid out by [`pieces`].
    pub fn pieces(&mut self, of: &Arc<Pieces>) -> u32 {
        self.find(Arc::as_ptr(of) as usize, || Held::Pieces(Arc::clone(of)), || pieces(of))
    }

    fn find(&mut self, address: usize, held: impl FnOnce() -> Held, reals: impl FnOnce() -> Vec<f32>) -> u32 {
        let end = self.end();
        let found = self.shared.entry(address).or_insert_with(|| {
            self.missing_reals.extend(reals());
            (held(), end)
        });
        found.1
    }

    /// Returns the offset of the sides of a polygon, which are added if they are new.
    pub fn sides(&mut self, corners: &[[f32; 2]]) -> u32 {
        let end = self.end();
        let bits = corners.iter().map(|corner| corner.map(f32::to_bits)).collect();
        *self.sides.entry(bits).or_insert_with(|| {
            self.missing_reals.extend(sides(corners));
            end
        })
    }

    /// The offset after the last real; the caller that copies checks that it fits into 32 bits.
    fn end(&self) -> u32 {
        (self.copied_count + self.missing_reals.len()) as u32
    }

    /// The reals that are not on the device yet.
    pub fn missing(&self) -> &[f32] {
        &self.missing_reals
    }

    /// Marks all missing reals as copied.
    pub fn mark_copied(&mut self) {
        self.copied_count += self.missing_reals.len();
        self.missing_reals = Vec::new();
    }

    /// Discards the missing reals and their offsets, if they are not copied after all.
    pub fn discard_missing(&mut self) {
        let copied = self.copied_count;
        self.missing_reals = Vec::new();
        self.shared.retain(|_, (_, offset)| (*offset as usize) < copied);
        self.sides.retain(|_, offset| (*offset as usize) < copied);
    }
}

/// The pieces of a profile: slots per unit of distance; the first piece that applies in each slot; then the pieces,
/// each with its end. The end of the last piece is `f32::MAX`.
fn pieces(of: &Pieces) -> Vec<f32> {
    let ends = of.list().iter().skip(1).map(|next| next.from).chain([f32::MAX]);
    let reals = of.list().iter().zip(ends).flat_map(|(piece, end)| [piece.from, piece.value, piece.slope, end]);
    // Floats represent indices of pieces exactly up to 2^24, far more than a profile has.
    let slots = of.slots().iter().map(|&slot| slot as f32);
    [of.slots_per_unit()].into_iter().chain(slots).chain(reals).collect()
}

/// The sides of a polygon: start, vector, the inverse of its squared length, x per y, y of the end.
fn sides(corners: &[[f32; 2]]) -> impl Iterator<Item = f32> {
    let side = move |i: usize| {
        let (from, to) = (corners[(i + corners.len() - 1) % corners.len()], corners[i]);
        let side = Side::between(from, to);
        let Side { from_x, from_y, along_x, along_y, inverse, to_y } = side;
        [from_x, from_y, along_x, along_y, inverse, side.x_per_y(), to_y]
    };
    (0..corners.len()).flat_map(side)
}
