//! Three-dimensional NPY arrays: frames of equal size, written and read one at a time.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::npy_header;

/// Type of single-precision values.
const TYPE: &str = "<f4";
/// Types of unsigned integers of 8 and 32 bits.
const BYTES: &str = "|u1";
const WORDS: &str = "<u4";

/// Writes the header of a file with the shape (frames, rows, columns). The values of the frames follow.
pub fn begin(shape: [u64; 3], target: &mut impl Write) -> io::Result<()> {
    target.write_all(&npy_header::bytes_of(TYPE, &shape))
}

/// Like [`begin`], for values of one byte.
pub fn begin_bytes(shape: [u64; 3], target: &mut impl Write) -> io::Result<()> {
    target.write_all(&npy_header::bytes_of(BYTES, &shape))
}

/// Like [`begin`], for unsigned integers of four bytes.
pub fn begin_words(shape: [u64; 3], target: &mut impl Write) -> io::Result<()> {
    target.write_all(&npy_header::bytes_of(WORDS, &shape))
}

/// Appends the values of a frame, row by row.
pub fn add(values: &[f32], target: &mut impl Write) -> io::Result<()> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    target.write_all(&bytes)
}

/// Returns the byte offset of the first frame. Fails if the header differs in type or shape, or the file does not have
/// the length that follows from them.
pub fn start_of(shape: [u64; 3], source: &mut (impl Read + Seek)) -> io::Result<u64> {
    let header = npy_header::read(source).map_err(|error| invalid(error.to_string()))?;
    let start = source.stream_position()?;
    let is_right = header.descr == TYPE && !header.fortran_order && header.shape == shape;
    let values = shape.iter().try_fold(4_u64, |product, &length| product.checked_mul(length));
    let end = values.and_then(|values| values.checked_add(start));
    if is_right && end == Some(source.seek(SeekFrom::End(0))?) {
        return Ok(start);
    }
    let [frames, rows, columns] = shape;
    let message = format!("is not an array of 32-bit floats with the shape ({frames}, {rows}, {columns})");
    Err(invalid(message))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Reads the values of a frame; `start` is the byte offset of the first frame.
pub fn read(start: u64, frame: u64, values: usize, source: &mut (impl Read + Seek)) -> io::Result<Vec<f32>> {
    let mut bytes = vec![0; 4 * values];
    source.seek(SeekFrom::Start(start + frame * bytes.len() as u64))?;
    source.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(4).map(|part| f32::from_le_bytes([part[0], part[1], part[2], part[3]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn frames_are_read_back_one_by_one() {
        let mut bytes = Vec::new();
        begin([2, 1, 3], &mut bytes).unwrap();
        add(&[1.0, 2.0, f32::NAN], &mut bytes).unwrap();
        add(&[4.0, -5.0, 6.5], &mut bytes).unwrap();
        assert_eq!(bytes.len(), 128 + 24);
        let mut file = Cursor::new(bytes.clone());
        let start = start_of([2, 1, 3], &mut file).unwrap();
        assert_eq!(read(start, 1, 3, &mut file).unwrap(), [4.0, -5.0, 6.5]);
        assert!(read(start, 0, 3, &mut file).unwrap()[2].is_nan());
        assert!(read(start, 2, 3, &mut file).is_err());
        // Another shape, a truncated file, and other bytes.
        assert!(start_of([3, 1, 2], &mut Cursor::new(bytes.clone())).is_err());
        assert!(start_of([u64::MAX, 1, 2], &mut Cursor::new(bytes.clone())).is_err());
        assert!(start_of([2, 1, 3], &mut Cursor::new(bytes[..150].to_vec())).is_err());
        assert!(start_of([2, 1, 3], &mut Cursor::new(vec![7; 200])).is_err());
    }
}
