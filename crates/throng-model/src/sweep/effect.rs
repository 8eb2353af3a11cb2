//! How much a quantity changes between parameter sets, beside how much it changes between the runs of a set.

/// Of the medians of all parameter sets, the lowest and the highest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    /// The set with the lowest median, from 0, and that median.
    pub low: (usize, f64),
    /// The set with the highest median, and that median.
    pub high: (usize, f64),
    /// The mean of the distances between the quartiles of the sets.
    spread: f64,
}

impl Effect {
    /// The effect in the quantiles of all sets; sets without values are left out. `None` if all are.
    pub fn of(quantiles: impl IntoIterator<Item = [f64; 5]>) -> Option<Self> {
        let (mut effect, mut sets): (Option<Self>, f64) = (None, 0.0);
        for (set, [_, quarter, median, three_quarters, _]) in quantiles.into_iter().enumerate() {
            if !median.is_finite() {
                continue;
            }
            let known = effect.get_or_insert(Self { low: (set, median), high: (set, median), spread: 0.0 });
            if median < known.low.1 {
                known.low = (set, median);
            }
            if median > known.high.1 {
                known.high = (set, median);
            }
            known.spread += three_quarters - quarter;
            sets += 1.0;
        }
        effect.map(|effect| Self { spread: effect.spread / sets, ..effect })
    }

    /// Whether all medians are equal.
    pub fn is_none(&self) -> bool {
        self.high.1 <= self.low.1
    }

    /// Whether the medians differ by more than the runs of a set do.
    pub fn is_clear(&self) -> bool {
        self.high.1 - self.low.1 > self.spread
    }

    /// How large the change is in proportion to the values, and the smaller, the more of it may be chance: from 0 to 2.
    pub fn size(&self) -> f64 {
        let change = self.high.1 - self.low.1;
        if self.is_none() {
            return 0.0;
        }
        change / self.high.1.abs().max(self.low.1.abs()) * (change / (change + self.spread))
    }
}

/// The numbers of effects, the largest first; equal ones keep their order, and those without values are left out.
pub(super) fn by_size(effects: &[Option<Effect>]) -> Vec<(usize, Effect)> {
    let mut ordered: Vec<(usize, Effect)> =
        effects.iter().enumerate().filter_map(|(number, effect)| Some((number, (*effect)?))).collect();
    ordered.sort_by(|a, b| b.1.size().total_cmp(&a.1.size()));
    ordered
}

/// Spearman's rank correlation; 0 where one of the two has only equal values.
pub(super) fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        // The mean of the ranks of equal values, less that of all.
        let rank = |value: &f64| {
            let (below, up_to) = (sorted.partition_point(|v| v < value), sorted.partition_point(|v| v <= value));
            (below + up_to) as f64 - sorted.len() as f64
        };
        values.iter().map(rank).collect()
    };
    let [a, b] = [ranks(pairs.iter().map(|pair| pair.0).collect()), ranks(pairs.iter().map(|pair| pair.1).collect())];
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let size = (product(&a, &a) * product(&b, &b)).sqrt();
    if size > 0.0 { product(&a, &b) / size } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(median: f64, spread: f64) -> [f64; 5] {
        [median - spread, median - spread / 2.0, median, median + spread / 2.0, median + spread]
    }

    #[test]
    fn the_largest_and_clearest_change_comes_first() {
        let clear = Effect::of([around(10.0, 0.1), around(20.0, 0.1)]);
        let blurred = Effect::of([around(10.0, 40.0), around(20.0, 40.0)]);
        let slight = Effect::of([around(10.0, 0.0), [f64::NAN; 5], around(10.5, 0.0)]);
        let none = Effect::of([around(7.0, 1.0); 3]);
        let order: Vec<usize> = by_size(&[none, slight, None, blurred, clear]).iter().map(|(at, _)| *at).collect();
        assert_eq!(order, [4, 3, 1, 0]);
        assert_eq!(slight.map(|effect| (effect.low, effect.high)), Some(((0, 10.0), (2, 10.5))));
        assert_eq!(
            [clear, blurred, none].map(|effect| effect.is_some_and(|effect| effect.is_clear())),
            [true, false, false]
        );
        assert!(none.is_some_and(|effect| effect.is_none()) && Effect::of([]).is_none());
    }

    #[test]
    fn ranks_are_compared_by_hand() {
        assert_eq!(rank_correlation(&[(1.0, 2.0), (2.0, 5.0), (9.0, 6.0)]), 1.0);
        assert_eq!(rank_correlation(&[(1.0, 9.0), (2.0, 5.0), (9.0, 0.0)]), -1.0);
        assert_eq!(rank_correlation(&[(1.0, 1.0), (2.0, 1.0)]), 0.0);
        // Ranks 1, 2, 3, 4 and 1, 3, 2, 4: 1 - 6 * 2 / (4 * 15).
        assert!((rank_correlation(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]) - 0.8).abs() < 1e-12);
    }
}
