//! Fields as one of Throng's models.

use throng_core::Verified;
use throng_device::Executor;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::schema;
use throng_fields_scenario::template;
use throng_model::scenario_file::AnyScenario;
use throng_model::{Calibration, Check, CommonKeys, Failure, Model, Replay, ScenarioRequest};

use crate::replay::FieldsReplay;
use crate::run::FieldsRun;

/// Potential fields and influence maps, with agents that follow them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldsModel;

impl Check for FieldsModel {
    fn name(&self) -> &'static str {
        "fields"
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        throng_fields::verification::verify(on, tell);
    }
}

const SMALL: &str = r#"
model = "fields"
[grid]
size = [32, 32]
cell = 1
[run]
steps = 3000
time_step = 1
[output]
frame_every = 0
[profiles.p]
form = "linear"
radius = 6
[[entities]]
at = [16, 16]
profile = "p"
path = [[20, 20]]
speed = 1
then = "back"
"#;
const LARGE: &str = r#"
model = "fields"
[grid]
size = [512, 512]
cell = 1
[run]
steps = 200
time_step = 1
[output]
frame_every = 0
[profiles.p]
form = "linear"
radius = 120
[[entities]]
at = [150, 250]
profile = "p"
path = [[155, 260]]
speed = 1
then = "back"
[[entities]]
at = [350, 250]
profile = "p"
path = [[355, 260]]
speed = 1.3
then = "back"
[[entities]]
at = [250, 150]
profile = "p"
path = [[270, 160]]
speed = 1.7
then = "back"
[[entities]]
at = [250, 350]
profile = "p"
path = [[270, 360]]
speed = 1.1
then = "back"
"#;

impl Model for FieldsModel {
    fn about(&self) -> &'static str {
        "Potential fields and influence maps"
    }

    fn template(&self) -> String {
        template().to_owned()
    }

    fn schema(&self) -> String {
        schema()
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(Calibration::files(SMALL, LARGE))
    }

    fn replay(&self) -> Option<&'static dyn Replay> {
        Some(&FieldsReplay)
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        let file = request.checked_file("fields", self.flags())?;
        let keys = CommonKeys { folder: "output.folder", overwrite: "output.overwrite", seed: "seed" };
        let scenario = Scenario::of_file(file, &request.changes_as(keys))?;
        let run = FieldsRun::new(scenario);
        let threads = request.threads.unwrap_or_else(throng_core::available_threads);
        Ok(Box::new(FieldsRun { threads, ..run }))
    }
}
