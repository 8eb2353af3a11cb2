//! Robot maps as stored by ROS 2's map server: a YAML file, and the image that it names.
//!
//! Keys, thresholds and modes have the same meaning as in `nav2_map_server`. As in its messages, an occupancy is a
//! number from 0 (free) to 100 (occupied), or unknown.

mod keys;
mod occupancy;

use std::fmt::Write as _;
use std::path::PathBuf;

use throng_core::InputError;

use self::keys::Keys;

pub use occupancy::{cost_of, occupancy_of};

/// Permitted side lengths of pixels, metres: Nav2 rejects smaller ones, and no map of Earth has larger ones.
const RESOLUTIONS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// The contents of the YAML file.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotMap {
    /// Path of the image, relative to the YAML file.
    pub image: PathBuf,
    /// Side length of a cell, metres.
    pub resolution: f64,
    /// The corner with the lowest coordinates, metres.
    pub origin: [f64; 2],
    /// The angle by which the map is rotated, radians. Nav2's costmaps ignore it.
    pub yaw: f64,
    /// Whether bright pixels are occupied, instead of dark ones.
    pub negate: bool,
    /// The occupancy, from 0 to 1, above which a cell is occupied; since Jazzy, from which.
    pub occupied_thresh: f64,
    /// The occupancy, from 0 to 1, below which a cell is free; since Jazzy, up to which.
    pub free_thresh: f64,
    /// The conversion of brightness to occupancy.
    pub mode: Mode,
}

/// The conversion of a pixel's brightness to an occupancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Occupied, free or unknown.
    Trinary,
    /// Like `Trinary`, but linear between the thresholds; only transparent pixels are unknown.
    Scale,
    /// The value of the pixel is the occupancy; values above 100 are unknown.
    Raw,
}

impl RobotMap {
    /// Parses the YAML file. Errors begin with their line, as in `line 3, resolution`, unless a key is missing.
    ///
    /// # Errors
    /// When the text is not YAML, or a key is missing, duplicated, or has an invalid value.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let keys = Keys::parse(text)?;
        let image = keys.text("image")?;
        if image.value.is_empty() {
            return Err(InputError::one(image.place, "\"\"", "give the name of a PGM, PNG or BMP file"));
        }
        let resolution = keys.number("resolution")?;
        if !RESOLUTIONS.contains(&resolution.value) {
            let value = format!("{:?}", resolution.value);
            return Err(InputError::one(resolution.place, value, "expected metres per pixel, from 1e-6 to 1e6"));
        }
        let origin = keys.numbers("origin")?;
        let &[x, y, yaw] = origin.value.as_slice() else {
            let value = match origin.value.len() {
                1 => "1 number".to_owned(),
                number => format!("{number} numbers"),
            };
            return Err(InputError::one(origin.place, value, "expected three: [x, y, yaw]"));
        };
        let (occupied, free) = (keys.number("occupied_thresh")?, keys.number("free_thresh")?);
        if !(0.0..=1.0).contains(&occupied.value) {
            return Err(InputError::one(occupied.place, occupied.value, "expected a number from 0 to 1"));
        }
        if !(0.0..occupied.value).contains(&free.value) {
            let remedy = format!("expected at least 0 and less than occupied_thresh, {}", occupied.value);
            return Err(InputError::one(free.place, free.value, remedy));
        }
        let mode = match keys.optional_text("mode")? {
            None => Mode::Trinary,
            Some(mode) => match mode.value {
                "trinary" => Mode::Trinary,
                "scale" => Mode::Scale,
                "raw" => Mode::Raw,
                other => {
                    let remedy = "expected trinary, scale or raw";
                    return Err(InputError::one(mode.place, format!("\"{other}\""), remedy));
                }
            },
        };
        Ok(Self {
            image: PathBuf::from(image.value),
            resolution: resolution.value,
            origin: [x, y],
            yaw,
            negate: keys.truth("negate")?,
            occupied_thresh: occupied.value,
            free_thresh: free.value,
            mode,
        })
    }

    /// Returns the keys as YAML, in the form that the map server reads.
    pub fn text(&self) -> String {
        let Self { image, resolution, origin: [x, y], yaw, negate, occupied_thresh, free_thresh, mode } = self;
        let mode = match mode {
            Mode::Trinary => "trinary",
            Mode::Scale => "scale",
            Mode::Raw => "raw",
        };
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "image: {}\nmode: {mode}", image.display());
        let _ = writeln!(text, "resolution: {resolution:?}\norigin: [{x:?}, {y:?}, {yaw:?}]");
        let _ = writeln!(text, "negate: {}", u8::from(*negate));
        let _ = writeln!(text, "occupied_thresh: {occupied_thresh:?}\nfree_thresh: {free_thresh:?}");
        text
    }
}

#[cfg(test)]
mod tests;
