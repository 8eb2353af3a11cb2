//! The files of a run, written during the run.

use std::borrow::Cow;
use std::io::Write as _;
use std::time::Instant;

use crate::files::npy;
use crate::influence::Teams;
use crate::pictures::{Colour, Film, HeatMap, Mark, Owners, Picture, ValueRange};
use crate::replay::{DESCRIPTION, FIELD_FRAMES, INFLUENCE_FRAMES, ReplayWriter};
use crate::{Field, Mask, Shape};
use throng_core::Warnings;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, PendingFile, RunFolder, TextFile, WrittenFile};

use crate::results::arrays::ArrayFiles;
use crate::results::costmap;
use crate::results::history::History;
use crate::results::quantities::Quantities;
use crate::results::queries::{QUERIES, QueryTable};
use crate::routing::AgentState;
use crate::scenario::Scenario;
use crate::scenario::agents::Group;
use crate::scenario::goals::Goal;
use crate::scenario::legend::agent;
use crate::scenario::output::Drawn;
use crate::simulation::{GroupCounts, Now, Simulation};
use throng_model::{Failure, HashLog};

/// The animation.
pub(crate) const ANIMATION: &str = "fields.png";
/// The picture of the influence of teams at the end.
pub(crate) const INFLUENCE: &str = "influence.png";
/// The table of agents.
pub(crate) const AGENTS: &str = "agents.csv";
/// The pictures of the start and of the end.
const FIRST: &str = "first.png";
pub(crate) const LAST: &str = "last.png";
/// The most agents that are drawn one by one; of more, pictures show the density.
pub(crate) const MOST_MARKS: usize = 4_000;
/// Teams whose goals the legend names.
const MOST_OWNERS: usize = 12;
/// All names that the files of a run may have, besides those of arrays.
pub(crate) const FILE_NAMES: [&str; 14] = [
    AGENTS,
    costmap::COSTS,
    costmap::IMAGE,
    costmap::KEYS,
    "field.npy",
    FIELD_FRAMES,
    ANIMATION,
    FIRST,
    INFLUENCE,
    INFLUENCE_FRAMES,
    LAST,
    "measures.csv",
    QUERIES,
    DESCRIPTION,
];
/// Corners of the polygon that approximates a circle.
const CORNERS: u16 = 48;

/// Writes tables and pictures.
pub(crate) struct Recorder<'f> {
    scenario: &'f Scenario,
    folder: &'f RunFolder,
    film: Option<Film>,
    agents: Option<TextFile>,
    /// The files of scenes, with a frame for each of the animation.
    replay: Option<ReplayWriter>,
    arrays: ArrayFiles<'f>,
    queries: Option<QueryTable<'f>>,
    measures: TextFile,
    /// The range of the colours.
    range: Option<ValueRange>,
    pub history: History,
    /// The log of state hashes, and the steps from one to the next.
    hashes: Option<(u64, &'f mut HashLog)>,
    /// Pictures and arrays that get their final names at the end, so that a run that fails leaves none.
    pending: Vec<PendingFile>,
    steps: u32,
    warnings: Warnings,
    /// Wall-clock seconds spent on pictures so far.
    drawing_s: f64,
    /// Goals that a team may own: their numbers and cells.
    goals_of_teams: Vec<(usize, Mask)>,
    team_colours: Vec<Colour>,
    /// The cells that are no walls in pictures of the costmap.
    open_on_costmap: Option<Mask>,
}

/// The result when all files are complete.
pub(crate) struct Recorded {
    pub history: Vec<Now>,
    pub files: Vec<WrittenFile>,
    pub film: Option<Film>,
    pub warnings: Warnings,
    /// Wall-clock seconds spent on pictures.
    pub drawing_s: f64,
}

