//! Writes the files that need the content of the plans file: `output_plans`, the input plans with the links, routes and
//! legs in effect, and `output_persons`.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use throng_core::{Problems, Warnings, panic_text, spawn};
use throng_matsim::formats::person::PersonRecord;
use throng_matsim::formats::population::{PopulationReader, PopulationVersion};
use throng_matsim::formats::population_writer::{PersonFormatter, head, tail};
use throng_matsim::load::InputStamps;
use throng_output::{
    ClosedFile, Codec, FileError, FormatBlock, OutputError, ParallelTextFile, PipelineSize, RunFolder, WrittenFile,
};
use throng_traffic_scenario::{Network, Scenario};

use super::persons::PersonsTable;
use super::plan_in_effect;

/// Version of the file.
const VERSION: PopulationVersion = PopulationVersion::V6;

/// Maximum number of persons formatted at a time.
const PERSONS: usize = 128;

/// Size of their text from which no more are added, bytes: limits the memory for long plans.
const TEXT_BYTES: usize = 1 << 20;

/// Writes `output_plans.xml` and `output_persons.csv` in the background. The former is the plans file of a scenario in
/// version 6 and in the order of the input, all persons with all plans and attributes. Selected plans are those in
/// effect (`plan_in_effect`). Neither depends on the simulation, which may run at the same time. The plans file is read
/// again, because a population does not keep all of its content; memory does not grow with the number of persons.
///
/// Dropping it before [`PlansFile::finish`] removes the incomplete file.
#[derive(Debug)]
pub struct PlansFile {
    is_unwanted: Arc<AtomicBool>,
    thread: Option<JoinHandle<Written>>,
    /// Result of the thread, once it was joined.
    written: Option<Written>,
}

/// The files that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlansOutputs {
    /// Whether to write `output_plans.xml`.
    pub plans: bool,
    /// Whether to write `output_persons.csv`.
    pub persons: bool,
}

/// Files that are complete, but have their names only once the run succeeds.
#[derive(Debug)]
struct Filled {
    plans: Option<ClosedFile>,
    persons: Option<PersonsTable>,
    warnings: Warnings,
}

type Written = Result<Filled, FileError>;

/// Persons with the number of their block.
type PersonBlock = (u64, Vec<PersonRecord>);

impl PlansFile {
    /// Starts writing with `workers` threads. Returns `None` if nothing is wanted or the settings name no plans file.
    ///
    /// # Errors
    /// If a file cannot be opened or created, or the system refuses a thread.
    pub fn start(
        scenario: &Arc<Scenario>,
        folder: &RunFolder,
        codec: Codec,
        workers: usize,
        wanted: PlansOutputs,
    ) -> Result<Option<Self>, FileError> {
        let is_wanted = wanted.plans || wanted.persons;
        let Some(path) = scenario.settings.files.plans.as_ref().filter(|_| is_wanted) else { return Ok(None) };
        let reader = PopulationReader::of_run(path, &scenario.settings)?.with_threads(workers);
        // Only routes of version 4 change their format.
        let converts_routes = reader.header().version == PopulationVersion::V4;
        let warnings = Arc::new(Mutex::new(BTreeMap::new()));
        let make_formatter = || {
            let network = converts_routes.then_some(&scenario.network);
            let persons = PersonFormatter::new(VERSION, network);
            Formatter { scenario: Arc::clone(scenario), converts_routes, persons, warnings: Arc::clone(&warnings) }
        };
        let frame = (&*head(VERSION, reader.header()), &*tail(VERSION));
        let size = PipelineSize::of_workers(workers);
        let create = || ParallelTextFile::create(folder, "output_plans.xml", codec, size, frame, make_formatter);
        let plans = wanted.plans.then(create).transpose()?;
        let persons = wanted.persons.then(|| PersonsTable::create(scenario, folder, codec)).transpose()?;
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_unwanted);
        let thread =
            spawn("plans", move || write(reader, (plans, persons), &warnings, &ends)).map_err(OutputError::from)?;
        Ok(Some(Self { is_unwanted, thread: Some(thread), written: None }))
    }

    /// Returns false if writing has failed, so that [`PlansFile::finish`] will return an error.
    pub fn is_well(&mut self) -> bool {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            self.join();
        }
        !matches!(self.written, Some(Err(_)))
    }

    /// Waits for the thread, if that has not been done.
    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let panicked = |panic: Box<dyn Any + Send>| Err(OutputError::Panicked(panic_text(&*panic)).into());
            self.written = Some(thread.join().unwrap_or_else(panicked));
        }
    }

    /// Waits for the end of the files, and gives them their final names unless `inputs` have changed. Also returns
    /// warnings.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn finish(mut self, inputs: &InputStamps) -> Result<(Vec<WrittenFile>, Warnings), FileError> {
        self.join();
        let written = self.written.take().unwrap_or_else(|| Err(unwanted()));
        // A change of the plans explains errors in them.
        if !matches!(written, Err(FileError::Output(_))) {
            inputs.check()?;
        }
        let Filled { plans, persons, warnings } = written?;
        let plans = plans.map(ClosedFile::complete).transpose()?;
        let persons = persons.map(PersonsTable::finish).transpose()?;
        Ok((plans.into_iter().chain(persons).collect(), warnings))
    }
}

