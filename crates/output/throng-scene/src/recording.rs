//! Stored simulations as scenes.

use throng_core::InputError;

use crate::{Camera, Rgb, Scene};

/// A stored simulation, with a scene for each time.
pub trait Recording: Send + Sync {
    /// Returns a short title of the simulation.
    fn title(&self) -> String;

    /// Returns the range of stored times, their interval and unit.
    fn times(&self) -> TimeAxis;

    /// Returns a camera whose view contains the whole scene.
    fn camera(&self) -> Camera;

    /// Returns the legend: colours and their meanings.
    fn legend(&self) -> Vec<(Rgb, String)>;

    /// Returns the scene at a time. Between two stored states, it shows the earlier one or interpolated positions;
    /// before the first and after the last state, it shows that state.
    ///
    /// # Errors
    /// When a file can no longer be read.
    fn scene(&self, time: f64) -> Result<Scene, InputError>;
}

/// Range, interval and unit of the times of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAxis {
    /// First stored time.
    pub first: f64,
    /// Last stored time, not before the first.
    pub last: f64,
    /// The interval between two stored states, above 0.
    pub step: f64,
    /// The unit of the three values.
    pub unit: TimeUnit,
}

/// Unit of stored times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds since midnight, read and written as `07:30:00`.
    TimeOfDay,
    /// Seconds since the start.
    Seconds,
    /// Step counts; the string is the name of one step, such as `move` or `day`.
    Steps(&'static str),
}

impl TimeAxis {
    /// Validates the times: they may come from a modified file. Times must be finite and in order.
    ///
    /// # Errors
    /// When the times are not finite, not in order, or have no positive interval.
    pub fn check(&self) -> Result<(), InputError> {
        let Self { first, last, step, .. } = *self;
        if first.is_finite() && last.is_finite() && first <= last && step.is_finite() && step > 0.0 {
            return Ok(());
        }
        let message = format!("from {first} to {last} in steps of {step}");
        Err(InputError::one("times", message, "repeat the run that wrote them"))
    }

    /// The time of the last stored state that is not after `time`. A time that is below a stored one only due to
    /// rounding, such as three steps of 0.1, counts as having reached it.
    ///
    /// ```
    /// use throng_scene::{TimeAxis, TimeUnit};
    ///
    /// let axis = TimeAxis { first: 5.0, last: 9.0, step: 2.0, unit: TimeUnit::Seconds };
    /// assert_eq!([5.0, 6.9, 7.0, 9.0].map(|time| axis.stored(time)), [5.0, 5.0, 7.0, 9.0]);
    /// ```
    pub fn stored(&self, time: f64) -> f64 {
        self.first + ((time - self.first) / self.step + 1e-9).floor() * self.step
    }

    /// Formats a time for users: `07:30:00`, `12.5 s`, `move 7`.
    ///
    /// ```
    /// use throng_scene::{TimeAxis, TimeUnit};
    ///
    /// let axis = |unit| TimeAxis { first: 0.0, last: 100.0, step: 1.0, unit };
    /// assert_eq!(axis(TimeUnit::TimeOfDay).text(27_000.0), "07:30:00");
    /// assert_eq!(axis(TimeUnit::Seconds).text(12.5), "12.5 s");
    /// assert_eq!(axis(TimeUnit::Steps("move")).text(7.0), "move 7");
    /// ```
    pub fn text(&self, time: f64) -> String {
        match self.unit {
            TimeUnit::TimeOfDay => throng_core::clock::format(time),
            TimeUnit::Seconds => format!("{time} s"),
            TimeUnit::Steps(step) => format!("{step} {time}"),
        }
    }
}
