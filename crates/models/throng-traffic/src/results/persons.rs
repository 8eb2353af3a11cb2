//! `output_persons.csv` with the columns of MATSim: the first activity and the attributes of each person.

use std::sync::Arc;

use throng_matsim::formats::person::PersonRecord;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};
use throng_traffic_scenario::{PlanElement, Scenario};

/// Name of the file.
pub(super) const NAME: &str = "output_persons.csv";

const COLUMNS: [&str; 5] = ["person", "executed_score", "first_act_x", "first_act_y", "first_act_type"];

/// The attribute with which MATSim gives persons vehicles; as there, it is no column.
const VEHICLES: &str = "vehicles";

/// The table while it is being written.
#[derive(Debug)]
pub(super) struct PersonsTable {
    scenario: Arc<Scenario>,
    file: TextFile,
}

impl PersonsTable {
    /// Creates the table, with a column for each attribute in the plans file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn create(scenario: &Arc<Scenario>, folder: &RunFolder, codec: Codec) -> Result<Self, OutputError> {
        let mut file = TextFile::create(folder, NAME, codec)?;
        let columns: Vec<&str> = COLUMNS.into_iter().chain(attribute_names(scenario)).collect();
        push_header(file.text(), &columns);
        Ok(Self { scenario: Arc::clone(scenario), file })
    }

    /// Adds a person of the plans file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(&mut self, record: &PersonRecord) -> Result<(), OutputError> {
        // All are known, unless the file changed after it was loaded, which is rejected at its end.
        let Some(person) = self.scenario.population.person_ids.get(record.id()) else { return Ok(()) };
        let values = attribute_names(&self.scenario).map(|name| record.attribute(record.attributes, name));
        push_row(&self.scenario, person, values, self.file.text());
        self.file.flush_full()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn finish(self) -> Result<WrittenFile, OutputError> {
        self.file.finish()
    }
}

/// Writes the table for a scenario without a plans file. If its persons had attributes, their columns are empty.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(scenario: &Arc<Scenario>, folder: &RunFolder, codec: Codec) -> Result<WrittenFile, OutputError> {
    let mut table = PersonsTable::create(scenario, folder, codec)?;
    for person in 0..scenario.travellers() {
        push_row(scenario, person, attribute_names(scenario).map(|_| None), table.file.text());
        table.file.flush_full()?;
    }
    table.finish()
}

/// The attributes with a column; names of columns are unique.
pub(crate) fn attribute_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let names = &scenario.population.person_attributes;
    (0..names.len() as u32).map(|name| names.name(name)).filter(|name| *name != VEHICLES && !COLUMNS.contains(name))
}

fn push_row<'a>(
    scenario: &Scenario,
    person: u32,
    attributes: impl Iterator<Item = Option<&'a str>>,
    text: &mut Vec<u8>,
) {
    let population = &scenario.population;
    let mut row = Row::new(text);
    // Nothing is scored.
    row.text(population.person_ids.name(person)).empty();
    if let Some(PlanElement::Activity(first)) = population.plan(person).next() {
        let (activities, i) = (&population.activities, first as usize);
        let (x, y) = (activities.x[i], activities.y[i]);
        if x.is_nan() || y.is_nan() {
            row.empty().empty();
        } else {
            row.java_double(x).java_double(y);
        }
        row.text(population.activity_types.name(activities.kind[i]));
    } else {
        row.empty().empty().empty();
    }
    for value in attributes {
        row.text(value.unwrap_or(""));
    }
    row.end();
}
