//! Stamps: tables of values that move with an entity.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_core::checks::{finite, positive};
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;
use throng_pictures::files::npy;

use crate::NEGATIVE_ZERO;
use crate::rules::interpolation::{Corners, bilinear};
use crate::saved::SavedStamp;

/// A small raster of values: the contribution of an entity to the field around it, where no profile has the required
/// form.
///
/// The centre of the raster is the position of the entity, and its rows run along the heading. Values between points
/// are interpolated bilinearly. All points outside are 0, so the value falls to 0 within one `side` beyond the
/// outermost points.
///
/// Clones share the values: a thousand entities with one stamp take the memory of one.
///
/// ```
/// use throng_fields_core::{Entity, Stamp};
///
/// // Has an effect only ahead, along x.
/// let beam = Stamp::new(3, 1, 2.0, &[0.0, 1.0, 3.0])?;
/// let lamp = Entity::stamped([10.0, 10.0], beam).with_charge(2.0);
/// assert_eq!([8.0, 10.0, 11.0, 12.0, 13.0, 14.0].map(|x| lamp.charge_at([x, 10.0])), [0.0, 2.0, 4.0, 6.0, 3.0, 0.0]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedStamp", into = "SavedStamp")]
pub struct Stamp {
    columns: u32,
    rows: u32,
    /// Points per unit of length, in the caller's unit.
    per_unit: f32,
    /// The values, padded with zeros on all sides, so that a point on the stamp is always between four of them.
    framed: Arc<[f32]>,
}

/// Maximum number of points along an axis: it leaves enough digits for positions in between, and 32 bits count all
/// points, including the padding.
const MAX_POINTS: u32 = (1 << 16) - 2;

impl Stamp {
    /// Creates a table of `columns` x `rows` values, row by row, `side` world units apart.
    ///
    /// # Errors
    /// If the number of values is 0 or does not match, there are too many along an axis, or one is not finite; or if
    /// `side` is not positive, or so small or large that its reciprocal or the size of the stamp is not finite.
    pub fn new(columns: u32, rows: u32, side: f32, values: &[f32]) -> Result<Self, InputError> {
        positive("stamp, side", side)?;
        Self::per_unit_of(columns, rows, 1.0 / side, values)
    }

    /// Creates a stamp from an array, such as one from NumPy, with values `side` world units apart, rounded to 32 bits.
    ///
    /// ```
    /// use throng_fields_core::{Entity, Stamp};
    /// use throng_pictures::files::npy::{Array, Values};
    ///
    /// let ahead = Stamp::from_array(Array { rows: 1, columns: 3, values: Values::U8(vec![0, 1, 3]) }, 2.0)?;
    /// let lamp = Entity::stamped([10.0, 10.0], ahead);
    /// assert_eq!([8.0, 10.0, 11.0, 12.0].map(|x| lamp.charge_at([x, 10.0])), [0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Stamp::new`].
    pub fn from_array(array: npy::Array, side: f32) -> Result<Self, InputError> {
        Self::new(array.columns, array.rows, side, &array.values.into_f32())
    }

    /// The same as [`Stamp::new`], given the number of points per world unit.
    pub fn per_unit_of(columns: u32, rows: u32, per_unit: f32, values: &[f32]) -> Result<Self, InputError> {
        positive("stamp, points per unit", per_unit)?;
        for (what, count) in [("columns", columns), ("rows", rows)] {
            if !(1..=MAX_POINTS).contains(&count) {
                let remedy = format!("expected a number from 1 to {MAX_POINTS}");
                return Err(InputError::one(format!("stamp, {what}"), count, remedy));
            }
        }
        finite("stamp, size", (columns.max(rows) + 1) as f32 / per_unit)?;
        let expected = columns as usize * rows as usize;
        if values.len() != expected {
            let remedy = format!("expected {columns} x {rows} = {expected}");
            return Err(InputError::one("stamp, number of values", values.len(), remedy));
        }
        for (i, &value) in values.iter().enumerate() {
            finite(&format!("stamp, value {}", i + 1), value)?;
        }
        let (width, height) = (columns as usize + 2, rows as usize + 2);
        let mut framed = vec![0.0; width * height];
        for (framed, values) in framed.chunks_mut(width).skip(1).zip(values.chunks(columns as usize)) {
            framed[1..=values.len()].copy_from_slice(values);
        }
        Ok(Self { columns, rows, per_unit, framed: framed.into() })
    }

    /// Returns a copy with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f32) -> Self {
        Self { per_unit: self.per_unit / factor, ..self.clone() }
    }

    /// Extent of the values from the centre, along and across the heading.
    pub fn half(&self) -> [f32; 2] {
        [self.columns, self.rows].map(|count| (count + 1) as f32 / 2.0 / self.per_unit)
    }

    /// The number of columns and of rows.
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// Points per unit of length.
    pub fn per_unit(&self) -> f32 {
        self.per_unit
    }

    /// All values, row by row.
    pub fn values(&self) -> impl Iterator<Item = f32> {
        let columns = 1..=self.columns as usize;
        let rows = self.framed.chunks(self.columns as usize + 2).skip(1).take(self.rows as usize);
        rows.flat_map(move |row| row[columns.clone()].iter().copied())
    }

    /// The values padded with zeros on all sides, row by row; two more columns and rows than [`Stamp::size`].
    pub fn framed(&self) -> &Arc<[f32]> {
        &self.framed
    }

    /// The value at a point in the entity's coordinates.
    pub fn value(&self, [x, y]: [f32; 2]) -> f32 {
        let OnStamp { is_there, first, across, down } =
            on_stamp(x, y, self.per_unit, self.columns, self.rows, NEGATIVE_ZERO);
        if !is_there {
            return 0.0;
        }
        let above = first as usize;
        let below = above + self.columns as usize + 2;
        let [a, b, c, d] = [above, above + 1, below, below + 1].map(|place| self.framed[place]);
        bilinear(&Corners { a, b, c, d }, across, down, NEGATIVE_ZERO)
    }
}

