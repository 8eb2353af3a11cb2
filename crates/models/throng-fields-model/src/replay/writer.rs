//! Writes, during a run, the data that rendering needs.

use std::io::Write as _;

use throng_fields_core::{Field, Shape};
use throng_fields_scenario::entities::MapEntity;
use throng_fields_scenario::file_names::{DESCRIPTION, FIELD_FRAMES, INFLUENCE_FRAMES, TEAM_FRAMES};
use throng_fields_scenario::goals::Goal;
use throng_fields_scenario::output::Drawn;
use throng_fields_scenario::patrol::{Patrol, StoredPatrol};
use throng_fields_scenario::{FieldId, Scenario};
use throng_model::Failure;
use throng_output::{ClosedFile, OutputError, RunFolder};
use throng_pictures::{Colour, ValueRange};

use super::description::{Description, GroupOfAgents, Marked, Quantity, Rectangle, Samples, StoredGoal};
use super::frames::{coarsened, most_frequent, samples_of};
use crate::results::arrays::frame::Numbers;
use crate::results::arrays::npy::FrameWriter;
use crate::results::{costmap, write_file};
use crate::simulation::Simulation;

/// Writes the files for rendering.
pub(crate) struct ReplayWriter {
    description: Description,
    field: FrameWriter,
    /// For each block, the mean of its cells' strongest influences, and the team that is most often strongest.
    influence: Option<[FrameWriter; 2]>,
    /// The ranges of field values and influence so far.
    ranges: [Option<ValueRange>; 2],
    /// Number of frames so far.
    frames: u64,
}

impl ReplayWriter {
    /// Creates the files for a run of `steps` steps.
    pub(crate) fn new(scenario: &Scenario, folder: &RunFolder, steps: u32) -> Result<Self, Failure> {
        let frames = u64::from(scenario.output.frames(steps));
        let is_static = match scenario.output.drawn {
            Drawn::Costmap => true,
            Drawn::Influence => false,
            Drawn::Field(_) => {
                scenario.diffusing.is_empty()
                    && scenario.sights.is_empty()
                    && scenario.entities.iter().all(|mapped| mapped.patrol.is_none())
                    && scenario.groups.iter().all(|group| group.carried.is_none())
            }
        };
        let of_field = if is_static { 1 } else { frames };
        let description = described(scenario, steps, [of_field, frames]);
        let Samples { columns, rows, .. } = description.samples;
        let file =
            |name, frames| FrameWriter::new(folder, name, [frames, rows.into(), columns.into()], Numbers::Floats);
        let field = file(FIELD_FRAMES, of_field)?;
        let influence = match scenario.influences {
            Some(_) => Some([file(INFLUENCE_FRAMES, frames)?, file(TEAM_FRAMES, frames)?]),
            None => None,
        };
        Ok(Self { description, field, influence, ranges: [None; 2], frames: 0 })
    }

