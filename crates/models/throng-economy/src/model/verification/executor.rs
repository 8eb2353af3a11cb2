//! Executors of the societies of the verification cases.

use throng_device::DeviceClass;
use throng_model::prelude::*;

use super::super::measures::measure;
use super::super::{Scenario, SocietiesModel};
use crate::devices::Devices;
use crate::parameters::Parameters;
use crate::societies::{Societies, SocietyCourse};
use crate::society::Society;

/// An executor; in tests also a faulty one.
pub trait CaseExecutor {
    /// Begins to simulate a society.
    fn begin(&self, society: Society) -> Result<Box<dyn Steps<State = Society>>, Failure>;

    /// Number of seeds of means.
    fn seeds(&self) -> u32;

    /// Returns the courses of societies with the seeds 1 to `seeds`.
    fn courses(&self, parameters: &Parameters, seeds: u32, days: u32) -> Result<Vec<SocietyCourse>, Failure> {
        let course = |seed: u32| {
            let mut executor = self.begin(Society::of(parameters, seed.into()))?;
            let mut rows = vec![measure(&executor.state()?)];
            for _ in 0..days {
                executor.step()?;
                rows.push(measure(&executor.state()?));
            }
            Ok(SocietyCourse { rows, last: executor.state()? })
        };
        (1..=seeds).map(course).collect()
    }
}

impl CaseExecutor for Executor {
    fn begin(&self, society: Society) -> Result<Box<dyn Steps<State = Society>>, Failure> {
        SocietiesModel::executor(self, &Scenario::of(&society.parameters), society)
    }

    fn seeds(&self) -> u32 {
        8
    }

    fn courses(&self, parameters: &Parameters, seeds: u32, days: u32) -> Result<Vec<SocietyCourse>, Failure> {
        let on = if parameters.devices == Devices::None { self.clone() } else { not_in_software(self) };
        Societies::builder().replicates(parameters, 1..=seeds.into()).on(on).build()?.simulate(days)
    }
}

/// Returns the executor for societies with devices of a hundred days or more. On a software device they would take
/// minutes, so they run on the CPU; [`one_state`](super::one_state) shows that the results are the same.
fn not_in_software(on: &Executor) -> Executor {
    let is_software = on.device().is_some_and(|device| device.info().class == DeviceClass::Software);
    if is_software { Executor::cpu() } else { on.clone() }
}
