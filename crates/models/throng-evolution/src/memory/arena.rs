//! Shared sequences with counts of their uses.

/// Sequences of `T` in one array. Each has an id and the number of its uses; the space of unused ones is reclaimed.
///
/// Takes 16 bytes per sequence besides the items. Unused space is at most a third of the array, apart from a few
/// thousand items.
#[derive(Debug, Clone)]
pub(super) struct Arena<T> {
    items: Vec<T>,
    start: Vec<usize>,
    len: Vec<u32>,
    uses: Vec<u32>,
    /// Ids of removed sequences.
    free: Vec<u32>,
    /// Number of items of removed sequences.
    unused: usize,
}

/// Below this number of unused items, the array is left as it is.
const MIN_UNUSED: usize = 4096;

impl<T: Copy> Arena<T> {
    pub fn new() -> Self {
        Self { items: vec![], start: vec![], len: vec![], uses: vec![], free: vec![], unused: 0 }
    }

    /// Adds a sequence without uses.
    pub fn add(&mut self, items: &[T]) -> u32 {
        if self.unused > MIN_UNUSED && self.unused > self.items.len() / 3 {
            self.compact();
        }
        let (start, len) = (self.items.len(), items.len() as u32);
        self.items.extend_from_slice(items);
        if let Some(id) = self.free.pop() {
            let i = id as usize;
            (self.start[i], self.len[i], self.uses[i]) = (start, len, 0);
            return id;
        }
        self.start.push(start);
        self.len.push(len);
        self.uses.push(0);
        u32::try_from(self.start.len() - 1).expect("the sequences of 2^32 plans exceed the memory of any machine")
    }

    pub fn get(&self, id: u32) -> &[T] {
        let start = self.start[id as usize];
        &self.items[start..start + self.len[id as usize] as usize]
    }

    /// Adds a use.
    pub fn retain(&mut self, id: u32) {
        self.uses[id as usize] += 1;
    }

    /// Whether a release would remove the sequence.
    pub fn is_used_once(&self, id: u32) -> bool {
        self.uses[id as usize] == 1
    }

    /// Ends a use; removes the sequence with its last one.
    pub fn release(&mut self, id: u32) {
        let uses = &mut self.uses[id as usize];
        *uses -= 1;
        if *uses == 0 {
            self.unused += self.len[id as usize] as usize;
            // The mark for `compact`.
            self.start[id as usize] = usize::MAX;
            self.free.push(id);
        }
    }

    /// Number of sequences.
    #[cfg(test)]
    pub fn sequences(&self) -> usize {
        self.start.len() - self.free.len()
    }

    /// Moves all sequences to the start of the array.
    fn compact(&mut self) {
        let mut order: Vec<u32> =
            (0..self.start.len() as u32).filter(|&id| self.start[id as usize] != usize::MAX).collect();
        order.sort_unstable_by_key(|&id| self.start[id as usize]);
        let mut end = 0;
        for id in order {
            let (start, len) = (self.start[id as usize], self.len[id as usize] as usize);
            self.items.copy_within(start..start + len, end);
            self.start[id as usize] = end;
            end += len;
        }
        self.items.truncate(end);
        self.unused = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_reclaimed_and_other_sequences_stay() {
        let mut arena = Arena::new();
        let mut kept = Vec::new();
        for round in 0..20_000u32 {
            let id = arena.add(&vec![round; round as usize % 7]);
            arena.retain(id);
            if round % 100 == 0 {
                arena.retain(id);
                kept.push((id, round));
            }
            arena.release(id);
        }
        assert_eq!(arena.sequences(), kept.len());
        assert!(arena.items.len() < 3 * MIN_UNUSED, "{} items", arena.items.len());
        assert!(arena.start.len() <= kept.len() + 1, "ids are used again");
        for (id, round) in kept {
            assert_eq!(arena.get(id), vec![round; round as usize % 7]);
        }
    }
}
