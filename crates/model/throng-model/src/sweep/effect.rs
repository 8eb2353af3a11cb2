//! The change of a quantity between parameter sets, in relation to the uncertainty of its means.

use super::differences::pairs;
use super::moments::{Difference, Moments};

/// The parameter sets with the lowest and the highest mean of a quantity so far: set index and values.
#[derive(Debug, Clone, Default)]
pub(super) struct Extremes {
    ends: Option<[(usize, Moments); 2]>,
    /// Number of sets with values.
    sets: u64,
    /// Number of values in all sets.
    values: u64,
    /// Number of runs in all sets, including those without a value.
    runs: u64,
}

impl Extremes {
    /// Adds a parameter set with `runs` runs, some of which may lack a value.
    pub fn add(&mut self, set: usize, moments: &Moments, runs: usize) {
        self.values += u64::from(moments.count());
        self.runs += runs as u64;
        if moments.count() == 0 {
            return;
        }
        let [low, high] = self.ends.get_or_insert([(set, *moments); 2]);
        if moments.mean() < low.1.mean() {
            *low = (set, *moments);
        }
        if moments.mean() > high.1.mean() {
            *high = (set, *moments);
        }
        self.sets += 1;
    }

    /// Returns the effect on the quantity; `None` if no set has values.
    pub fn effect(&self) -> Option<Effect> {
        let [low, high] = self.ends?;
        let of_end = |(set, moments): (usize, Moments)| (set, moments.mean());
        let difference = low.1.difference(&high.1);
        let Self { sets, values, runs, .. } = *self;
        Some(Effect { low: of_end(low), high: of_end(high), difference, sets, values, runs })
    }
}

/// The lowest and the highest mean of all parameter sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    /// Index of the set with the lowest mean, and that mean.
    pub low: (usize, f64),
    /// Index of the set with the highest mean, and that mean.
    pub high: (usize, f64),
    /// Difference between the two.
    pub difference: Difference,
    /// Number of sets with values; others are ignored.
    pub sets: u64,
    /// Number of values in all sets.
    pub values: u64,
    /// Number of runs in all sets, including those without a value.
    pub runs: u64,
}

impl Effect {
    /// Computes the effect from the values of all sets; `None` if no set has values.
    pub fn of<'m>(moments: impl IntoIterator<Item = &'m Moments>) -> Option<Self> {
        let mut extremes = Extremes::default();
        for (set, moments) in moments.into_iter().enumerate() {
            extremes.add(set, moments, moments.count() as usize);
        }
        extremes.effect()
    }

    /// Returns the number of pairwise comparisons: which two sets are extreme is known only afterwards, so the interval
    /// must account for all pairs.
    pub fn comparisons(&self) -> u64 {
        pairs(self.sets)
    }

    /// Whether all means are equal.
    pub fn is_none(&self) -> bool {
        self.high.1 <= self.low.1
    }

    /// Returns half the width of the simultaneous 95 % confidence interval of the difference; NaN if there is none.
    pub fn half_width(&self) -> f64 {
        self.difference.half_width(self.comparisons())
    }

    /// Whether some runs have no value, which may bias the means.
    pub fn is_incomplete(&self) -> bool {
        self.values < self.runs
    }

    /// Classifies the difference.
    pub fn verdict(&self) -> Verdict {
        match self.half_width() {
            _ if self.sets == 1 => Verdict::OneSet,
            _ if self.is_none() => Verdict::Same,
            // Equal values in a few runs may be equal by chance.
            _ if self.difference.standard_error == 0.0 => Verdict::NoSpread,
            half_width if half_width.is_nan() => Verdict::SingleValues,
            half_width if self.difference.value > half_width => Verdict::Clear,
            _ => Verdict::MayBeChance,
        }
    }

    /// Returns the relative change, reduced if it is uncertain: from 0 to 2.
    pub fn size(&self) -> f64 {
        let change = self.difference.value;
        if self.is_none() {
            return 0.0;
        }
        // Without an interval, all figures are considered equally uncertain.
        let half_width = self.half_width();
        let half_width = if half_width.is_finite() { half_width } else { 0.0 };
        change / self.high.1.abs().max(self.low.1.abs()) * (change / (change + half_width))
    }
}

