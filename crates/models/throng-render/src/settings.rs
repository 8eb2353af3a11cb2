//! The size and the quality of pictures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};

use crate::Tone;
use crate::cpu::EDGE;

/// Samples of all pixels below which a device is not worth its start.
const SMALL: u64 = 20_000_000;
/// The longest edge of a picture, pixels.
const MAX_EDGE: u32 = 32_768;
/// The most samples of a pixel.
pub const MAX_SAMPLES: u32 = 1 << 20;
/// The most bounces of a path.
const MAX_BOUNCES: u32 = 64;

/// The settings that decide how much memory a picture needs.
pub(crate) const SIZE: &str = "width, height";
/// What to do about a picture that needs more memory than there is.
pub(crate) const SMALLER: &str = "give a smaller picture";

/// How a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Samples of each pixel. A single one is at its center; several are at random places in it.
    pub samples: u32,
    /// The most mirrors on a path. Light that would come over more of them is missing. Style paper has one at most.
    pub max_bounces: u32,
    /// Which light there is.
    pub style: Style,
    /// How amounts of light above 1 are shown.
    pub tone: Tone,
    /// Seed of the places of samples.
    pub seed: i64,
    /// Whether rays are tested against the tree; otherwise each is tested against every shape. The picture is the same.
    pub tree: bool,
}

/// Which light a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Light from all sides and from lamps, with shadows, over mirrors.
    #[default]
    Full,
    /// As Kloosterman's ray tracer: without shadows, and a mirror shows only the ambient colour of the next shape.
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
    /// Bytes of a picture on the host while it is drawn: three sums of a pixel in single precision, in whole blocks, its four
    /// bytes, and the three that are written.
    pub fn bytes(&self) -> u64 {
        let [in_blocks, pixels] = [EDGE, 1].map(|edge| {
            let long = |side: u32| u64::from(side.next_multiple_of(edge));
            long(self.width) * long(self.height)
        });
        12 * in_blocks + 7 * pixels
    }

    /// Refuses pictures that cannot be drawn.
    ///
    /// # Errors
    /// No pixels, more than fit into memory, numbers outside their ranges.
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

    /// Why the CPU should draw so many pictures, where there is a choice.
    pub(crate) fn suits_cpu(&self, pictures: u64) -> Option<String> {
        let samples = u64::from(self.width) * u64::from(self.height) * u64::from(self.samples);
        let is_small = samples.saturating_mul(pictures) < SMALL;
        is_small.then(|| "little to draw; a device takes longer to start".to_owned())
    }

    /// The bounces after which paths end.
    pub(crate) fn most_bounces(&self) -> u32 {
        match self.style {
            Style::Full => self.max_bounces,
            Style::Paper => 1,
        }
    }
}
