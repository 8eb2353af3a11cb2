//! The table of agents, with access to any time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom};
use std::path::PathBuf;

use throng_core::InputError;

use super::{damaged, invalid};
use crate::results::recorder::AGENT_COLUMNS;

/// Maximum length of a line, in bytes; the longest part of a line is the name of a group.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The interpolated position of an agent that is on the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedAgent {
    /// Index of the agent's group.
    pub group: usize,
    pub at: [f64; 2],
    pub is_stuck: bool,
}

/// The table; only the byte offsets of its times are in memory.
#[derive(Debug)]
pub(super) struct AgentTable {
    path: PathBuf,
    /// Number of agents per group.
    groups: Vec<usize>,
    /// Per time: the step, and the byte offsets of the start of its first row and of its end.
    blocks: Vec<(u32, [u64; 2])>,
}

/// The position and state in a row.
struct Row {
    at: [f64; 2],
    is_on_map: bool,
    is_stuck: bool,
}

impl AgentTable {
    /// Opens a table of groups with these numbers of agents, at least one in total.
    ///
    /// # Errors
    /// When the file cannot be read, or does not have a row for each agent at each time.
    pub(super) fn open(path: PathBuf, groups: Vec<usize>) -> Result<Self, InputError> {
        match blocks(&path, groups.iter().sum()) {
            Ok(blocks) => Ok(Self { path, groups, blocks }),
            Err(error) => Err(damaged(&path, error)),
        }
    }

    /// The agents that are on the map at a step. Between two stored steps, positions are interpolated linearly.
    ///
    /// # Errors
    /// When the file can no longer be read, or a row is invalid.
    pub(super) fn at(&self, step: f64) -> Result<Vec<PlacedAgent>, InputError> {
        let next = self.blocks.partition_point(|block| f64::from(block.0) <= step);
        let (now, later) = (next.saturating_sub(1), next.min(self.blocks.len() - 1));
        let [before, after] = [now, later].map(|block| f64::from(self.blocks[block].0));
        let share = if now < later { ((step - before) / (after - before)).clamp(0.0, 1.0) } else { 0.0 };
        let rows = |block: usize| self.rows(block).map_err(|error| damaged(&self.path, error));
        let (now, later) = (rows(now)?, rows(later)?);
        let groups = self.groups.iter().enumerate().flat_map(|(group, &agents)| std::iter::repeat_n(group, agents));
        let on_map = groups.zip(now.iter().zip(&later)).filter(|(_, (now, _))| now.is_on_map);
        let agent = |(group, (now, later)): (usize, (&Row, &Row))| {
            let at = std::array::from_fn(|axis| now.at[axis] + share * (later.at[axis] - now.at[axis]));
            PlacedAgent { group, at, is_stuck: now.is_stuck }
        };
        Ok(on_map.map(agent).collect())
    }

    /// The rows of a time, in agent order.
    fn rows(&self, block: usize) -> io::Result<Vec<Row>> {
        let [start, end] = self.blocks[block].1;
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(start))?;
        let mut text = String::new();
        file.take(end - start).read_to_string(&mut text)?;
        let rows: Option<Vec<Row>> = text.lines().map(row).collect();
        rows.ok_or_else(|| invalid(format!("has rows other than {} at byte {start}", columns())))
    }
}

/// The first line of the table.
fn columns() -> String {
    AGENT_COLUMNS.join(";")
}

/// Finds the steps of a table that has `agents` rows per step.
fn blocks(path: &std::path::Path, agents: usize) -> io::Result<Vec<(u32, [u64; 2])>> {
    let mut file = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    let mut end = read_line(&mut file, &mut line)?;
    if !line.starts_with(columns().as_bytes()) {
        return Err(invalid("is not the table of agents"));
    }
    let mut blocks: Vec<(u32, [u64; 2])> = Vec::new();
    let mut missing = 0;
    loop {
        let length = read_line(&mut file, &mut line)?;
        if length == 0 {
            break;
        }
        if missing == 0 {
            let step = std::str::from_utf8(&line).ok().and_then(|line| line.split(';').next()?.parse::<u32>().ok());
            let step = step.filter(|&step| blocks.last().is_none_or(|last| step > last.0));
            let step = step.ok_or_else(|| invalid(format!("has no step, or one out of order, at byte {end}")))?;
            blocks.push((step, [end, end]));
            missing = agents;
        }
        missing = missing.saturating_sub(1);
        end += length;
        if let Some(block) = blocks.last_mut() {
            block.1[1] = end;
        }
    }
    if blocks.is_empty() || missing > 0 {
        return Err(invalid(format!("does not have {agents} agents at each time")));
    }
    Ok(blocks)
}

