//! Lights.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;

use crate::check::{check_finite, check_light};
use crate::{Point, Rgb};

/// A point light.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Light {
    /// Position.
    pub position: Point,
    /// Intensity, linear red, green and blue.
    pub intensity: Rgb,
    /// How light weakens with distance.
    pub falloff: Falloff,
}

/// How light weakens with distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Falloff {
    /// The light does not weaken.
    #[default]
    None,
    /// The light weakens with the square of the distance, as in nature. The intensity applies at a distance of 1.
    InverseSquare,
}

impl Default for Light {
    fn default() -> Self {
        Self { position: [0.0, 10.0, 0.0], intensity: [0.7; 3], falloff: Falloff::None }
    }
}

impl Light {
    pub(crate) fn check(&self, name: &str, problems: &mut Problems) {
        let Self { position, intensity, falloff: _ } = *self;
        check_finite(&format!("{name}, position"), position, problems);
        check_light(&format!("{name}, intensity"), intensity, problems);
    }
}
