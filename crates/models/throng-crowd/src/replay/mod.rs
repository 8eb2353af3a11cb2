//! What the replays of all models of crowds have in common.
//!
//! * [`motion`] reads trajectories, and has places between two frames.
//! * [`settings`] reads the settings of a run from its manifest.
//! * [`look`] has the sizes of persons, the light and the floor.

pub(crate) mod look;
pub(crate) mod motion;
pub(crate) mod settings;

pub(crate) use look::{capsule_height, room};
pub(crate) use motion::{Motion, Moving};
pub(crate) use settings::Settings;

use throng_core::InputError;

/// The number of a colouring in the list of a model.
pub(crate) fn number_of(colourings: &[(&'static str, &'static str)], name: &str) -> Result<usize, InputError> {
    colourings.iter().position(|(known, _)| *known == name).ok_or_else(|| {
        let names: Vec<&str> = colourings.iter().map(|(name, _)| *name).collect();
        let message = format!("\"{name}\" is none of this model");
        InputError::one("colouring", message, format!("give one of {}", names.join(", ")))
    })
}
