//! Flows through exits and doors: lines of the summary, rows of tables, and a chart.

use std::collections::BTreeSet;
use std::ops::Range;

use throng_model::{Failure, Figure, Quantity, QuantityKind};
use throng_output::csv::{Row, push_header, significant};
use throng_output::html::{Table, grouped};
use throng_output::svg::{Axis, Chart, Series};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::super::openings::Door;
use super::super::rules::direction::DIRECTIONS;
use super::super::scene::{LEFT, World};
use super::calibration;
use super::crowd::Crowd;
use super::rectangle::Rectangle;
use super::scenario::Place;

/// Significant digits of times in tables: more than the ticks of a run need, and fewer than double precision has.
const DIGITS_OF_TIMES: usize = 12;

/// The pedestrians that went through an opening, in one direction if it has several.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningFlow {
    pub name: String,
    /// The sides at which they entered and left a door; `None` for an exit, and for a door without passages.
    pub way: Option<[&'static str; 2]>,
    /// The width of the opening.
    pub width_m: f64,
    /// The intervals of ticks in which it was shut before it opened or reopened, ascending.
    pub shut: Vec<Range<u32>>,
    /// The ticks in which pedestrians went through, ascending.
    pub ticks: Vec<u32>,
}

impl OpeningFlow {
    /// Returns the flows through exits up to a state. The width of an exit is the length of its border with the floor.
    /// An exit whose only neighbours are doors is shut while all of these are.
    pub fn through_exits(exits: &[Place], unit_m: f64, crowd: &Crowd) -> Vec<Self> {
        let world = &crowd.prepared.world;
        let flow = |(exit, units): (&Place, &Vec<u32>)| {
            let width: u32 = Rectangle::new(exit.at_su, exit.size_su).widths_in(world).into_iter().sum();
            let (width_m, shut) = (f64::from(width) * unit_m, shut_around(world, units));
            Self { name: exit.name.clone(), way: None, width_m, shut, ticks: Vec::new() }
        };
        let mut flows: Vec<Self> = exits.iter().zip(&world.openings().exits).map(flow).collect();
        let pedestrians = &crowd.pedestrians;
        for i in (0..pedestrians.len()).filter(|&i| pedestrians.at[i] == LEFT) {
            flows[usize::from(pedestrians.exit[i])].ticks.push(pedestrians.due[i]);
        }
        for flow in &mut flows {
            flow.ticks.sort_unstable();
        }
        flows
    }

    /// Returns the mean flow between the first and the last passage, excluding the time in which the opening was shut,
    /// in persons per second; `None` if fewer than two passed, or all in a single tick.
    pub fn persons_per_s(&self, tick_s: f64) -> Option<f64> {
        let open = self.ticks.last()? - self.ticks.first()? - self.shut_ticks();
        (open > 0).then(|| (self.ticks.len() - 1) as f64 / (f64::from(open) * tick_s))
    }

    /// Returns how long the opening was shut between the first and the last passage. It counts as open while
    /// pedestrians pass that stood in a door when it began to close.
    fn shut_ticks(&self) -> u32 {
        let last = self.ticks.last().copied().unwrap_or_default();
        let ticks = |shut: &Range<u32>| {
            let before = self.ticks.partition_point(|&tick| tick < shut.end).checked_sub(1)?;
            Some(shut.end - shut.start.max(self.ticks[before]))
        };
        self.shut.iter().filter(|shut| shut.end <= last).filter_map(ticks).sum()
    }

    /// Returns the name, with the direction if it has one.
    fn title(&self) -> String {
        match self.way {
            None => self.name.clone(),
            Some([from, to]) => format!("{}, {from} to {to}", self.name),
        }
    }

    /// Describes the number of pedestrians that went through, and the mean flow between the first and the last. `verb`:
    /// the verb of the sentence, such as "left".
    pub fn line(&self, verb: &str, tick_s: f64) -> String {
        let (title, count) = (self.title(), self.ticks.len());
        let (Some(first), Some(last)) = (self.ticks.first(), self.ticks.last()) else {
            return format!("{title}: 0 {verb}");
        };
        let [from, to] = [first, last].map(|&tick| seconds(tick, tick_s));
        let Some(flow) = self.persons_per_s(tick_s) else {
            return format!("{title}: {count} {verb} after {to}");
        };
        let specific = flow / self.width_m;
        let mark = calibration::mark(specific).map_or_else(String::new, |mark| format!(", {mark}"));
        let shut = match self.shut_ticks() {
            0 => String::new(),
            ticks => format!(", without the {} in which it was shut", seconds(ticks, tick_s)),
        };
        format!(
            "{title}: {count} {verb}, {flow:.2} persons/s ({specific:.2} per metre{mark}) from {from} to {to}{shut}"
        )
    }

