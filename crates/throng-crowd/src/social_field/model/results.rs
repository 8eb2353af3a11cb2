//! The results of a run: how many are where, speed and flow against density, flows through exits and doors, and trajectories.

use throng_model::{Course, Failure, Figure, FurtherResults, Observer, Quantity};
use throng_output::csv::{Row, push_header};
use throng_output::html::Page;
use throng_output::svg::{Axis, Chart, Series};

use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::calibration;
use super::crowd::Crowd;
use super::diagram::{Diagram, DiagramRow};
use super::measures::{MEASURES, measure};
use super::opening_flow::{self, OpeningFlow, seconds};
use super::passages::Passages;
use super::scenario::{Place, Scenario};
use super::standstill::Standstill;
use super::trajectories::Trajectories;

/// Names of files.
pub const DIAGRAM: &str = "fundamental_diagram.csv";
pub const DOORS: &str = "doors.csv";
pub const EXITS: &str = "exits.csv";

/// Watches a run.
pub struct Results<'r> {
    folder: &'r RunFolder,
    tick_s: f64,
    unit_m: f64,
    field_size: u32,
    /// Unless people exchange places, or there are no exits.
    standstill: Option<Standstill>,
    exits: Vec<Place>,
    /// Unless there are no doors, or no frames.
    passages: Option<Passages>,
    /// The scenario until the files of trajectories begin, if they are written.
    wants_trajectories: Option<Scenario>,
    trajectories: Option<Trajectories>,
    diagram: Diagram,
}

impl<'r> Results<'r> {
    pub fn new(scenario: &Scenario, folder: &'r RunFolder) -> Self {
        Self {
            folder,
            tick_s: scenario.tick_s,
            unit_m: scenario.space_unit_m,
            field_size: scenario.field_size,
            standstill: (scenario.exchange_ticks == 0 && !scenario.exits.is_empty()).then(Standstill::default),
            exits: scenario.exits.clone(),
            passages: Passages::wanted(scenario),
            wants_trajectories: (scenario.trajectories && scenario.frame_every > 0).then(|| scenario.clone()),
            trajectories: None,
            diagram: Diagram::default(),
        }
    }
}

const HALF_LEFT: Quantity =
    Quantity::real("half_left", "time until half have left", "s", "time after which half of all persons have left");
const ALL_LEFT: Quantity =
    Quantity::real("all_left", "time until all have left", "s", "time after which all persons have left");

/// When half of all persons, and when all of them, have left, if they have, and the flow through each exit; nothing without
/// exits.
pub fn figures_of_exits(scenario: &Scenario, crowd: &Crowd) -> Vec<Figure> {
    if scenario.exits.is_empty() {
        return Vec::new();
    }
    let flows = OpeningFlow::through_exits(&scenario.exits, scenario.space_unit_m, crowd);
    let through = flows.iter().map(|flow| ("exit", flow.name.as_str(), flow.persons_per_s(scenario.tick_s)));
    let through = opening_flow::figures(through);
    let mut ticks: Vec<u32> = flows.into_iter().flat_map(|flow| flow.ticks).collect();
    ticks.sort_unstable();
    let persons = crowd.pedestrians.len();
    let time = |left: usize| {
        let tick = left.checked_sub(1).and_then(|last| ticks.get(last));
        tick.map_or(f64::NAN, |&tick| f64::from(tick) * scenario.tick_s)
    };
    let times = [Figure::new(HALF_LEFT, time(persons.div_ceil(2))), Figure::new(ALL_LEFT, time(persons))];
    times.into_iter().chain(through).collect()
}

/// How fast a run was. Where persons come and go, each tick has another number of them, so ticks are counted.
fn speed_line(persons: usize, has_exits: bool, ticks: f64, seconds: f64) -> (&'static str, String) {
    if has_exits {
        return ("ticks", format!("{:.0} a second, with reading states", ticks / seconds));
    }
    let updates = persons as f64 * ticks / seconds;
    ("updates", format!("{:.1} million pedestrians a second, with reading states", updates / 1e6))
}

