//! Writing what pictures need, during a run.

use std::io::{BufWriter, Write as _};

use throng_fields_core::{Field, Shape};
use throng_fields_scenario::entities::MapEntity;
use throng_fields_scenario::file_names::{DESCRIPTION, FIELD_FRAMES, INFLUENCE_FRAMES, TEAM_FRAMES};
use throng_fields_scenario::goals::Goal;
use throng_fields_scenario::output::Drawn;
use throng_fields_scenario::patrol::{Patrol, StoredPatrol};
use throng_fields_scenario::{Scenario, Shown};
use throng_model::Failure;
use throng_output::{ClosedFile, OutputError, PendingFile, RunFolder};
use throng_pictures::Colour;
use throng_pictures::files::npy_frames;

use super::description::{Description, GroupOfAgents, Marked, Quantity, StoredGoal};
use super::frames::{coarsened, most_frequent, samples_of};
use super::rectangles;
use crate::results::costmap;
use crate::simulation::Simulation;

/// Writes the files of pictures.
pub(crate) struct ReplayWriter {
    description: Description,
    field: FrameWriter,
    /// The influence of the strongest team of each block, and that team.
    influence: Option<[FrameWriter; 2]>,
    /// Frames so far.
    frames: u64,
    /// The range of the field that the scenario gives.
    range: Option<[f32; 2]>,
}

/// A file of frames while it is written.
struct FrameWriter {
    file: BufWriter<PendingFile>,
    /// Frames that are to be stored.
    frames: u64,
    written: u64,
    /// The lowest and the highest value so far.
    range: [f32; 2],
}

impl ReplayWriter {
    /// A writer for a run of so many steps.
    pub(crate) fn new(scenario: &Scenario, folder: &RunFolder, steps: u32) -> Result<Self, Failure> {
        let frames = u64::from(scenario.output.frames(steps));
        let is_static = match scenario.output.drawn {
            Drawn::Costmap => true,
            Drawn::Influence => false,
            Drawn::Field(_) => {
                scenario.diffusing.is_empty()
                    && scenario.entities.iter().all(|mapped| mapped.patrol.is_none())
                    && scenario.groups.iter().all(|group| group.carried.is_none())
            }
        };
        let of_field = if is_static { 1 } else { frames };
        let description = described(scenario, steps, [of_field, frames]);
        let shape = |frames| [frames, description.samples.rows.into(), description.samples.columns.into()];
        let field = FrameWriter::new(folder, FIELD_FRAMES, shape(of_field))?;
        let has_teams = scenario.influences.is_some();
        let of_teams = |name| FrameWriter::new(folder, name, shape(frames));
        let influence = has_teams
            .then(|| Ok::<_, OutputError>([of_teams(INFLUENCE_FRAMES)?, of_teams(TEAM_FRAMES)?]))
            .transpose()?;
        let range = scenario.output.range.map(|range| [range.low(), range.high()]);
        Ok(Self { description, field, influence, frames: 0, range })
    }

