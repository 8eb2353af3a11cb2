//! Arrays for NumPy: a stack of frames with the dimensions time, row and column, and a description in JSON.

use std::io::{BufWriter, Write as _};

use serde::Serialize;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::arrays::{Array, Content};
use throng_model::Failure;
use throng_output::{ClosedFile, OutputError, PendingFile, RunFolder};
use throng_pictures::files::npy_frames;
use throng_pictures::{Grid, Sample};

use super::frame::{Frame, Numbers};
use crate::results::quantities::grid_of_part;
use crate::results::write_file;

/// A file of frames being written.
pub(crate) struct FrameWriter {
    file: BufWriter<PendingFile>,
    numbers: Numbers,
}

impl FrameWriter {
    /// Creates a file whose `shape` is the numbers of frames, rows and columns.
    pub(crate) fn new(folder: &RunFolder, name: &str, shape: [u64; 3], numbers: Numbers) -> Result<Self, OutputError> {
        let mut file = BufWriter::new(folder.file(name)?);
        let begin = match numbers {
            Numbers::Floats => npy_frames::begin,
            Numbers::Bytes => npy_frames::begin_bytes,
            Numbers::Words => npy_frames::begin_words,
        };
        begin(shape, &mut file).map_err(|error| file.get_ref().error(error))?;
        Ok(Self { file, numbers })
    }

    /// Appends the values of a frame; integers are rounded down.
    pub(crate) fn add(&mut self, values: &[f32]) -> Result<(), OutputError> {
        if self.numbers != Numbers::Floats {
            return self.add_integers(&values.iter().map(|&value| value as u32).collect::<Vec<_>>());
        }
        npy_frames::add(values, &mut self.file).map_err(|error| self.file.get_ref().error(error))
    }

    /// Appends a frame of integers.
    fn add_integers(&mut self, integers: &[u32]) -> Result<(), OutputError> {
        let bytes: Vec<u8> = match self.numbers {
            Numbers::Bytes => integers.iter().map(|&integer| integer as u8).collect(),
            Numbers::Words | Numbers::Floats => integers.iter().flat_map(|integer| integer.to_le_bytes()).collect(),
        };
        self.file.write_all(&bytes).map_err(|error| self.file.get_ref().error(error))
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bits: Vec<LayerBit<'a>>,
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

/// A bit of the numbers of an array.
#[derive(Serialize)]
struct LayerBit<'a> {
    /// Its number, from 0 for the lowest one.
    bit: usize,
    layer: &'a str,
    threshold: f32,
}

impl Stack {
    pub(super) fn new(scenario: &Scenario, folder: &RunFolder, array: &Array, steps: u32) -> Result<Self, Failure> {
        let grid = grid_of_part(&array.content.grid(scenario.grid()), array.cells)?;
        let (columns, rows) = (array.cells.columns, array.cells.rows);
        let shape = [array.schedule.count(steps), (rows.1 - rows.0).into(), (columns.1 - columns.0).into()];
        let numbers = Numbers::of(scenario, array, true);
        let file = FrameWriter::new(folder, &format!("{}.npy", array.name), shape, numbers)?;
        Ok(Self { file, steps: Vec::new(), times: Vec::new(), grid })
    }

    pub(super) fn add(&mut self, frame: &Frame, (step, time): (u32, f64)) -> Result<(), OutputError> {
        self.steps.push(step);
        self.times.push(time);
        match frame {
            Frame::Field(field) => self.file.add(field.values()),
            Frame::Bits(bits, _) => self.file.add_integers(bits.bits()),
        }
    }

    pub(super) fn finish(
        self,
        array: &Array,
        scenario: &Scenario,
        folder: &RunFolder,
    ) -> Result<[ClosedFile; 2], Failure> {
        let grid = &self.grid;
        let bit = |&(bit, threshold): &(usize, f32)| LayerBit { bit, layer: &scenario.layers[bit], threshold };
        let bits = match &array.content {
            Content::Bits(thresholds) => thresholds.iter().map(bit).collect(),
            Content::Quantity(_) => Vec::new(),
        };
        let description = Description {
            quantity: &array.title,
            bits,
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
