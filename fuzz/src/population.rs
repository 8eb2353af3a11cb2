//! Plans: accepted plans can be written as version 6 and read again, with the same number of persons and plan elements.

use std::io::Cursor;

use throng_core::{Problems, Warnings};
use throng_matsim::formats::person::PersonRecord;
use throng_matsim::formats::population::{PopulationReader, PopulationVersion};
use throng_matsim::formats::population_writer::PopulationWriter;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let Ok(reader) = PopulationReader::new(Cursor::new(data.to_vec()), "plans.xml") else { return false };
    let mut out = PopulationWriter::new(Vec::new(), PopulationVersion::V6, reader.header(), None).unwrap();
    let Some(size) = walk(reader, |person| out.write(person, &mut Warnings::new()).unwrap()) else { return false };
    let text = out.finish().unwrap();
    let again = PopulationReader::new(Cursor::new(text.clone()), "again.xml").unwrap();
    assert_eq!(walk(again, |_| ()), Some(size), "{}", String::from_utf8_lossy(&text));
    true
}

/// Calls `visit` for each person and returns the numbers of persons and of plan elements; `None` if the file has
/// problems.
fn walk(mut reader: PopulationReader, mut visit: impl FnMut(&PersonRecord)) -> Option<(usize, usize)> {
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    let (mut persons, mut elements) = (0, 0);
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        persons += 1;
        elements += person.plans().iter().map(|plan| person.elements(plan).len()).sum::<usize>();
        let _ = person.selected_plan();
        if problems.is_empty() {
            visit(&person);
        }
    }
    problems.is_empty().then_some((persons, elements))
}
