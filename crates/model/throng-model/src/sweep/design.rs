//! The values of the parameters in each parameter set: a full factorial design, a Latin hypercube sample, or a file.

use std::borrow::Cow;

use throng_core::{Change, InputError};

use super::design_file::DesignFile;
use super::latin_hypercube;
use super::vary::{LATIN_HYPERCUBE, VARY, Values, Vary};

/// Maximum number of parameter sets of a sweep; all are checked before the first run.
pub(super) const MAX_SETS: u32 = 1_000_000;

/// The parameter sets of a sweep, with indices from 0.
#[derive(Debug, Clone)]
pub(super) struct Design {
    kind: Kind,
    sets: u32,
}

#[derive(Debug, Clone)]
enum Kind {
    /// All combinations of the values. The last parameter varies fastest.
    FullFactorial(Vec<Vary>),
    /// Samples of ranges, drawn with a seed.
    LatinHypercube(Vec<Vary>, i64),
    /// The rows of a file.
    File(DesignFile),
}

impl Design {
    /// Creates a design with all combinations of the values.
    ///
    /// # Errors
    /// When there are too many combinations.
    pub fn full_factorial(varied: Vec<Vary>) -> Result<Self, InputError> {
        let count = |vary: &Vary| match &vary.values {
            Values::List(values) => values.len() as u64,
            Values::Whole { .. } | Values::Real { .. } => 1,
        };
        let sets = varied.iter().fold(1u64, |sets, vary| sets.saturating_mul(count(vary)));
        Ok(Self { sets: limited(VARY, sets)?, kind: Kind::FullFactorial(varied) })
    }

    /// Creates a design with samples of the ranges.
    ///
    /// # Errors
    /// When there are no samples, or too many.
    pub fn latin_hypercube(varied: Vec<Vary>, samples: u64, seed: i64) -> Result<Self, InputError> {
        Ok(Self { sets: limited(LATIN_HYPERCUBE, samples)?, kind: Kind::LatinHypercube(varied, seed) })
    }

    /// Creates a design from the rows of a file, of which there are at most [`MAX_SETS`].
    pub fn of_file(file: DesignFile) -> Self {
        Self { sets: file.rows.len() as u32, kind: Kind::File(file) }
    }

    /// Returns the number of parameter sets.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// Returns the name of the design type.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::FullFactorial(_) => "full factorial",
            Kind::LatinHypercube(..) => "Latin hypercube sample",
            Kind::File(_) => "from a file",
        }
    }

    /// Returns the keys of the parameters.
    pub fn keys(&self) -> Vec<&str> {
        match &self.kind {
            Kind::FullFactorial(varied) | Kind::LatinHypercube(varied, _) => {
                varied.iter().map(|vary| vary.key.as_str()).collect()
            }
            Kind::File(file) => file.keys.iter().map(String::as_str).collect(),
        }
    }

    /// Returns the values of all parameter sets.
    pub fn table(&self) -> DesignTable<'_> {
        let points = match &self.kind {
            Kind::LatinHypercube(varied, seed) => Some(latin_hypercube::points(*seed, self.sets, varied.len())),
            Kind::FullFactorial(_) | Kind::File(_) => None,
        };
        DesignTable { design: self, points }
    }
}

fn limited(place: &str, sets: u64) -> Result<u32, InputError> {
    let fitting = u32::try_from(sets).ok().filter(|sets| (1..=MAX_SETS).contains(sets));
    fitting.ok_or_else(|| match sets {
        0 => InputError::one(place, "0", "give a whole number, 1 or more"),
        u64::MAX => InputError::one(place, "too many parameter sets", format!("give at most {MAX_SETS}")),
        sets => InputError::one(place, format!("{sets} parameter sets"), format!("give at most {MAX_SETS}")),
    })
}

/// The values of all parameter sets.
pub(super) struct DesignTable<'d> {
    design: &'d Design,
    /// Per parameter, a point in `[0, 1)` for each set; `None` for designs other than samples.
    points: Option<Vec<Vec<f64>>>,
}

impl DesignTable<'_> {
    /// Returns the values of a parameter set, in the order of the parameters.
    pub fn values(&self, set: u32) -> Vec<Cow<'_, str>> {
        let varied = match &self.design.kind {
            Kind::FullFactorial(varied) | Kind::LatinHypercube(varied, _) => varied,
            Kind::File(file) => {
                return file.rows[set as usize].1.iter().map(|value| Cow::Borrowed(value.as_str())).collect();
            }
        };
        let mut values = Vec::with_capacity(varied.len());
        // The loop runs from the last parameter, which varies fastest, to the first.
        let mut rest = set as usize;
        for (parameter, vary) in varied.iter().enumerate().rev() {
            let point = || self.points.as_ref().map_or(0.0, |points| points[parameter][set as usize]);
            values.push(match &vary.values {
                Values::List(list) => {
                    let value = &list[rest % list.len()];
                    rest /= list.len();
                    Cow::Borrowed(value.as_str())
                }
                &Values::Whole { low, high } => whole(low, high, point()).to_string().into(),
                &Values::Real { low, high } => format!("{:?}", real(low, high, point())).into(),
            });
        }
        values.reverse();
        values
    }

    /// Returns the changes that turn the scenario into a parameter set.
    pub fn changes(&self, set: u32) -> impl Iterator<Item = Change> {
        let origin = move |column: usize| match &self.design.kind {
            Kind::FullFactorial(_) | Kind::LatinHypercube(..) => VARY.to_owned(),
            Kind::File(file) => format!("{}:", file.place(file.rows[set as usize].0, column)),
        };
        let pairs = self.design.keys().into_iter().zip(self.values(set)).enumerate();
        pairs.map(move |(column, (key, value))| Change::of_flag(origin(column), format!("{key}={value}")))
    }

    /// Whether the sets are samples of ranges, in random order.
    pub fn is_sample(&self) -> bool {
        self.points.is_some()
    }

    /// Formats a parameter set: `agents = 24, elasticity = 1.5`.
    pub fn words(&self, set: u32) -> String {
        let keys = self.design.keys().into_iter();
        let pairs: Vec<String> = keys.zip(self.values(set)).map(|(key, value)| format!("{key} = {value}")).collect();
        pairs.join(", ")
    }
}

