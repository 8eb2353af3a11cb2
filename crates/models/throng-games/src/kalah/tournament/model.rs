//! Kalah tournaments as one of Throng's models.

use throng_core::{Verified, available_threads};
use throng_device::Executor;
use throng_model::scenario_file::{AnyScenario, schema_text, template_text};
use throng_model::{Check, CommonKeys, Failure, Model, Replay, ScenarioRequest};

use super::run::Tournament;
use super::settings::Settings;
use crate::kalah::replay::KalahReplay;
use crate::kalah::verification::verify;

/// The name of the model.
pub(super) const NAME: &str = "kalah";
const ABOUT: &str = "A tournament of Kalah players";

/// Tournaments between Kalah players.
#[derive(Debug, Clone, Copy, Default)]
pub struct KalahModel;

impl Check for KalahModel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn group(&self) -> Option<&'static str> {
        Some("games")
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        verify(on, tell);
    }
}

impl Model for KalahModel {
    fn about(&self) -> &'static str {
        ABOUT
    }

    fn template(&self) -> String {
        template_text::<Settings>(NAME, ABOUT).unwrap_or_else(|failure| format!("# {failure}\n"))
    }

    fn schema(&self) -> String {
        schema_text::<Settings>(&format!("Keys of a scenario file of {NAME}, also for --set."))
    }

    fn replay(&self) -> Option<&'static dyn Replay> {
        Some(&KalahReplay)
    }

    fn scenario(&self, request: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
        let file = request.checked_file(NAME, self.flags())?;
        let keys = CommonKeys { folder: "folder", overwrite: "overwrite", seed: "seed" };
        let checked = Settings::read(file, &request.changes_as(keys))?;
        // The results do not depend on the number of threads.
        Ok(Box::new(Tournament::of_checked(checked, request.threads.unwrap_or_else(available_threads))?))
    }
}
