//! Memory and time of large fields: table II.

use std::sync::Arc;

use throng_core::Progress;
use throng_device::Device;
use throng_model::Failure;
use throng_pedestrians::{FieldParameters, FieldTables, Flow, Pedestrians};

use super::caching::{Caching, bytes};
use super::cases::{Case, Options};
use super::method::Method;
use super::numbers::Numbers;
use super::reproduce::{is_too_large, pedestrians, timed, world};
use super::running::Setting;
use super::slots::Slots;

/// Density of the crowd: 2 million pedestrians in 2000 x 2000 space units.
pub const DENSITY: f64 = 0.5;
/// Headings of the crowd.
pub const FLOW: Flow = Flow::Bi;
/// Maximum number of measured ticks.
const TICKS: u32 = 100;

/// Memory of the caches for a field size, and time per tick.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldSizeMeasurement {
    /// Columns and rows of a field.
    pub field: u32,
    /// Its strength fan-out with Throng's sector map.
    pub fan_out: u32,
    /// Bytes of stored fields and a one-step cache.
    pub one_step: u64,
    /// Bytes of stored fields and a multi-step cache.
    pub multi_step: u64,
    /// Bytes that Throng's executor allocates on the device; `None` without one.
    pub throng: Option<u64>,
    /// Milliseconds per tick of Throng's executor; `None` without a device.
    pub ms_per_tick: Option<f64>,
    /// Measured ticks of Throng's executor.
    pub ticks: u32,
    /// Milliseconds per tick of the multi-step cache; `None` without a device, or if it does not fit.
    pub multi_step_ms: Option<f64>,
}

/// Measures one row per field size that fits into the world.
pub(super) fn memory_table(
    device: Option<&Arc<Device>>,
    pool: &rayon::ThreadPool,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<FieldSizeMeasurement>, Failure> {
    let side = options.memory_side;
    let fields: Vec<u32> = options.memory_fields.iter().copied().filter(|&field| field <= side).collect();
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let case = Case { side, density: DENSITY, flow: FLOW };
    let world = world(side)?;
    let state = pool.install(|| pedestrians(&world, case, options.seed))?;
    let (numbers, units) = (Numbers::of(FLOW.headings()), world.grid().units() as u64);
    progress.begin("memory with large fields", Some(fields.len() as u64), "field sizes");
    let mut rows = Vec::new();
    for (i, field) in fields.into_iter().enumerate() {
        progress.at(i as u64, &format!("fields of {field} x {field}"));
        let tables = FieldTables::new(&FieldParameters { size: field, ..FieldParameters::default() })?;
        let fan_out = Slots::new(&tables, 1).fan_out();
        let of = |caching| bytes(caching, fan_out, numbers, units);
        let (one_step, multi_step) = (of(Caching::OneStep), of(Caching::MultiStep(options.sums)));
        let mut row = FieldSizeMeasurement {
            field,
            fan_out,
            one_step,
            multi_step,
            throng: None,
            ms_per_tick: None,
            ticks: 0,
            multi_step_ms: None,
        };
        if device.is_some() {
            let setting = Setting { world: world.clone(), tables, seed: options.seed, pool, device };
            let (bytes, ms, ticks) = measure(&setting, Method::Device, &state, options)?;
            (row.throng, row.ms_per_tick, row.ticks) = (bytes, Some(ms), ticks);
            match measure(&setting, Method::MultiStep(options.sums), &state, options) {
                Ok((_, ms, _)) => row.multi_step_ms = Some(ms),
                Err(failure) if is_too_large(&failure) => {}
                Err(failure) => return Err(failure),
            }
        }
        rows.push(row);
    }
    progress.end();
    Ok(rows)
}

/// Bytes of a program on the device, its milliseconds per tick, and the number of ticks. A few ticks are enough: for
/// such a large crowd, a tick takes longer than its launches.
fn measure(
    setting: &Setting<'_>,
    method: Method,
    state: &Pedestrians,
    options: &Options,
) -> Result<(Option<u64>, f64, u32), Failure> {
    setting.start(method, state, 0)?.run(1)?;
    let mut program = setting.start(method, state, 0)?;
    let (ticks, seconds) = timed(|ticks| program.run(ticks), method, options.ticks.min(TICKS), options.seconds)?;
    Ok((program.bytes(), seconds * 1e3 / f64::from(ticks), ticks))
}