impl<'f> Recorder<'f> {
    /// `hashes` is the log of state hashes, with the steps from one to the next.
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
            push_header(file.text(), &["time", "group", "agent", "x", "y", "state"]);
            agents = Some(file);
        }
        let replay = (frames > 0).then(|| ReplayWriter::new(scenario, folder, steps)).transpose()?;
        let mut measures = TextFile::create(folder, "measures.csv", Codec::None)?;
        let mut columns = vec!["step".to_owned(), "time".to_owned()];
        for group in &scenario.groups {
            columns.extend(counted(group).map(|(state, _)| format!("{}: {state}", group.name)));
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
        let range = output.range;
        let open = scenario.ground.open();
        let may_be_owned = |goal: &Goal| goal.capture_time.is_some() || goal.owner.is_some();
        let goals_of_teams = scenario.goals.iter().enumerate().filter(|(_, goal)| may_be_owned(goal));
        let cells = |goal: &Goal| {
            Mask::new(scenario.grid(), |column, row| goal.area.allows(column, row) && open.allows(column, row))
        };
        let goals_of_teams = goals_of_teams.map(|(number, goal)| (number, cells(goal))).collect();
        let open_on_costmap = (output.drawn == Drawn::Costmap).then(|| costmap::open_or_unknown(scenario));
        let arrays = ArrayFiles::new(scenario, folder, steps)?;
        let queries = QueryTable::new(scenario, folder, steps)?;
        Ok(Self {
            scenario,
            folder,
            film,
            agents,
            replay,
            arrays,
            queries,
            measures,
            range,
            history: History::new(),
            hashes,
            pending: Vec::new(),
            steps,
            warnings: scenario.doubts(),
            drawing_s: 0.0,
            goals_of_teams,
            team_colours: scenario.team_colours(),
            open_on_costmap,
        })
    }

    /// Records the current state.
    pub(crate) fn record(&mut self, simulation: &Simulation<'_>) -> Result<(), Failure> {
        let now = simulation.now()?;
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
        self.arrays.record(&quantities, self.folder, (now.step, now.time))?;
        if let Some(queries) = &mut self.queries {
            queries.record(&quantities, (now.step, now.time))?;
        }
        let ends = now.step == 0 || now.step == self.steps;
        let frame = output.has_frame(now.step, self.steps);
        if let Some(replay) = self.replay.as_mut().filter(|_| frame) {
            replay.add(self.scenario, simulation)?;
        }
        let still = output.first_and_last && ends;
        let in_film = frame && self.film.as_ref().is_some_and(Film::wants_next);
        if in_film || still {
            let began = Instant::now();
            let picture = self.picture(simulation, &now)?;
            if let Some(film) = self.film.as_mut().filter(|_| in_film) {
                film.add(&picture).map_err(|error| error.within(ANIMATION))?;
            }
            self.drawing_s += began.elapsed().as_secs_f64();
            if still {
                self.write_picture(if now.step == 0 { FIRST } else { LAST }, &picture)?;
            }
        }
        if let Some(film) = self.film.as_mut().filter(|_| frame && !in_film) {
            film.skip();
        }
        self.history.push(now);
        Ok(())
    }

    /// Ends all files.
    pub(crate) fn finish(mut self, simulation: &Simulation<'_>) -> Result<Recorded, Failure> {
        if self.scenario.output.npy {
            let mut bytes = Vec::new();
            npy::write_field(simulation.field()?, &mut bytes)?;
            self.begin("field.npy", &bytes)?;
        }
        if self.scenario.influences.is_some() {
            let began = Instant::now();
            let picture = self.influence(simulation)?;
            self.drawing_s += began.elapsed().as_secs_f64();
            self.write_picture(INFLUENCE, &picture)?;
        }
        if let Some(film) = &self.film {
            let mut bytes = Vec::new();
            film.write(&mut bytes, self.scenario.output.frame_ms).map_err(|error| error.within(ANIMATION))?;
            self.begin(ANIMATION, &bytes)?;
        }
        if let Some(replay) = self.replay.take() {
            self.pending.extend(replay.finish(self.folder)?);
        }
        self.pending.extend(costmap::write(self.scenario, self.folder)?);
        let (arrays, mut tables) = self.arrays.finish(self.scenario, self.folder)?;
        self.pending.extend(arrays);
        tables.extend(self.queries.map(QueryTable::finish).transpose()?);
        if let Some(agents) = self.agents.take() {
            tables.push(agents.finish()?);
        }
        tables.push(self.measures.finish()?);
        let mut files = self.pending.into_iter().map(PendingFile::complete).collect::<Result<Vec<_>, _>>()?;
        files.append(&mut tables);
        let Self { history, film, warnings, drawing_s, .. } = self;
        Ok(Recorded { history: history.into_states(), files, film, warnings, drawing_s })
    }

    fn write_picture(&mut self, name: &str, picture: &Picture) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes)?;
        self.begin(name, &bytes)
    }

    /// Writes a file without giving it its final name.
    fn begin(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = self.folder.file(name)?;
        file.write_all(bytes).map_err(|error| file.error(error))?;
        self.pending.push(file);
        Ok(())
    }

    fn measure(&mut self, now: &Now) -> Result<(), Failure> {
        let mut row = Row::new(self.measures.text());
        row.integer(i64::from(now.step)).decimal(now.time, 3);
        for (group, counts) in self.scenario.groups.iter().zip(&now.groups) {
            for (_, count) in counted(group) {
                row.integer(count(counts) as i64);
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
            row.decimal(amount, 3);
        }
        row.text(&format!("{:016x}", now.hash)).end();
        Ok(self.measures.flush_full()?)
    }

    fn list_agents(&mut self, simulation: &Simulation<'_>, now: &Now) -> Result<(), Failure> {
        let Some(file) = &mut self.agents else { return Ok(()) };
        let mut number = 0;
        for (crowd, group) in simulation.crowds().iter().zip(&self.scenario.groups) {
            let agents = crowd.positions().zip(simulation.states(crowd)?).zip(crowd.presences());
            for (([x, y], state), is_on_map) in agents {
                let state = match state {
                    AgentState::Waiting => "waiting",
                    AgentState::Walking => "walking",
                    AgentState::Arrived if is_on_map => "arrived",
                    // Pictures are drawn from this table, and have to know.
                    AgentState::Arrived => "left",
                    AgentState::Stuck => "stuck",
                    AgentState::Removed => "removed",
                };
                Row::new(file.text())
                    .decimal(now.time, 3)
                    .text(&group.name)
                    .integer(number)
                    .decimal(f64::from(x), 3)
                    .decimal(f64::from(y), 3)
                    .text(state)
                    .end();
                number += 1;
            }
            file.flush_full()?;
        }
        Ok(())
    }

    /// The field with walls, goals, marked entities and agents.
    fn picture(&mut self, simulation: &Simulation<'_>, now: &Now) -> Result<Picture, Failure> {
        let scenario = self.scenario;
        let values = Values::of(scenario, simulation, scenario.output.drawn)?;
        let range = self.range.or_else(|| values.range());
        // All frames have the colours of the first one.
        if let (None, Some(first)) = (self.range, range)
            && first.low() == first.high()
            && !values.is_ground
        {
            let kind = "all values of the first picture, which sets the range of colours, are equal: give output.range";
            self.warnings.add_noted(1, kind, format!("all are {}", first.low()));
        }
        self.range = range;
        let [below, above] = &scenario.output.meaning;
        let map = self.map(&values, range, simulation, now)?;
        Ok(map.with_unit(&scenario.output.unit).with_meaning([below, above]).draw()?)
    }

    /// The strongest teams at the end.
    fn influence(&self, simulation: &Simulation<'_>) -> Result<Picture, Failure> {
        let values = Values::of(self.scenario, simulation, Drawn::Influence)?;
        let now = simulation.now()?;
        Ok(self.map(&values, values.range(), simulation, &now)?.with_unit("influence").draw()?)
    }

    /// A map of values with everything on it, and a title.
    fn map<'m>(
        &'m self,
        values: &'m Values<'_>,
        range: Option<ValueRange>,
        simulation: &Simulation<'_>,
        now: &Now,
    ) -> Result<HeatMap<'m>, Failure> {
        let scenario = self.scenario;
        let map = HeatMap::new(&values.field).with_length_unit(&scenario.unit).with_colours(scenario.output.colours);
        let map = scenario.output.scale.map_or(map.clone(), |scale| map.with_scale(scale));
        let map = if let Some(range) = range { map.with_range(range) } else { map };
        let map = if values.is_ground { map.as_ground() } else { map };
        let map = match &values.owners {
            Some(owners) => map.with_owners(owners.clone()),
            None => map,
        };
        let map = match &self.open_on_costmap {
            Some(open) if values.drawn == Drawn::Costmap => map.with_open_cells(open).with_gaps("unknown"),
            _ => map.with_open_cells(scenario.ground.open()),
        };
        let map = self.goals(self.entities(self.agents(map, simulation)?, simulation), now);
        let all = |count: fn(&GroupCounts) -> usize| now.groups.iter().map(count).sum::<usize>();
        let [agents, arrived, stuck] =
            [all(|counts| counts.agents), all(|counts| counts.arrived), all(|counts| counts.stuck)];
        let with_goals = agents > 0 && scenario.has_goals();
        let title = |time: f64, arrived: usize, stuck: usize| {
            let agents = if with_goals {
                format!(": {arrived} of {agents} agents arrived, {stuck} stuck")
            } else {
                String::new()
            };
            format!("{}\ntime {time:.1}{agents}", scenario.title)
        };
        let end = f64::from(self.steps) * scenario.time_step;
        Ok(map.with_title(title(now.time, arrived, stuck)).with_room_for_title(title(end, agents, agents)))
    }

    /// Adds goals, those of teams in their colours, and the legend.
    fn goals<'m>(&'m self, map: HeatMap<'m>, now: &Now) -> HeatMap<'m> {
        if !self.scenario.has_goals() {
            return map;
        }
        let mut map = map.with_hatched_cells(self.scenario.ground.goals(), "goal");
        if self.goals_of_teams.is_empty() {
            return map;
        }
        for (team, colour) in self.scenario.teams.iter().zip(&self.team_colours).take(MOST_OWNERS) {
            map = map.with_hatching_entry(format!("goal of {team}"), *colour);
        }
        for (number, cells) in &self.goals_of_teams {
            if let Some(owner) = now.owners[*number] {
                map = map.with_cells_hatched_in(cells, self.team_colours[owner]);
            }
        }
        map
    }

    /// Adds agents and their legend: marks, or, if there are many, their density.
    fn agents<'m>(&self, mut map: HeatMap<'m>, simulation: &Simulation<'_>) -> Result<HeatMap<'m>, Failure> {
        if self.scenario.agents() > MOST_MARKS {
            let agents = simulation.crowds().iter().flat_map(|crowd| crowd.present().map(|(_, at)| at));
            return Ok(map.with_density(agents, "agents"));
        }
        for (crowd, group) in simulation.crowds().iter().zip(&self.scenario.groups) {
            let mark = |state| agent(group.colour, state == AgentState::Stuck);
            let agents = crowd.positions().zip(simulation.states(crowd)?).zip(crowd.presences());
            let there = agents.filter(|(_, there)| *there);
            map = map.with_points(there.map(|((at, state), _)| (at, mark(state))));
        }
        Ok(self.scenario.legend.agents().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark)))
    }

    /// Adds marked entities and their legend: squares, and lines for rings.
    fn entities<'m>(&self, map: HeatMap<'m>, simulation: &Simulation<'_>) -> HeatMap<'m> {
        let mut map = self.scenario.legend.entities().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark));
        for (figure, entity) in self.scenario.figures.iter().zip(simulation.entities()) {
            let Some(colour) = figure.colour else { continue };
            map = match entity.shape {
                Shape::Ring { radius } => map.with_path(circle(entity.position, radius), colour),
                _ => map.with_point(entity.position, Mark::square(colour)),
            };
        }
        map
    }
}

