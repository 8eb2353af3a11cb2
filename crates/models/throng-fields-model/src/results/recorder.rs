//! The files of a run, written during the run.

use std::time::Instant;

use throng_core::Warnings;
use throng_fields_core::routing::AgentState;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::{AGENTS, ANIMATION, FIELD, FIRST, INFLUENCE, LAST, MEASURES};
use throng_fields_scenario::groups::Group;
use throng_model::Failure;
use throng_model::record::HashLog;
use throng_output::csv::{Row, push_header};
use throng_output::{ClosedFile, Codec, RunFolder, TextFile, WrittenFile};
use throng_pictures::files::npy;
use throng_pictures::{Film, Picture};

use crate::replay::ReplayWriter;
use crate::results::arrays::ArrayFiles;
use crate::results::drawing::Drawing;
use crate::results::frames::Frames;
use crate::results::history::History;
use crate::results::quantities::Quantities;
use crate::results::queries::QueryTable;
use crate::results::{costmap, number_format, write_bytes};
use crate::simulation::{GroupCounts, Simulation, StepSummary};

/// The columns of the table of agents.
pub(crate) const AGENT_COLUMNS: [&str; 7] = ["step", "time", "group", "agent", "x", "y", "state"];

/// Writes the tables, arrays and images of a run step by step.
pub(crate) struct Recorder<'f> {
    scenario: &'f Scenario,
    folder: &'f RunFolder,
    film: Option<Film>,
    agents: Option<TextFile>,
    /// The files for rendering, with one frame per frame of the animation.
    replay: Option<ReplayWriter>,
    arrays: ArrayFiles<'f>,
    queries: Option<QueryTable<'f>>,
    measures: TextFile,
    drawing: Drawing<'f>,
    /// States that are drawn at the end, once the range of their colours is known.
    frames: Option<Frames<'f>>,
    pub history: History,
    /// The interval of state hashes in steps, and their log.
    hashes: Option<(u64, &'f mut HashLog)>,
    /// Images and arrays that get their final names at the end, so that a failed run leaves none of them.
    pending: Vec<ClosedFile>,
    steps: u32,
    warnings: Warnings,
    /// Wall-clock seconds spent on images so far.
    drawing_s: f64,
}

/// The results once all files are complete.
pub(crate) struct ClosedRecorder {
    pub history: Vec<StepSummary>,
    pub files: Vec<WrittenFile>,
    pub film: Option<Film>,
    pub warnings: Warnings,
    /// Wall-clock seconds spent on images.
    pub drawing_s: f64,
}

