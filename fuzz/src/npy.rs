//! NumPy arrays: an accepted array has as many numbers as its shape requires, and fields read back as written.

use throng_pictures::files::npy::{self, Values};
use throng_pictures::{Grid, Raster};

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let Ok(array) = npy::read(data) else { return false };
    let numbers = match &array.values {
        Values::F32(values) => values.len(),
        Values::F64(values) => values.len(),
        Values::Bool(values) => values.len(),
        Values::U8(values) => values.len(),
        Values::I32(values) => values.len(),
        Values::U32(values) => values.len(),
        Values::I64(values) => values.len(),
    };
    assert_eq!(numbers as u64, u64::from(array.rows) * u64::from(array.columns));
    let Ok(grid) = Grid::new([0.0, 0.0], 1.0, array.columns, array.rows) else { return false };
    let field = array.into_raster(&grid).expect("the grid has its size");
    let mut file = Vec::new();
    npy::write_raster(&field, &mut file).expect("a vector cannot refuse bytes");
    let again = npy::read(&file[..]).expect("it was written here").into_raster(&grid).expect("it has the size");
    let bits = |field: &Raster<'_>| field.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&again), bits(&field));
    true
}
