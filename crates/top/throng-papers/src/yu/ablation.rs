//! The second GPU program with each of its techniques left out.

use std::sync::Arc;

use throng_core::Progress;
use throng_device::{Device, with_kernels};
use throng_model::Failure;
use throng_pedestrians::{FieldParameters, FieldTables, Flow, Pedestrians};

use super::caching::Caching;
use super::cases::{Case, Options};
use super::reproduce::{pedestrians, world};
use super::running::Setting;
use super::techniques::{Technique, Techniques, Variant};
use crate::experiment::{Row, Rows, SpeedUp};

/// Density of the crowds: that of the scenario with the paper's largest speed-up.
const DENSITY: f64 = 0.5;
/// Headings of the crowds: those of the same scenario.
const FLOW: Flow = Flow::Eight;

/// A program of the ablation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AblationProgram {
    /// Version of the program with stored fields.
    pub variant: Variant,
    /// Whether the host reads all positions after each tick and counts the pedestrians that moved: its work besides
    /// that of the device.
    pub counts_moves: bool,
}

/// Measurements of the ablation. The case is the side length of a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ablation {
    /// Times of runs with equal numbers of ticks, by size.
    pub rows: Rows<u32, AblationProgram, u32>,
    /// Number of partial sums.
    pub sums: u32,
    /// The sizes, with the reason why some program could not run.
    pub refused: Vec<(u32, String)>,
}

/// A technique in a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    pub technique: Technique,
    /// Milliseconds per tick with the technique.
    pub with_ms: f64,
    /// Milliseconds per tick without it.
    pub without_ms: f64,
    /// The time without it, divided by the time with it.
    pub ratio: SpeedUp,
}

/// The programs with and without a technique.
pub(super) fn compared(technique: Technique, sums: u32) -> [AblationProgram; 2] {
    let variant = Variant { caching: Caching::MultiStep(sums), techniques: Techniques::ALL };
    // Work of the host can only overlap with that of the device if there is some.
    let counts_moves = technique == Technique::Concurrency;
    [variant, variant.without(technique)].map(|variant| AblationProgram { variant, counts_moves })
}

impl Ablation {
    /// The measured sizes.
    pub(super) fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = self.rows.iter().map(|row| row.case).collect();
        sizes.dedup();
        sizes
    }

    /// The effect of each technique in a world, the largest first.
    pub(super) fn effects(&self, side: u32) -> Vec<Effect> {
        let mut effects: Vec<Effect> =
            Technique::ALL.into_iter().filter_map(|technique| self.effect(side, technique)).collect();
        effects.sort_by(|a, b| b.ratio.median.total_cmp(&a.ratio.median));
        effects
    }

    /// The effect of a technique in a world.
    pub(super) fn effect(&self, side: u32, technique: Technique) -> Option<Effect> {
        let [with, without] = compared(technique, self.sums).map(|program| self.rows.row(side, program));
        let (with, without) = (with?, without?);
        let [with_ms, without_ms] = [with, without].map(|row| row.times.median() * 1e3 / f64::from(row.figures.max(1)));
        Some(Effect { technique, with_ms, without_ms, ratio: SpeedUp::of(&without.times, &with.times) })
    }

    /// Measures all programs in worlds of all sizes, in turns. Their final states are compared with Throng's executor.
    ///
    /// # Errors
    /// If the device fails, or a program is wrong.
    pub(super) fn measure(
        device: Option<&Arc<Device>>,
        pool: &rayon::ThreadPool,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Self, Failure> {
        let mut ablation = Self { sums: options.sums, ..Self::default() };
        let sizes: Vec<u32> = options.ablation_sizes.iter().copied().filter(|&size| size > 0).collect();
        let Some(device) = device.filter(|_| !sizes.is_empty()) else { return Ok(ablation) };
        let programs = programs(options.sums);
        let tables = FieldTables::new(&FieldParameters { size: options.field, ..FieldParameters::default() })?;
        progress.begin("with and without each technique", Some(sizes.len() as u64), "sizes");
        for (i, &side) in sizes.iter().enumerate() {
            let case = Case { side, density: DENSITY, flow: FLOW };
            progress.at(i as u64, &format!("{case}, {} programs", programs.len()));
            let (world, tables, seed) = (world(side)?, tables.clone(), options.seed);
            let state = pool.install(|| pedestrians(&world, case, seed))?;
            let task =
                AblationTask { setting: Setting { world, tables, seed, pool, device: Some(device) }, case, state };
            let measured: Result<Measured, Failure> =
                with_kernels!("throng-papers", device, |device| task.measure(device, &programs, options));
            let (rows, refused) = measured?;
            ablation.rows.0.extend(rows);
            ablation.refused.extend(refused.into_iter().map(|reason| (task.case.side, reason)));
        }
        progress.end();
        Ok(ablation)
    }
}

/// A world in which all programs are measured.
struct AblationTask<'a> {
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only devices run these programs"))]
    setting: Setting<'a>,
    case: Case,
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only devices run these programs"))]
    state: Pedestrians,
}

/// Measurements in a world, and why programs could not run.
type Measured = (Vec<Row<u32, AblationProgram, u32>>, Vec<String>);

/// All programs, without duplicates.
fn programs(sums: u32) -> Vec<AblationProgram> {
    let mut programs = Vec::new();
    for program in Technique::ALL.into_iter().flat_map(|technique| compared(technique, sums)) {
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    programs
}

#[cfg(feature = "gpu")]
mod on_device;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{MIN_RUNS, Times};

    #[test]
    fn each_technique_is_compared_with_the_program_that_lacks_it_alone() {
        assert_eq!(programs(4).len(), 1 + 7 + 2);
        let mut ablation = Ablation { sums: 4, ..Ablation::default() };
        let mut add = |program, seconds: f64| {
            ablation.rows.0.push(Row { case: 50, program, times: Times::of(vec![seconds; MIN_RUNS]), figures: 10 });
        };
        let [with, without_memory] = compared(Technique::DataBandwidth, 4);
        let [_, atomic] = compared(Technique::Competition, 4);
        add(with, 0.1);
        add(without_memory, 0.2);
        add(atomic, 0.4);
        let effects = ablation.effects(50);
        let found: Vec<_> = effects.iter().map(|effect| (effect.technique, effect.ratio.median.round())).collect();
        assert_eq!(found, [(Technique::Competition, 4.0), (Technique::DataBandwidth, 2.0)]);
        assert_eq!((effects[0].with_ms, effects[0].without_ms), (10.0, 40.0));
        assert_eq!(ablation.sizes(), [50]);
    }
}
