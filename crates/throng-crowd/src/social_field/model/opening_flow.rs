//! Flows through exits and doors, as lines of the summary, rows of a table and a chart.

use throng_model::{Failure, Figure, Quantity, QuantityKind};
use throng_output::csv::{Row, push_header, significant};
use throng_output::svg::{Axis, Chart, Series};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::super::scene::LEFT;
use super::calibration;
use super::crowd::Crowd;
use super::rectangle::Rectangle;
use super::scenario::Place;

/// Significant digits of times in tables: more than the ticks of a run have, and fewer than those of double precision.
const DIGITS_OF_TIMES: usize = 12;

/// The persons who went through an opening, in one direction if it has several.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningFlow {
    pub name: String,
    /// The sides from which and to which they went through a door; `None` for an exit, and for a door without passages.
    pub way: Option<[&'static str; 2]>,
    /// The width of the opening.
    pub width_m: f64,
    /// The ticks in which persons went through, in order.
    pub ticks: Vec<u32>,
}

impl OpeningFlow {
    /// The flows through exits up to a state. The width of an exit is the length of its border with the floor.
    pub fn through_exits(exits: &[Place], unit_m: f64, crowd: &Crowd) -> Vec<Self> {
        let world = &crowd.prepared.world;
        let flow = |exit: &Place| {
            let width: u32 = Rectangle::new(exit.at_su, exit.size_su).widths_in(world).into_iter().sum();
            Self { name: exit.name.clone(), way: None, width_m: f64::from(width) * unit_m, ticks: Vec::new() }
        };
        let mut flows: Vec<Self> = exits.iter().map(flow).collect();
        let pedestrians = &crowd.pedestrians;
        for i in (0..pedestrians.len()).filter(|&i| pedestrians.at[i] == LEFT) {
            flows[usize::from(pedestrians.exit[i])].ticks.push(pedestrians.due[i]);
        }
        for flow in &mut flows {
            flow.ticks.sort_unstable();
        }
        flows
    }

    /// The mean flow between the first and the last person who went through, persons a second; `None` of fewer than two, and
    /// of those in a single tick.
    pub fn persons_per_s(&self, tick_s: f64) -> Option<f64> {
        let (first, last) = (self.ticks.first()?, self.ticks.last()?);
        (first < last).then(|| (self.ticks.len() - 1) as f64 / (f64::from(last - first) * tick_s))
    }

    /// Its name, with the direction if it has one.
    fn title(&self) -> String {
        match self.way {
            None => self.name.clone(),
            Some([from, to]) => format!("{}, {from} to {to}", self.name),
        }
    }

    /// How many went through, and the mean flow between the first and the last of them. `verb` says what they did.
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
        let compared = calibration::compared(specific);
        format!("{title}: {count} {verb}, {flow:.2} persons/s ({specific:.2} per metre{compared}) from {from} to {to}")
    }

    fn series(&self, tick_s: f64) -> Series {
        let counted = self.ticks.iter().zip(1u32..);
        let counted = counted.map(|(&tick, count)| (f64::from(tick) * tick_s, f64::from(count)));
        Series { name: self.title(), points: [(0.0, 0.0)].into_iter().chain(counted).collect() }
    }
}

/// Flows through openings as figures of a run: what kind of opening each is, its name, and persons a second. Figures of
/// openings of one kind have names of their own, in which all but letters and digits are `_`.
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
            meaning: "mean between the first and the last person who went through, in any direction".into(),
        };
        figures.push(Figure::new(quantity, persons_per_s.unwrap_or(f64::NAN)));
    }
    figures
}

/// A tick in words.
pub fn seconds(tick: u32, tick_s: f64) -> String {
    format!("{:.1} s", f64::from(tick) * tick_s)
}

/// How many went through over time.
pub fn chart(label: &str, flows: &[OpeningFlow], tick_s: f64) -> Chart {
    Chart {
        label: label.to_owned(),
        x: Axis::new("time", "s"),
        y: Axis::count("persons"),
        series: flows.iter().map(|flow| flow.series(tick_s)).collect(),
        ..Chart::default()
    }
}

/// Writes a row for each person: the opening, the sides of a door, the time, and how many had gone the same way.
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
            row.number(significant(f64::from(tick) * tick_s, DIGITS_OF_TIMES)).integer(count).end();
            table.flush_full()?;
        }
    }
    Ok(table.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_names_of_their_own() {
        let figures = figures([("exit", "a b", Some(2.0)), ("exit", "a-b", None)].into_iter());
        let columns = figures.iter().map(|figure| figure.quantity.column()).collect::<Vec<_>>();
        assert_eq!(columns, ["exit_a_b_flow_persons_per_s", "exit_a_b_flow__persons_per_s"]);
        assert!(figures[0].value == 2.0 && figures[1].value.is_nan());
    }

    #[test]
    fn flows_in_words() {
        let flow =
            |way, ticks: &[u32]| OpeningFlow { name: "door".to_owned(), way, width_m: 1.2, ticks: ticks.to_vec() };
        let ways = Some(["west", "east"]);
        // Three more in nine ticks of half a second.
        assert_eq!(
            flow(ways, &[2, 3, 3, 11]).line("passed", 0.5),
            "door, west to east: 4 passed, 0.67 persons/s (0.56 per metre) from 1.0 s to 5.5 s"
        );
        // Two more half a second later.
        assert_eq!(
            flow(ways, &[2, 3, 3]).line("passed", 0.5),
            "door, west to east: 3 passed, 4.00 persons/s (3.33 per metre, above the 1.2 to 1.9 of experiments) from 1.0 s to \
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
