//! Fields as one of Throng's models.

use throng_core::Verified;
use throng_device::Executor;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::schema;
use throng_fields_scenario::template;
use throng_model::scenario_file::AnyScenario;
use throng_model::{Check, CommonKeys, Failure, Model, Replay, ScenarioRequest};

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