/// The position of a point on a stamp.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct OnStamp {
    /// Whether the point is on the stamp; if not, the value is 0.
    pub is_there: bool,
    /// Index, in the padded values, of the first of the four surrounding points; off the stamp, that of the stamp's
    /// first point.
    pub first: u32,
    /// Fractions of the distance to the next column and row.
    pub across: f32,
    pub down: f32,
}

/// Locates a point in the entity's coordinates on a stamp. The padding begins at point -1.
#[cube]
#[inline(always)]
pub fn on_stamp(x: f32, y: f32, per_unit: f32, columns: u32, rows: u32, zero: f32) -> OnStamp {
    let along = place_along(x, per_unit, columns, zero);
    let aside = place_along(y, per_unit, rows, zero);
    // Both are compared unconditionally, so that compilers need no branches.
    let is_along = is_on(along, columns);
    let is_aside = is_on(aside, rows);
    let is_there = is_along && is_aside;
    let along = select(is_there, along, 0.0f32);
    let aside = select(is_there, aside, 0.0f32);
    let column = point_before(along);
    let row = point_before(aside);
    OnStamp {
        is_there,
        first: (row + 1i32) as u32 * (columns + 2u32) + (column + 1i32) as u32,
        across: along - column as f32,
        down: aside - row as f32,
    }
}

/// The position of a coordinate along an axis of a stamp, in points.
#[cube]
#[inline(always)]
fn place_along(at: f32, per_unit: f32, count: u32, zero: f32) -> f32 {
    rounded_product(at, per_unit, zero) + (count - 1) as f32 * 0.5
}

/// Whether the stamp has values around a position along an axis: up to one point beyond the outermost points.
#[cube]
#[inline(always)]
fn is_on(place: f32, count: u32) -> bool {
    place > -1.0 && place < count as f32
}

/// The point at or before a position on the stamp; -1 before the first. A cast and a comparison are faster than the
/// system's `floor`.
#[cube]
#[inline(always)]
#[allow(clippy::cast_lossless, reason = "kernels have casts only")]
fn point_before(place: f32) -> i32 {
    place as i32 - (place < 0.0) as i32
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::{finite_numbers, words};

    same_on_devices! {
        fn places(at: f32, per_unit: f32, count: u32, zero: f32) {
            let place = place_along(at, per_unit, count, zero);
            let on = is_on(place, count);
        } -> { place: f32 = place, on: u32 = on as u32, before: i32 = point_before(place) }
        for finite_numbers().zip(words([100])).flat_map(|([at, per_unit], [count])| {
            let middle = count as f32 * 0.5;
            [(at, per_unit), (middle, 1.0), (-middle, 1.0), (-middle - 0.5, 1.0), (middle + 0.5, 1.0)]
                .map(|(at, per_unit)| (at, f32::abs(per_unit), count + 1, NEGATIVE_ZERO))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_interpolate_their_values_bilinearly() {
        let stamp = Stamp::new(2, 3, 0.5, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!(stamp.half(), [0.75, 1.0]);
        for (i, expected) in (1u8..=6).enumerate() {
            let point = [(i % 2) as f32 * 0.5 - 0.25, (i / 2) as f32 * 0.5 - 0.5];
            assert_eq!(stamp.value(point), f32::from(expected));
        }
        // The mean of the four surrounding values, and half the mean of two at the border.
        assert_eq!(stamp.value([0.0, 0.25]), 4.5);
        assert_eq!(stamp.value([0.0, 0.75]), 2.75);
        for outside in [[0.75, 0.0], [0.0, -1.0], [-9.0, 0.0], [f32::NAN, 0.0], [0.0, f32::INFINITY]] {
            assert_eq!(stamp.value(outside), 0.0, "{outside:?}");
        }
        assert_eq!(stamp.scaled(4.0).value([1.0, 2.0]), stamp.value([0.25, 0.5]));
    }

    #[test]
    fn invalid_stamps_are_refused() {
        let place = |columns, rows, side, values: &[f32]| {
            Stamp::new(columns, rows, side, values).unwrap_err().place().to_owned()
        };
        assert_eq!(place(0, 1, 1.0, &[]), "stamp, columns");
        assert_eq!(place(1, 1 << 20, 1.0, &[]), "stamp, rows");
        assert_eq!(place(1, 1, 0.0, &[1.0]), "stamp, side");
        assert_eq!(place(2, 2, 3e38, &[1.0; 4]), "stamp, size");
        assert_eq!(place(2, 2, 1.0, &[1.0; 3]), "stamp, number of values");
        assert_eq!(place(2, 1, 1.0, &[1.0, f32::NAN]), "stamp, value 2");
    }
}
