//! Values of one column.

use std::ops::Range;

use throng_core::{IdTable, NONE};

/// Definition level of a present value; a missing value has level 0.
pub(super) const PRESENT: i16 = 1;

/// The values of a column in consecutive rows. Missing values take no space.
#[derive(Debug, Clone)]
pub struct Column<'a> {
    pub(super) values: Values<'a>,
    /// [`PRESENT`] or 0 per row; `None` if all rows have a value.
    levels: Option<Vec<i16>>,
}

/// Values by column type.
#[derive(Debug, Clone)]
pub enum Values<'a> {
    /// `true` or `false`.
    Bool(Vec<bool>),
    /// Signed integers of 64 bits.
    Int64(Vec<i64>),
    /// Unsigned integers of 8 or 32 bits.
    UInt32(Vec<u32>),
    /// Floating-point numbers of 32 bits.
    Float32(Vec<f32>),
    /// Floating-point numbers of 64 bits.
    Float64(Vec<f64>),
    /// UTF-8 strings.
    Text(Vec<&'a str>),
    /// UTF-8 strings, as indices into a table.
    Names(Vec<u32>, &'a IdTable),
}

impl<'a> Column<'a> {
    /// Creates a column with a value in every row.
    pub fn required<T>(values: impl IntoIterator<Item = T>) -> Self
    where
        Vec<T>: Into<Values<'a>>,
    {
        Self { values: values.into_iter().collect::<Vec<T>>().into(), levels: None }
    }

    /// Creates a column with an optional value in each row.
    pub fn optional<T>(rows: impl IntoIterator<Item = Option<T>>) -> Self
    where
        Vec<T>: Into<Values<'a>>,
    {
        let (values, levels) = present_values(rows.into_iter());
        Self { values: values.into(), levels: Some(levels) }
    }

    /// Creates a column of text with the name of each index in every row.
    ///
    /// Writing it panics if an index is not in the table.
    pub fn names(indices: impl IntoIterator<Item = u32>, names: &'a IdTable) -> Self {
        Self { values: Values::Names(indices.into_iter().collect(), names), levels: None }
    }

    /// Creates a column of text with the name of each index; [`NONE`] is a missing value.
    ///
    /// Writing it panics if another index is not in the table.
    pub fn optional_names(indices: impl IntoIterator<Item = u32>, names: &'a IdTable) -> Self {
        let rows = indices.into_iter().map(|index| (index != NONE).then_some(index));
        let (values, levels) = present_values(rows);
        Self { values: Values::Names(values, names), levels: Some(levels) }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.levels.as_ref().map_or_else(|| self.values.len(), Vec::len)
    }

    /// Returns the definition levels of a range of rows (`None` if all rows have a value) and the index range of their
    /// values.
    pub(super) fn part(&self, rows: Range<usize>) -> (Option<&[i16]>, Range<usize>) {
        let Some(levels) = &self.levels else { return (None, rows) };
        let first = present(&levels[..rows.start]);
        let levels = &levels[rows];
        (Some(levels), first..first + present(levels))
    }
}

/// Returns the present values, and the definition level of each row.
fn present_values<T>(rows: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let (mut values, mut levels) = (Vec::new(), Vec::with_capacity(rows.size_hint().0));
    for value in rows {
        levels.push(if value.is_some() { PRESENT } else { 0 });
        values.extend(value);
    }
    (values, levels)
}

/// Returns the number of values in rows with these definition levels.
fn present(levels: &[i16]) -> usize {
    levels.iter().filter(|&&level| level == PRESENT).count()
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::Int64(values) => values.len(),
            Self::UInt32(values) | Self::Names(values, _) => values.len(),
            Self::Float32(values) => values.len(),
            Self::Float64(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }
}

macro_rules! values_from {
    ($($variant:ident: $type:ty),*) => {$(
        impl<'a> From<Vec<$type>> for Values<'a> {
            fn from(values: Vec<$type>) -> Self {
                Self::$variant(values)
            }
        }
    )*};
}

values_from!(Bool: bool, Int64: i64, UInt32: u32, Float32: f32, Float64: f64, Text: &'a str);
