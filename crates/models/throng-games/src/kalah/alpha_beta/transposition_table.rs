//! The transposition table, shared by all threads.
//!
//! An entry is one word, so threads need no lock: every word read was written as a whole. A bucket is one cache line.
//! Each position belongs to one bucket, where it replaces the entry with the least work.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Number of entries per bucket.
pub const ENTRIES: usize = 8;

/// Number of bits of a position's index.
const NUMBER_BITS: u32 = 47;
const NUMBER_MASK: u64 = (1 << NUMBER_BITS) - 1;

/// Bits of the mixed index stored in an entry. The mixed indices of a bucket are consecutive, and with at least
/// [`MIN_BUCKETS`] buckets there are at most 2^38 of them, so these bits identify the position: the table never
/// confuses two positions.
const KEY_BITS: u32 = 38;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
const MIN_BUCKETS: usize = 1 << (NUMBER_BITS - KEY_BITS);

/// Bits of work, age and content, which follow below the key.
const WORK_BITS: u32 = 6;
const AGE_BITS: u32 = 3;
/// Bits of the content, which only the search interprets.
pub const CONTENT_BITS: u32 = 17;

/// Maximum work that an entry can store.
pub const MAX_WORK: u32 = (1 << WORK_BITS) - 1;

/// An entry for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The result of a search, in [`CONTENT_BITS`] bits.
    pub content: u32,
    /// The effort of the search, such as its depth; at most [`MAX_WORK`].
    pub work: u32,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; ENTRIES]);

/// A hash table from positions to search results.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// Counter of searches, cyclic from 1 to 7: it is never 0, because a zero word marks an empty entry. Entries of
    /// earlier searches are replaced first.
    age: u64,
}

impl TranspositionTable {
    /// Creates a table of `bytes` bytes, but at least 32 KiB.
    pub fn new(bytes: u64) -> Self {
        let len = (bytes as usize / size_of::<Bucket>()).max(MIN_BUCKETS);
        Self { buckets: (0..len).into_par_iter().map(|_| Bucket::default()).collect(), age: 1 }
    }

    /// Removes all entries.
    pub fn emptied(self) -> Self {
        self.buckets.par_iter().flat_map_iter(|bucket| &bucket.0).for_each(|entry| entry.store(0, Ordering::Relaxed));
        self
    }

    /// Starts a new search. Existing entries remain, but are replaced first.
    pub fn begin_search(&mut self) {
        self.age = self.age % ((1 << AGE_BITS) - 1) + 1;
    }

    /// Returns the entry of the position with this index.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<Entry> {
        let mixed = mixed(number);
        let key = mixed & KEY_MASK;
        let words = self.buckets[self.bucket(mixed)].0.iter().map(|entry| entry.load(Ordering::Relaxed));
        let word = words.into_iter().find(|&word| word >> (64 - KEY_BITS) == key && word != 0)?;
        Some(Entry { content: (word & ((1 << CONTENT_BITS) - 1)) as u32, work: work(word) })
    }

    /// Stores the entry of the position with this index. It replaces an older entry of the position, or else the entry
    /// with the least work in the bucket, where those of earlier searches go first.
    #[inline(always)]
    pub fn put(&self, number: u64, entry: Entry) {
        self.put_mixed(mixed(number), entry);
    }

    /// Returns the number of buckets.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// Returns the entries of a bucket with at least `least_work`, each as a word and its work, for [`Self::restore`].
    pub fn saved(&self, bucket: usize, least_work: u32) -> [Option<(u64, u32)>; ENTRIES] {
        // The smallest mixed index that belongs to this bucket.
        let first = ((bucket as u128) << NUMBER_BITS).div_ceil(self.buckets.len() as u128) as u64;
        array::from_fn(|i| {
            let word = self.buckets[bucket].0[i].load(Ordering::Relaxed);
            let mixed = first + ((word >> (64 - KEY_BITS)).wrapping_sub(first) & KEY_MASK);
            let content = word & ((1 << CONTENT_BITS) - 1);
            (work(word) >= least_work && word != 0).then_some(((mixed << CONTENT_BITS) | content, work(word)))
        })
    }

    /// Stores an entry that was saved from a table of any size.
    pub fn restore(&self, word: u64, work: u32) {
        let content = (word & ((1 << CONTENT_BITS) - 1)) as u32;
        self.put_mixed(word >> CONTENT_BITS, Entry { content, work });
    }

    #[inline(always)]
    fn put_mixed(&self, mixed: u64, entry: Entry) {
        let key = mixed & KEY_MASK;
        let bucket = &self.buckets[self.bucket(mixed)].0;
        let (mut slot, mut least) = (0, u32::MAX);
        for (i, old) in bucket.iter().enumerate() {
            let old = old.load(Ordering::Relaxed);
            if old >> (64 - KEY_BITS) == key && old != 0 {
                slot = i;
                break;
            }
            let is_of_this_search = (old >> CONTENT_BITS) & ((1 << AGE_BITS) - 1) == self.age;
            let value = work(old) + if is_of_this_search { MAX_WORK + 1 } else { 0 };
            if value < least {
                (slot, least) = (i, value);
            }
        }
        let word = (key << (64 - KEY_BITS))
            | (u64::from(entry.work.min(MAX_WORK)) << (CONTENT_BITS + AGE_BITS))
            | (self.age << CONTENT_BITS)
            | u64::from(entry.content);
        bucket[slot].store(word, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, mixed: u64) -> usize {
        ((u128::from(mixed) * self.buckets.len() as u128) >> NUMBER_BITS) as usize
    }
}

#[inline(always)]
fn work(word: u64) -> u32 {
    (word >> (CONTENT_BITS + AGE_BITS)) as u32 & MAX_WORK
}

/// Permutes the 47-bit indices so that similar positions are spread over the buckets.
#[inline(always)]
fn mixed(number: u64) -> u64 {
    // Multiplication by an odd factor and xor with a right shift are invertible.
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & NUMBER_MASK;
    mixed ^= mixed >> 24;
    mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) & NUMBER_MASK;
    mixed ^ (mixed >> 23)
}
