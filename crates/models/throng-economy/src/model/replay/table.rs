//! Reading the table of agents.

use throng_core::{InputError, Problems};

use crate::model::results::AGENT_COLUMNS;
use crate::model::{MAX_AGENTS, MAX_RESOURCES};

/// A day, and the agents present on it in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub day: u64,
    pub agents: Vec<AgentRow>,
}

/// An agent on a day.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AgentRow {
    pub agent: u32,
    pub utility: f64,
    /// Resources and their units, in the order of resources.
    pub extracted: Vec<(u32, u32)>,
    pub held: Vec<(u32, u32)>,
}

/// Reads the table; the result is not empty. `file` is its name in messages.
///
/// # Errors
/// Another header, malformed rows, days out of order, or a table without rows.
pub(super) fn read(text: &str, file: &str) -> Result<Vec<Frame>, InputError> {
    let mut problems = Problems::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut lines = (1..).zip(text.lines());
    let header = AGENT_COLUMNS.join(";");
    if lines.next().is_none_or(|(_, line)| line != header) {
        let remedy = format!("expected the columns {header}; repeat the run");
        return Err(InputError::one(format!("{file}:1"), "is not the table of agents", remedy));
    }
    for (number, line) in lines {
        let last = frames.last_mut().filter(|frame| frame.agents.len() < MAX_AGENTS as usize);
        match (row(line), last) {
            (Some((day, row)), Some(last)) if day == last.day => last.agents.push(row),
            (Some((day, row)), last) if last.as_ref().is_none_or(|last| day > last.day) => {
                frames.push(Frame { day, agents: vec![row] });
            }
            _ => problems.push(
                format!("{file}:{number}"),
                format!("\"{line}\" is not a row of this table"),
                "repeat the run",
            ),
        }
    }
    if frames.is_empty() && problems.is_empty() {
        problems.push(file, "has no rows", "repeat the run");
    }
    problems.into_result()?;
    Ok(frames)
}

/// Parses a row into its day and agent.
fn row(line: &str) -> Option<(u64, AgentRow)> {
    let cells: Vec<&str> = line.split(';').collect();
    let [day, agent, utility, extracted, held] = cells[..] else { return None };
    let agent = agent.parse().ok().filter(|&agent| agent < MAX_AGENTS)?;
    let utility = utility.parse().ok().filter(|utility: &f64| (0.0..=1e15).contains(utility))?;
    Some((day.parse().ok()?, AgentRow { agent, utility, extracted: parse_units(extracted)?, held: parse_units(held)? }))
}

/// Parses resources with their units, such as `0:12 7:3`.
fn parse_units(text: &str) -> Option<Vec<(u32, u32)>> {
    let pair = |pair: &str| {
        let (resource, units) = pair.split_once(':')?;
        let resource = resource.parse().ok().filter(|&resource| resource < MAX_RESOURCES)?;
        Some((resource, units.parse().ok()?))
    };
    text.split_whitespace().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_gathered_by_day() {
        let text =
            "day;agent;utility;extracted;held\r\n0;0;0.0000;;\r\n0;2;0.0000;;\r\n10;2;812.5000;0:12 7:3;7:40\r\n";
        let frames = read(text, "agents.csv").unwrap();
        assert_eq!(frames.iter().map(|frame| (frame.day, frame.agents.len())).collect::<Vec<_>>(), [(0, 2), (10, 1)]);
        let expected = AgentRow { agent: 2, utility: 812.5, extracted: vec![(0, 12), (7, 3)], held: vec![(7, 40)] };
        assert_eq!(frames[1].agents, [expected]);
    }

    #[test]
    fn invalid_rows_and_empty_tables_are_refused() {
        let error = |rows: &str| {
            read(&format!("day;agent;utility;extracted;held\n{rows}"), "agents.csv").unwrap_err().to_string()
        };
        for row in ["0;0;1;;;", "0;5000;1;;", "0;0;NaN;;", "0;0;-1;;", "0;0;1;3;", "0;0;1;;300:1", "x;0;1;;"] {
            assert!(error(row).starts_with(&format!("agents.csv:2: \"{row}\" is not a row of this table")), "{row}");
        }
        assert!(error("5;0;1;;\n4;0;1;;").starts_with("agents.csv:3: "), "days must increase");
        assert_eq!(error(""), "agents.csv: has no rows\n    repeat the run");
        let other = read("day;x\n", "agents.csv").unwrap_err().to_string();
        assert!(other.starts_with("agents.csv:1: is not the table of agents"), "{other}");
    }
}
