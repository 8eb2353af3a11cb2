//! The 64-bit state hash: a sum over entities, independent of their order and partition.

/// Sums one mixed word per entity; equal states have equal hashes on every executor.
///
/// ```
/// use throng_core::StateHash;
/// let (mut a, mut b) = (StateHash::new(), StateHash::new());
/// a.add(1, &[10, 20]);
/// a.add(2, &[30]);
/// b.add(2, &[30]);
/// b.add(1, &[10, 20]);
/// assert_eq!(a.finish(), b.finish());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StateHash(u64);

impl StateHash {
    /// Creates the hash of the empty state.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the state of one entity: its index and its values.
    pub fn add(&mut self, entity: u64, values: &[u64]) {
        let mut h = mix(entity ^ 0x9E37_79B9_7F4A_7C15);
        for &v in values {
            h = mix(h ^ v);
        }
        self.0 = self.0.wrapping_add(h);
    }

    /// Adds the hash of another part of the same state.
    pub fn merge(&mut self, part: StateHash) {
        self.0 = self.0.wrapping_add(part.0);
    }

    /// Returns the hash.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The finaliser of `splitmix64`. `throng_device::state_hash` is the kernel version, which works on 32-bit halves
/// because not every device has 64-bit integers; on the host, halves would only be slower. Tests compare the two.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_value_changes_the_hash() {
        let hash = |entity, values: &[u64]| {
            let mut h = StateHash::new();
            h.add(entity, values);
            h.finish()
        };
        let base = hash(5, &[1, 2, 3]);
        assert_ne!(base, hash(6, &[1, 2, 3]));
        assert_ne!(base, hash(5, &[2, 1, 3]));
        assert_ne!(base, hash(5, &[1, 2]));
    }
}