    /// Returns the same data as cells of a table.
    fn cells(&self, tick_s: f64) -> Vec<String> {
        let times = [self.ticks.first().copied(), self.ticks.last().copied(), Some(self.shut_ticks())];
        let times = times.map(|tick| grouped(tick.map_or(f64::NAN, |tick| time_s(tick, tick_s)), 1));
        let flow = self.persons_per_s(tick_s).unwrap_or(f64::NAN);
        let specific = flow / self.width_m;
        let mark = calibration::mark(specific).unwrap_or_default();
        let first = [self.title(), grouped(self.ticks.len() as f64, 0)];
        first.into_iter().chain(times).chain([grouped(flow, 2), grouped(specific, 2), mark]).collect()
    }

    fn series(&self, tick_s: f64) -> Series {
        let counted = self.ticks.iter().zip(1u32..);
        let counted = counted.map(|(&tick, count)| (f64::from(tick) * tick_s, f64::from(count)));
        Series { name: self.title(), points: [(0.0, 0.0)].into_iter().chain(counted).collect() }
    }
}

/// Returns when an exit is shut: while all doors around it are, if it has no other neighbours.
fn shut_around(world: &World, units: &[u32]) -> Vec<Range<u32>> {
    let grid = world.grid();
    let neighbours = |&unit: &u32| {
        let [x, y] = grid.place(unit);
        (0..DIRECTIONS).map(move |direction| grid.neighbour(x, y, direction))
    };
    // The space units of a rectangle are sorted.
    let is_outside = |unit: &u32| !world.is_wall(*unit) && units.binary_search(unit).is_err();
    let around: BTreeSet<u32> = units.iter().flat_map(neighbours).filter(is_outside).collect();
    let is_around = |door: &&Door| door.units.iter().any(|unit| around.contains(unit));
    let doors: Vec<&Door> = world.openings().doors.iter().filter(is_around).collect();
    let is_beside_doors = around.iter().all(|unit| doors.iter().any(|door| door.units.contains(unit)));
    if is_beside_doors { shut(doors.iter().flat_map(|door| &door.open)) } else { Vec::new() }
}

/// Returns the intervals before and between those in which an opening is open.
pub fn shut<'r>(open: impl Iterator<Item = &'r Range<u32>>) -> Vec<Range<u32>> {
    let mut open: Vec<&Range<u32>> = open.collect();
    open.sort_by_key(|open| open.start);
    let (mut shut, mut until) = (Vec::new(), 0);
    for Range { start, end } in open {
        if *start > until {
            shut.push(until..*start);
        }
        until = until.max(*end);
    }
    shut
}

/// Returns flows through openings as figures of a run, from the kind of opening, its name, and persons per second. The
/// names of figures are unique; all characters but letters and digits become `_`.
pub fn figures<'a>(flows: impl Iterator<Item = (&'static str, &'a str, Option<f64>)>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    for (kind, name, persons_per_s) in flows {
        let letter = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
        let mut column = format!("{kind}_{}_flow", name.chars().map(letter).collect::<String>());
        while figures.iter().any(|figure| figure.quantity.name == column) {
            column.push('_');
        }
        let quantity = Quantity {
            name: column.into(),
            label: format!("flow through {kind} \"{name}\"").into(),
            unit: "persons/s".into(),
            kind: QuantityKind::Real,
            meaning:
                "mean between the first and the last person who went through, in any direction, without the time in \
                      which it was shut"
                    .into(),
        };
        figures.push(Figure::new(quantity, persons_per_s.unwrap_or(f64::NAN)));
    }
    figures
}

/// Returns the flows as a table of the report. `opening`: the heading of the column of openings.
pub fn table(opening: &str, flows: &[OpeningFlow], tick_s: f64) -> Table {
    let columns =
        ["#Persons", "#First, s", "#Last, s", "#Shut in between, s", "#Persons/s", "#Per metre and second", ""];
    let mut table = Table::new(&[&[opening], &columns[..]].concat());
    table.rows = flows.iter().map(|flow| flow.cells(tick_s)).collect();
    table
}

/// Returns a tick in seconds, without rounding noise.
pub fn time_s(tick: u32, tick_s: f64) -> f64 {
    significant(f64::from(tick) * tick_s, DIGITS_OF_TIMES)
}

/// Formats a tick in seconds.
pub fn seconds(tick: u32, tick_s: f64) -> String {
    format!("{:.1} s", f64::from(tick) * tick_s)
}

/// Returns a chart of the number of pedestrians that went through over time.
pub fn chart(label: &str, flows: &[OpeningFlow], tick_s: f64) -> Chart {
    Chart {
        label: label.to_owned(),
        x: Axis::new("time", "s"),
        y: Axis::count("persons"),
        series: flows.iter().map(|flow| flow.series(tick_s)).collect(),
        ..Chart::default()
    }
}