/// Maps a point of `[0, 1)` to an integer: each of `low..=high` gets an interval of equal width.
fn whole(low: i64, high: i64, point: f64) -> i64 {
    let count = (i128::from(high) - i128::from(low) + 1) as f64;
    let value = i128::from(low) + (point * count) as i128;
    value.min(i128::from(high)) as i64
}

fn real(low: f64, high: f64, point: f64) -> f64 {
    (low + point * (high - low)).min(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(key: &str, values: &[&str]) -> Vary {
        let values = Values::List(values.iter().map(|&value| value.to_owned()).collect());
        Vary { key: key.to_owned(), values }
    }

    fn all(design: &Design) -> Vec<Vec<String>> {
        let table = design.table();
        let values = |set| table.values(set).into_iter().map(Cow::into_owned).collect();
        (0..design.sets()).map(values).collect()
    }

    #[test]
    fn a_full_factorial_design_has_every_combination_once() {
        let design = Design::full_factorial(vec![list("a", &["1", "2"]), list("b", &["x", "y", "z"])]).unwrap();
        let expected = [["1", "x"], ["1", "y"], ["1", "z"], ["2", "x"], ["2", "y"], ["2", "z"]];
        assert_eq!(all(&design), expected);
        assert_eq!(design.table().words(4), "a = 2, b = y");
        assert_eq!(all(&Design::full_factorial(Vec::new()).unwrap()), [[""; 0]], "replicates only");
        let many: Vec<String> = (0..1001).map(|value| value.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let error = Design::full_factorial(vec![list("a", &many), list("b", &many)]).unwrap_err().to_string();
        assert_eq!(error, "--vary: 1002001 parameter sets\n    give at most 1000000");
    }

    #[test]
    fn a_sample_has_each_stratum_once_in_each_dimension() {
        let varied = vec![
            Vary { key: "whole".into(), values: Values::Whole { low: 10, high: 19 } },
            Vary { key: "real".into(), values: Values::Real { low: -1.0, high: 1.0 } },
        ];
        let design = Design::latin_hypercube(varied.clone(), 10, 7).unwrap();
        let values = all(&design);
        let mut whole: Vec<i64> = values.iter().map(|set| set[0].parse().unwrap()).collect();
        whole.sort_unstable();
        assert_eq!(whole, (10..20).collect::<Vec<_>>());
        let stratum = |set: &Vec<String>| ((set[1].parse::<f64>().unwrap() + 1.0) * 5.0) as i32;
        let mut real: Vec<i32> = values.iter().map(stratum).collect();
        real.sort_unstable();
        assert_eq!(real, (0..10).collect::<Vec<_>>());
        assert_eq!(all(&Design::latin_hypercube(varied.clone(), 10, 7).unwrap()), values);
        assert_ne!(all(&Design::latin_hypercube(varied.clone(), 10, 8).unwrap()), values);
        assert!(Design::latin_hypercube(varied, 0, 1).unwrap_err().to_string().contains("--latin-hypercube: 0"));
    }

    #[test]
    fn the_rows_of_a_file_are_parameter_sets() {
        let rows = vec![(2, vec!["1".to_owned(), "x".to_owned()]), (5, vec!["2".to_owned(), "x".to_owned()])];
        let keys = vec!["a".to_owned(), "b".to_owned()];
        let design = Design::of_file(DesignFile { file: "d.csv".into(), keys, rows });
        assert_eq!(
            (all(&design), design.table().words(1)),
            ([["1", "x"], ["2", "x"]].map(|set| set.map(str::to_owned).to_vec()).to_vec(), "a = 2, b = x".into())
        );
        let places: Vec<String> =
            design.table().changes(1).map(|change| format!("{} {}", change.origin, change.assignment)).collect();
        assert_eq!(places, ["d.csv:5, column 1: a=2", "d.csv:5, column 2: b=x"]);
    }

    #[test]
    fn sampled_numbers_stay_within_their_range() {
        assert_eq!([whole(-3, 3, 0.0), whole(-3, 3, 0.999_999)], [-3, 3]);
        let last = 1.0 - f64::EPSILON / 2.0;
        assert_eq!([whole(i64::MIN, i64::MAX, 0.0), whole(0, 1, last)], [i64::MIN, 1]);
        assert!(whole(i64::MIN, i64::MAX, last) > 0);
        assert_eq!(real(1.0, 2.0, 0.5), 1.5);
    }
}
