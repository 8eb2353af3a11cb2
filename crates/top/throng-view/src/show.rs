//! The content of a page, independent of the transport.

use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};
use throng_scene::{Camera, Point, Rgb};

/// The content of a page: a scene, or a stored run.
pub trait Show: Send + Sync {
    /// The data that the page needs before the first image.
    fn description(&self) -> Description;

    /// Returns the meaning of the colours of a colouring, or of the initial one for `None`. By default, all colourings
    /// have the title and the legend of the description. Called from a separate thread, so it may be slow.
    ///
    /// # Errors
    /// If the name is not one of the description's colourings, or the colouring cannot be shown.
    fn legend(&self, colouring: Option<&str>) -> Result<Legend, InputError> {
        let Description { title, legend, colourings, .. } = self.description();
        match colouring.filter(|requested| colourings.iter().all(|(name, _)| name != requested)) {
            Some(unknown) => Err(unknown_colouring(unknown, colourings.iter().map(|(name, _)| name.as_str()))),
            None => Ok(Legend { title, rows: legend }),
        }
    }

    /// Starts drawing a view that has passed [`View::check`]. Called from the threads of several pages; must leave slow
    /// operations to the returned work.
    ///
    /// # Errors
    /// If the view cannot be drawn; the page shows the message.
    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError>;
}

/// Progressive drawing of an image: first small and fast, then at full size, then with more and more samples.
pub trait Work: Send {
    /// Computes the next image; `None` if there is no better one. Calls `is_obsolete` every few milliseconds while
    /// drawing, and between the steps before that; once it returns true, the work ends with `None`. The page shows the
    /// message of an error. After an error, the work may go on with an image, for example on another device; a second
    /// error in a row ends it.
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>>;
}

/// The error for an unknown colouring; `names` are the known ones.
pub(crate) fn unknown_colouring<'n>(requested: &str, names: impl Iterator<Item = &'n str>) -> InputError {
    let names: Vec<&str> = names.collect();
    let remedy =
        if names.is_empty() { "there is no choice".to_owned() } else { format!("give one of {}", names.join(", ")) };
    InputError::one("colouring", format!("\"{requested}\""), remedy)
}

/// The text and the controls of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Description {
    /// Title of the page.
    pub title: String,
    /// The initial camera.
    pub camera: Camera,
    /// The position of the first light; `None` if no light can be moved.
    pub light: Option<Point>,
    /// The time slider of a run, in seconds or steps; `None` without a time.
    pub time: Option<Slider>,
    /// The legend of the initial colouring: colours and their meanings.
    pub legend: Vec<(Rgb, String)>,
    /// Name and meaning of the available colourings. Empty if there is no choice.
    pub colourings: Vec<(String, String)>,
    /// Name of the initial colouring; `None` for the first one.
    pub colouring: Option<String>,
}

/// The title and the legend of a colouring.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Legend {
    /// The title of the page.
    pub title: String,
    /// Colours and their meanings.
    pub rows: Vec<(Rgb, String)>,
}

/// The range and format of a slider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slider {
    /// Minimum value.
    pub low: f64,
    /// Maximum value.
    pub high: f64,
    /// Step size.
    pub step: f64,
    /// Format of values: `time_of_day` (07:30:00), `seconds`, or the word for a step.
    pub unit: String,
}

/// An image that a page requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The camera.
    pub camera: Camera,
    /// The position of the first light; `None` for its original position.
    #[serde(default)]
    pub light: Option<Point>,
    /// The time of a run; `None` for its start.
    #[serde(default)]
    pub time: Option<f64>,
    /// The name of a colouring; `None` for the initial one.
    #[serde(default)]
    pub colouring: Option<String>,
}

impl View {
    /// Maximum width and height in pixels.
    pub const MAX_SIDE: u32 = 4096;
    /// Maximum number of pixels: 3840 x 2160.
    pub const MAX_PIXELS: u64 = 3840 * 2160;

    /// Rejects views that no show can draw.
    ///
    /// # Errors
    /// If the size has no pixels or too many, the camera sees nothing, or a number is too large or not finite.
    ///
    /// ```
    /// use throng_scene::Camera;
    /// use throng_view::View;
    ///
    /// let view = View { width: 700, height: 5000, camera: Camera::default(), light: None, time: None, colouring: None };
    /// let error = view.check().unwrap_err().to_string();
    /// assert_eq!(error, "view.height: 5000\n    give 1 to 4096 pixels");
    /// ```
    pub fn check(&self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let (width, height) = (self.width, self.height);
        let mut has_sides = true;
        for (key, side) in [("width", width), ("height", height)] {
            if !(1..=Self::MAX_SIDE).contains(&side) {
                has_sides = false;
                let remedy = format!("give 1 to {} pixels", Self::MAX_SIDE);
                problems.push(format!("view.{key}"), side.to_string(), remedy);
            }
        }
        let pixels = u64::from(width) * u64::from(height);
        if has_sides && pixels > Self::MAX_PIXELS {
            let remedy = format!("give at most {} pixels, such as 3840 x 2160", Self::MAX_PIXELS);
            problems.push("view.width, view.height", format!("{width} x {height} = {pixels} pixels"), remedy);
        }
        if let Err(InputError(of_camera)) = self.camera.check().map_err(|e| e.with_places(|key| format!("view.{key}")))
        {
            problems.append(of_camera);
        }
        if let Some(light) = self.light.filter(|light| !light.iter().all(|part| part.abs() <= 1e15)) {
            problems.push("view.light", format!("{light:?}"), "give finite numbers up to 1e15");
        }
        if let Some(time) = self.time.filter(|time| !time.is_finite()) {
            problems.push("view.time", time.to_string(), "give a finite number");
        }
        problems.into_result()
    }
}

/// An image in one of its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Width in pixels; less than requested while the image is coarse.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of samples per pixel.
    pub samples: u32,
    /// Rows from the top, four bytes per pixel: red, green, blue (sRGB) and 255.
    pub rgba: Vec<u8>,
    /// The displayed time of a run, as text.
    pub time: Option<String>,
    /// Name of the device that has drawn the image; `None` if the page should not show it.
    pub device: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_that_cannot_be_drawn_are_refused() {
        let fine =
            View { width: 3840, height: 2160, camera: Camera::default(), light: None, time: None, colouring: None };
        assert_eq!(fine.check(), Ok(()));
        let upside = Camera { up: [0.0; 3], ..fine.camera };
        for (view, expected) in [
            (View { width: 0, ..fine.clone() }, "view.width: 0\n    give 1 to 4096 pixels"),
            (View { width: 4096, height: 4096, ..fine.clone() }, "view.width, view.height: 4096 x 4096 = 16777216"),
            (View { camera: upside, ..fine.clone() }, "view.camera.up: [0.0, 0.0, 0.0]"),
            (View { light: Some([0.0, f64::NAN, 0.0]), ..fine.clone() }, "view.light: [0.0, NaN, 0.0]"),
            (View { time: Some(f64::INFINITY), ..fine.clone() }, "view.time: inf"),
        ] {
            let error = view.check().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
