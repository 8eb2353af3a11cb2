//! What a page shows, independent of how it is sent.

use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};
use throng_scene::{Camera, Point, Rgb};

/// Something that a page shows: a scene, or a stored run.
pub trait Show: Send + Sync {
    /// What the page needs before the first picture.
    fn description(&self) -> Description;

    /// What the colours of a colouring mean; `None` is the one at the start. By default all colourings have the title and
    /// the legend of the description. It is called from a thread of its own, and may take its time.
    ///
    /// # Errors
    /// A name that is not one of the description's colourings; a colouring that cannot be shown.
    fn legend(&self, colouring: Option<&str>) -> Result<Legend, InputError> {
        let Description { title, legend, colourings, .. } = self.description();
        match colouring.filter(|asked| colourings.iter().all(|(name, _)| name != asked)) {
            Some(unknown) => Err(unknown_colouring(unknown, colourings.iter().map(|(name, _)| name.as_str()))),
            None => Ok(Legend { title, rows: legend }),
        }
    }

    /// Begins the picture for a view that has passed [`View::check`]. It is called from the threads of several pages, and
    /// leaves what takes long to the work.
    ///
    /// # Errors
    /// A view that cannot be drawn; the message is shown in the page.
    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError>;
}

/// A picture while it is drawn: first small and quickly, then whole, then with more and more samples.
pub trait Work: Send {
    /// Computes the next picture; `None` when there is none that is better. `is_obsolete` is asked every few milliseconds
    /// while a picture is drawn, and between the steps of what comes before; once it returns true, the work ends with
    /// `None`. An error also ends the work; its message is shown in the page.
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>>;
}

/// Refuses a colouring that is not among the names.
pub(crate) fn unknown_colouring<'n>(asked: &str, names: impl Iterator<Item = &'n str>) -> InputError {
    let names: Vec<&str> = names.collect();
    let remedy =
        if names.is_empty() { "there is no choice".to_owned() } else { format!("give one of {}", names.join(", ")) };
    InputError::one("colouring", format!("\"{asked}\""), remedy)
}

/// The text and the controls of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Description {
    /// The title.
    pub title: String,
    /// The camera at the start.
    pub camera: Camera,
    /// The position of the first light, if there is one that can be moved.
    pub light: Option<Point>,
    /// The time slider of a run; its value is seconds or steps.
    pub time: Option<Slider>,
    /// The meaning of the colours at the start.
    pub legend: Vec<(Rgb, String)>,
    /// What can be shown by colour: name and meaning. Empty if there is no choice.
    pub colourings: Vec<(String, String)>,
    /// The name of the colouring at the start; `None` is the first one.
    pub colouring: Option<String>,
}

/// What the colours of a colouring mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Legend {
    /// The title of the page.
    pub title: String,
    /// Colours, with what each of them means.
    pub rows: Vec<(Rgb, String)>,
}

/// A slider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slider {
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
    /// The step.
    pub step: f64,
    /// How values are written: `time_of_day` (07:30:00), `seconds`, or the word for a step.
    pub unit: String,
}

/// A picture that a page asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The camera.
    pub camera: Camera,
    /// The position of the first light, if it was moved.
    #[serde(default)]
    pub light: Option<Point>,
    /// The time, of a run.
    #[serde(default)]
    pub time: Option<f64>,
    /// The name of a colouring, if there is a choice.
    #[serde(default)]
    pub colouring: Option<String>,
}

impl View {
    /// The largest width and height.
    pub const MAX_SIDE: u32 = 4096;
    /// The most pixels: those of 3840 x 2160.
    pub const MAX_PIXELS: u64 = 3840 * 2160;

    /// Refuses what no show can draw.
    ///
    /// # Errors
    /// A size without pixels or with too many, a camera that sees nothing, numbers that are not finite.
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

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Width in pixels; less than asked for while the picture is coarse.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples of each pixel.
    pub samples: u32,
    /// Rows from the top, four bytes for a pixel: red, green, blue (sRGB) and 255.
    pub rgba: Vec<u8>,
    /// The text of the time that is shown, of a run.
    pub time: Option<String>,
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
