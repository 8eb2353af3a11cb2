//! The results of a run: counts of pedestrians, speed and flow against density, flows through exits and doors, and
//! trajectories.

use throng_core::{Warnings, in_millions};
use throng_model::step_model::{CompletedSteps, FurtherResults, Observer};
use throng_model::{Failure, Figure, Quantity};
use throng_output::csv::{Row, push_header};
use throng_output::html::{Page, Table};
use throng_output::svg::{Axis, Chart, Series};

use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::calibration;
use super::crowd::Crowd;
use super::diagram::{Diagram, DiagramRow};
use super::measures::{MEASURES, has_opposite_streams, measure};
use super::opening_flow::{self, OpeningFlow, seconds, time_s};
use super::passages::Passages;
use super::scenario::Scenario;
use super::standstill::Standstill;
use super::stranded::Stranded;
use super::trajectories::Trajectories;

/// Names of files.
pub const DIAGRAM: &str = "fundamental_diagram.csv";
pub const DOORS: &str = "doors.csv";
pub const EXITS: &str = "exits.csv";

/// Collects the results during a run.
pub struct Results<'r> {
    folder: &'r RunFolder,
    scenario: Scenario,
    /// `None` if exchanges of places are allowed or there are no exits.
    standstill: Option<Standstill>,
    /// Whether there were opposite streams in any state.
    has_opposite_streams: bool,
    /// `None` without doors or frames.
    passages: Option<Passages>,
    /// Whether trajectory files are still to be created.
    wants_trajectories: bool,
    trajectories: Option<Trajectories>,
    diagram: Diagram,
}

impl<'r> Results<'r> {
    pub fn new(scenario: &Scenario, folder: &'r RunFolder) -> Self {
        Self {
            folder,
            scenario: scenario.clone(),
            standstill: (scenario.exchange_ticks == 0 && !scenario.exits.is_empty()).then(Standstill::default),
            has_opposite_streams: false,
            passages: Passages::wanted(scenario),
            wants_trajectories: scenario.trajectories && scenario.frame_every > 0,
            trajectories: None,
            diagram: Diagram::default(),
        }
    }
}

const HALF_LEFT: Quantity =
    Quantity::real("half_left", "time until half have left", "s", "time after which half of all persons have left");
const ALL_LEFT: Quantity =
    Quantity::real("all_left", "time until all have left", "s", "time after which all persons have left");

/// Returns the times at which half of all pedestrians, and all of them, have left (NaN if they have not), and the flow
/// through each exit; empty without exits.
pub fn figures_of_exits(scenario: &Scenario, crowd: &Crowd) -> Vec<Figure> {
    if scenario.exits.is_empty() {
        return Vec::new();
    }
    let flows = OpeningFlow::through_exits(&scenario.exits, scenario.space_unit_m, crowd);
    let through = flows.iter().map(|flow| ("exit", flow.name.as_str(), flow.persons_per_s(scenario.tick_s)));
    let through = opening_flow::figures(through);
    times_of_leaving(scenario, crowd, &flows).into_iter().chain(through).collect()
}

/// Returns the times at which half of all pedestrians, and all of them, have left.
fn times_of_leaving(scenario: &Scenario, crowd: &Crowd, flows: &[OpeningFlow]) -> [Figure; 2] {
    let mut ticks: Vec<u32> = flows.iter().flat_map(|flow| flow.ticks.iter().copied()).collect();
    ticks.sort_unstable();
    let persons = crowd.pedestrians.len();
    let time = |left: usize| {
        let tick = left.checked_sub(1).and_then(|last| ticks.get(last));
        tick.map_or(f64::NAN, |&tick| time_s(tick, scenario.tick_s))
    };
    [Figure::new(HALF_LEFT, time(persons.div_ceil(2))), Figure::new(ALL_LEFT, time(persons))]
}

/// Describes the speed of a run. With exits the number of pedestrians changes from tick to tick, so ticks are counted.
fn speed_line(persons: usize, has_exits: bool, ticks: f64, seconds: f64) -> (&'static str, String) {
    if has_exits {
        return ("ticks", format!("{:.0} per second, including state reads", ticks / seconds));
    }
    let updates = in_millions(persons as f64 * ticks / seconds);
    ("updates", format!("{updates} pedestrians per second, including state reads"))
}