    /// Adds the current state; called at each step that has a frame. `owners` has the team that owns each goal.
    pub(crate) fn add(
        &mut self,
        scenario: &Scenario,
        simulation: &Simulation<'_>,
        owners: &[Option<usize>],
    ) -> Result<(), Failure> {
        let samples = self.description.samples;
        let values = |field: &Field| coarsened(field, samples);
        let teams = simulation.teams();
        let strongest = teams.map(|teams| values(&teams.highest()));
        if self.frames < self.description.field.frames {
            let drawn = match scenario.output.drawn {
                Drawn::Field(id) => Some(values(simulation.field_of(id)?)),
                Drawn::Costmap => Some(values(&costmap::field(scenario))),
                Drawn::Influence => strongest.clone(),
            };
            if let Some(values) = drawn {
                add(&values, &mut self.field, &mut self.ranges[0])?;
            }
        }
        if let (Some([file, of_teams]), Some(strongest), Some(teams)) = (&mut self.influence, &strongest, teams) {
            add(strongest, file, &mut self.ranges[1])?;
            of_teams.add(&most_frequent(scenario.grid(), &teams.strongest(), samples))?;
        }
        for (goal, owner) in self.description.goals.iter_mut().zip(owners) {
            if goal.owner(self.frames) != *owner {
                goal.owners.push((self.frames, *owner));
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Completes all files; they do not have their final names yet.
    pub(crate) fn finish(mut self, scenario: &Scenario, folder: &RunFolder) -> Result<Vec<ClosedFile>, Failure> {
        let of_range = |range: Option<ValueRange>, is_of_teams: bool| {
            range.map_or([0.0; 2], |range| [if is_of_teams { 0.0 } else { range.low() }, range.high()])
        };
        let Description { field, influence, .. } = &mut self.description;
        let given = scenario.output.range.map(|range| [range.low(), range.high()]);
        field.range = given.unwrap_or(of_range(self.ranges[0], field.is_of_teams));
        if let Some(influence) = influence {
            influence.range = of_range(self.ranges[1], true);
        }
        let files = std::iter::once(self.field).chain(self.influence.into_iter().flatten());
        let mut files = files.map(FrameWriter::finish).collect::<Result<Vec<_>, _>>()?;
        let text = serde_json::to_string(&self.description);
        files.push(write_file(folder, DESCRIPTION, |file| file.write_all(text?.as_bytes()))?);
        Ok(files)
    }
}

fn add(values: &[f32], file: &mut FrameWriter, range: &mut Option<ValueRange>) -> Result<(), OutputError> {
    *range = [*range, ValueRange::of(values)].into_iter().flatten().reduce(ValueRange::and);
    file.add(values)
}

/// The description without the ranges of values; `frames` has the numbers of frames of the field and of influence.
fn described(scenario: &Scenario, steps: u32, frames: [u64; 2]) -> Description {
    let grid = scenario.grid();
    let [columns, rows] = [grid.columns(), grid.rows()];
    let unit = &scenario.output.unit;
    let quantity = |name: &str, frames| Quantity { name: name.to_owned(), range: [0.0; 2], frames, is_of_teams: false };
    let influence = |frames| Quantity { is_of_teams: true, ..quantity("influence", frames) };
    let field = match scenario.output.drawn {
        Drawn::Field(FieldId::Layer(layer)) => quantity(&format!("{}, {unit}", scenario.layers[layer]), frames[0]),
        Drawn::Field(FieldId::Combination(_)) | Drawn::Costmap => quantity(unit, frames[0]),
        Drawn::Influence => influence(frames[0]),
    };
    let influence = scenario.influences.as_ref().map(|_| influence(frames[1]));
    let open = scenario.terrains.ground(scenario.terrains.ever_open()).open();
    let goal = |goal: &Goal| StoredGoal {
        cells: Rectangle::covering(columns, rows, |column, row| {
            goal.area.allows(column, row) && open.allows(column, row)
        }),
        may_be_owned: goal.may_be_owned(),
        owners: Vec::new(),
    };
    let group = |group: &throng_fields_scenario::groups::Group| GroupOfAgents {
        agents: group.positions.len(),
        colour: group.colour,
    };
    let mut legend: Vec<(String, Colour)> = Vec::new();
    for (name, mark) in scenario.legend.agents().chain(scenario.legend.entities()) {
        let entry = (name.to_owned(), mark.fill());
        if !legend.contains(&entry) {
            legend.push(entry);
        }
    }
    Description {
        title: scenario.title.clone(),
        unit: scenario.unit.clone(),
        origin: grid.origin(),
        cell: grid.cell().into(),
        columns,
        rows,
        samples: samples_of(grid),
        time_step: scenario.time_step,
        frame_every: scenario.output.frame_every,
        steps,
        field,
        influence,
        walls: Rectangle::covering(columns, rows, |column, row| !open.allows(column, row)),
        changing_walls: changing_walls(scenario, steps),
        goals: scenario.goals.iter().map(goal).collect(),
        teams: scenario.teams.iter().cloned().zip(scenario.team_colours.iter().copied()).collect(),
        entities: scenario.entities.iter().filter_map(|mapped| marked(mapped, grid.origin())).collect(),
        groups: scenario.groups.iter().map(group).collect(),
        legend,
        colours: scenario.output.colours,
    }
}

/// The cells that are walls at times, for each frame in which they change.
fn changing_walls(scenario: &Scenario, steps: u32) -> Vec<(u64, Vec<Rectangle>)> {
    let (terrains, grid) = (&scenario.terrains, scenario.grid());
    let ever_open = terrains.ground(terrains.ever_open()).open();
    let mut changes = Vec::new();
    let mut last = terrains.ever_open();
    for (frame, step) in (0..).zip((0..=steps).filter(|&step| scenario.output.has_frame(step, steps))) {
        let terrain = terrains.after(step);
        if terrain != last {
            let open = terrains.ground(terrain).open();
            let is_wall = |column, row| ever_open.allows(column, row) && !open.allows(column, row);
            changes.push((frame, Rectangle::covering(grid.columns(), grid.rows(), is_wall)));
            last = terrain;
        }
    }
    changes
}

/// The mark of an entity; `None` if images do not show it.
fn marked(mapped: &MapEntity, origin: [f64; 2]) -> Option<Marked> {
    let ring = match mapped.entity.shape {
        Shape::Ring { radius } => Some(radius),
        _ => None,
    };
    let [x, y] = mapped.entity.position;
    let standing = || StoredPatrol::standing([x - origin[0], y - origin[1]]);
    let path = mapped.patrol.as_ref().map_or_else(standing, Patrol::stored);
    Some(Marked { colour: mapped.colour?, ring, metric: mapped.entity.metric, path })
}