/// Certainty of the difference between the lowest and the highest mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No other set has values.
    OneSet,
    /// There is no difference.
    Same,
    /// The interval does not contain 0.
    Clear,
    /// The interval contains 0.
    MayBeChance,
    /// There is no interval, because one of the two sets has a single value.
    SingleValues,
    /// There is no interval, because the runs of each of the two sets have equal values.
    NoSpread,
}

impl Verdict {
    /// Returns a few words, for a table.
    pub fn words(self) -> &'static str {
        match self {
            Self::OneSet => "no other set has values",
            Self::Same => "the same",
            Self::Clear => "clear",
            Self::MayBeChance => "may be chance",
            Self::SingleValues => "single values",
            Self::NoSpread => "no spread",
        }
    }

    /// Returns the clause to append to a sentence about the difference.
    pub fn clause(self) -> &'static str {
        match self {
            Self::OneSet | Self::Same | Self::Clear => "",
            Self::MayBeChance => ", which may be chance",
            Self::SingleValues => "; a single value cannot tell whether this is chance",
            Self::NoSpread => "; the runs of each of these two sets agree",
        }
    }
}

/// Returns the indices of the effects with the effects, the largest first; ties keep their order, and figures without
/// values are omitted.
pub(super) fn by_size(effects: &[Option<Effect>]) -> Vec<(usize, Effect)> {
    let mut ordered: Vec<(usize, Effect)> =
        effects.iter().enumerate().filter_map(|(number, effect)| Some((number, (*effect)?))).collect();
    ordered.sort_by(|a, b| b.1.size().total_cmp(&a.1.size()));
    ordered
}

/// Computes Spearman's rank correlation; 0 if either variable is constant.
pub(super) fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        // Twice the difference between the mean rank of equal values and the mean of all ranks.
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

    fn around(mean: f64, spread: f64) -> Moments {
        Moments::of([mean - spread, mean, mean + spread])
    }

    #[test]
    fn the_largest_and_clearest_change_comes_first() {
        let of = |sets: &[Moments]| Effect::of(sets);
        let clear = of(&[around(10.0, 0.1), around(20.0, 0.1)]);
        let blurred = of(&[around(10.0, 40.0), around(20.0, 40.0)]);
        let slight = of(&[around(10.0, 0.0), Moments::default(), around(10.5, 0.0)]);
        let none = of(&[around(7.0, 1.0); 3]);
        let order: Vec<usize> = by_size(&[none, slight, None, blurred, clear]).iter().map(|(at, _)| *at).collect();
        assert_eq!(order, [4, 3, 1, 0]);
        assert_eq!(slight.map(|effect| (effect.low, effect.high)), Some(((0, 10.0), (2, 10.5))));
        let one_set = of(&[Moments::default(), around(7.0, 1.0)]);
        assert_eq!(
            [clear, blurred, slight, none, one_set].map(|effect| effect.unwrap().verdict()),
            [Verdict::Clear, Verdict::MayBeChance, Verdict::NoSpread, Verdict::Same, Verdict::OneSet]
        );
        assert!(none.is_some_and(|effect| effect.is_none()) && of(&[]).is_none());
        // Single runs have no interval, but are ordered.
        let single = of(&[Moments::of([1.0]), Moments::of([3.0])]).unwrap();
        assert!(single.verdict() == Verdict::SingleValues && single.half_width().is_nan() && single.size() > 0.0);
    }

    #[test]
    fn more_comparisons_require_a_larger_change() {
        let sets: Vec<Moments> = (0..12).map(|set| around(f64::from(set % 2), 0.3)).collect();
        let [two, twelve] = [&sets[..2], &sets].map(|sets| Effect::of(sets).unwrap());
        assert_eq!([two.comparisons(), twelve.comparisons()], [1, 66]);
        assert_eq!([two, twelve].map(|effect| effect.verdict()), [Verdict::Clear, Verdict::MayBeChance]);
    }

    #[test]
    fn rank_correlations_match_hand_computed_values() {
        assert_eq!(rank_correlation(&[(1.0, 2.0), (2.0, 5.0), (9.0, 6.0)]), 1.0);
        assert_eq!(rank_correlation(&[(1.0, 9.0), (2.0, 5.0), (9.0, 0.0)]), -1.0);
        assert_eq!(rank_correlation(&[(1.0, 1.0), (2.0, 1.0)]), 0.0);
        // Ranks 1, 2, 3, 4 and 1, 3, 2, 4: 1 - 6 * 2 / (4 * 15).
        assert!((rank_correlation(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]) - 0.8).abs() < 1e-12);
    }
}