/// Reads a line including its line ending, and returns its length in bytes; 0 at the end of the file.
fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let length = file.take(MAX_LINE_BYTES).read_until(b'\n', line)? as u64;
    if length == MAX_LINE_BYTES { Err(invalid(format!("has a line of {length} bytes or more"))) } else { Ok(length) }
}

/// Position and state of a row. It is parsed from the end, because names of groups may contain semicolons.
fn row(line: &str) -> Option<Row> {
    let mut cells = line.rsplit(';');
    let state = cells.next()?;
    let mut number = || cells.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
    let (y, x) = (number()?, number()?);
    let is_on_map = matches!(state, "walking" | "arrived" | "stuck");
    Some(Row { at: [x, y], is_on_map, is_stuck: state == "stuck" })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Times that are equal when rounded to three decimals.
    const TABLE: &str = "step;time;group;agent;x;y;state\r
0;0;a;0;1.000;2.000;walking\r
0;0;\"b;c\";1;5.000;5.000;walking\r
2;2e-7;a;0;3.000;2.000;arrived\r
2;2e-7;\"b;c\";1;5.000;9.000;stuck\r
3;3e-7;a;0;3.000;2.000;left\r
3;3e-7;\"b;c\";1;5.000;9.000;stuck\r
";

    fn table(text: &str, groups: &[usize]) -> Result<(tempfile::TempDir, AgentTable), InputError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("agents.csv");
        std::fs::write(&path, text).unwrap();
        AgentTable::open(path, groups.to_vec()).map(|table| (dir, table))
    }

    #[test]
    fn positions_are_interpolated_between_stored_steps() {
        let (_dir, table) = table(TABLE, &[1, 1]).unwrap();
        let [first, second] = [0, 1].map(|group| move |at, is_stuck| PlacedAgent { group, at, is_stuck });
        for step in [f64::NAN, -1.0, 0.0] {
            assert_eq!(table.at(step).unwrap(), [first([1.0, 2.0], false), second([5.0, 5.0], false)], "{step}");
        }
        assert_eq!(table.at(0.5).unwrap(), [first([1.5, 2.0], false), second([5.0, 6.0], false)]);
        for step in [2.0, 2.9] {
            assert_eq!(table.at(step).unwrap(), [first([3.0, 2.0], false), second([5.0, 9.0], true)], "{step}");
        }
        for step in [3.0, 99.0] {
            assert_eq!(table.at(step).unwrap(), [second([5.0, 9.0], true)], "{step}");
        }
    }

    #[test]
    fn waiting_and_departed_agents_are_not_shown() {
        let states = ["walking", "arrived", "stuck", "waiting", "removed", "left"];
        let rows = states.map(|state| format!("0;0;a;0;1;2;{state}\n")).concat();
        let (_dir, table) = table(&format!("step;time;group;agent;x;y;state\n{rows}"), &[2, 4]).unwrap();
        let shown = table.at(0.0).unwrap().into_iter().map(|agent| (agent.group, agent.is_stuck));
        assert_eq!(shown.collect::<Vec<_>>(), [(0, false), (0, false), (1, true)]);
    }

    #[test]
    fn other_tables_are_refused() {
        let error = |text: &str, groups: &[usize]| table(text, groups).unwrap_err().to_string();
        assert!(error(TABLE, &[4]).contains("agents.csv: does not have 4 agents at each time\n    repeat the run"));
        assert!(error("", &[1]).contains("is not the table of agents"));
        assert!(error("step;time;group;agent;x;y;state\nsoon;0;a;0;1;1;walking\n", &[1]).contains("has no step"));
        let (_dir, table) = table("step;time;group;agent;x;y;state\n0;0;a;0;1;?;walking\n", &[1]).unwrap();
        let found = table.at(0.0).unwrap_err().to_string();
        assert!(found.contains("has rows other than step;time;group;agent;x;y;state at byte 32"), "{found}");
    }
}
