//! The check of all parameter sets before the first run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use rayon::prelude::*;
use throng_core::{Change, InputError, InputErrorKind, Problem, Problems, Progress, StateHash, Warnings, checksum};

use super::description::Input;
use super::design::{Design, DesignTable};
use super::vary::VARY;
use crate::assignment::assignment;
use crate::{Failure, Model, ScenarioRequest};

/// Number of parameter sets checked between two progress reports.
const BLOCK: u32 = 1024;

/// Properties of a parameter set.
struct Set {
    seed: i64,
    /// Hash of its settings.
    hash: u64,
    inputs: Vec<PathBuf>,
    /// Names of the files that a run may write.
    file_names: Vec<String>,
    /// Properties of the first parameter set; `None` for all other sets.
    first: Option<First>,
}

/// Further properties of the first parameter set.
struct First {
    text: String,
    warnings: Warnings,
    notes: Vec<String>,
}

/// Properties of a sweep whose parameter sets are all valid.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Seed of the first replicate.
    pub seed: i64,
    /// All settings of the first parameter set.
    pub text: String,
    /// Hash of the settings of all parameter sets.
    pub hash: u64,
    /// Input files.
    pub inputs: Vec<Input>,
    /// Warnings about the first parameter set.
    pub warnings: Warnings,
    /// Notes about the first parameter set.
    pub notes: Vec<String>,
    /// Names of all files that a run may write.
    pub file_names: Vec<String>,
}

/// Returns the scenario of a parameter set.
pub(super) fn request_of(
    base: &ScenarioRequest,
    table: &DesignTable<'_>,
    set: u32,
    seed: Option<i64>,
) -> ScenarioRequest {
    let mut request = base.clone();
    request.changes.extend(table.changes(set));
    request.seed = seed;
    request
}

/// Checks every parameter set, and one of them with the last seed. `base` is the scenario without the varied
/// parameters.
///
/// # Errors
/// When a failure is not caused by the scenario. Problems of the scenario are added to `problems`, each once with the
/// first parameter set in which it occurs; the result is then `None`.
pub(super) fn check(
    model: &dyn Model,
    base: &ScenarioRequest,
    design: &Design,
    seeds: u32,
    problems: &mut Problems,
    progress: &dyn Progress,
) -> Result<Option<Checked>, Failure> {
    let table = design.table();
    let mut found = Found::default();
    let (mut checked, mut hash) = (Checked::default(), StateHash::new());
    let (mut inputs, mut file_names) = (BTreeSet::new(), BTreeSet::new());
    let (mut seen, mut equal) = (HashMap::new(), (0, None));
    let sets = design.sets();
    progress.begin("checking parameter sets", Some(sets.into()), "sets");
    for begin in (0..sets).step_by(BLOCK as usize) {
        let block = begin..sets.min(begin.saturating_add(BLOCK));
        let results: Vec<Result<Set, Failure>> = block
            .clone()
            .into_par_iter()
            .map(|set| of_set(model, &request_of(base, &table, set, base.seed), set))
            .collect();
        for (set, result) in block.zip(results) {
            match result {
                Ok(of_set) => {
                    hash.add(set.into(), &[of_set.hash]);
                    let first = *seen.entry(of_set.hash).or_insert(set);
                    if first != set {
                        equal = (equal.0 + 1, equal.1.or(Some([first, set])));
                    }
                    inputs.extend(of_set.inputs);
                    file_names.extend(of_set.file_names);
                    if let Some(First { text, warnings, notes }) = of_set.first {
                        checked = Checked { seed: of_set.seed, text, warnings, notes, ..checked };
                    } else if of_set.seed != checked.seed && found.problems.is_empty() {
                        let message = format!("a parameter is the seed: {} and {}", checked.seed, of_set.seed);
                        let remedy = "leave it out, and repeat runs with --seeds N; --seed is the seed of the first";
                        found.add(set, &table, InputError::one(VARY, message, remedy));
                    }
                }
                Err(Failure::Input(error)) => found.add(set, &table, error),
                Err(other) => return Err(other),
            }
        }
        progress.at(sets.min(begin.saturating_add(BLOCK)).into(), "");
    }
    progress.end();
    if found.problems.is_empty() {
        check_seeds(model, base, &table, checked.seed, seeds, &mut found)?;
        check_folder(model, base, &table, sets, &mut found);
    }
    if let (count, Some(pair)) = equal {
        let [first, second] = pair.map(|set| format!("{} ({})", set + 1, table.words(set)));
        let kind = "a parameter set has the same settings in effect as an earlier one";
        checked.warnings.add_many(count, kind, || format!("{second} as {first}"));
    }
    checked.hash = hash.finish();
    checked.file_names = file_names.into_iter().collect();
    checked.inputs =
        inputs.iter().map(|input| Input::of(&input.display().to_string(), input)).collect::<Result<_, _>>()?;
    let is_valid = found.problems.is_empty();
    found.report(&table, sets, problems);
    Ok(is_valid.then_some(checked))
}