impl<'f> Recorder<'f> {
    /// `hashes` is the interval of state hashes in steps, and their log.
    pub(crate) fn new(
        scenario: &'f Scenario,
        folder: &'f RunFolder,
        steps: u32,
        hashes: Option<(u64, &'f mut HashLog)>,
    ) -> Result<Self, Failure> {
        let output = &scenario.output;
        let frames = output.frames(steps);
        let film = (frames > 0).then(|| Film::new(frames, output.film_bytes));
        let mut agents = None;
        if output.agents_every > 0 {
            let mut file = TextFile::create(folder, AGENTS, Codec::None)?;
            push_header(file.text(), &AGENT_COLUMNS);
            agents = Some(file);
        }
        let replay = (frames > 0).then(|| ReplayWriter::new(scenario, folder, steps)).transpose()?;
        let mut measures = TextFile::create(folder, MEASURES, Codec::None)?;
        let mut columns = vec!["step".to_owned(), "time".to_owned()];
        for group in &scenario.groups {
            columns.extend(counted(group).map(|(state, _)| format!("{}: {state}", group.name)));
            let planned = group.planned_goals().into_iter();
            columns.extend(planned.map(|goal| format!("{}: to {}", group.name, scenario.goals[goal].title(goal))));
        }
        columns.extend(scenario.capturable_goals().map(|(number, goal)| format!("owner of {}", goal.title(number))));
        if let Some(influences) = &scenario.influences {
            columns.extend(influences.teams.iter().map(|team| format!("cells of {team}")));
            columns.push("cells of the front".to_owned());
        }
        columns.extend(scenario.diffusing().map(|name| format!("amount of {name}")));
        columns.push("hash".to_owned());
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        push_header(measures.text(), &columns);
        let arrays = ArrayFiles::new(scenario, folder, steps)?;
        let queries = QueryTable::new(scenario, folder, steps)?;
        let drawing = Drawing::new(scenario, steps);
        Ok(Self {
            scenario,
            folder,
            film,
            agents,
            replay,
            arrays,
            queries,
            measures,
            frames: (!drawing.has_range()).then(|| Frames::new(scenario)),
            drawing,
            history: History::new(),
            hashes,
            pending: Vec::new(),
            steps,
            warnings: scenario.warnings(),
            drawing_s: 0.0,
        })
    }

    /// Records the current state.
    pub(crate) fn record(&mut self, simulation: &Simulation<'_>) -> Result<(), Failure> {
        let now = simulation.summary()?;
        let output = &self.scenario.output;
        self.measure(&now)?;
        let step = u64::from(now.step);
        if let Some((_, log)) = self.hashes.as_mut().filter(|(every, _)| step.is_multiple_of(*every)) {
            log.line(step, now.hash)?;
        }
        if output.has_agents(now.step, self.steps) {
            self.list_agents(simulation, &now)?;
        }
        let quantities = Quantities::new(self.scenario, simulation);
        let at = (now.step, number_format::time(now.time));
        self.arrays.record(&quantities, self.folder, at)?;
        if let Some(queries) = &mut self.queries {
            queries.record(&quantities, at)?;
        }
        let ends = now.step == 0 || now.step == self.steps;
        let frame = output.has_frame(now.step, self.steps);
        if let Some(replay) = self.replay.as_mut().filter(|_| frame) {
            replay.add(self.scenario, simulation, &now.owners)?;
        }
        let still_name = if now.step == 0 { FIRST } else { LAST };
        let still = (output.first_and_last && ends).then_some(still_name);
        let film = self.film.as_mut().filter(|_| frame);
        if let Some(frames) = &mut self.frames {
            if film.is_some() || still.is_some() {
                let began = Instant::now();
                frames.add(self.folder, self.drawing.snapshot(simulation, &now)?, film.is_some(), still)?;
                self.drawing_s += began.elapsed().as_secs_f64();
            }
        } else if still.is_some() || film.as_ref().is_some_and(|film| film.wants_next()) {
            let began = Instant::now();
            let picture = self.drawing.picture(&self.drawing.snapshot(simulation, &now)?, None)?;
            if let Some(film) = film {
                film.add(&picture).map_err(|error| error.within(ANIMATION))?;
            }
            self.drawing_s += began.elapsed().as_secs_f64();
            if let Some(name) = still {
                self.write_picture(name, &picture)?;
            }
        } else if let Some(film) = film {
            film.skip();
        }
        self.history.push(now);
        Ok(())
    }

    /// Draws pending images, and closes all files.
    pub(crate) fn finish(mut self, simulation: &Simulation<'_>) -> Result<ClosedRecorder, Failure> {
        if self.scenario.output.npy {
            let mut bytes = Vec::new();
            npy::write_raster(simulation.field()?, &mut bytes)?;
            self.begin(FIELD, &bytes)?;
        }
        if self.scenario.influences.is_some() && self.scenario.output.first_and_last {
            let began = Instant::now();
            let picture = self.drawing.influence(simulation)?;
            self.drawing_s += began.elapsed().as_secs_f64();
            self.write_picture(INFLUENCE, &picture)?;
        }
        if let Some(frames) = self.frames.take() {
            let began = Instant::now();
            let stills = frames.draw(&self.drawing, self.film.as_mut(), &mut self.warnings)?;
            for (name, picture) in stills {
                self.write_picture(name, &picture)?;
            }
            self.drawing_s += began.elapsed().as_secs_f64();
        }
        if let Some(film) = &self.film {
            let mut bytes = Vec::new();
            film.write(&mut bytes, self.scenario.output.frame_ms).map_err(|error| error.within(ANIMATION))?;
            self.begin(ANIMATION, &bytes)?;
        }
        if let Some(replay) = self.replay.take() {
            self.pending.extend(replay.finish(self.scenario, self.folder)?);
        }
        self.pending.extend(costmap::write(self.scenario, self.folder)?);
        let (arrays, mut tables) = self.arrays.finish(self.scenario, self.folder)?;
        self.pending.extend(arrays);
        tables.extend(self.queries.map(QueryTable::finish).transpose()?);
        if let Some(agents) = self.agents.take() {
            tables.push(agents.finish()?);
        }
        tables.push(self.measures.finish()?);
        let mut files = self.pending.into_iter().map(ClosedFile::complete).collect::<Result<Vec<_>, _>>()?;
        files.append(&mut tables);
        let Self { history, film, warnings, drawing_s, .. } = self;
        Ok(ClosedRecorder { history: history.into_states(), files, film, warnings, drawing_s })
    }

    fn write_picture(&mut self, name: &str, picture: &Picture) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes)?;
        self.begin(name, &bytes)
    }

    /// Writes a file that gets its final name later.
    fn begin(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.pending.push(write_bytes(self.folder, name, bytes)?);
        Ok(())
    }

    fn measure(&mut self, now: &StepSummary) -> Result<(), Failure> {
        let mut row = Row::new(self.measures.text());
        row.integer(i64::from(now.step)).number(number_format::time(now.time));
        for ((group, counts), pursuing) in self.scenario.groups.iter().zip(&now.groups).zip(&now.pursuing) {
            for (_, count) in counted(group) {
                row.integer(count(counts) as i64);
            }
            for &agents in pursuing {
                row.integer(agents as i64);
            }
        }
        for (number, _) in self.scenario.capturable_goals() {
            row.text(now.owners[number].map_or("", |team| &self.scenario.teams[team]));
        }
        if self.scenario.influences.is_some() {
            for &cells in &now.held {
                row.integer(cells as i64);
            }
            row.integer(now.front as i64);
        }
        for &amount in &now.amounts {
            row.number(amount);
        }
        row.text(&format!("{:016x}", now.hash)).end();
        Ok(self.measures.flush_full()?)
    }

    fn list_agents(&mut self, simulation: &Simulation<'_>, now: &StepSummary) -> Result<(), Failure> {
        let Some(file) = &mut self.agents else { return Ok(()) };
        let (step, time) = (now.step.into(), number_format::time(now.time));
        let mut number = 0;
        for (crowd, group) in simulation.crowds().iter().zip(&self.scenario.groups) {
            let agents = crowd.positions().zip(simulation.states(crowd)?).zip(crowd.presences());
            for (([x, y], state), is_on_map) in agents {
                let state = match state {
                    AgentState::Waiting => "waiting",
                    AgentState::Walking => "walking",
                    AgentState::Arrived if is_on_map => "arrived",
                    // Scenes are rendered from this table, and show only agents on the map.
                    AgentState::Arrived => "left",
                    AgentState::Stuck => "stuck",
                    AgentState::Removed => "removed",
                };
                let mut row = Row::new(file.text());
                row.integer(step).number(time).text(&group.name).integer(number);
                row.single(x).single(y).text(state).end();
                number += 1;
            }
            file.flush_full()?;
        }
        Ok(())
    }
}

/// A count of agents in the table of measures: its name and its getter.
type Counted = (&'static str, fn(&GroupCounts) -> usize);

/// The counts of a group in the table of measures.
fn counted(group: &Group) -> impl Iterator<Item = Counted> {
    let always: [Counted; 3] =
        [("walking", |counts| counts.walking), ("arrived", |counts| counts.arrived), ("stuck", |counts| counts.stuck)];
    let waiting: Counted = ("waiting", |counts| counts.waiting);
    let removed: Counted = ("removed", |counts| counts.removed);
    let waiting = (!group.entries.is_empty()).then_some(waiting);
    always.into_iter().chain(waiting).chain(group.removes().then_some(removed))
}
