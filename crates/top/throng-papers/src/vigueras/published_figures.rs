//! The figures that the paper's text gives. All others are only in its charts.

use super::method::{FOUR_STEPS, Method, OPTIMISED};

/// Times relative to the baseline for a million agents, on the C870 and the C1060.
pub(super) const RELATIVE_TIMES: [(Method, [Option<f64>; 2]); 4] = [
    (Method::Baseline, [Some(1.0), Some(1.0)]),
    (OPTIMISED, [Some(0.30), Some(0.47)]),
    (FOUR_STEPS, [Some(0.15), Some(0.25)]),
    (Method::FourStepsAtomic, [None, Some(0.35)]),
];
/// The same for the baseline with texture memory on the C870.
pub(super) const TEXTURE: f64 = 0.50;
/// Fraction of the baseline's time in its check, figure 3.
pub(super) const CHECK_IN_BASELINE: f64 = 0.63;
/// Fraction of the optimised baseline's time in its sort, figure 6.
pub(super) const SORT_IN_OPTIMISED: f64 = 0.54;
/// Numbers of agents of the experiment, from the smallest to the largest.
pub(super) const AGENTS: std::ops::RangeInclusive<u32> = 10_000..=1_000_000;

/// Why no program has the paper's texture memory.
pub(super) const NO_TEXTURE: &str = "\
    not repeated: CubeCL 0.10 has no texture fetches; on CUDA, it marks the arrays that a kernel only reads as const \
    and restrict, so that all programs here may read them through the cache that textures used";
