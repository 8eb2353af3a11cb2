//! Many societies at once, on any executor.

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::{DeviceInfo, Executor, Needs, On};
use throng_model::Failure;

use crate::model::{MEASURES, measure};
use crate::parameters::Parameters;
use crate::society::Society;

/// Societies with different parameters and seeds, computed together: on the threads of the CPU, or in sequences of
/// launches on a device. The results are the same, bit for bit.
///
/// ```
/// use throng_device::DeviceChoice;
/// use throng_economy::{Parameters, Societies};
///
/// let mut societies = Societies::builder();
/// for agents in [2, 8, 16] {
///     societies = societies.replicates(&Parameters { agents, resources: 8, ..Parameters::default() }, 1..=4);
/// }
/// let societies = societies.on(DeviceChoice::Auto).build()?;
/// let courses = societies.simulate(20)?;
/// // Larger societies trade more, so each agent is better off: the mean over four seeds of the utility on the last day.
/// let utility = |of: &[throng_economy::SocietyCourse]| of.iter().map(|course| course.on_day(20, "utility").unwrap()).sum::<f64>() / 4.0;
/// let [two, eight, sixteen] = [0, 4, 8].map(|first| utility(&courses[first..first + 4]));
/// assert!(two < eight && two < sixteen);
/// # Ok::<(), throng_model::Failure>(())
/// ```
#[derive(Debug, Clone)]
pub struct Societies {
    executor: Executor,
    replicates: Vec<(Parameters, u64)>,
}

/// The course of a society: the measures of each day, and the society after the last one.
#[derive(Debug, Clone)]
pub struct SocietyCourse {
    /// The measures of each day, in the order of [`MEASURES`]; the first row is the state before the first day.
    pub rows: Vec<Vec<f64>>,
    /// The society after the last day.
    pub last: Society,
}

impl SocietyCourse {
    /// Returns a measure on a day, from 1; 0 is the state before the first day. `None` if there is no such measure or
    /// day. Names are listed in [`MEASURES`], such as `utility` or `extracted`.
    pub fn on_day(&self, day: u32, measure: &str) -> Option<f64> {
        let column = MEASURES.iter().position(|quantity| quantity.name == measure)?;
        self.rows.get(day as usize).map(|row| row[column])
    }
}

impl Societies {
    /// Starts building societies.
    pub fn builder() -> SocietiesBuilder {
        SocietiesBuilder { replicates: Vec::new(), on: On::default() }
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// Simulates all societies from their start for `days` days, and returns their courses in the order in which they
    /// were added. A course takes 128 bytes per day. Societies are computed in parallel; on a device those with the
    /// same numbers of agents and resources, devices, markets and removals, as many as fit into its memory.
    ///
    /// # Errors
    /// If the device has too little memory, or fails.
    pub fn simulate(&self, days: u32) -> Result<Vec<SocietyCourse>, Failure> {
        let Some(device) = self.executor.shared_device() else {
            return Ok(self.replicates.par_iter().map(|(parameters, seed)| on_cpu(parameters, *seed, days)).collect());
        };
        throng_device::with_kernels!("societies", device, |device| {
            let tasks: Vec<crate::gpu::Task> = self
                .replicates
                .iter()
                .map(|(parameters, seed)| crate::gpu::Task { parameters: parameters.clone(), seed: *seed, days })
                .collect();
            crate::gpu::simulate_many(device, &tasks)
        })
    }
}

fn on_cpu(parameters: &Parameters, seed: u64, days: u32) -> SocietyCourse {
    let mut last = Society::of(parameters, seed);
    let mut rows = vec![measure(&last)];
    rows.extend((0..days).map(|_| {
        last.day();
        measure(&last)
    }));
    SocietyCourse { rows, last }
}

/// Builds [`Societies`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct SocietiesBuilder {
    replicates: Vec<(Parameters, u64)>,
    on: On,
}

impl SocietiesBuilder {
    /// Adds a society per seed, all with the same parameters.
    pub fn replicates(mut self, parameters: &Parameters, seeds: impl IntoIterator<Item = u64>) -> Self {
        self.replicates.extend(seeds.into_iter().map(|seed| (parameters.clone(), seed)));
        self
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// simulations. The default is the fastest GPU with double precision, or the CPU if there is none.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds the societies.
    ///
    /// # Errors
    /// If there are none, a parameter is out of range, or the device cannot be opened or lacks double precision.
    pub fn build(self) -> Result<Societies, Failure> {
        let Self { replicates, on } = self;
        if replicates.is_empty() {
            return Err(InputError::one("societies", "none", "add replicates").into());
        }
        for (parameters, _) in &replicates {
            parameters.check()?;
        }
        let needs = Needs { unsuitable: &DeviceInfo::unsuitable_for_f64, ..Needs::default() };
        let executor = on.executor(&needs)?;
        Ok(Societies { executor, replicates })
    }
}
