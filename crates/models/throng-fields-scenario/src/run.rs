//! Number and length of the steps, and the arithmetic of fields: `[run]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::creation::{Arithmetic, FixedPoint};
use throng_fields_core::layers::MAX_LAYERS;
use throng_model::scenario_file::At;
use throng_pictures::Grid;

use crate::names;
use crate::sources::Sources;
use crate::value_checks::{accept, is_time};

/// `[run]`: number and length of the steps.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Run")]
pub struct RunTable {
    /// Steps of the simulation.
    pub steps: u32,
    /// Length of a step, units of time.
    pub time_step: f64,
    /// The time without progress after which an agent counts as stuck, units of time; by default that of 10 steps.
    pub stuck_after: Option<f64>,
    /// The arithmetic for adding up the fields of entities: fixed point, with the same result everywhere, or floating
    /// point.
    #[serde(default)]
    pub arithmetic: ArithmeticName,
    /// Fractional bits of fields in fixed point.
    #[serde(default = "sixteen")]
    pub bits: u32,
}

/// The arithmetic of sums.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArithmeticName {
    /// Integer steps.
    #[default]
    FixedPoint,
    /// Single precision.
    Float,
}

impl RunTable {
    /// Whether fields of entities are in fixed point.
    pub(crate) fn is_fixed(&self) -> bool {
        self.arithmetic == ArithmeticName::FixedPoint
    }
}

fn sixteen() -> u32 {
    16
}

/// Rejects an invalid number of steps, time step or `stuck_after`, and fills in the default of the latter.
pub(crate) fn check(run: &mut At<RunTable>, problems: &mut Problems) {
    let RunTable { steps, time_step, stuck_after, .. } = run.value;
    if steps == 0 {
        problems.push(run.part("steps"), "0", "expected 1 or more");
    }
    for (key, time) in [("time_step", Some(time_step)), ("stuck_after", stuck_after)] {
        if let Some(time) = time.filter(|time| !is_time(*time)) {
            let remedy = "expected a number from 1.2e-38 to 3.4e38, above 0 and in the range of single precision";
            problems.push(run.part(key), format!("{time:?}"), remedy);
        }
    }
    run.value.stuck_after.get_or_insert(10.0 * time_step);
}

/// Returns the arithmetic for the layers of entities.
pub(crate) fn arithmetic(run: &At<RunTable>, problems: &mut Problems) -> Option<Arithmetic> {
    let &RunTable { arithmetic, bits, .. } = &run.value;
    match arithmetic {
        ArithmeticName::Float => Some(Arithmetic::Float),
        ArithmeticName::FixedPoint => accept(&run.place, FixedPoint::new(bits), problems).map(Arithmetic::FixedPoint),
    }
}

/// Rejects layers whose sums do not fit into fixed point.
pub(crate) fn check_sums(
    (sources, layers): (&Sources<'_>, &[String]),
    grid: &Grid,
    arithmetic: Arithmetic,
    run: &At<RunTable>,
    problems: &mut Problems,
) {
    for (number, name) in layers.iter().enumerate().take(MAX_LAYERS as usize) {
        accept(
            &run.part(&format!("layer \"{}\"", names::shown(name))),
            arithmetic.check(grid, &sources.members(number)),
            problems,
        );
    }
}
