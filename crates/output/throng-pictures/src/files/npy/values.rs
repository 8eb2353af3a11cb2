//! The values of an array, in memory and in files.

use std::io::Read;

use throng_core::InputError;
use throng_core::allocation::try_reserve;

use super::CHUNK;
use crate::files::npy_header::read_some;

/// Remedy for an unsupported type.
const TYPES: &str = "expected b1, u1, i1, u2, i2, u4, i4, i8, f4 or f8, with either byte order: in NumPy, \
                     array.astype(\"<f4\")";

/// The values of an array. Smaller types are stored in a type that contains all of their values: `i1`, `i2` and `u2` as
/// [`Values::I32`].
///
/// ```
/// use throng_pictures::{Grid, files::npy::{self, Values}};
///
/// let mut file = Vec::new();
/// npy::write_u32(&Grid::new([0.0, 0.0], 1.0, 2, 1)?, &[7, 70_000], &mut file)?;
/// let Values::U32(counts) = npy::read(file.as_slice())?.values else { panic!("another type") };
/// assert_eq!(counts, [7, 70_000]);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// `f4`
    F32(Vec<f32>),
    /// `f8`
    F64(Vec<f64>),
    /// `b1`
    Bool(Vec<bool>),
    /// `u1`
    U8(Vec<u8>),
    /// `i1`, `i2`, `u2` or `i4`
    I32(Vec<i32>),
    /// `u4`
    U32(Vec<u32>),
    /// `i8`
    I64(Vec<i64>),
}

impl Values {
    /// Returns the values rounded to single precision; values beyond its range become infinite.
    pub fn into_f32(self) -> Vec<f32> {
        match self {
            Self::F32(values) => values,
            Self::F64(values) => values.into_iter().map(|value| value as f32).collect(),
            Self::Bool(values) => values.into_iter().map(f32::from).collect(),
            Self::U8(values) => values.into_iter().map(f32::from).collect(),
            Self::I32(values) => values.into_iter().map(|value| value as f32).collect(),
            Self::U32(values) => values.into_iter().map(|value| value as f32).collect(),
            Self::I64(values) => values.into_iter().map(|value| value as f32).collect(),
        }
    }

    /// Returns for each value whether it differs from 0, or the index of the first NaN as an error.
    pub fn differ_from_zero(&self) -> Result<Vec<bool>, usize> {
        let nan = match self {
            Self::F32(values) => values.iter().position(|value| value.is_nan()),
            Self::F64(values) => values.iter().position(|value| value.is_nan()),
            _ => None,
        };
        match (nan, self) {
            (Some(at), _) => Err(at),
            (None, Self::F32(values)) => Ok(values.iter().map(|&value| value != 0.0).collect()),
            (None, Self::F64(values)) => Ok(values.iter().map(|&value| value != 0.0).collect()),
            (None, Self::Bool(values)) => Ok(values.clone()),
            (None, Self::U8(values)) => Ok(values.iter().map(|&value| value != 0).collect()),
            (None, Self::I32(values)) => Ok(values.iter().map(|&value| value != 0).collect()),
            (None, Self::U32(values)) => Ok(values.iter().map(|&value| value != 0).collect()),
            (None, Self::I64(values)) => Ok(values.iter().map(|&value| value != 0).collect()),
        }
    }

    /// Reorders values from column-major to row-major.
    pub(super) fn by_rows(self, rows: usize, columns: usize) -> Self {
        match self {
            Self::F32(values) => Self::F32(by_rows(&values, rows, columns)),
            Self::F64(values) => Self::F64(by_rows(&values, rows, columns)),
            Self::Bool(values) => Self::Bool(by_rows(&values, rows, columns)),
            Self::U8(values) => Self::U8(by_rows(&values, rows, columns)),
            Self::I32(values) => Self::I32(by_rows(&values, rows, columns)),
            Self::U32(values) => Self::U32(by_rows(&values, rows, columns)),
            Self::I64(values) => Self::I64(by_rows(&values, rows, columns)),
        }
    }
}

fn by_rows<T: Copy>(values: &[T], rows: usize, columns: usize) -> Vec<T> {
    (0..rows).flat_map(|row| (0..columns).map(move |column| values[column * rows + row])).collect()
}

/// Reads values of the type given in a header, such as `<f4`: byte order and type.
pub(super) fn read(descr: &str, cells: usize, source: &mut impl Read) -> Result<Values, InputError> {
    let unknown = || InputError::one("NPY, type of the numbers", descr, TYPES);
    let kind = descr.strip_prefix(['<', '>', '|', '=']).ok_or_else(unknown)?;
    let is_big = descr.starts_with('>');
    macro_rules! numbers {
        ($number:ty) => {{
            let value = if is_big { <$number>::from_be_bytes } else { <$number>::from_le_bytes };
            read_values(source, cells, value)?
        }};
    }
    let whole = |values: &mut dyn Iterator<Item = i32>| Values::I32(values.collect());
    Ok(match kind {
        "b1" => Values::Bool(read_values(source, cells, |[byte]: [u8; 1]| byte != 0)?),
        "u1" => Values::U8(numbers!(u8)),
        "i1" => whole(&mut numbers!(i8).into_iter().map(i32::from)),
        "u2" => whole(&mut numbers!(u16).into_iter().map(i32::from)),
        "i2" => whole(&mut numbers!(i16).into_iter().map(i32::from)),
        "i4" => Values::I32(numbers!(i32)),
        "u4" => Values::U32(numbers!(u32)),
        "i8" => Values::I64(numbers!(i64)),
        "f4" => Values::F32(numbers!(f32)),
        "f8" => Values::F64(numbers!(f64)),
        _ => return Err(unknown()),
    })
}

/// Reads values. Memory grows with the content, not with the size claimed by the header.
fn read_values<T, const N: usize>(
    source: &mut impl Read,
    cells: usize,
    value: fn([u8; N]) -> T,
) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    while values.len() < cells {
        let wanted = ((cells - values.len()) * N).min(CHUNK);
        let bytes = read_some(source, wanted as u64, "NPY, numbers")?;
        let (whole, _) = bytes.as_chunks::<N>();
        try_reserve("numbers of an NPY file", &mut values, whole.len())?;
        values.extend(whole.iter().map(|&bytes| value(bytes)));
        if bytes.len() < wanted {
            let remedy = format!("the header promises {cells} numbers: the file is truncated");
            return Err(InputError::one("NPY, numbers", values.len(), remedy));
        }
    }
    Ok(values)
}
