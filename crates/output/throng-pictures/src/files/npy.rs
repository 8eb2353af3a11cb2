//! NumPy's format NPY: one array per file.
//!
//! Arrays have the shape (rows, columns). Row 0 of a grid has the lowest y: draw such an array with the origin at the
//! bottom, in matplotlib with `imshow(array, origin="lower")`. Files are written as version 1.0, little-endian and in C
//! order. Versions 1.0, 2.0 and 3.0, both byte orders, and C and Fortran order can be read.

mod values;

use std::io::{Read, Write};

use throng_core::InputError;

use super::npy_header::{self, read_some};
use crate::grid::MAX_CELLS;
use crate::{Grid, Raster};

pub use values::Values;

/// Size of the conversion buffer, bytes.
const CHUNK: usize = 1 << 16;

/// A two-dimensional array.
///
/// ```
/// use throng_pictures::{Grid, files::npy::{Array, Values}};
///
/// let heights = Array { rows: 2, columns: 3, values: Values::U8(vec![0, 1, 2, 3, 4, 5]) };
/// let field = heights.into_raster(&Grid::new([0.0, 0.0], 10.0, 3, 2)?)?;
/// // The first row has the lowest y.
/// assert_eq!((field.at(2, 0), field.at(0, 1)), (Some(2.0), Some(3.0)));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Length of the first dimension.
    pub rows: u32,
    /// Length of the second dimension.
    pub columns: u32,
    /// Values, row by row.
    pub values: Values,
}

impl Array {
    /// Returns the values on a grid, rounded to single precision; values beyond its range become infinite.
    ///
    /// # Errors
    /// When the grid has another size.
    pub fn into_raster(self, grid: &Grid) -> Result<Raster<'static>, InputError> {
        if (self.rows, self.columns) != (grid.rows(), grid.columns()) {
            let remedy = format!("expected the shape of the grid, {} rows x {} columns", grid.rows(), grid.columns());
            let size = format!("{} rows x {} columns", self.rows, self.columns);
            return Err(InputError::one("NPY, size", size, remedy));
        }
        Raster::new(*grid, self.values.into_f32())
    }
}

/// Writes the values of a raster as single-precision numbers (`<f4`).
///
/// ```
/// use throng_pictures::{Grid, Raster, files::npy};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 30, 20)?;
/// let field = Raster::from_fn(grid, |[x, _]| (x / 30.0) as f32);
/// let mut file = Vec::new();
/// npy::write_raster(&field, &mut file)?;
/// assert_eq!(file.len(), 128 + 30 * 20 * 4);
/// assert_eq!(npy::read(file.as_slice())?.into_raster(&grid)?, field);
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// # Errors
/// When writing to the target fails.
pub fn write_raster<'v>(raster: impl Into<Raster<'v>>, target: impl Write) -> Result<(), InputError> {
    let field = raster.into();
    write("<f4", field.grid(), field.values(), f32::to_le_bytes, target)
}

/// Writes one byte per cell of a grid (`|u1`), for example costs.
///
/// ```
/// use throng_pictures::{Grid, Mask, files::npy::{self, Values}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 4, 2)?;
/// let open = Mask::new(&grid, |column, row| (column, row) != (1, 0));
/// let cells = (0..2).flat_map(|row| (0..4).map(move |column| (column, row)));
/// let walls: Vec<u8> = cells.map(|(column, row)| u8::from(!open.allows(column, row))).collect();
/// let mut file = Vec::new();
/// npy::write_u8(&grid, &walls, &mut file)?;
/// assert_eq!(npy::read(file.as_slice())?.values, Values::U8(vec![0, 1, 0, 0, 0, 0, 0, 0]));
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// # Errors
/// When the number of values differs from that of cells, or when writing to the target fails.
pub fn write_u8(grid: &Grid, values: &[u8], target: impl Write) -> Result<(), InputError> {
    write("|u1", grid, values, u8::to_le_bytes, target)
}

