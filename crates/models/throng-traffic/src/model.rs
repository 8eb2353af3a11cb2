//! Traffic as one of Throng's models.

use std::path::Path;

use throng_core::Verified;
use throng_device::{DeviceInfo, Executor};
use throng_matsim::config;
use throng_model::flags::Flag;
use throng_model::scenario_file::AnyScenario;
use throng_model::{Calibration, CalibrationScenario, Check, Failure, Model, Replay, ScenarioRequest};

use crate::replay::TrafficReplay;
use crate::scenario_request::{FLAGS, day};

/// Road traffic, simulated with MATSim's queue model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traffic;

impl Check for Traffic {
    fn name(&self) -> &'static str {
        "traffic"
    }

    fn unsuitable(&self, device: &DeviceInfo) -> Option<String> {
        throng_queue::gpu::unsuitable_device(device)
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        throng_queue::verification::verify(on, tell);
    }
}

/// Days of two generated cities, without output.
const CALIBRATION: Calibration = Calibration {
    scenarios: [
        CalibrationScenario::Generated(&["city", "--persons", "20000", "--free-flow-routes"]),
        CalibrationScenario::Generated(&["city", "--persons", "150000", "--free-flow-routes"]),
    ],
    changes: &[
        "controller.writeEventsInterval=0",
        "controller.writePlansInterval=0",
        "controller.dumpDataAtEnd=false",
        "throng.analysis=false",
    ],
};

impl Model for Traffic {
    fn about(&self) -> &'static str {
        "Road traffic, simulated with MATSim's queue model"
    }

    fn template(&self) -> String {
        config::default_config()
    }

    fn schema(&self) -> String {
        config::schema()
    }

    fn flags(&self) -> &'static [Flag] {
        &FLAGS
    }

    fn files_in_folder(&self) -> &'static [&'static str] {
        &["config.xml"]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["config.xml", ".throng"]
    }

    /// Accepts any input: a MATSim config, a scenario cache, or flags that name the files.
    fn takes(&self, _: Option<&Path>) -> bool {
        true
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(CALIBRATION)
    }

    fn replay(&self) -> Option<&'static dyn Replay> {
        Some(&TrafficReplay)
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        Ok(Box::new(day(request)?))
    }
}
