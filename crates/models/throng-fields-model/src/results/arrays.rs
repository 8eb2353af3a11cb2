//! The arrays of a run, written while it runs. At most one frame of an array is in memory at a time.

pub(crate) mod frame;
pub(crate) mod npy;
mod parquet;

use std::io::Cursor;

use throng_fields_scenario::Scenario;
use throng_fields_scenario::arrays::Array;
use throng_fields_scenario::arrays::Format;
use throng_model::Failure;
use throng_output::{ClosedFile, RunFolder, WrittenFile};
use throng_pictures::files::geotiff::GeoTiff;

use crate::results::arrays::frame::{Frame, Numbers};
use crate::results::quantities::Quantities;
use crate::results::write_bytes;

/// The files of `[[output.arrays]]`, which are written step by step.
pub(crate) struct ArrayFiles<'s> {
    arrays: Vec<(&'s Array, Target)>,
    steps: u32,
}

/// The output of an array's frames.
enum Target {
    Npy(npy::Stack),
    /// Complete files, which do not have their final names yet.
    Geotiff(Vec<ClosedFile>),
    Parquet(Box<parquet::LongTable>),
}

/// The files of all arrays: those that get their final names later, and those that already have them.
pub(crate) type Finished = (Vec<ClosedFile>, Vec<WrittenFile>);

impl<'s> ArrayFiles<'s> {
    /// Creates the files of a run of `steps` steps, except `GeoTIFF` images, which have one frame each.
    pub(crate) fn new(scenario: &'s Scenario, folder: &RunFolder, steps: u32) -> Result<Self, Failure> {
        let target = |array: &'s Array| -> Result<_, Failure> {
            let target = match array.format {
                Format::Npy => Target::Npy(npy::Stack::new(scenario, folder, array, steps)?),
                Format::Geotiff => Target::Geotiff(Vec::new()),
                Format::Parquet => Target::Parquet(Box::new(parquet::LongTable::new(scenario, folder, array)?)),
            };
            Ok((array, target))
        };
        Ok(Self { arrays: scenario.extracts.arrays.iter().map(target).collect::<Result<_, _>>()?, steps })
    }

    /// Adds the frames that are due at the current step.
    pub(crate) fn record(
        &mut self,
        quantities: &Quantities<'_, '_>,
        folder: &RunFolder,
        (step, time): (u32, f64),
    ) -> Result<(), Failure> {
        for (array, target) in &mut self.arrays {
            if !array.schedule.is_due(step, self.steps) {
                continue;
            }
            let frame = Frame::new(quantities, array)?;
            match target {
                Target::Npy(stack) => stack.add(&frame, (step, time))?,
                Target::Parquet(table) => table.add(&frame, array.cells, time)?,
                Target::Geotiff(files) => files.push(geotiff(array, &frame, folder, step)?),
            }
        }
        Ok(())
    }

    /// Writes descriptions, and completes all files.
    pub(crate) fn finish(self, scenario: &Scenario, folder: &RunFolder) -> Result<Finished, Failure> {
        let (mut pending, mut written) = (Vec::new(), Vec::new());
        for (array, target) in self.arrays {
            match target {
                Target::Npy(stack) => pending.extend(stack.finish(array, scenario, folder)?),
                Target::Geotiff(files) => pending.extend(files),
                Target::Parquet(table) => written.push(table.finish()?),
            }
        }
        Ok((pending, written))
    }
}

/// Writes a file with one frame, complete except for its final name. Values that are not finite count as missing.
fn geotiff(array: &Array, frame: &Frame, folder: &RunFolder, step: u32) -> Result<ClosedFile, Failure> {
    let mut tiff = match frame {
        Frame::Field(field) => GeoTiff::new(field),
        Frame::Bits(bits, numbers) => GeoTiff::of_integers(*bits.grid(), bits.bits(), *numbers == Numbers::Bytes)?,
    };
    if let Some(code) = array.epsg {
        tiff = tiff.with_projected_system(code)?;
    }
    let mut bytes = Cursor::new(Vec::new());
    tiff.write(&mut bytes)?;
    Ok(write_bytes(folder, &array.tiff_name(step), bytes.get_ref())?)
}
