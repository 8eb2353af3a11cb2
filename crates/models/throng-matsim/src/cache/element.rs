//! Conversion of column values to and from bytes.

/// A number type of columns.
pub(super) trait Element: Copy + Default + Send + Sync + std::fmt::Display {
    /// Size of a value in the file, in bytes.
    const BYTES: usize;

    /// Appends the value to `out`.
    fn put(self, out: &mut Vec<u8>);

    /// Fills `out` with values read from `bytes`, which has exactly their length.
    fn get_all(bytes: &[u8], out: &mut [Self]);
}

macro_rules! element {
    ($($kind:ty: $bytes:literal),+) => {
        $(impl Element for $kind {
            const BYTES: usize = $bytes;

            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn get_all(bytes: &[u8], out: &mut [Self]) {
                let (values, _) = bytes.as_chunks::<$bytes>();
                for (out, value) in out.iter_mut().zip(values) {
                    *out = Self::from_le_bytes(*value);
                }
            }
        })+
    };
}

element!(u8: 1, u16: 2, u32: 4, u64: 8, f64: 8);
