//! Scenes as one of Throng's models: `throng run SCENE` renders an image.

mod report;
mod run;

use throng_core::Verified;
use throng_device::Executor;
use throng_model::scenario_file::{AnyScenario, schema_text, template_text};
use throng_model::{Calibration, Check, CommonKeys, Failure, Model, ScenarioRequest};

use crate::scene_file::{NAME, SceneFile};

pub use run::{Drawn, SceneRun, run};

const ABOUT: &str = "A scene, drawn by a ray tracer";

/// Scenes for the ray tracer.
#[derive(Debug, Clone, Copy, Default)]
pub struct RenderModel;

impl Check for RenderModel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        crate::verification::verify(on, tell);
    }
}

const SMALL: &str = r#"
model = "render"
width = 32
height = 32
samples = 500
[camera]
eye = [6, 5, 9]
target = [1, 1, 1]
[[light]]
position = [-4, 12, 8]
intensity = [1, 1, 1]
[[sphere]]
center = [0, 0, 0]
radius = 1
"#;
const LARGE: &str = r#"
model = "render"
width = 400
height = 400
samples = 12
[camera]
eye = [15.5, 12.5, 19.5]
target = [4.5, 3.6, 4.5]
[[light]]
position = [-4, 22, 18]
intensity = [1, 1, 1]
[[lattice]]
counts = [10, 10, 10]
radius = 0.3
reflectance = 0.5
mirror_every = 4
"#;

impl Model for RenderModel {
    fn about(&self) -> &'static str {
        ABOUT
    }

    fn template(&self) -> String {
        template_text::<SceneFile>(NAME, ABOUT).unwrap_or_else(|failure| format!("# {failure}\n"))
    }

    fn schema(&self) -> String {
        schema_text::<SceneFile>(&format!("Keys of a scene file ({NAME}), also for --set."))
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(Calibration::files(SMALL, LARGE))
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        let file = request.checked_file(NAME, self.flags())?;
        let keys = CommonKeys { folder: "folder", overwrite: "overwrite", seed: "seed" };
        let scene = SceneFile::read(file, &request.changes_as(keys))?;
        let threads = request.threads.unwrap_or_else(throng_core::available_threads);
        Ok(Box::new(SceneRun { file: scene, threads }))
    }
}
