//! Agreement of two images.

use throng_render::Picture;

use super::program::ExecutionTarget;

/// The number and size of the differences between an image and the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Number of bytes in the image.
    pub bytes: usize,
    /// Number of bytes that differ.
    pub differing: usize,
    /// Maximum difference of a byte.
    pub greatest: u8,
}

impl Agreement {
    /// Compares images of the same size.
    pub fn of(found: &Picture, expected: &Picture) -> Self {
        let pairs = found.rgba().iter().zip(expected.rgba());
        let differences = pairs.map(|(a, b)| a.abs_diff(*b)).filter(|&difference| difference > 0);
        let bytes = expected.rgba().len();
        differences.fold(Self { bytes, ..Self::default() }, |all, difference| Self {
            differing: all.differing + 1,
            greatest: all.greatest.max(difference),
            ..all
        })
    }

    /// Whether this difference is acceptable. Some devices do not round quotients and roots correctly, so that light at
    /// the border between two byte values may be rounded to the other one; the CPU must be exact.
    pub fn is_allowed(self, target: ExecutionTarget) -> bool {
        self.greatest <= u8::from(target == ExecutionTarget::Device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_may_differ_by_one_and_the_cpu_by_nothing() {
        let of = |bytes: [u8; 4]| Agreement::of(&Picture::new(1, 1, bytes.into()), &Picture::new(1, 1, vec![9; 4]));
        assert_eq!(of([8, 9, 11, 9]), Agreement { bytes: 4, differing: 2, greatest: 2 });
        let allowed = |bytes| ExecutionTarget::ALL.map(|target| of(bytes).is_allowed(target));
        assert_eq!(allowed([9; 4]), [true; 3]);
        assert_eq!(allowed([10, 8, 9, 9]), [false, false, true]);
        assert_eq!(allowed([11, 9, 9, 9]), [false; 3]);
    }
}