impl Drop for PlansFile {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
        self.join();
    }
}

/// The error of a file that is no longer needed, because the run has failed.
fn unwanted() -> FileError {
    OutputError::Panicked("the run has failed".to_owned()).into()
}

fn write(
    mut reader: PopulationReader,
    (mut plans, mut persons_table): (Option<ParallelTextFile<PersonBlock>>, Option<PersonsTable>),
    warnings: &Mutex<BTreeMap<u64, Warnings>>,
    is_unwanted: &AtomicBool,
) -> Written {
    // Warnings about the file were given when it was loaded.
    let mut known = Warnings::new();
    let mut problems = Problems::new();
    let mut blocks = 0u64;
    loop {
        let (mut persons, mut bytes) = (Vec::with_capacity(PERSONS), 0);
        while persons.len() < PERSONS && bytes < TEXT_BYTES {
            let mut person = PersonRecord::new();
            if !reader.read_person(&mut person, &mut problems, &mut known) {
                break;
            }
            bytes += person.text_bytes();
            if let Some(table) = &mut persons_table {
                table.add(&person)?;
            }
            persons.push(person);
        }
        if persons.is_empty() || is_unwanted.load(Ordering::Relaxed) {
            break;
        }
        if let Some(plans) = &mut plans {
            plans.send((blocks, persons))?;
        }
        blocks += 1;
    }
    problems.into_result()?;
    if is_unwanted.load(Ordering::Relaxed) {
        return Err(unwanted());
    }
    let plans = plans.map(ParallelTextFile::close).transpose()?;
    let mut all = Warnings::new();
    let of_blocks = std::mem::take(&mut *warnings.lock().unwrap_or_else(PoisonError::into_inner));
    for of_block in of_blocks.into_values() {
        all.append(of_block);
    }
    Ok(Filled { plans, persons: persons_table, warnings: all })
}

/// Formats persons on a thread.
struct Formatter {
    scenario: Arc<Scenario>,
    converts_routes: bool,
    persons: PersonFormatter,
    /// Warnings by the index of the block, so that their order does not depend on the threads.
    warnings: Arc<Mutex<BTreeMap<u64, Warnings>>>,
}

impl FormatBlock<PersonBlock> for Formatter {
    fn format(&mut self, (number, persons): PersonBlock, text: &mut Vec<u8>) {
        let network: Option<&Network> = self.converts_routes.then_some(&self.scenario.network);
        let mut warnings = Warnings::new();
        for mut record in persons {
            if let Some(person) = self.scenario.population.person_ids.get(record.id()) {
                plan_in_effect::complete(&mut record, &self.scenario, person);
            }
            text.extend_from_slice(self.persons.format(&record, network, &mut warnings).as_bytes());
        }
        if !warnings.is_empty() {
            self.warnings.lock().unwrap_or_else(PoisonError::into_inner).insert(number, warnings);
        }
    }
}
