//! Host versions of the idioms that use random draws, for CPU executors. For the other idioms, use iterators.

use throng_core::Philox;

/// Returns the index of one of the set flags, with equal probability, or `None` if none is set. It matches `choose` in
/// kernels, and `choose_unit` if each unit has a flag.
///
/// ```
/// use throng_core::Philox;
/// use throng_device::cube::host::choose;
///
/// let chosen = choose(&[0, 1, 0, 1], Philox::new(7), 17, 3, 0, 0);
/// assert!(chosen == Some(1) || chosen == Some(3));
/// assert_eq!(choose(&[0, 0], Philox::new(7), 17, 3, 0, 0), None);
/// ```
pub fn choose(flags: &[u32], draws: Philox, entity: u32, step: u32, purpose: u32, index: u32) -> Option<usize> {
    let mut set = flags.iter().enumerate().filter(|(_, flag)| **flag != 0).map(|(i, _)| i);
    let count = set.clone().count() as u32;
    if count == 0 {
        return None;
    }
    set.nth(draws.below(count, entity, step, purpose, index) as usize)
}

/// Returns a random permutation of `0..len`, like `shuffle` in kernels. It uses draws 0 to `len - 1`.
///
/// ```
/// use throng_core::Philox;
/// use throng_device::cube::host::shuffle;
///
/// let mut order = shuffle(5, Philox::new(7), 17, 3, 0);
/// order.sort_unstable();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// ```
pub fn shuffle(len: u32, draws: Philox, entity: u32, step: u32, purpose: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len).collect();
    order.sort_by_cached_key(|&i| {
        let [first, second, ..] = draws.block([entity, step, purpose, i]);
        (first, second)
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected) * (f64::from(count) - expected) / expected).sum()
    }

    /// 24 permutations give 23 degrees of freedom: chi-square exceeds 53 with probability 1/3000.
    #[test]
    fn permutations_are_uniform() {
        let mut counts = [0; 24];
        for seed in 0..48_000 {
            let order = shuffle(4, Philox::new(seed), 0, 0, 0);
            // Index of the permutation, from the number of later smaller elements for each element.
            let inversions = |i: usize| order[i + 1..].iter().filter(|&&later| later < order[i]).count();
            counts[(inversions(0) * 3 + inversions(1)) * 2 + inversions(2)] += 1;
        }
        assert!(chi_square(&counts) < 53.0, "{counts:?}");
    }

    /// Every position of every element: 256 counts with 15 * 15 degrees of freedom, standard deviation 21.
    #[test]
    fn elements_are_uniform_over_positions() {
        let mut counts = [0; 256];
        for seed in 0..32_000 {
            for (place, i) in shuffle(16, Philox::new(seed), 3, 1, 4).into_iter().enumerate() {
                counts[16 * place + i as usize] += 1;
            }
        }
        assert!((chi_square(&counts) - 225.0).abs() < 75.0, "{}", chi_square(&counts));
    }

    #[test]
    fn choices_are_uniform() {
        let flags: Vec<u32> = (0..30).map(|i| u32::from(i % 3 == 0) * 5).collect();
        let mut counts = [0; 10];
        for seed in 0..20_000 {
            let chosen = choose(&flags, Philox::new(seed), 1, 2, 3, 4).unwrap();
            assert!(chosen.is_multiple_of(3));
            counts[chosen / 3] += 1;
        }
        // 9 degrees of freedom: chi-square exceeds 30 with probability 1/2000.
        assert!(chi_square(&counts) < 30.0, "{counts:?}");
        assert_eq!(choose(&[], Philox::new(1), 1, 2, 3, 4), None);
    }
}
