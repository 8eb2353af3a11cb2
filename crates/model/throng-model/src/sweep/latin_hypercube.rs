//! Latin hypercube samples, after "A comparison of three methods for selecting values of input variables in the
//! analysis of output from a computer code" (Technometrics 21, 1979).

use throng_core::Philox;
use throng_device::cube::host::shuffle;

/// Purposes of random draws.
const SHUFFLE: u32 = 0;
const WITHIN: u32 = 1;

/// Returns, for each dimension, a list with a point in `[0, 1)` for each sample. Every dimension is divided into as
/// many strata of equal width as there are samples, and each stratum contains one sample at a random position.
pub(super) fn points(seed: i64, samples: u32, dimensions: usize) -> Vec<Vec<f64>> {
    let draws = Philox::new(seed as u64);
    (0..dimensions as u32)
        .map(|dimension| {
            let strata = shuffle(samples, draws, 0, dimension, SHUFFLE);
            let place = |(sample, stratum): (u32, u32)| {
                let within = draws.unit(sample, dimension, WITHIN, 0);
                // Rounding could give the start of the next stratum.
                let end = f64::from(stratum + 1) / f64::from(samples);
                ((f64::from(stratum) + within) / f64::from(samples)).min(end.next_down())
            };
            (0..samples).zip(strata).map(place).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stratum_of_each_dimension_holds_one_sample() {
        for samples in [1, 2, 7, 1000] {
            for (dimension, points) in points(-3, samples, 3).iter().enumerate() {
                let mut strata: Vec<u32> = points.iter().map(|point| (point * f64::from(samples)) as u32).collect();
                strata.sort_unstable();
                assert_eq!(strata, (0..samples).collect::<Vec<_>>(), "dimension {dimension}");
            }
        }
    }

    #[test]
    fn dimensions_are_independent() {
        let points = points(1, 1000, 2);
        let product = |(a, b): (&f64, &f64)| (a - 0.5) * (b - 0.5);
        let covariance = points[0].iter().zip(&points[1]).map(product).sum::<f64>() / 1000.0;
        // The standard error is 1 / (12 * sqrt(1000)).
        assert!(covariance.abs() < 0.008, "{covariance}");
    }
}
