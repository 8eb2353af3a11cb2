//! The size of the first image of a view: as large as can be drawn in time.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Target time for drawing the first image of a view. Together with reading the scene, sending and showing, this allows
/// about twenty images per second, enough for movements to look continuous.
const TARGET: Duration = Duration::from_millis(40);
/// Minimum width and height of first images, in eighths of the sides of the view.
const MIN_EIGHTHS: u32 = 2;
const WHOLE: u32 = 8;
/// Margin in eighths by which the affordable size must exceed the next size before the size grows, so that it does not
/// alternate.
const MARGIN: f64 = 0.25;
/// Weight of a measurement in the running mean, small enough that a single slow image changes little.
const WEIGHT: f64 = 0.25;

/// The measured drawing speed, and the resulting size of first images.
pub(super) struct Pace(Mutex<State>);

struct State {
    /// Running mean of the time per pixel; `None` before the first measurement.
    seconds_per_pixel: Option<f64>,
    /// The most recently chosen size.
    eighths: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self(Mutex::new(State { seconds_per_pixel: None, eighths: MIN_EIGHTHS }))
    }
}

impl Pace {
    /// Returns the width and height of the first image of a view with this width and height.
    pub fn first_size(&self, whole: [u32; 2]) -> [u32; 2] {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seconds_per_pixel) = state.seconds_per_pixel {
            let [width, height] = whole.map(f64::from);
            let affordable = f64::from(WHOLE) * (TARGET.as_secs_f64() / (width * height * seconds_per_pixel)).sqrt();
            let kept = f64::from(state.eighths);
            if !(kept..kept + 1.0 + MARGIN).contains(&affordable) {
                // The cast saturates.
                state.eighths = (affordable as u32).clamp(MIN_EIGHTHS, WHOLE);
            }
        }
        whole.map(|side| (side * state.eighths).div_ceil(WHOLE))
    }

    /// Records the time of an image with one sample per pixel.
    pub fn note(&self, [width, height]: [u32; 2], took: Duration) {
        let measured = took.as_secs_f64() / (f64::from(width) * f64::from(height));
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mean = state.seconds_per_pixel.get_or_insert(measured);
        *mean += WEIGHT * (measured - *mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: [u32; 2] = [960, 720];

    /// Widths of successive images on a machine with these times per pixel, in nanoseconds.
    fn widths(pace: &Pace, nanoseconds: &[u32]) -> Vec<u32> {
        let draw = |&nanoseconds: &u32| {
            let size = pace.first_size(WINDOW);
            pace.note(size, Duration::from_nanos(nanoseconds.into()) * size[0] * size[1]);
            size[0]
        };
        nanoseconds.iter().map(draw).collect()
    }

    #[test]
    fn images_have_the_largest_size_that_meets_the_time_limit() {
        // The first image is drawn without a measurement. 691,200 pixels in 40 ms are 57.9 ns per pixel.
        for (nanoseconds, width) in [(10, 960), (54, 960), (60, 840), (100, 720), (200, 480), (600, 240), (90_000, 240)]
        {
            assert_eq!(widths(&Pace::default(), &[nanoseconds; 4]), [240, width, width, width], "{nanoseconds} ns");
        }
    }

    #[test]
    fn a_slow_image_keeps_the_size_and_a_slow_machine_reduces_it() {
        let pace = Pace::default();
        assert_eq!(widths(&pace, &[40; 3]), [240, 960, 960]);
        assert_eq!(widths(&pace, &[80, 40, 40]), [960, 960, 960]);
        let slower = widths(&pace, &[160; 20]);
        assert!(slower.is_sorted_by(|a, b| a >= b), "{slower:?}");
        assert_eq!(slower[19], 480);
    }

    #[test]
    fn sizes_do_not_alternate() {
        let pace = Pace::default();
        // Seven eighths are affordable, then alternately slightly more and slightly less than all eight.
        assert_eq!(widths(&pace, &[65; 3]), [240, 840, 840]);
        let sizes = widths(&pace, &[56, 60].repeat(20));
        assert_eq!(sizes, [840; 40]);
    }

    #[test]
    fn the_pace_holds_for_views_of_all_sizes() {
        let pace = Pace::default();
        pace.note(WINDOW, Duration::from_millis(60));
        assert_eq!(pace.first_size([480, 360]), [480, 360]);
        assert_eq!(pace.first_size([1_920, 1_440]), [720, 540]);
        assert_eq!(pace.first_size([1, 1]), [1, 1]);
    }
}
