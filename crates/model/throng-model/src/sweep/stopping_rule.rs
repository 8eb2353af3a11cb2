//! `--until`: stops adding replicates to a parameter set when the means of some figures are sufficiently accurate.
//!
//! The decision depends only on the runs of the set in the order of their replicates, so that the tables depend neither
//! on threads nor on interruptions. Surplus runs are omitted from the tables.

use throng_core::{Problems, did_you_mean};

use super::journal::{Journal, RunId};
use super::moments::Moments;
use crate::names::shown;
use crate::{Failure, Figure, Measured};

/// The flags, for messages.
pub(super) const UNTIL: &str = "--until";
pub(super) const MIN_SEEDS: &str = "--min-seeds";
/// Default number of replicates before the first decision: the interval of very few runs is often narrow by chance.
const USUAL_MIN_SEEDS: u32 = 10;

/// The conditions under which a parameter set has enough replicates.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StoppingRule {
    goals: Vec<Goal>,
    /// Number of replicates from which the conditions are checked.
    min_seeds: u32,
}

/// Required accuracy of the mean of a figure.
#[derive(Debug, Clone, PartialEq)]
struct Goal {
    /// Name of the figure, or of its column.
    figure: String,
    /// Maximum half width of the 95 % confidence interval of the mean.
    half_width: f64,
}

impl StoppingRule {
    /// Parses arguments `FIGURE=HALF_WIDTH`. Returns `None` if there are none. Faults are added to `problems`.
    pub fn parse(typed: &[String], min_seeds: Option<u64>, seeds: u32, problems: &mut Problems) -> Option<Self> {
        if typed.is_empty() {
            if min_seeds.is_some() {
                problems.push(MIN_SEEDS, "there is nothing to wait for", format!("add {UNTIL} FIGURE=HALF_WIDTH"));
            }
            return None;
        }
        let goals = typed.iter().filter_map(|text| goal(text, problems)).collect();
        let fewest = u64::from(seeds.min(USUAL_MIN_SEEDS));
        let min_seeds = min_seeds.unwrap_or(fewest);
        if seeds < 2 {
            let remedy = "add --seeds N, the maximum number of runs of a parameter set; at least 2";
            problems.push(UNTIL, "an interval needs several seeds", remedy);
        } else if !(2..=u64::from(seeds)).contains(&min_seeds) {
            let remedy = format!("give a whole number from 2 to {seeds}, which is --seeds");
            problems.push(MIN_SEEDS, min_seeds.to_string(), remedy);
        }
        Some(Self { goals, min_seeds: u32::try_from(min_seeds).unwrap_or(seeds).clamp(1, seeds) })
    }

    /// Returns the number of replicates from which the conditions are checked.
    pub fn min_seeds(&self) -> u32 {
        self.min_seeds
    }

    /// Rejects figures that a run does not have.
    ///
    /// # Errors
    /// When figures are unknown; the error lists all of them, and the existing figures.
    pub fn check(&self, measured: &Measured) -> Result<(), Failure> {
        let mut problems = Problems::new();
        let has = |goal: &Goal| measured.figures.iter().any(|figure| goal.is_of(figure));
        for Goal { figure, half_width } in self.goals.iter().filter(|goal| !has(goal)) {
            let names: Vec<String> = measured.figures.iter().map(|figure| figure.quantity.column()).collect();
            let nearest = did_you_mean(figure, names.iter().map(String::as_str));
            let all = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let remedy =
                format!("{}runs have these: {all}", nearest.map_or_else(String::new, |nearest| format!("{nearest} ")));
            problems.push(format!("{UNTIL} {figure}={half_width}"), "a run has no figure of this name", remedy);
        }
        Ok(problems.into_result()?)
    }
}

impl Goal {
    fn is_of(&self, figure: &Figure) -> bool {
        figure.quantity.name == self.figure || figure.quantity.column() == self.figure
    }
}

fn goal(text: &str, problems: &mut Problems) -> Option<Goal> {
    let (figure, width) = text.split_once('=').map_or((text, ""), |(figure, width)| (figure.trim(), width.trim()));
    let half_width = width.parse().ok().filter(|&width: &f64| width > 0.0 && width.is_finite());
    if figure.is_empty() || half_width.is_none() {
        let remedy = "write FIGURE=HALF_WIDTH: a column of runs.csv, and a number above 0 in its unit";
        problems.push(format!("{UNTIL} {}", shown(text)), "is not a condition", remedy);
    }
    Some(Goal { figure: figure.to_owned(), half_width: half_width? })
}

/// The state of all parameter sets so far.
pub(super) struct StoppingState<'u> {
    until: Option<&'u StoppingRule>,
    /// Maximum number of replicates.
    seeds: u32,
    sets: Vec<OfSet>,
}

#[derive(Clone)]
struct OfSet {
    /// Number of replicates taken into account.
    replicates: u32,
    /// Moments of the figure of each goal.
    moments: Vec<Moments>,
    /// Whether all goals are met.
    is_met: bool,
    has_enough: bool,
}

impl<'u> StoppingState<'u> {
    /// Creates the initial state. Without conditions, each set gets all replicates.
    pub fn new(until: Option<&'u StoppingRule>, sets: u32, seeds: u32) -> Self {
        let moments = vec![Moments::default(); until.map_or(0, |until| until.goals.len())];
        Self {
            until,
            seeds,
            sets: vec![OfSet { replicates: 0, moments, is_met: false, has_enough: false }; sets as usize],
        }
    }

