//! What is measured of each society on each day, reduced on the device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::{Buffer, Device, DeviceError};
use throng_model::Failure;

use super::SocietiesOnDevice;

/// The columns of a series, means of agents.
pub const COLUMNS: [&str; 4] = ["utility", "held", "extracted", "traded"];

/// The measures of many societies over time.
pub struct Series {
    societies: usize,
    /// `[day][society][column]`.
    values: Vec<f64>,
}

impl Series {
    /// The measures of a society on a day, from 1, in the order of [`COLUMNS`].
    pub fn of(&self, society: usize, day: u32) -> &[f64] {
        let at = (day as usize - 1) * self.societies + society;
        &self.values[COLUMNS.len() * at..COLUMNS.len() * (at + 1)]
    }
}

/// Sums over agents, one after the other: a unit for each society.
#[cube(launch_unchecked)]
fn measure(
    utility: &Array<f64>,
    held: &Array<u32>,
    extracted: &Array<u32>,
    traded: &mut Array<u32>,
    series: &mut Array<f64>,
    societies: u32,
    agents: u32,
    pairs: u32,
    first: u32,
) {
    let society = ABSOLUTE_POS as u32;
    if society < societies {
        let mut sum = 0.0f64;
        let mut units = 0.0f64;
        let mut new = 0.0f64;
        for agent in society * agents..(society + 1u32) * agents {
            sum += utility[agent as usize];
            units += held[agent as usize] as f64;
            new += extracted[agent as usize] as f64;
        }
        let mut swapped = 0.0f64;
        for pair in society * pairs..(society + 1u32) * pairs {
            swapped += traded[pair as usize] as f64;
            traded[pair as usize] = 0u32;
        }
        let at = comptime!(COLUMNS.len()) * (first + society) as usize;
        let count = agents as f64;
        series[at] = sum / count;
        series[at + 1] = units / count;
        series[at + 2] = new / count;
        series[at + 3] = swapped / count;
    }
}

/// Simulates societies for some days.
///
/// Nothing is read back before the end. The series takes 32 bytes for each society and day.
///
/// # Errors
/// When the device fails, or has too little memory.
pub fn simulate<R: Runtime>(
    device: &Device<R>,
    societies: &mut SocietiesOnDevice<'_, R>,
    days: u32,
    progress: &mut dyn FnMut(u32),
) -> Result<Series, Failure> {
    let count = societies.seeds.len();
    let series: Buffer<f64> = device.empty("series", (count * days as usize * COLUMNS.len()).max(1))?;
    for day in 0..days {
        societies.day()?;
        measure_day(device, societies, &series, day)?;
        // Launches are queued; some hundreds are more than enough.
        if day % 16 == 15 {
            device.synchronize("days")?;
            progress(day + 1);
        }
    }
    Ok(Series { societies: count, values: device.read(&series)? })
}

#[allow(unsafe_code)]
fn measure_day<R: Runtime>(
    device: &Device<R>,
    societies: &SocietiesOnDevice<'_, R>,
    series: &Buffer<f64>,
    day: u32,
) -> Result<(), DeviceError> {
    let (count, agents) = (societies.seeds.len() as u32, societies.parameters.agents);
    device.launch("measures", count as usize, |client, cubes, dim| {
        // SAFETY: a unit below the number of societies reads its agents and pairs, and writes its columns of the day.
        unsafe {
            measure::launch_unchecked::<R>(
                client,
                cubes,
                dim,
                societies.buffers.utility[0].arg(),
                societies.buffers.units_held.arg(),
                societies.buffers.units_extracted.arg(),
                societies.buffers.traded.arg(),
                series.arg(),
                count,
                agents,
                agents / 2,
                day * count,
            );
        }
    })
}
