//! Fields as one of Throng's models.

use throng_core::{Change, Verified};
use throng_device::AnyDevice;
use throng_model::{AnyScenario, Check, Failure, Model, ScenarioRequest};

use crate::run::FieldsRun;
use crate::scenario::Scenario;
use crate::scenario::schema::schema;
use crate::scenario::template::template;

/// Potential fields and influence maps, with agents that walk by them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldsModel;

impl Check for FieldsModel {
    fn name(&self) -> &'static str {
        "fields"
    }

    fn verify(&self, device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified)) {
        crate::verification::verify(device, tell);
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

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        request.check("fields", self.flags())?;
        let Some(file) = &request.file else {
            return Err(Failure::input("SCENARIO", "is missing", "name a scenario file (.toml) of fields"));
        };
        let scenario = Scenario::read(file, &changes(request))?;
        let run = FieldsRun::new(scenario);
        Ok(Box::new(FieldsRun { threads: request.threads.unwrap_or(1), ..run }))
    }
}

/// The flags as changes, `--set` after those with a name of their own.
fn changes(request: &ScenarioRequest) -> Vec<Change> {
    let mut changes = Vec::new();
    if let Some(folder) = &request.out {
        let folder = toml::Value::String(folder.display().to_string());
        changes.push(Change::of_flag("--out", format!("output.folder={folder}")));
        // What the file allows is allowed in its own output folder.
        changes.push(Change::of_flag("--out", "output.overwrite=false"));
    }
    if request.overwrite {
        changes.push(Change::of_flag("--overwrite", "output.overwrite=true"));
    }
    changes.extend(request.seed.map(|seed| Change::of_flag("--seed", format!("seed={seed}"))));
    changes.extend(request.changes.iter().cloned());
    changes
}
