//! Values of columns as bytes.

/// A type of numbers in columns.
pub(super) trait Element: Copy + Default + Send + Sync + std::fmt::Display {
    /// Its bytes in the file.
    const BYTES: usize;

    /// Appends it to `out`.
    fn put(self, out: &mut Vec<u8>);

    /// Reads as many values as `out` has room for; `bytes` has exactly theirs.
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
