//! What a page shows, independent of how it is sent.

use serde::{Deserialize, Serialize};
use throng_core::InputError;
use throng_scene::{Camera, Point, Rgb};

/// Something that a page shows: a scene, or a stored run.
pub trait Show: Send + Sync {
    /// What the page needs before the first picture.
    fn description(&self) -> Description;

    /// Begins the picture for a view.
    ///
    /// # Errors
    /// A view that cannot be drawn; the message is shown in the page.
    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError>;
}

/// A picture while it is drawn: first small and quickly, then whole, then with more and more samples.
pub trait Work: Send {
    /// Computes the next picture; `None` when there is none that is better. `is_obsolete` is asked every few milliseconds;
    /// once it returns true, the work ends with `None`.
    fn next(&mut self, is_obsolete: &dyn Fn() -> bool) -> Option<Frame>;
}

/// The text and the controls of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// The title.
    pub title: String,
    /// The camera at the start.
    pub camera: Camera,
    /// The position of the first light, if there is one that can be moved.
    pub light: Option<Point>,
    /// The time slider of a run; its value is seconds or steps.
    pub time: Option<Slider>,
    /// The meaning of colours.
    pub legend: Vec<(Rgb, String)>,
    /// What can be shown by colour: name and meaning. Empty if there is no choice.
    pub colourings: Vec<(String, String)>,
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
