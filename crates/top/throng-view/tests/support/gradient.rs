//! A show that is fast to draw, and whose pixels encode the request.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use throng_core::InputError;
use throng_scene::Camera;
use throng_view::{Description, Frame, Legend, Show, Slider, View, Work};

use super::wait_until;

/// Stages of an image: the number of samples, and the divisor of its size.
pub const STAGES: [(u32, u32); 5] = [(1, 4), (1, 1), (4, 1), (16, 1), (64, 1)];

/// The original position of the light.
pub const LIGHT: [f64; 3] = [3.0, 5.0, 4.0];

/// The name of the device of all images.
pub const DEVICE: &str = "a brush";

/// The colour is the position of the light, darker towards the right and the bottom.
#[derive(Default)]
pub struct Gradient {
    /// Duration of each stage.
    pub pause: Duration,
    /// Number of images started, and number of stages drawn.
    pub begun: AtomicU32,
    pub drawn: AtomicU32,
    /// The view of the image started last.
    pub last: Mutex<Option<View>>,
    /// Whether the slow legend may be answered.
    pub is_released: AtomicBool,
    /// Number of images being drawn.
    pub at_work: Arc<AtomicU32>,
}

impl Gradient {
    pub fn slow(milliseconds: u64) -> Arc<Self> {
        Arc::new(Self { pause: Duration::from_millis(milliseconds), ..Self::default() })
    }

    pub fn begun(&self) -> u32 {
        self.begun.load(Ordering::SeqCst)
    }

    pub fn last(&self) -> View {
        self.last.lock().unwrap().clone().expect("an image was begun")
    }
}

/// The position of a light as bytes of a colour: x, y and z from 0 to 25.5.
fn colour(view: &View) -> [u8; 3] {
    view.light.unwrap_or(LIGHT).map(|part| (part * 10.0).round() as u8)
}

/// The image of a view in this size, with `samples` samples.
pub fn pixels(view: &View, width: u32, height: u32, samples: u32) -> Vec<u8> {
    let [red, green, blue] = colour(view);
    let turned = (view.camera.eye[0] * 10.0) as u8;
    let pixel = |x: u32, y: u32| {
        // The first row has the unshaded colour, so that a test can read it.
        let shade = if y == 0 { 0 } else { ((x * 64) / width + (y * 64) / height) as u8 };
        [red.saturating_sub(shade), green.saturating_sub(shade), blue ^ turned, 255]
    };
    let mut rgba: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    // The last pixel encodes the number of samples.
    let last = rgba.len() - 4;
    rgba[last] = samples as u8;
    rgba
}

/// A newtype that lets a test keep the gradient that it shows.
pub struct Shown(pub Arc<Gradient>);

impl Show for Shown {
    fn description(&self) -> Description {
        Description {
            title: "A gradient".to_owned(),
            camera: Camera::default(),
            light: Some(LIGHT),
            time: Some(Slider { low: 0.0, high: 7_200.0, step: 1.0, unit: "time_of_day".to_owned() }),
            legend: vec![([1.0, 0.0, 0.0], "towards x".to_owned()), ([0.0, 0.2, 1.0], "towards z".to_owned())],
            colourings: vec![
                ("light".to_owned(), "The position of the light".to_owned()),
                ("dark".to_owned(), "Nothing at all".to_owned()),
                ("slow".to_owned(), "A legend that takes its time".to_owned()),
            ],
            colouring: None,
        }
    }

    fn legend(&self, colouring: Option<&str>) -> Result<Legend, InputError> {
        let Description { title, legend, .. } = self.description();
        match colouring {
            None | Some("light") => Ok(Legend { title, rows: legend }),
            Some("dark") => {
                Ok(Legend { title: "The night".to_owned(), rows: vec![([0.0; 3], "black & nothing else".to_owned())] })
            }
            Some("slow") => {
                wait_until("the legend is released", || self.0.is_released.load(Ordering::SeqCst));
                Ok(Legend { title: "Too late".to_owned(), rows: Vec::new() })
            }
            Some("panic") => panic!("a colouring that makes the gradient panic"),
            Some(unknown) => Err(InputError::one("colouring", format!("\"{unknown}\""), "give one of light, dark")),
        }
    }

    fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
        assert_ne!(view.light, Some([-1.0; 3]), "a light that makes the gradient panic");
        if view.colouring.as_deref() == Some("dark") {
            return Err(InputError::one("colouring", "dark", "choose light"));
        }
        let show = self.0.clone();
        show.begun.fetch_add(1, Ordering::SeqCst);
        show.at_work.fetch_add(1, Ordering::SeqCst);
        *show.last.lock().unwrap() = Some(view.clone());
        Ok(Box::new(Stages { show, view: view.clone(), stage: 0 }))
    }
}

struct Stages {
    show: Arc<Gradient>,
    view: View,
    stage: usize,
}

impl Work for Stages {
    fn next(&mut self, is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
        if self.view.light == Some([-2.0; 3]) {
            return Some(Err(InputError::one("light", "is rejected too late", "move it")));
        }
        let &(samples, divisor) = STAGES.get(self.stage)?;
        self.stage += 1;
        let start = Instant::now();
        while start.elapsed() < self.show.pause {
            if is_obsolete() {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let [width, height] = [self.view.width, self.view.height].map(|side| side.div_ceil(divisor));
        let rgba = pixels(&self.view, width, height, samples);
        self.show.drawn.fetch_add(1, Ordering::SeqCst);
        let time = self.view.time.map(|time| format!("{time} s"));
        Some(Ok(Frame { width, height, samples, rgba, time, device: Some(DEVICE.to_owned()) }))
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.show.at_work.fetch_sub(1, Ordering::SeqCst);
    }
}
