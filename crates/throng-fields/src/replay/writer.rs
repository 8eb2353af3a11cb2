//! Writing what pictures need, during a run.

use std::io::{BufWriter, Write as _};

use throng_model::Failure;
use throng_output::{ClosedFile, OutputError, PendingFile, RunFolder};

use super::description::{Description, GroupOfAgents, Marked, Quantity};
use super::frames::{coarsened, samples_of};
use super::{DESCRIPTION, FIELD_FRAMES, INFLUENCE_FRAMES, rectangles};
use crate::files::npy_frames;
use crate::pictures::Colour;
use crate::results::costmap;
use crate::scenario::output::Drawn;
use crate::scenario::patrol::{Patrol, StoredPatrol};
use crate::scenario::{Figure, Scenario, Shown};
use crate::simulation::Simulation;
use crate::{Field, Shape};

/// Writes the files of pictures.
pub(crate) struct ReplayWriter {
    description: Description,
    field: FrameWriter,
    influence: Option<FrameWriter>,
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
                    && scenario.figures.iter().all(|figure| figure.patrol.is_none())
                    && scenario.groups.iter().all(|group| group.carried.is_none())
            }
        };
        let of_field = if is_static { 1 } else { frames };
        let description = described(scenario, steps, [of_field, frames]);
        let shape = |frames| [frames, description.samples.rows.into(), description.samples.columns.into()];
        let field = FrameWriter::new(folder, FIELD_FRAMES, shape(of_field))?;
        let has_teams = scenario.influences.is_some();
        let influence = has_teams.then(|| FrameWriter::new(folder, INFLUENCE_FRAMES, shape(frames))).transpose()?;
        let range = scenario.output.range.map(|range| [range.low(), range.high()]);
        Ok(Self { description, field, influence, range })
    }

    /// Adds the current state, at each step that has a frame.
    pub(crate) fn add(&mut self, scenario: &Scenario, simulation: &Simulation<'_>) -> Result<(), Failure> {
        let samples = self.description.samples;
        let values = |field: &Field| coarsened(field, samples);
        if self.field.written < self.field.frames {
            match scenario.output.drawn {
                Drawn::Field(shown) => self.field.add(&values(simulation.shown(shown)?))?,
                Drawn::Costmap => self.field.add(&values(&costmap::field(scenario)))?,
                Drawn::Influence => {
                    if let Some(influence) = simulation.influence()? {
                        self.field.add(&values(&influence))?;
                    }
                }
            }
        }
        if let (Some(file), Some(influence)) = (&mut self.influence, simulation.influence()?) {
            file.add(&values(&influence))?;
        }
        Ok(())
    }

    /// Ends all files; they have no final names yet.
    pub(crate) fn finish(mut self, folder: &RunFolder) -> Result<Vec<ClosedFile>, Failure> {
        let mut files = Vec::new();
        self.description.field.range = self.range.unwrap_or(self.field.range());
        files.push(self.field.finish()?);
        if let (Some(file), Some(quantity)) = (self.influence, &mut self.description.influence) {
            quantity.range = file.range();
            files.push(file.finish()?);
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
    let quantity = |name: &str, frames| Quantity { name: name.to_owned(), range: [0.0; 2], frames, sides: None };
    let influence = |frames| {
        let name =
            format!("influence of {} minus that of all others", scenario.teams.first().map_or("", String::as_str));
        let colours = scenario.team_colours();
        // The others have a colour of their own if there is only one.
        let others = if colours.len() == 2 { colours[1] } else { Colour::GREY };
        Quantity { sides: colours.first().map(|&first| [others, first]), ..quantity(&name, frames) }
    };
    let field = match scenario.output.drawn {
        Drawn::Field(Shown::Layer(layer)) => quantity(&format!("{}, {unit}", scenario.layers[layer]), frames[0]),
        Drawn::Field(Shown::Combination(_)) | Drawn::Costmap => quantity(unit, frames[0]),
        Drawn::Influence => influence(frames[0]),
    };
    let influence = scenario.influences.as_ref().map(|_| influence(frames[1]));
    let open = scenario.ground.open();
    let goals = scenario.ground.goals();
    let group =
        |group: &crate::scenario::agents::Group| GroupOfAgents { agents: group.positions.len(), colour: group.colour };
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
        goals: rectangles::of_cells(columns, rows, |column, row| goals.allows(column, row)),
        entities: scenario.figures.iter().filter_map(|figure| marked(figure, grid.origin())).collect(),
        groups: scenario.groups.iter().map(group).collect(),
        legend,
        colours: scenario.output.colours,
    }
}

/// An entity, if pictures show it.
fn marked(figure: &Figure, origin: [f64; 2]) -> Option<Marked> {
    let ring = match figure.entity.shape {
        Shape::Ring { radius } => Some(radius),
        _ => None,
    };
    let [x, y] = figure.entity.position;
    let standing = || StoredPatrol::standing([x - origin[0], y - origin[1]]);
    let path = figure.patrol.as_ref().map_or_else(standing, Patrol::stored);
    Some(Marked { colour: figure.colour?, ring, path })
}
