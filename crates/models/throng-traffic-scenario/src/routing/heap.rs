//! A 4-ary min-heap of (key, node), faster for this use than the binary heap of the standard library.

/// Entries are popped in order of keys; the order of equal keys is unspecified (and must not matter to the caller).
#[derive(Debug, Default)]
pub(crate) struct Heap {
    entries: Vec<(u64, u32)>,
}

const ARITY: usize = 4;

impl Heap {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64, node: u32) {
        let mut hole = self.entries.len();
        self.entries.push((key, node));
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.entries[parent].0 <= key {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = (key, node);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        let top = *self.entries.first()?;
        let last = self.entries.pop()?;
        let len = self.entries.len();
        if len == 0 {
            return Some(top);
        }
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            if first >= len {
                break;
            }
            let mut child = first;
            for other in first + 1..(first + ARITY).min(len) {
                if self.entries[other].0 < self.entries[child].0 {
                    child = other;
                }
            }
            if self.entries[child].0 >= last.0 {
                break;
            }
            self.entries[hole] = self.entries[child];
            hole = child;
        }
        self.entries[hole] = last;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn keys_are_popped_in_order(keys in proptest::collection::vec(0u64..50, 0..200)) {
            let mut heap = Heap::default();
            for (i, &key) in keys.iter().enumerate() {
                heap.push(key, i as u32);
            }
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            let mut popped = Vec::new();
            while let Some((key, node)) = heap.pop() {
                proptest::prop_assert_eq!(keys[node as usize], key);
                popped.push(key);
            }
            proptest::prop_assert_eq!(popped, sorted);
        }
    }
}