/// The values that a picture shows.
struct Values<'m> {
    drawn: Drawn,
    field: Cow<'m, Field>,
    /// The strongest team of each cell, if these are shown.
    owners: Option<Owners>,
    /// Nothing is a source of the field.
    is_ground: bool,
}

impl<'m> Values<'m> {
    fn of(scenario: &Scenario, simulation: &'m Simulation<'_>, drawn: Drawn) -> Result<Self, Failure> {
        let (field, owners) = match drawn {
            Drawn::Field(shown) => (Cow::Borrowed(simulation.shown(shown)?), None),
            Drawn::Costmap => (Cow::Owned(costmap::field(scenario)), None),
            Drawn::Influence => {
                let names = scenario.teams.iter().map(|team| format!("influence of {team}"));
                let names = names.zip(scenario.team_colours()).collect();
                let teams = simulation.teams();
                // Scenarios with influence have teams, so that there is no other case.
                let none = || Field::new(*scenario.grid(), vec![0.0; scenario.grid().cells()]);
                let field = teams.map_or_else(none, Teams::highest);
                (Cow::Owned(field), teams.map(|teams| Owners::new(names, teams.strongest())))
            }
        };
        let is_ground = if let Drawn::Field(shown) = drawn { !scenario.has_sources(shown) } else { false };
        Ok(Self { drawn, field, owners, is_ground })
    }

