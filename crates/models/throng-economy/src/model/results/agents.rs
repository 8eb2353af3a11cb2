//! The tables of agents: units held before consumption and units extracted, in a row per agent or per agent and
//! resource.

use throng_output::csv::Row;
use throng_output::{OutputError, TextFile};

use super::periodic::Layout;
use crate::society::{Society, Today};

/// The name of the table with a row for each agent.
pub const AGENTS: &str = "agents.csv";

/// Columns of the table with a row for each agent.
pub const COLUMNS: [&str; 5] = ["day", "agent", "utility", "extracted", "held"];

/// The table with a row for each agent, from which images are rendered.
pub const TABLE: Layout = Layout { name: AGENTS, columns: &COLUMNS, write: write_agents };

/// The name of the table with a row for each agent and resource.
pub const STOCK: &str = "stock.csv";

/// The table with a row for each agent and resource.
pub const STOCK_TABLE: Layout = Layout {
    name: STOCK,
    columns: &["day", "agent", "resource", "units_held", "units_extracted", "units_consumed"],
    write: write_stock,
};

fn write_agents(day: u64, society: &Society, table: &mut TextFile) -> Result<(), OutputError> {
    for agent in present(society) {
        let [held, extracted] = units(&society.today, agent);
        let utility = society.today.utility.get(agent).copied().unwrap_or(0.0);
        let mut row = Row::new(table.text());
        row.integer(day as i64).integer(agent as i64).number(utility);
        row.text(&listed(extracted)).text(&listed(held)).end();
        table.flush_full()?;
    }
    Ok(())
}

fn write_stock(day: u64, society: &Society, table: &mut TextFile) -> Result<(), OutputError> {
    for agent in present(society) {
        let [held, extracted] = units(&society.today, agent);
        for resource in 0..society.is_left.len() {
            let of = |units: &[u32]| i64::from(units.get(resource).copied().unwrap_or(0));
            let left = of(&society.agents[agent].held);
            let mut row = Row::new(table.text());
            row.integer(day as i64).integer(agent as i64).integer(resource as i64);
            row.integer(of(held)).integer(of(extracted)).integer(of(held) - left).end();
        }
        table.flush_full()?;
    }
    Ok(())
}

/// Yields the agents that were not removed.
fn present(society: &Society) -> impl Iterator<Item = usize> {
    (0..society.agents.len()).filter(|&agent| society.is_present[agent])
}

/// Returns the units that an agent holds before consumption and the units that it extracted, by resource; empty before
/// the first day.
fn units(today: &Today, agent: usize) -> [&[u32]; 2] {
    [&today.held, &today.extracted].map(|units| units.get(agent).map_or(&[][..], Vec::as_slice))
}

/// Formats resources with their units, such as `0:12 7:3`. Resources without units are left out: an agent extracts few
/// resources.
fn listed(units: &[u32]) -> String {
    let nonzero = units.iter().enumerate().filter(|&(_, &units)| units > 0);
    nonzero.map(|(resource, units)| format!("{resource}:{units}")).collect::<Vec<_>>().join(" ")
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
