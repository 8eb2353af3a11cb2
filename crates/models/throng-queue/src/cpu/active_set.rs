//! A set of small integers with ordered iteration, whose cost is proportional to the number of members, not to the
//! range.

/// Two levels of bits: a summary bit is set if the corresponding word has members.
#[derive(Debug, Clone, Default)]
pub(super) struct ActiveSet {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl ActiveSet {
    /// Creates an empty set of integers below `len`.
    pub fn new(len: usize) -> Self {
        let words = len.div_ceil(64);
        Self { words: vec![0; words], summary: vec![0; words.div_ceil(64)] }
    }

    #[inline]
    pub fn insert(&mut self, i: u32) {
        let word = i as usize / 64;
        self.words[word] |= 1 << (i % 64);
        self.summary[word / 64] |= 1 << (word % 64);
    }

    #[inline]
    pub fn remove(&mut self, i: u32) {
        let word = i as usize / 64;
        self.words[word] &= !(1 << (i % 64));
        if self.words[word] == 0 {
            self.summary[word / 64] &= !(1 << (word % 64));
        }
    }

    #[inline]
    pub fn contains(&self, i: u32) -> bool {
        self.words[i as usize / 64] & (1 << (i % 64)) != 0
    }

    pub fn is_empty(&self) -> bool {
        self.summary.iter().all(|&s| s == 0)
    }

    /// Appends all members to `out`, in ascending order.
    pub fn collect_into(&self, out: &mut Vec<u32>) {
        for (s, &summary) in self.summary.iter().enumerate() {
            for word in bits(summary).map(|bit| s * 64 + bit as usize) {
                out.extend(bits(self.words[word]).map(|bit| word as u32 * 64 + bit));
            }
        }
    }

    /// Moves all members to `out`, in ascending order.
    pub fn drain_into(&mut self, out: &mut Vec<u32>) {
        self.collect_into(out);
        for (s, summary) in self.summary.iter_mut().enumerate() {
            for word in bits(*summary).map(|bit| s * 64 + bit as usize) {
                self.words[word] = 0;
            }
            *summary = 0;
        }
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    proptest::proptest! {
        #[test]
        fn the_active_set_behaves_like_a_sorted_set(operations in proptest::collection::vec((0u32..9000, proptest::bool::ANY), 0..200)) {
            let mut set = ActiveSet::new(9000);
            let mut expected = BTreeSet::new();
            for (i, insert) in operations {
                if insert {
                    set.insert(i);
                    expected.insert(i);
                } else {
                    set.remove(i);
                    expected.remove(&i);
                }
                proptest::prop_assert_eq!(set.contains(i), insert);
            }
            proptest::prop_assert_eq!(set.is_empty(), expected.is_empty());
            let mut members = Vec::new();
            set.drain_into(&mut members);
            proptest::prop_assert_eq!(members, expected.into_iter().collect::<Vec<_>>());
            proptest::prop_assert!(set.is_empty());
        }
    }
}
