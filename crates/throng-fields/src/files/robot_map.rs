//! Maps of robots as ROS 2's map server stores them: a file of keys in YAML, and an image that it names.
//!
//! The meaning of keys, thresholds and modes is that of `nav2_map_server`. Occupancies are those of its messages: from
//! 0, free, to 100, occupied, or unknown.

mod keys;

use std::fmt::Write as _;
use std::path::PathBuf;

use self::keys::Keys;
use crate::error::FieldError;
use crate::files::image::{Image, Pixel};
use crate::nav2::{FREE_SPACE, INSCRIBED_INFLATED_OBSTACLE, LETHAL_OBSTACLE, NO_INFORMATION};

/// The occupancy of an occupied cell.
pub(crate) const OCCUPIED: u8 = 100;
/// The occupancy of an unknown cell: -1 in 8 bits.
pub(crate) const UNKNOWN: u8 = 255;

/// The file of keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RobotMap {
    /// The image, relative to the file of keys.
    pub image: PathBuf,
    /// Side of a cell, metres.
    pub resolution: f64,
    /// The corner with the lowest coordinates, metres.
    pub origin: [f64; 2],
    /// Whether bright pixels are occupied, instead of dark ones.
    pub negate: bool,
    pub occupied_thresh: f64,
    pub free_thresh: f64,
    pub mode: Mode,
}

/// How the brightness of a pixel becomes an occupancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Occupied, free or unknown.
    Trinary,
    /// The same, but linear between the thresholds; only transparent pixels are unknown.
    Scale,
    /// The number of the pixel is the occupancy; numbers above 100 are unknown.
    Raw,
}

impl RobotMap {
    /// Reads the keys. Places of errors begin with the number of the line, as in `line 3, resolution`.
    ///
    /// # Errors
    /// When a key is missing, twice, or has a value that the map server would not take, or the map is rotated.
    pub(crate) fn parse(text: &str) -> Result<Self, FieldError> {
        let keys = Keys::parse(text)?;
        let image = keys.text("image")?;
        if image.value.is_empty() {
            return Err(FieldError::new(image.place, "\"\"", "give the name of a PGM or PNG file"));
        }
        let resolution = keys.number("resolution")?;
        // Sides of cells are in single precision.
        if !(resolution.value > 0.0 && (resolution.value as f32) > 0.0 && (resolution.value as f32).is_finite()) {
            let value = format!("{:?}", resolution.value);
            return Err(FieldError::new(resolution.place, value, "expected metres per pixel, above 0"));
        }
        let origin = keys.numbers("origin")?;
        let &[x, y, yaw] = origin.value.as_slice() else {
            let value = format!("{} numbers", origin.value.len());
            return Err(FieldError::new(origin.place, value, "expected three: [x, y, yaw]"));
        };
        if yaw != 0.0 {
            let remedy = "grids are not rotated: rotate the image, and write a yaw of 0";
            return Err(FieldError::new(origin.place, format!("a yaw of {yaw}"), remedy));
        }
        let (occupied, free) = (keys.number("occupied_thresh")?, keys.number("free_thresh")?);
        if !(0.0..=1.0).contains(&occupied.value) {
            return Err(FieldError::new(occupied.place, occupied.value, "expected a number from 0 to 1"));
        }
        if !(0.0..occupied.value).contains(&free.value) {
            let remedy = format!("expected a number from 0 to below occupied_thresh, {}", occupied.value);
            return Err(FieldError::new(free.place, free.value, remedy));
        }
        let mode = match keys.optional_text("mode")? {
            None => Mode::Trinary,
            Some(mode) => match mode.value.as_str() {
                "trinary" => Mode::Trinary,
                "scale" => Mode::Scale,
                "raw" => Mode::Raw,
                other => {
                    let remedy = "expected trinary, scale or raw";
                    return Err(FieldError::new(mode.place, format!("\"{other}\""), remedy));
                }
            },
        };
        Ok(Self {
            image: PathBuf::from(image.value),
            resolution: resolution.value,
            origin: [x, y],
            negate: keys.truth("negate")?,
            occupied_thresh: occupied.value,
            free_thresh: free.value,
            mode,
        })
    }

    /// The keys as text, in the form that the map server reads.
    pub(crate) fn text(&self) -> String {
        let Self { image, resolution, origin: [x, y], negate, occupied_thresh, free_thresh, mode } = self;
        let mode = match mode {
            Mode::Trinary => "trinary",
            Mode::Scale => "scale",
            Mode::Raw => "raw",
        };
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "image: {}\nmode: {mode}", image.display());
        let _ =
            writeln!(text, "resolution: {resolution:?}\norigin: [{x:?}, {y:?}, 0.0]\nnegate: {}", u8::from(*negate));
        let _ = writeln!(text, "occupied_thresh: {occupied_thresh:?}\nfree_thresh: {free_thresh:?}");
        text
    }

    /// The occupancies of an image, the lowest row first.
    pub(crate) fn occupancies(&self, image: &Image) -> impl Iterator<Item = u8> {
        let has_alpha = image.has_alpha();
        image.upwards().map(move |pixel| self.occupancy(pixel, has_alpha))
    }

    fn occupancy(&self, pixel: Pixel, has_alpha: bool) -> u8 {
        let shade = if self.mode == Mode::Trinary && has_alpha {
            // The map server takes opacity for a fourth colour.
            f64::from(pixel.sum + u16::from(pixel.opacity)) / (4.0 * 255.0)
        } else {
            f64::from(pixel.sum) / (3.0 * 255.0)
        };
        let occupied = if self.negate { shade } else { 1.0 - shade };
        match self.mode {
            Mode::Raw => {
                let number = (shade * 255.0).round() as u8;
                if number <= OCCUPIED { number } else { UNKNOWN }
            }
            Mode::Scale if pixel.opacity < 255 => UNKNOWN,
            _ if occupied > self.occupied_thresh => OCCUPIED,
            _ if occupied < self.free_thresh => 0,
            Mode::Trinary => UNKNOWN,
            Mode::Scale => {
                let share = (occupied - self.free_thresh) / (self.occupied_thresh - self.free_thresh);
                (share * 100.0).round_ties_even() as u8
            }
        }
    }
}

/// The cost that a static layer of Nav2 gives to an occupancy: that of an obstacle from 100 on, and in proportion
/// below, as with its parameters `trinary_costmap: false` and `track_unknown_space: true`. For 0, 100 and unknown the
/// first one makes no difference.
pub(crate) fn cost_of(occupancy: u8) -> u8 {
    match occupancy {
        UNKNOWN => NO_INFORMATION,
        OCCUPIED.. => LETHAL_OBSTACLE,
        below => (f64::from(below) / f64::from(OCCUPIED) * f64::from(LETHAL_OBSTACLE)) as u8,
    }
}

/// The occupancy as which Nav2 publishes a cost: 98 steps for costs from 1 to 252, 99 for inscribed cells.
pub(crate) fn occupancy_of(cost: u8) -> u8 {
    match cost {
        NO_INFORMATION => UNKNOWN,
        LETHAL_OBSTACLE => OCCUPIED,
        INSCRIBED_INFLATED_OBSTACLE => OCCUPIED - 1,
        FREE_SPACE => 0,
        _ => (1 + 97 * (u16::from(cost) - 1) / 251) as u8,
    }
}

#[cfg(test)]
mod tests;