    /// Takes the finished runs of each set into account, in the order of replicates, until the set has enough or a run
    /// is missing.
    ///
    /// # Errors
    /// When the journal can no longer be read, or a run lacks a figure of the conditions.
    pub fn take_in(&mut self, journal: &Journal) -> Result<(), Failure> {
        for (set, of_set) in (0..).zip(&mut self.sets) {
            while !of_set.has_enough {
                let id = RunId { set, replicate: of_set.replicates };
                if journal.has_failed(id).is_none() {
                    break;
                }
                of_set.replicates += 1;
                of_set.has_enough = of_set.replicates == self.seeds;
                let Some(until) = self.until else { continue };
                if let Some(measured) = journal.record(id)?.and_then(|record| record.result.ok()) {
                    until.check(&measured)?;
                    for (goal, moments) in until.goals.iter().zip(&mut of_set.moments) {
                        let figure = measured.figures.iter().find(|figure| goal.is_of(figure));
                        moments.add(figure.map_or(f64::NAN, |figure| figure.value));
                    }
                }
                // Failed runs have no values, so successful runs are counted: a few of them soon agree by chance.
                let is_met = |(goal, moments): (&Goal, &Moments)| {
                    moments.count() >= until.min_seeds && moments.half_width() <= goal.half_width
                };
                of_set.is_met = until.goals.iter().zip(&of_set.moments).all(is_met);
                of_set.has_enough |= of_set.is_met;
            }
        }
        Ok(())
    }

    /// Returns the runs to execute next, in order; empty if all sets have enough. `at_once` runs are executed at the
    /// same time: a set gets as many further replicates as keep all threads busy, or a tenth of its current number if
    /// that is more, and at least `min_seeds` in total. Without conditions, it gets all replicates.
    pub fn next(&self, journal: &Journal, at_once: usize) -> Vec<RunId> {
        let open = self.sets.iter().filter(|of_set| !of_set.has_enough).count().max(1);
        let per_set = u32::try_from(at_once.div_ceil(open)).unwrap_or(u32::MAX);
        let of_set = |(set, of_set): (u32, &OfSet)| {
            let further = |until: &StoppingRule| {
                let more = of_set.replicates.saturating_add(per_set.max(of_set.replicates / 10));
                more.max(until.min_seeds).min(self.seeds)
            };
            let end = if of_set.has_enough { 0 } else { self.until.map_or(self.seeds, further) };
            (of_set.replicates..end).map(move |replicate| RunId { set, replicate })
        };
        let wanted = (0..).zip(&self.sets).flat_map(of_set);
        wanted.filter(|&id| journal.has_failed(id).is_none()).collect()
    }

    /// Returns the numbers, from 1, of the sets that do not meet a goal.
    pub fn unmet(&self) -> Vec<u32> {
        let of_condition = self.until.is_some().then_some(&self.sets).into_iter().flatten();
        (1..).zip(of_condition).filter(|(_, of_set)| !of_set.is_met).map(|(set, _)| set).collect()
    }

    /// Iterates over the number of replicates of each set.
    pub fn replicates(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().map(|of_set| of_set.replicates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quantity;

    fn parsed(typed: &[&str], min_seeds: Option<u64>, seeds: u32) -> Result<Option<StoppingRule>, String> {
        let mut problems = Problems::new();
        let typed: Vec<String> = typed.iter().map(|&text| text.to_owned()).collect();
        let until = StoppingRule::parse(&typed, min_seeds, seeds, &mut problems);
        problems.into_result().map(|()| until).map_err(|error| error.to_string())
    }

    #[test]
    fn conditions_are_read() {
        let until = parsed(&["level_m = 0.5", "left=2"], None, 30).unwrap().unwrap();
        let goal = |figure: &str, half_width| Goal { figure: figure.to_owned(), half_width };
        assert_eq!(until, StoppingRule { goals: vec![goal("level_m", 0.5), goal("left", 2.0)], min_seeds: 10 });
        assert_eq!(parsed(&["a=1"], None, 4).unwrap().unwrap().min_seeds(), 4);
        assert_eq!(parsed(&["a=1"], Some(2), 4).unwrap().unwrap().min_seeds(), 2);
        assert_eq!(parsed(&[], None, 1), Ok(None));
        for (typed, min_seeds, seeds, expected) in [
            (&["a"][..], None, 5, "--until a: is not a condition"),
            (&["=3"], None, 5, "--until =3: is not a condition"),
            (&["a=0"], None, 5, "--until a=0: is not a condition"),
            (&["a=inf"], None, 5, "--until a=inf: is not a condition"),
            (&["a=1"], None, 1, "--until: an interval needs several seeds\n    add --seeds N"),
            (&["a=1"], Some(1), 5, "--min-seeds: 1\n    give a whole number from 2 to 5"),
            (&["a=1"], Some(6), 5, "--min-seeds: 6\n    give"),
            (&[], Some(6), 5, "--min-seeds: there is nothing to wait for\n    add --until"),
        ] {
            let error = parsed(typed, min_seeds, seeds).unwrap_err();
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn an_unknown_figure_is_answered_with_the_known_figures() {
        let until = parsed(&["levl=1", "level=2", "left=3"], None, 4).unwrap().unwrap();
        let figures = vec![Figure::new(Quantity::real("level", "", "m", ""), 1.0)];
        let error = until.check(&Measured { figures, ..Measured::default() }).unwrap_err().to_string();
        let expected = "--until levl=1: a run has no figure of this name\n    runs have these: level_m";
        assert!(
            error.contains(expected) || error.contains("did you mean \"level_m\"? runs have these: level_m"),
            "{error}"
        );
        assert!(error.contains("--until left=3: ") && !error.contains("level=2"), "{error}");
    }
}
