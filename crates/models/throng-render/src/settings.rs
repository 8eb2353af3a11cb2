//! The size and the quality of images.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};
use throng_model::{Costs, Estimate, TypicalCosts, Work};

use crate::Tone;
use crate::cpu::EDGE;

/// Typical costs of a sample of all pixels, and of a sample of one.
const COSTS: TypicalCosts = TypicalCosts::new(100e-9, Costs::new(0.65, 20e-6, 1e-9));
/// Maximum edge length of an image, in pixels.
const MAX_EDGE: u32 = 32_768;
/// Maximum number of samples per pixel.
pub const MAX_SAMPLES: u32 = 1 << 20;
/// Maximum number of bounces of a path.
const MAX_BOUNCES: u32 = 64;

/// The keys that determine how much memory an image needs, for error messages.
pub(crate) const SIZE: &str = "width, height";
/// The remedy for an image that needs more memory than available.
pub(crate) const SMALLER: &str = "give a smaller image";

/// The size and the quality of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Samples per pixel. A single one is at its center; several are at random positions in the pixel.
    pub samples: u32,
    /// Maximum number of mirrors on a path. Light on paths with more mirrors is missing. The style `Paper` has
    /// at most one.
    pub max_bounces: u32,
    /// The kinds of light that are simulated.
    pub style: Style,
    /// Tone mapping of amounts of light above 1.
    pub tone: Tone,
    /// Seed of the positions of samples.
    pub seed: i64,
    /// Whether rays are tested against the tree, or else against every shape. The image is the same.
    pub tree: bool,
}

/// The kinds of light in an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Light from lamps, with shadows, and ambient light; mirrors reflect both.
    #[default]
    Full,
    /// As in Kloosterman's report: with shadows, and a mirror shows only the ambient colour of the next shape.
    Paper,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 700,
            height: 700,
            samples: 1,
            max_bounces: 4,
            style: Style::Full,
            tone: Tone::Clamp,
            seed: 1,
            tree: true,
        }
    }
}

impl Settings {
    /// Bytes of an image on the host during rendering. Per pixel: three sums in single precision, in whole blocks; four
    /// bytes; and the three bytes that are written.
    pub fn bytes(&self) -> u64 {
        let [in_blocks, pixels] = [EDGE, 1].map(|edge| {
            let long = |side: u32| u64::from(side.next_multiple_of(edge));
            long(self.width) * long(self.height)
        });
        12 * in_blocks + 7 * pixels
    }

    /// Checks that an image can be rendered.
    ///
    /// # Errors
    /// When there are no pixels, or more than fit into memory, or a value is outside its range.
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        for (key, value, least, most) in [
            ("width", self.width, 1, MAX_EDGE),
            ("height", self.height, 1, MAX_EDGE),
            ("samples", self.samples, 1, MAX_SAMPLES),
            ("max_bounces", self.max_bounces, 0, MAX_BOUNCES),
        ] {
            if !(least..=most).contains(&value) {
                problems.push(key, value.to_string(), format!("give a whole number from {least} to {most}"));
            }
        }
        problems.into_result()?;
        let size = format_args!("{} x {} pixels", self.width, self.height);
        throng_core::check_memory(self.bytes(), SIZE, size, SMALLER)
    }

    /// Returns an estimate of rendering this number of images with `samples` samples per pixel.
    pub(crate) fn estimate(&self, images: usize, samples: u32) -> Estimate {
        let steps = images as f64 * f64::from(samples);
        let units = f64::from(self.width) * f64::from(self.height) * steps;
        Estimate { model: "render", part: "steps", work: Work { steps, units }, typical: COSTS }
    }

    /// The maximum number of bounces of a path in this style.
    pub(crate) fn most_bounces(&self) -> u32 {
        match self.style {
            Style::Full => self.max_bounces,
            Style::Paper => 1,
        }
    }
}
