//! Indices of positions: the combinatorial number system over the pits of both players.
//!
//! Positions with fewer stones in the pits have smaller indices, so the positions with at most N stones have
//! consecutive indices from 0. Positions with the same number of stones are ordered by the number of stones in all pits
//! except the last, then in all except the last two, and so on.

use std::array;

/// Maximum number of fields: the pits of both players.
const MAX_FIELDS: usize = 12;

/// Upper bound (exclusive) of prefix sums: a game has at most 72 stones.
const SUMS: usize = 128;

/// The value 1 in each of the eight bytes of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Maps positions with `PITS` pits per player to indices and back. As in the wide rules, words have one byte per pit.
#[derive(Debug, Clone)]
pub struct Numbering<const PITS: u32> {
    /// `terms[i][c]`: the number of ways to put fewer than `c` stones into `i + 1` fields.
    terms: Box<[[u64; SUMS]; MAX_FIELDS]>,
}

impl<const PITS: u32> Numbering<PITS> {
    const FIELDS: usize = 2 * PITS as usize;

    /// Computes the table, which consists of binomial coefficients.
    pub fn new() -> Self {
        let mut terms = Box::new([[0; SUMS]; MAX_FIELDS]);
        terms[0] = array::from_fn(|sum| sum as u64);
        for field in 1..MAX_FIELDS {
            for sum in 1..SUMS {
                // Either the last field is empty, or one stone is taken out of it.
                terms[field][sum] = terms[field - 1][sum] + terms[field][sum - 1];
            }
        }
        Self { terms }
    }

    /// Returns the index of a position, given from the point of view of the player to move.
    #[inline(always)]
    pub fn number(&self, own: u64, other: u64) -> u64 {
        // Byte i of the product is the prefix sum of bytes 0 to i.
        let own_sums = own.wrapping_mul(ONES);
        let other_sums = other.wrapping_mul(ONES).wrapping_add(byte(own_sums, PITS - 1) as u64 * ONES);
        let mut number = 0;
        for pit in 0..PITS {
            number += self.terms[pit as usize][byte(own_sums, pit) % SUMS];
            number += self.terms[(PITS + pit) as usize][byte(other_sums, pit) % SUMS];
        }
        number
    }

    /// Returns the index of the first position with `stones` stones, which equals the number of positions with fewer.
    pub fn first(&self, stones: u32) -> u64 {
        self.terms[Self::FIELDS - 1][stones as usize]
    }

    /// Returns the position with the given index.
    pub fn position(&self, mut number: u64) -> (u64, u64) {
        let mut words = [0, 0];
        let mut sum_above = None;
        let mut put =
            |field: usize, stones: usize| words[field / PITS as usize] |= (stones as u64) << shift(field, PITS);
        for field in (0..Self::FIELDS).rev() {
            let terms = &self.terms[field];
            let sum = terms.partition_point(|&term| term <= number) - 1;
            number -= terms[sum];
            if let Some(above) = sum_above {
                put(field + 1, above - sum);
            }
            sum_above = Some(sum);
        }
        put(0, sum_above.unwrap_or(0));
        (words[0], words[1])
    }

    /// Returns the position with the next index, if it has the same number of stones.
    pub fn next(own: u64, other: u64) -> Option<(u64, u64)> {
        let mut words = [own, other];
        // The first nonempty field after field 0 moves one stone to the field before it, which also gets the stones of
        // field 0.
        let from = (1..Self::FIELDS).find(|&field| (words[field / PITS as usize] >> shift(field, PITS)) & 0xff != 0)?;
        let of_first = words[0] & 0xff;
        words[0] -= of_first;
        words[from / PITS as usize] -= 1 << shift(from, PITS);
        words[(from - 1) / PITS as usize] += (of_first + 1) << shift(from - 1, PITS);
        Some((words[0], words[1]))
    }
}

/// Returns the bit offset of a field in its word.
fn shift(field: usize, pits: u32) -> u32 {
    8 * (field as u32 % pits)
}

#[inline(always)]
fn byte(word: u64, at: u32) -> usize {
    ((word >> (8 * at)) & 0xff) as usize
}

/// Returns the number of stones in all pits of a word.
#[inline(always)]
pub fn stones(word: u64) -> u32 {
    (word.wrapping_mul(ONES) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits all positions with at most `most` stones, in ascending order.
    fn all<const PITS: u32>(numbering: &Numbering<PITS>, most: u32) {
        let mut expected = 0;
        for stones_of_level in 0..=most {
            assert_eq!(numbering.first(stones_of_level), expected);
            // All stones start in the last field.
            let mut position = Some((0, u64::from(stones_of_level) << shift(2 * PITS as usize - 1, PITS)));
            while let Some((own, other)) = position {
                assert_eq!(stones(own) + stones(other), stones_of_level);
                assert_eq!(numbering.number(own, other), expected);
                assert_eq!(numbering.position(expected), (own, other));
                position = Numbering::<PITS>::next(own, other);
                expected += 1;
            }
        }
        assert_eq!(numbering.first(most + 1), expected);
    }

    #[test]
    fn numbers_are_contiguous() {
        all::<1>(&Numbering::new(), 12);
        all::<2>(&Numbering::new(), 10);
        all::<3>(&Numbering::new(), 7);
        all::<6>(&Numbering::new(), 5);
    }

    #[test]
    fn numbers_of_the_largest_game_have_47_bits() {
        let numbering = Numbering::<6>::new();
        // 84 choose 12: the number of ways to put up to 72 stones into 12 pits.
        assert_eq!(numbering.first(73), 112_992_892_764_570);
        assert!(numbering.first(73) < 1 << 47);
        let last = (72, 0);
        assert_eq!(numbering.number(last.0, last.1), numbering.first(73) - 1);
        assert_eq!(numbering.position(numbering.first(73) - 1), last);
    }
}
