//! The measures of each society on each day, reduced on the device.

use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::SocietiesOnDevice;
use super::kernels::measures::{self, COLUMNS, Row, TodayArraysBuffers};

/// The measures of many societies over time.
pub struct Series {
    societies: usize,
    /// `[day][society][column]`.
    values: Vec<f64>,
}

impl Series {
    /// Returns the measures of a society on a day, from 1, in the order of the model's measures.
    pub fn of(&self, society: usize, day: u32) -> &[f64] {
        let at = (day as usize - 1) * self.societies + society;
        &self.values[COLUMNS * at..COLUMNS * (at + 1)]
    }
}

/// Simulates societies for `days` days; `progress` receives the number of completed days.
///
/// The series is read back only at the end. It takes 128 bytes per society and day.
///
/// # Errors
/// When the device fails, or has too little memory.
pub fn simulate(
    device: &Device,
    societies: &mut SocietiesOnDevice,
    days: u32,
    progress: &mut dyn FnMut(u32),
) -> Result<Series, Failure> {
    let count = societies.societies() as usize;
    let agents = count * societies.common.shape.agents as usize;
    let rows: Buffer<f64> = device.empty("series", (count * days as usize * COLUMNS).max(1))?;
    let values: Buffer<f64> = device.empty("values to sort", agents.max(1))?;
    let sorted: Buffer<f64> = device.empty("sorted values", agents.max(1))?;
    for day in 0..days {
        societies.day()?;
        measure_day(device, societies, [&rows, &values, &sorted], day)?;
        // Waits for the device, so that at most a few hundred launches are queued.
        if day % 16 == 15 {
            societies.check_loops()?;
            progress(day + 1);
        }
    }
    societies.check_loops()?;
    Ok(Series { societies: count, values: device.read(&rows)? })
}

#[allow(unsafe_code)]
fn measure_day(
    device: &Device,
    societies: &SocietiesOnDevice,
    [rows, values, sorted]: [&Buffer<f64>; 3],
    day: u32,
) -> Result<(), DeviceError> {
    let shape = societies.common.shape;
    let present = societies.present();
    let row = Row { first: day * societies.societies(), present, pairs: present / 2 };
    let buffers = &societies.buffers;
    device.launch_cubes("measures", societies.societies(), shape.units(), |client, cubes, dim| {
        let today = TodayArraysBuffers::of(buffers, values, sorted).arg();
        // SAFETY: a cube below the number of societies reads only its agents, pairs and resources, sorts as many values
        // as it has agents, and writes its row of the day.
        unsafe {
            measures::measure::launch_unchecked(
                client,
                cubes,
                dim,
                societies.tables.arg(),
                today,
                rows.arg(),
                societies.are_cut.arg(),
                row.arg(),
                societies.today().arg(),
                shape,
            );
        }
    })
}