impl Observer<Crowd> for Results<'_> {
    fn see(&mut self, step: u64, crowd: &Crowd) -> Result<(), Failure> {
        self.diagram.see(step, crowd);
        if let Some(standstill) = &mut self.standstill {
            standstill.see(crowd);
        }
        if let Some(scenario) = self.wants_trajectories.take() {
            self.trajectories = Trajectories::begin(&scenario, self.folder, crowd)?;
        }
        self.trajectories.as_mut().map_or(Ok(()), |trajectories| trajectories.see(step, crowd))
    }

    fn sees_steps(&self) -> bool {
        self.passages.is_some()
    }

    fn see_step(&mut self, _: u64, crowd: &Crowd) -> Result<(), Failure> {
        if let Some(passages) = &mut self.passages {
            passages.see(crowd);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, course: &Course<'_, Crowd>) -> Result<FurtherResults, Failure> {
        let mut files = Vec::new();
        if let Some(trajectories) = self.trajectories.take() {
            files.extend(trajectories.finish()?);
        }
        let bins = self.diagram.bins();
        files.push(self.write_diagram(&bins)?);
        let prepared = &course.last.prepared;
        let mut lines = vec![("fields", format!("{0} x {0}, by {1}", self.field_size, prepared.summing.name()))];
        if course.stepping_s > 0.0 {
            lines.push(speed_line(
                course.last.pedestrians.len(),
                !self.exits.is_empty(),
                course.steps as f64,
                course.stepping_s,
            ));
        }
        let mut charts = vec![
            ("Pedestrians", vec![(self.people_chart(course), "")]),
            ("Speed and flow", self.diagram_charts(&bins)),
        ];
        if course.rows.iter().any(|(_, measures)| measures[LANES] > 0.0) {
            let caption = "1: each row, or column, has pedestrians of one direction only; random places give little.";
            charts.push(("Lanes", vec![(self.lane_chart(course), caption)]));
        }
        let tick_s = self.tick_s;
        if !self.exits.is_empty() {
            let flows = OpeningFlow::through_exits(&self.exits, self.unit_m, course.last);
            files.push(opening_flow::write(self.folder, EXITS, &["exit"], &flows, tick_s)?);
            let left: usize = flows.iter().map(|flow| flow.ticks.len()).sum();
            let last = flows.iter().filter_map(|flow| flow.ticks.last()).max();
            let last = last.map_or_else(|| "-".to_owned(), |&tick| seconds(tick, tick_s));
            lines.push(("left", format!("{left} of {}, the last after {last}", course.last.pedestrians.len())));
            let measures = measure(course.last);
            let standstill = self.standstill.take().unwrap_or_default();
            lines.extend(standstill.line(measures[INSIDE], measures[WAITING], tick_s));
            lines.extend(flows.iter().map(|flow| ("exit", flow.line("left", tick_s))));
            let chart = opening_flow::chart("Persons who have left over time", &flows, tick_s);
            charts.push(("Through the exits", vec![(chart, "")]));
        }
        if let Some(passages) = &self.passages {
            let flows = passages.flows();
            files.push(opening_flow::write(self.folder, DOORS, &["door", "from", "to"], &flows, tick_s)?);
            lines.extend(flows.iter().map(|flow| ("door", flow.line("passed", tick_s))));
            let chart = opening_flow::chart("Persons who have passed over time", &flows, tick_s);
            let caption = "From one side of a door to another one; those who turn back within it do not count.";
            charts.push(("Through the doors", vec![(chart, caption)]));
        }
        let calibration = calibration::note(!self.exits.is_empty());
        lines.push(("calibration", calibration.clone()));
        let sections = move |page: &mut Page| {
            page.section("Calibration").paragraph(&calibration);
            for (heading, charts) in charts {
                page.section(heading);
                for (chart, caption) in charts {
                    page.chart(&chart, caption);
                }
            }
        };
        let figures = self.passages.as_ref().map_or_else(Vec::new, Passages::figures);
        Ok(FurtherResults { files, lines, figures, sections: Some(Box::new(sections)) })
    }
}

/// Numbers of measures.
const INSIDE: usize = 0;
const WAITING: usize = 1;
const LANES: usize = 3;

impl Results<'_> {
    fn chart(label: &str, y: Axis, series: Vec<Series>) -> Chart {
        Chart { label: label.to_owned(), x: Axis::new("time", "s"), y, series, ..Chart::default() }
    }

    fn measure(&self, course: &Course<'_, Crowd>, number: usize) -> Vec<(f64, f64)> {
        course.rows.iter().map(|(step, measures)| (*step as f64 * self.tick_s, measures[number])).collect()
    }

    fn people_chart(&self, course: &Course<'_, Crowd>) -> Chart {
        let names = ["inside", "waiting", "left"].into_iter().enumerate();
        let series = names.map(|(number, name)| Series { name: name.to_owned(), points: self.measure(course, number) });
        Self::chart("Pedestrians over time", Axis::count("persons"), series.collect())
    }

    fn lane_chart(&self, course: &Course<'_, Crowd>) -> Chart {
        let series = Series { name: "lanes".to_owned(), points: self.measure(course, LANES) };
        Self::chart("Order of lanes over time", MEASURES[LANES].axis(), vec![series])
    }

    /// Speed and flow against density, in the units of the report.
    fn diagram_charts(&self, bins: &[DiagramRow]) -> Vec<(Chart, &'static str)> {
        let chart = |label: &str, y: Axis, value: &dyn Fn(&DiagramRow) -> f64| {
            let points = bins.iter().map(|bin| (self.density(bin), value(bin))).collect();
            let series = vec![Series { name: String::new(), points }];
            Chart { x: Axis::new("density", "persons per square metre"), ..Self::chart(label, y, series) }
        };
        let caption = "Means over squares of 10 x 10 space units, and over the time from one frame to the next. The speed \
                       is that along the wanted heading.";
        let flow = |bin: &DiagramRow| self.density(bin) * self.speed(bin);
        vec![
            (chart("Speed and density", Axis::new("speed", "m/s"), &|bin| self.speed(bin)), ""),
            (chart("Flow and density", Axis::new("flow", "persons per metre and second"), &flow), caption),
        ]
    }

    fn density(&self, bin: &DiagramRow) -> f64 {
        bin.density / (self.unit_m * self.unit_m)
    }

    fn speed(&self, bin: &DiagramRow) -> f64 {
        bin.speed * self.unit_m / self.tick_s
    }

    fn write_diagram(&self, bins: &[DiagramRow]) -> Result<WrittenFile, Failure> {
        let mut table = TextFile::create(self.folder, DIAGRAM, Codec::None)?;
        push_header(table.text(), &["density_per_m2", "speed_m_per_s", "flow_per_m_s", "observations"]);
        for bin in bins {
            let (density, speed) = (self.density(bin), self.speed(bin));
            let mut row = Row::new(table.text());
            row.number(density).number(speed).number(density * speed).integer(bin.observations as i64).end();
        }
        Ok(table.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_are_of_persons_who_are_there() {
        assert_eq!(speed_line(2000, false, 500.0, 0.5).1, "2.0 million pedestrians a second, with reading states");
        assert_eq!(speed_line(2000, true, 500.0, 0.5), ("ticks", "1000 a second, with reading states".to_owned()));
    }
}