/// Writes one 32-bit integer per cell of a grid (`<u4`), for example counts or region ids.
///
/// ```
/// use throng_pictures::{Grid, files::npy};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 3, 2)?;
/// let mut agents = vec![0; grid.cells()];
/// for position in [[0.5, 0.5], [2.1, 1.9], [2.8, 1.2]] {
///     let (column, row) = grid.cell_at(position).expect("within the grid");
///     agents[grid.index(column, row)] += 1;
/// }
/// assert_eq!(agents, [1, 0, 0, 0, 0, 2]);
/// let mut file = Vec::new();
/// npy::write_u32(&grid, &agents, &mut file)?;
/// assert_eq!(file.len(), 128 + 6 * 4);
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// # Errors
/// As for [`write_u8`].
pub fn write_u32(grid: &Grid, values: &[u32], target: impl Write) -> Result<(), InputError> {
    write("<u4", grid, values, u32::to_le_bytes, target)
}

/// Reads a two-dimensional array of booleans (`b1`), integers (`u1`, `i1`, `u2`, `i2`, `u4`, `i4`, `i8`) or
/// floating-point numbers (`f4`, `f8`), little-endian or big-endian, in C or Fortran order. Reading an array in Fortran
/// order takes twice the memory.
///
/// ```
/// use throng_pictures::{Grid, files::npy};
///
/// let mut file = Vec::new();
/// npy::write_u8(&Grid::new([0.0, 0.0], 1.0, 3, 2)?, &[1, 2, 3, 4, 5, 6], &mut file)?;
/// let array = npy::read(file.as_slice())?;
/// assert_eq!((array.rows, array.columns), (2, 3));
/// // A truncated file is not read as a smaller array.
/// let error = npy::read(&file[..file.len() - 1]).unwrap_err();
/// assert_eq!((error.place(), error.message()), ("NPY, numbers", "5"));
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// # Errors
/// When the file has another format, or an unsupported version, type or number of dimensions, when it ends early or
/// continues after the array, or when it cannot be read.
pub fn read(mut source: impl Read) -> Result<Array, InputError> {
    let header = npy_header::read(&mut source)?;
    let (rows, columns) = size(&header.shape)?;
    let (height, width) = (rows as usize, columns as usize);
    let values = values::read(&header.descr, height * width, &mut source)?;
    let values = if header.fortran_order { values.by_rows(height, width) } else { values };
    if !read_some(&mut source, 1, "NPY, end")?.is_empty() {
        let remedy = format!("the file continues after {rows} x {columns} numbers; expected one array per file");
        return Err(InputError::one("NPY, end", "more bytes", remedy));
    }
    Ok(Array { rows, columns, values })
}

fn write<T: Copy, const N: usize>(
    descr: &str,
    grid: &Grid,
    values: &[T],
    bytes: fn(T) -> [u8; N],
    mut target: impl Write,
) -> Result<(), InputError> {
    if values.len() != grid.cells() {
        let remedy = format!("the grid has {} x {} cells", grid.columns(), grid.rows());
        return Err(InputError::one("NPY, number of values", values.len(), remedy));
    }
    let mut write = |bytes: &[u8]| target.write_all(bytes).map_err(|error| InputError::not_written("NPY", error));
    write(&npy_header::bytes(descr, grid.rows(), grid.columns()))?;
    let mut buffer = Vec::with_capacity(CHUNK.min(values.len() * N));
    for chunk in values.chunks(CHUNK / N) {
        buffer.clear();
        buffer.extend(chunk.iter().flat_map(|&value| bytes(value)));
        write(&buffer)?;
    }
    target.flush().map_err(|error| InputError::not_written("NPY", error))
}

/// Returns rows and columns of a shape, if a grid can have them.
fn size(shape: &[u64]) -> Result<(u32, u32), InputError> {
    let wrong = |remedy: &str| {
        let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
        InputError::one("NPY, shape", format!("({})", lengths.join(", ")), remedy)
    };
    let &[rows, columns] = shape else { return Err(wrong("expected two dimensions: rows and columns")) };
    match (u32::try_from(rows), u32::try_from(columns)) {
        (Ok(rows), Ok(columns)) if Grid::new([0.0, 0.0], 1.0, columns, rows).is_ok() => Ok((rows, columns)),
        _ => {
            Err(wrong(&format!("expected as many numbers as a grid may have cells: at least one, at most {MAX_CELLS}")))
        }
    }
}

#[cfg(test)]
mod tests;