    /// Adds the current state, at each step that has a frame; `owners` has the team that owns each goal.
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
        if self.field.written < self.field.frames {
            match scenario.output.drawn {
                Drawn::Field(shown) => self.field.add(&values(simulation.shown(shown)?))?,
                Drawn::Costmap => self.field.add(&values(&costmap::field(scenario)))?,
                Drawn::Influence => strongest.iter().try_for_each(|values| self.field.add(values))?,
            }
        }
        if let (Some([file, of_teams]), Some(strongest), Some(teams)) = (&mut self.influence, &strongest, teams) {
            file.add(strongest)?;
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

    /// Ends all files; they have no final names yet.
    pub(crate) fn finish(mut self, folder: &RunFolder) -> Result<Vec<ClosedFile>, Failure> {
        let mut files = Vec::new();
        let from_zero =
            |quantity: &Quantity, [low, high]: [f32; 2]| [if quantity.is_of_teams { 0.0 } else { low }, high];
        let field = &mut self.description.field;
        field.range = self.range.unwrap_or(from_zero(field, self.field.range()));
        files.push(self.field.finish()?);
        if let (Some([file, teams]), Some(quantity)) = (self.influence, &mut self.description.influence) {
            quantity.range = from_zero(quantity, file.range());
            files.extend([file.finish()?, teams.finish()?]);
        }
        let mut file = folder.file(DESCRIPTION)?;
        let text = serde_json::to_string(&self.description).map_err(std::io::Error::from);
        text.and_then(|text| file.write_all(text.as_bytes())).map_err(|error| file.error(error))?;
        files.push(file.close()?);
        Ok(files)
    }
}

impl FrameWriter {
    fn new(folder: &RunFolder, name: &str, shape: [u64; 3]) -> Result<Self, OutputError> {
        let mut file = BufWriter::new(folder.file(name)?);
        npy_frames::begin(shape, &mut file).map_err(|error| file.get_ref().error(error))?;
        Ok(Self { file, frames: shape[0], written: 0, range: [f32::INFINITY, f32::NEG_INFINITY] })
    }

    fn add(&mut self, values: &[f32]) -> Result<(), OutputError> {
        let [low, high] = self.range;
        // Comparisons with what is not a number keep the other one.
        self.range = values.iter().fold([low, high], |[low, high], &value| [low.min(value), high.max(value)]);
        self.written += 1;
        npy_frames::add(values, &mut self.file).map_err(|error| self.file.get_ref().error(error))
    }

    /// The range of all values; of none, an empty one.
    fn range(&self) -> [f32; 2] {
        if self.range[0] <= self.range[1] { self.range } else { [0.0; 2] }
    }

    fn finish(mut self) -> Result<ClosedFile, OutputError> {
        self.file.flush().map_err(|error| self.file.get_ref().error(error))?;
        self.file.into_parts().0.close()
    }
}

/// The description, without the ranges of values; `frames` are those of the field and of influence.
fn described(scenario: &Scenario, steps: u32, frames: [u64; 2]) -> Description {
    let grid = scenario.grid();
    let [columns, rows] = [grid.columns(), grid.rows()];
    let unit = &scenario.output.unit;
    let quantity = |name: &str, frames| Quantity { name: name.to_owned(), range: [0.0; 2], frames, is_of_teams: false };
    let influence = |frames| Quantity { is_of_teams: true, ..quantity("influence", frames) };
    let field = match scenario.output.drawn {
        Drawn::Field(Shown::Layer(layer)) => quantity(&format!("{}, {unit}", scenario.layers[layer]), frames[0]),
        Drawn::Field(Shown::Combination(_)) | Drawn::Costmap => quantity(unit, frames[0]),
        Drawn::Influence => influence(frames[0]),
    };
    let influence = scenario.influences.as_ref().map(|_| influence(frames[1]));
    let open = scenario.ground.open();
    let goal = |goal: &Goal| StoredGoal {
        cells: rectangles::of_cells(columns, rows, |column, row| {
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
        walls: rectangles::of_cells(columns, rows, |column, row| !open.allows(column, row)),
        goals: scenario.goals.iter().map(goal).collect(),
        teams: scenario.teams.iter().cloned().zip(scenario.team_colours.iter().copied()).collect(),
        entities: scenario.entities.iter().filter_map(|mapped| marked(mapped, grid.origin())).collect(),
        groups: scenario.groups.iter().map(group).collect(),
        legend,
        colours: scenario.output.colours,
    }
}

/// An entity, if pictures show it.
fn marked(mapped: &MapEntity, origin: [f64; 2]) -> Option<Marked> {
    let ring = match mapped.entity.shape {
        Shape::Ring { radius } => Some(radius),
        _ => None,
    };
    let [x, y] = mapped.entity.position;
    let standing = || StoredPatrol::standing([x - origin[0], y - origin[1]]);
    let path = mapped.patrol.as_ref().map_or_else(standing, Patrol::stored);
    Some(Marked { colour: mapped.colour?, ring, path })
}
