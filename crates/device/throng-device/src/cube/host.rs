//! Permutations for executors on the CPU.

use throng_core::Philox;

/// A permutation of `0..len`, all with the same probability: `shuffle` in kernels. It makes draws 0 to `len - 1`.
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

    /// Of 24 permutations, 23 degrees of freedom: above 53 once in 3000 times.
    #[test]
    fn permutations_are_even() {
        let mut counts = [0; 24];
        for seed in 0..48_000 {
            let order = shuffle(4, Philox::new(seed), 0, 0, 0);
            // The number of the permutation: for each element, how many smaller ones come after it.
            let inversions = |i: usize| order[i + 1..].iter().filter(|&&later| later < order[i]).count();
            counts[(inversions(0) * 3 + inversions(1)) * 2 + inversions(2)] += 1;
        }
        assert!(chi_square(&counts) < 53.0, "{counts:?}");
    }

    /// For each element, every place: 256 counts with 15 * 15 degrees of freedom, standard deviation 21.
    #[test]
    fn every_element_gets_everywhere() {
        let mut counts = [0; 256];
        for seed in 0..32_000 {
            for (place, i) in shuffle(16, Philox::new(seed), 3, 1, 4).into_iter().enumerate() {
                counts[16 * place + i as usize] += 1;
            }
        }
        assert!((chi_square(&counts) - 225.0).abs() < 75.0, "{}", chi_square(&counts));
    }
}