/// Returns the seed of the first replicate, given one parameter set; for designs that depend on the seed.
///
/// # Errors
/// When the set has problems; the error lists all of them.
pub(super) fn seed_of(model: &dyn Model, request: &ScenarioRequest) -> Result<i64, Failure> {
    Ok(model.scenario(request)?.seed())
}

/// Rejects parameters that set the output folder, because all runs use the folder of the sweep.
fn check_folder(model: &dyn Model, base: &ScenarioRequest, table: &DesignTable<'_>, sets: u32, found: &mut Found) {
    let plain = ScenarioRequest { out: None, ..base.clone() };
    // Without the parameters, the scenario may be invalid.
    let folder = |request: &ScenarioRequest| model.scenario(request).ok().map(|scenario| scenario.output().folder);
    let Some(fixed) = folder(&plain) else { return };
    // A single set is both the first and the last one.
    for set in [0].into_iter().chain((sets > 1).then(|| sets - 1)) {
        let varied = folder(&request_of(&plain, table, set, plain.seed)).filter(|varied| *varied != fixed);
        let Some(varied) = varied else { continue };
        let message = format!("a parameter sets the folder for the results: {}", varied.display());
        found.add(set, table, InputError::one(VARY, message, "leave it out; --out is the folder of the sweep"));
    }
}

fn of_set(model: &dyn Model, request: &ScenarioRequest, set: u32) -> Result<Set, Failure> {
    let scenario = model.scenario(request)?;
    scenario.check_inputs()?;
    let output = scenario.output();
    let text = scenario.effective()?;
    Ok(Set {
        seed: scenario.seed(),
        hash: checksum::of_bytes(text.as_bytes()),
        file_names: scenario.file_names(),
        inputs: output.inputs,
        first: (set == 0).then(|| First { text, warnings: scenario.warnings(), notes: scenario.notes() }),
    })
}

/// Checks that the last seed is valid for the model, and that no parameter overrides it.
fn check_seeds(
    model: &dyn Model,
    base: &ScenarioRequest,
    table: &DesignTable<'_>,
    first: i64,
    seeds: u32,
    found: &mut Found,
) -> Result<(), Failure> {
    let Some(last) = first.checked_add(i64::from(seeds.max(1)) - 1) else {
        let message = format!("{seeds} seeds starting at {first}");
        found.add(0, table, InputError::one("--seeds", message, "give a lower --seed, or fewer seeds"));
        return Ok(());
    };
    if last == first {
        return Ok(());
    }
    match model.scenario(&request_of(base, table, 0, Some(last))) {
        Ok(scenario) if scenario.seed() == last => {}
        Ok(scenario) => {
            let message = format!("the seed is set to {}, so that all replicates would be equal", scenario.seed());
            found.add(
                0,
                table,
                InputError::one("--set", message, "give it with --seed; it is the seed of the first replicate"),
            );
        }
        Err(Failure::Input(error)) => {
            found.add(0, table, error.with_places(|place| format!("--seeds {seeds}: {place}")));
        }
        Err(other) => return Err(other),
    }
    Ok(())
}

/// The problems of all parameter sets, without repetitions.
#[derive(Default)]
struct Found {
    /// Each problem, the first set that has it, and the number of sets that have it. The key consists of place
    /// (without the value), message and remedy.
    problems: BTreeMap<(String, String, String), (Problem, u32, u32)>,
    /// Keys in the order of discovery.
    order: Vec<(String, String, String)>,
    /// Whether at least one problem is not merely a lack of resources.
    is_input: bool,
}

impl Found {
    fn add(&mut self, set: u32, table: &DesignTable<'_>, InputError(problems): InputError) {
        self.is_input |= problems.kind() == InputErrorKind::Invalid;
        for problem in problems.shown() {
            // An unknown key is a single problem, regardless of its values.
            let key_of = |change: Change| {
                let key = assignment(&change.assignment)?.0.to_owned();
                problem.place.starts_with(&format!("{} {key}=", change.origin)).then_some(key)
            };
            let place = table.changes(set).find_map(key_of).unwrap_or_else(|| problem.place.clone());
            let key = (place, problem.message.clone(), problem.remedy.clone());
            let entry = self.problems.entry(key.clone()).or_insert_with(|| {
                self.order.push(key);
                (problem.clone(), set, 0)
            });
            entry.2 += 1;
        }
    }

    fn report(self, table: &DesignTable<'_>, sets: u32, problems: &mut Problems) {
        for (Problem { place, message, remedy }, first, count) in self.order.iter().map(|key| &self.problems[key]) {
            // A problem of all sets does not depend on the set.
            let of_sets = match count {
                _ if *count == sets => String::new(),
                1 => format!(" (in parameter set {}: {})", first + 1, table.words(*first)),
                _ => format!(" (in {count} of {sets} parameter sets, first in {}: {})", first + 1, table.words(*first)),
            };
            let message = format!("{message}{of_sets}");
            let kind = if self.is_input { InputErrorKind::Invalid } else { InputErrorKind::OutOfMemory };
            problems.push_kind(kind, place, message, remedy);
        }
    }
}