impl Observer<Crowd> for Results<'_> {
    fn see(&mut self, step: u64, crowd: &Crowd) -> Result<(), Failure> {
        self.diagram.see(step, crowd);
        if let Some(standstill) = &mut self.standstill {
            standstill.see(crowd);
        }
        // Pedestrians that walk to a single exit meet, but do not pass each other.
        self.has_opposite_streams |= self.scenario.exits.len() != 1 && has_opposite_streams(crowd);
        if std::mem::take(&mut self.wants_trajectories) {
            self.trajectories = Trajectories::begin(&self.scenario, self.folder, crowd)?;
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

    fn finish(mut self: Box<Self>, course: &CompletedSteps<'_, Crowd>) -> Result<FurtherResults, Failure> {
        let mut files = Vec::new();
        if let Some(trajectories) = self.trajectories.take() {
            files.extend(trajectories.finish()?);
        }
        let bins = self.diagram.bins();
        files.push(self.write_diagram(&bins)?);
        let prepared = &course.last.prepared;
        let Scenario { tick_s, space_unit_m, field_size, .. } = self.scenario;
        let has_exits = !self.scenario.exits.is_empty();
        let mut lines = vec![("fields", format!("{field_size} x {field_size}, by {}", prepared.summing.name()))];
        if course.stepping_s > 0.0 {
            let (persons, ticks) = (course.last.pedestrians.len(), course.steps as f64);
            lines.push(speed_line(persons, has_exits, ticks, course.stepping_s));
        }
        let mut sections = vec![
            Section::of_charts("Pedestrians", vec![(self.people_chart(course), "")]),
            Section::of_charts("Speed and flow", self.diagram_charts(&bins)),
        ];
        if self.has_opposite_streams {
            let caption = "1: all pedestrians of each row or column go the same way; random positions give low values.";
            sections.push(Section::of_charts("Lanes", vec![(self.lane_chart(course), caption)]));
        }
        let (mut cards, mut warnings) = (Vec::new(), Warnings::new());
        if has_exits {
            let flows = OpeningFlow::through_exits(&self.scenario.exits, space_unit_m, course.last);
            files.push(opening_flow::write(self.folder, EXITS, &["exit"], &flows, tick_s)?);
            cards.extend(times_of_leaving(&self.scenario, course.last, &flows));
            lines.extend(self.lines_of_people(course.last, &flows, &mut warnings));
            lines.extend(flows.iter().map(|flow| ("exit", flow.line("left", tick_s))));
            let chart = opening_flow::chart("Persons who have left over time", &flows, tick_s);
            let table = Some(opening_flow::table("Exit", &flows, tick_s));
            sections.push(Section { heading: "Through the exits", table, charts: vec![(chart, "")] });
        }
        if let Some(passages) = &self.passages {
            let flows = passages.flows();
            files.push(opening_flow::write(self.folder, DOORS, &["door", "from", "to"], &flows, tick_s)?);
            lines.extend(flows.iter().map(|flow| ("door", flow.line("passed", tick_s))));
            let chart = opening_flow::chart("Persons who have passed over time", &flows, tick_s);
            let caption = "From one side of a door to another one; those who turn back within it do not count.";
            let table = Some(opening_flow::table("Door", &flows, tick_s));
            sections.push(Section { heading: "Through the doors", table, charts: vec![(chart, caption)] });
        }
        let calibration = calibration::notes(&self.scenario);
        lines.extend(calibration.iter().map(|note| ("calibration", note.clone())));
        let write = move |page: &mut Page| {
            page.section("Calibration");
            for note in &calibration {
                page.paragraph(note);
            }
            for section in sections {
                section.write(page);
            }
        };
        let figures = self.passages.as_ref().map_or_else(Vec::new, Passages::figures);
        // Without opposite streams, the order of lanes is always 0 or 1 and carries no information.
        let has_lanes = self.has_opposite_streams && has_opposite_streams(course.last);
        let left_out = if has_lanes { Vec::new() } else { vec![&*MEASURES[LANES].name] };
        Ok(FurtherResults { files, lines, figures, cards, left_out, warnings, sections: Some(Box::new(write)) })
    }
}

/// A section of the report.
struct Section {
    heading: &'static str,
    table: Option<Table>,
    /// Charts and their captions.
    charts: Vec<(Chart, &'static str)>,
}

impl Section {
    fn of_charts(heading: &'static str, charts: Vec<(Chart, &'static str)>) -> Self {
        Self { heading, table: None, charts }
    }

    fn write(&self, page: &mut Page) {
        page.section(self.heading);
        if let Some(table) = &self.table {
            page.table(table);
        }
        for (chart, caption) in &self.charts {
            page.chart(chart, caption);
        }
    }
}

/// Indices of measures.
const INSIDE: usize = 0;
const WAITING: usize = 1;
const LANES: usize = 3;

impl Results<'_> {
    /// Describes how many pedestrians have left, and how many have not. Warns of pedestrians that cannot leave.
    fn lines_of_people(
        &self,
        last: &Crowd,
        flows: &[OpeningFlow],
        warnings: &mut Warnings,
    ) -> Vec<(&'static str, String)> {
        let tick_s = self.scenario.tick_s;
        let left: usize = flows.iter().map(|flow| flow.ticks.len()).sum();
        let last_one = flows.iter().filter_map(|flow| flow.ticks.last()).max();
        let last_one = last_one.map_or_else(String::new, |&tick| format!(", the last after {}", seconds(tick, tick_s)));
        let mut lines = vec![("left", format!("{left} of {}{last_one}", last.pedestrians.len()))];
        let measures = measure(last);
        let [inside, waiting] = [INSIDE, WAITING].map(|number| measures[number]);
        if inside + waiting > 0.0 {
            let stranded = Stranded::in_state(last);
            let without_route = stranded.as_ref().map_or_else(String::new, |Stranded { persons, .. }| {
                format!("; {persons} without a route to an exit: doors around them are shut")
            });
            let not_left = format!("{inside} inside and {waiting} waiting at entries at the end{without_route}");
            lines.push(("not left", not_left));
            // Exchanging places does not help pedestrians without a route.
            let have_routes = stranded.as_ref().is_none_or(|stranded| (stranded.persons as f64) < inside + waiting);
            if let Some(stranded) = stranded {
                stranded.warn(&self.scenario, warnings);
            }
            if let Some(standstill) = self.standstill.as_ref().filter(|_| have_routes) {
                standstill.warn(tick_s, warnings);
            }
        }
        lines
    }

    fn chart(label: &str, y: Axis, series: Vec<Series>) -> Chart {
        Chart { label: label.to_owned(), x: Axis::new("time", "s"), y, series, ..Chart::default() }
    }

    fn measure(&self, course: &CompletedSteps<'_, Crowd>, number: usize) -> Vec<(f64, f64)> {
        course.rows.iter().map(|(step, measures)| (*step as f64 * self.scenario.tick_s, measures[number])).collect()
    }

    fn people_chart(&self, course: &CompletedSteps<'_, Crowd>) -> Chart {
        let names = ["inside", "waiting", "left"].into_iter().enumerate();
        let series = names.map(|(number, name)| Series { name: name.to_owned(), points: self.measure(course, number) });
        Self::chart("Pedestrians over time", Axis::count("persons"), series.collect())
    }

    fn lane_chart(&self, course: &CompletedSteps<'_, Crowd>) -> Chart {
        let series = Series { name: "lanes".to_owned(), points: self.measure(course, LANES) };
        Self::chart("Order of lanes over time", MEASURES[LANES].axis(), vec![series])
    }

    /// Returns charts of speed and flow against density, in the units of the report.
    fn diagram_charts(&self, bins: &[DiagramRow]) -> Vec<(Chart, &'static str)> {
        let chart = |label: &str, y: Axis, value: &dyn Fn(&DiagramRow) -> f64| {
            let points = bins.iter().map(|bin| (self.density(bin), value(bin))).collect();
            let series = vec![Series { name: String::new(), points }];
            Chart { x: Axis::new("density", "persons per square metre"), ..Self::chart(label, y, series) }
        };
        let caption = "Means over squares of 10 x 10 space units, and over the time from one frame to the next. The speed \
                       is that in the desired direction.";
        let flow = |bin: &DiagramRow| self.density(bin) * self.speed(bin);
        vec![
            (chart("Speed and density", Axis::new("speed", "m/s"), &|bin| self.speed(bin)), ""),
            (chart("Flow and density", Axis::new("flow", "persons per metre and second"), &flow), caption),
        ]
    }

    fn density(&self, bin: &DiagramRow) -> f64 {
        bin.density / (self.scenario.space_unit_m * self.scenario.space_unit_m)
    }

    fn speed(&self, bin: &DiagramRow) -> f64 {
        bin.speed * self.scenario.space_unit_m / self.scenario.tick_s
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
    fn with_exits_the_speed_counts_ticks() {
        assert_eq!(speed_line(2000, false, 500.0, 0.5).1, "2.0 million pedestrians per second, including state reads");
        assert_eq!(speed_line(60, false, 50.0, 0.5).1, "6000 pedestrians per second, including state reads");
        assert_eq!(speed_line(2000, true, 500.0, 0.5), ("ticks", "1000 per second, including state reads".to_owned()));
    }
}
