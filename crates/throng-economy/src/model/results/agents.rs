//! What each agent has, every so many days: from this, pictures are made.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use crate::society::Society;

/// The name of the table.
pub const AGENTS: &str = "agents.csv";

/// Its columns.
pub const COLUMNS: [&str; 5] = ["day", "agent", "utility", "extracted", "held"];

/// The table while it is written.
pub struct AgentTable {
    table: TextFile,
    every: u64,
    last: Option<u64>,
}

impl AgentTable {
    pub fn create(folder: &RunFolder, every: u64) -> Result<Self, Failure> {
        let mut table = TextFile::create(folder, AGENTS, Codec::None)?;
        push_header(table.text(), &COLUMNS);
        Ok(Self { table, every, last: None })
    }

    pub fn see(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        if day.is_multiple_of(self.every) {
            self.write(day, society)?;
        }
        Ok(())
    }

    /// Adds the last day and completes the file.
    pub fn finish(mut self, last: &Society) -> Result<WrittenFile, Failure> {
        let day = u64::from(last.days);
        if self.last != Some(day) {
            self.write(day, last)?;
        }
        Ok(self.table.finish()?)
    }

    fn write(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        self.last = Some(day);
        let today = &society.today;
        for (number, agent) in society.agents.iter().enumerate().filter(|&(number, _)| society.is_present[number]) {
            let extracted = today.extracted.get(number).map_or(&[][..], Vec::as_slice);
            let mut row = Row::new(self.table.text());
            row.integer(day as i64).integer(number as i64);
            row.decimal(today.utility.get(number).copied().unwrap_or(0.0), 4);
            row.text(&listed(extracted)).text(&listed(&agent.held)).end();
        }
        Ok(self.table.flush_full()?)
    }
}

/// Resources with their units, such as `0:12 7:3`. Those without units are left out: an agent extracts few resources.
fn listed(units: &[u32]) -> String {
    let there = units.iter().enumerate().filter(|&(_, &units)| units > 0);
    there.map(|(resource, units)| format!("{resource}:{units}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_without_units_are_left_out() {
        assert_eq!(listed(&[12, 0, 3]), "0:12 2:3");
        assert_eq!(listed(&[0, 0]), "");
    }
}