/// Writes a row per passage: the opening, the sides of a door, the time, and the number of passages in the same
/// direction up to it.
///
/// # Errors
/// When the file cannot be written.
pub fn write(
    folder: &RunFolder,
    file: &str,
    columns: &[&str],
    flows: &[OpeningFlow],
    tick_s: f64,
) -> Result<WrittenFile, Failure> {
    let mut table = TextFile::create(folder, file, Codec::None)?;
    push_header(table.text(), &[columns, &["time_s", "persons"]].concat());
    for flow in flows {
        for (count, &tick) in (1i64..).zip(&flow.ticks) {
            let mut row = Row::new(table.text());
            row.text(&flow.name);
            for side in flow.way.iter().flatten() {
                row.text(side);
            }
            row.number(time_s(tick, tick_s)).integer(count).end();
            table.flush_full()?;
        }
    }
    Ok(table.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flow through a door of 1.2 m.
    fn flow(shut: &[[u32; 2]], ticks: &[u32]) -> OpeningFlow {
        let (shut, ticks) = (shut.iter().map(|&[from, to]| from..to).collect(), ticks.to_vec());
        OpeningFlow { name: "door".to_owned(), way: None, width_m: 1.2, shut, ticks }
    }

    #[test]
    fn flows_exclude_the_time_of_shut_doors() {
        assert_eq!(shut([3..5, 30..40, 4..9].iter()), [0..3, 9..30]);
        assert_eq!(shut(std::iter::once(&(0..u32::MAX))), []);
        // Shut before the first and after the fourth passage: seven more passages in 12 of 32 ticks.
        let door = flow(&[[0, 3], [10, 30]], &[4, 8, 9, 10, 33, 34, 35, 36]);
        assert_eq!((door.shut_ticks(), door.persons_per_s(0.5)), (20, Some(7.0 / 6.0)));
        let expected = "door: 8 passed, 1.17 persons/s (0.97 per metre) from 2.0 s to 18.0 s, without the 10.0 s in which it \
                        was shut";
        assert_eq!(door.line("passed", 0.5), expected);
        assert_eq!(door.cells(0.5), ["door", "8", "2.0", "18.0", "10.0", "1.17", "0.97", ""]);
        // A pedestrian in the door passes two ticks after it began to close; none passes after it reopens.
        assert_eq!(flow(&[[10, 30]], &[8, 12, 33]).shut_ticks(), 18);
        assert_eq!(flow(&[[10, 30]], &[8, 12]).shut_ticks(), 0);
        // No passages, and one in the tick in which the door reopens.
        assert_eq!([&[][..], &[30]].map(|ticks| flow(&[[10, 30]], ticks).shut_ticks()), [0; 2]);
        assert_eq!(flow(&[[10, 30]], &[9, 30]).persons_per_s(0.5), Some(2.0));
        let marked = flow(&[], &[2, 3, 3]).cells(0.5);
        assert_eq!(marked[5..], ["4.00", "3.33", "above the 1.2 to 1.9 in experiments"]);
        assert_eq!(flow(&[], &[]).cells(0.5)[1..6], ["0", "–", "–", "0.0", "–"]);
    }

    #[test]
    fn times_are_free_of_rounding_errors() {
        assert_eq!((time_s(207, 0.3), 207.0 * 0.3), (62.1, 62.099_999_999_999_994));
    }

    #[test]
    fn columns_of_figures_have_unique_names() {
        let figures = figures([("exit", "a b", Some(2.0)), ("exit", "a-b", None)].into_iter());
        let columns = figures.iter().map(|figure| figure.quantity.column()).collect::<Vec<_>>();
        assert_eq!(columns, ["exit_a_b_flow_persons_per_s", "exit_a_b_flow__persons_per_s"]);
        assert!(figures[0].value == 2.0 && figures[1].value.is_nan());
    }

    #[test]
    fn flows_in_words() {
        let flow = |way, ticks: &[u32]| OpeningFlow { way, ..flow(&[], ticks) };
        let ways = Some(["west", "east"]);
        // Three more in nine ticks of half a second.
        assert_eq!(
            flow(ways, &[2, 3, 3, 11]).line("passed", 0.5),
            "door, west to east: 4 passed, 0.67 persons/s (0.56 per metre) from 1.0 s to 5.5 s"
        );
        // Two more half a second later.
        assert_eq!(
            flow(ways, &[2, 3, 3]).line("passed", 0.5),
            "door, west to east: 3 passed, 4.00 persons/s (3.33 per metre, above the 1.2 to 1.9 in experiments) from 1.0 s to \
             1.5 s"
        );
        assert_eq!(flow(ways, &[6, 6]).line("passed", 0.5), "door, west to east: 2 passed after 3.0 s");
        assert_eq!(flow(None, &[]).line("left", 0.5), "door: 0 left");
        assert_eq!(
            [&[2, 4][..], &[2, 2], &[2], &[]].map(|ticks| flow(None, ticks).persons_per_s(0.5)),
            [Some(1.0), None, None, None]
        );
        assert_eq!(flow(None, &[2, 4]).series(0.5).points, [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
    }
}