    /// The range of the values; of influence from 0.
    fn range(&self) -> Option<ValueRange> {
        let range = ValueRange::of(&self.field)?;
        if self.drawn == Drawn::Influence { ValueRange::new(0.0, range.high()).ok() } else { Some(range) }
    }
}

/// A number of agents in the table of measures: its name, and how it is read.
type Counted = (&'static str, fn(&GroupCounts) -> usize);

/// The numbers of a group in the table of measures.
fn counted(group: &Group) -> impl Iterator<Item = Counted> {
    let always: [Counted; 3] =
        [("walking", |counts| counts.walking), ("arrived", |counts| counts.arrived), ("stuck", |counts| counts.stuck)];
    let waiting: Counted = ("waiting", |counts| counts.waiting);
    let removed: Counted = ("removed", |counts| counts.removed);
    let waiting = (!group.entries.is_empty()).then_some(waiting);
    always.into_iter().chain(waiting).chain(group.removes().then_some(removed))
}

/// A line around a point.
fn circle([x, y]: [f64; 2], radius: f32) -> impl Iterator<Item = [f64; 2]> {
    (0..=CORNERS).map(move |i| {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * f32::from(i) / f32::from(CORNERS));
        [x + f64::from(radius * cos), y + f64::from(radius * sin)]
    })
}
