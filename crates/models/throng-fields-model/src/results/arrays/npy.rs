//! Arrays for NumPy: a stack of frames with the dimensions time, row and column, and a description in JSON.

use std::io::{BufWriter, Write as _};

use serde::Serialize;
use throng_fields_core::Field;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::arrays::Array;
use throng_fields_scenario::extracts::Quantity;
use throng_model::Failure;
use throng_output::{ClosedFile, OutputError, PendingFile, RunFolder};
use throng_pictures::files::npy_frames;
use throng_pictures::{Grid, Sample};

use crate::results::quantities::grid_of_part;
use crate::results::write_file;

/// A file of frames being written.
pub(crate) struct FrameWriter {
    file: BufWriter<PendingFile>,
    /// Whether values are written as bytes.
    of_bytes: bool,
}

impl FrameWriter {
    /// Creates a file whose `shape` is the numbers of frames, rows and columns.
    pub(crate) fn new(folder: &RunFolder, name: &str, shape: [u64; 3], of_bytes: bool) -> Result<Self, OutputError> {
        let mut file = BufWriter::new(folder.file(name)?);
        let begin = if of_bytes { npy_frames::begin_bytes } else { npy_frames::begin };
        begin(shape, &mut file).map_err(|error| file.get_ref().error(error))?;
        Ok(Self { file, of_bytes })
    }

    pub(crate) fn add(&mut self, values: &[f32]) -> Result<(), OutputError> {
        let written = if self.of_bytes {
            let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
            self.file.write_all(&bytes)
        } else {
            npy_frames::add(values, &mut self.file)
        };
        written.map_err(|error| self.file.get_ref().error(error))
    }

    pub(crate) fn finish(mut self) -> Result<ClosedFile, OutputError> {
        self.file.flush().map_err(|error| self.file.get_ref().error(error))?;
        self.file.into_parts().0.close()
    }
}

/// The frames of an array, and their times.
pub(crate) struct Stack {
    file: FrameWriter,
    steps: Vec<u32>,
    times: Vec<f64>,
    /// The grid of the frames; an interrupted run may have no frame from which to take it.
    grid: Grid,
}

/// The content of the JSON file that describes a stack.
#[derive(Serialize)]
struct Description<'a> {
    quantity: &'a str,
    /// The names of the array's dimensions.
    dimensions: [&'static str; 3],
    steps: &'a [u32],
    times: &'a [f64],
    /// The corner with the lowest coordinates of the first cell.
    origin: [f64; 2],
    cell: f32,
    columns: u32,
    rows: u32,
    /// The first column and row, in the grid of the scenario.
    first_cell: [u32; 2],
    sample: Sample,
    unit_of_length: &'a str,
}

impl Stack {
    pub(super) fn new(scenario: &Scenario, folder: &RunFolder, array: &Array, steps: u32) -> Result<Self, Failure> {
        let grid = grid_of_part(&array.quantity.grid(scenario.grid()), array.cells)?;
        let (columns, rows) = (array.cells.columns, array.cells.rows);
        let shape = [array.schedule.count(steps), (rows.1 - rows.0).into(), (columns.1 - columns.0).into()];
        let of_bytes = array.quantity == Quantity::Open;
        let file = FrameWriter::new(folder, &format!("{}.npy", array.name), shape, of_bytes)?;
        Ok(Self { file, steps: Vec::new(), times: Vec::new(), grid })
    }

    pub(super) fn add(&mut self, field: &Field, (step, time): (u32, f64)) -> Result<(), OutputError> {
        self.steps.push(step);
        self.times.push(time);
        self.file.add(field.values())
    }

    pub(super) fn finish(
        self,
        array: &Array,
        scenario: &Scenario,
        folder: &RunFolder,
    ) -> Result<[ClosedFile; 2], Failure> {
        let grid = &self.grid;
        let description = Description {
            quantity: &array.title,
            dimensions: ["time", "row", "column"],
            steps: &self.steps,
            times: &self.times,
            origin: grid.origin(),
            cell: grid.cell(),
            columns: grid.columns(),
            rows: grid.rows(),
            first_cell: [array.cells.columns.0, array.cells.rows.0],
            sample: grid.sample(),
            unit_of_length: &scenario.unit,
        };
        let described = write_file(folder, &format!("{}.json", array.name), |file| {
            file.write_all(serde_json::to_string_pretty(&description)?.as_bytes())
        })?;
        Ok([self.file.finish()?, described])
    }
}
