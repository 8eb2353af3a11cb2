//! Render options from flags.

use throng_core::{InputError, clock};
use throng_device::DeviceChoice;
use throng_model::flags::Flags;
use throng_scene::{Camera, Recording, TimeAxis, TimeUnit};

use super::camera::camera;
use super::kind::TargetKind;
use crate::Settings;
use crate::settings::MAX_SAMPLES;

/// Maximum number of frames of an animation.
const MAX_FRAMES: f64 = 100_000.0;

/// The times to render, and the settings.
#[derive(Debug)]
pub(super) struct RenderOptions {
    pub kind: TargetKind,
    /// The time of each image.
    pub times: Vec<f64>,
    pub camera: Camera,
    pub settings: Settings,
    pub fps: u16,
    pub device: DeviceChoice,
    pub threads: usize,
}

/// The requested colouring, or the default.
pub(super) fn colouring(flags: &Flags, all: &[(&'static str, &'static str)]) -> Result<&'static str, InputError> {
    let default = all.first().map_or("", |(name, _)| name);
    let Some(asked) = flags.get("colour") else { return Ok(default) };
    all.iter().map(|(name, _)| *name).find(|name| *name == asked).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        InputError::one("--colour", format!("\"{asked}\""), format!("give one of {}", names.join(", ")))
    })
}

impl RenderOptions {
    /// Reads the flags.
    ///
    /// # Errors
    /// The first value that cannot be used, and flags that exclude each other.
    pub fn read(flags: &Flags, kind: TargetKind, recording: &dyn Recording) -> Result<Self, InputError> {
        let axis = recording.times();
        let several = |flag: &str| flags.has(flag).then(|| format!("--{flag}"));
        let is_picture = kind.is_picture();
        if !is_picture && flags.has("at") {
            return Err(InputError::one("--at", "is the time of a single image", "give --from and --to"));
        }
        let animation_flag = ["every", "from", "to", "fps"].into_iter().find_map(several);
        if let Some(flag) = animation_flag.filter(|_| is_picture) {
            return Err(InputError::one(flag, "is for several images", "also give --film FILE.png or --frames FOLDER"));
        }
        let times = if is_picture {
            match time(flags, "at", &axis)? {
                Some(time) => vec![time],
                None => vec![time_with_most_shapes(recording)?],
            }
        } else {
            frame_times(flags, &axis)?
        };
        let settings = Settings {
            width: flags.number("width", 1..)?.unwrap_or(1280),
            height: flags.number("height", 1..)?.unwrap_or(720),
            samples: flags.number("samples", 1..=MAX_SAMPLES)?.unwrap_or(16),
            max_bounces: flags.number("bounces", 0..=64)?.unwrap_or(2),
            seed: flags.number("seed", ..)?.unwrap_or(1),
            ..Settings::default()
        };
        settings.check().map_err(|error| error.with_places(|key| format!("--{}", key.replace(", ", ", --"))))?;
        let device = flags.device()?;
        let threads = flags.number("threads", 1..)?.unwrap_or_else(throng_core::available_threads);
        throng_model::threads::check_threads(threads)?;
        Ok(Self {
            kind,
            times,
            camera: camera(flags, recording.camera())?,
            settings,
            fps: flags.number("fps", 1..=60)?.unwrap_or(25),
            device,
            threads,
        })
    }
}

/// Among 25 of the stored times, the one with the most shapes; if there are several, the middle one, because there is
/// little to see at the ends of a run.
fn time_with_most_shapes(recording: &dyn Recording) -> Result<f64, InputError> {
    const TIMES: u32 = 24;
    let axis = recording.times();
    let TimeAxis { first, last, .. } = axis;
    let (mut best, mut most) = (vec![first], 0);
    for i in 0..=TIMES {
        let share = f64::from(i) / f64::from(TIMES);
        let time = axis.stored(first + share * (last - first)).min(last);
        let shapes = recording.scene(time)?.shapes();
        if shapes > most {
            (most, best) = (shapes, Vec::new());
        }
        if shapes == most {
            best.push(time);
        }
    }
    Ok(best[best.len() / 2])
}

/// The times of the frames of an animation.
fn frame_times(flags: &Flags, axis: &TimeAxis) -> Result<Vec<f64>, InputError> {
    let first = time(flags, "from", axis)?.unwrap_or(axis.first);
    let last = time(flags, "to", axis)?.unwrap_or(axis.last);
    if last < first {
        let remedy = format!("give {} or a later time", axis.text(first));
        return Err(InputError::one("--to", axis.text(last), remedy));
    }
    let every = match flags.get("every") {
        None => axis.step,
        Some(text) => interval(text, axis.unit).ok_or_else(|| {
            let remedy = match axis.unit {
                TimeUnit::Steps(step) => format!("give a number of {step}s above 0"),
                TimeUnit::TimeOfDay | TimeUnit::Seconds => "give a time above 0 such as 10s, 5min or 1h".to_owned(),
            };
            InputError::one("--every", format!("\"{text}\""), remedy)
        })?,
    };
    // The tolerance is for intervals such as 0.1, which are not exact.
    let frames = ((last - first) / every + 1e-9).floor() + 1.0;
    if frames > MAX_FRAMES {
        return Err(InputError::one(
            "--every",
            format!("{frames} frames"),
            format!("give an interval for at most {MAX_FRAMES}"),
        ));
    }
    Ok((0..frames as u32).map(|i| (first + f64::from(i) * every).min(last)).collect())
}

/// Parses a duration, in the unit of an axis.
fn interval(text: &str, unit: TimeUnit) -> Option<f64> {
    let (number, factor) = match unit {
        TimeUnit::Steps(_) => (text, 1.0),
        TimeUnit::TimeOfDay | TimeUnit::Seconds => {
            let units = [("min", 60.0), ("h", 3600.0), ("s", 1.0), ("", 1.0)];
            units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?
        }
    };
    let value = number.trim().parse::<f64>().ok()? * factor;
    (value > 0.0 && value.is_finite()).then_some(value)
}

/// Parses the time that a flag gives, which must be within the axis.
fn time(flags: &Flags, flag: &str, axis: &TimeAxis) -> Result<Option<f64>, InputError> {
    let Some(text) = flags.get(flag) else { return Ok(None) };
    let bare = text.trim_end_matches('s').trim();
    let value = match axis.unit {
        TimeUnit::TimeOfDay => clock::parse(text).ok().flatten(),
        TimeUnit::Seconds => bare.parse().ok(),
        TimeUnit::Steps(_) => text.trim().parse().ok(),
    };
    let is_inside = |time: &f64| (axis.first..=axis.last).contains(time);
    // A time between two steps means the step that has begun.
    let value = value.map(|time| match axis.unit {
        TimeUnit::Steps(_) => axis.stored(time),
        TimeUnit::TimeOfDay | TimeUnit::Seconds => time,
    });
    value.filter(is_inside).map(Some).ok_or_else(|| {
        let exact = |time: f64| match axis.unit {
            TimeUnit::TimeOfDay => clock::exact(time),
            TimeUnit::Seconds | TimeUnit::Steps(_) => axis.text(time),
        };
        let remedy = format!("give a time from {} to {}", exact(axis.first), exact(axis.last));
        InputError::one(format!("--{flag}"), format!("\"{text}\""), remedy)
    })
}

#[cfg(test)]
mod tests {
    use throng_scene::{Rgb, Scene, Sphere};

    use super::*;

    /// A recording with the given number of spheres at each of 25 times.
    struct Spheres([usize; 25]);

    impl Recording for Spheres {
        fn title(&self) -> String {
            "Spheres".to_owned()
        }

        fn times(&self) -> TimeAxis {
            TimeAxis { first: 0.0, last: 24.0, step: 1.0, unit: TimeUnit::Seconds }
        }

        fn camera(&self) -> Camera {
            Camera::default()
        }

        fn legend(&self) -> Vec<(Rgb, String)> {
            Vec::new()
        }

        fn scene(&self, time: f64) -> Result<Scene, InputError> {
            Ok(Scene { spheres: vec![Sphere::default(); self.0[time as usize]], ..Scene::default() })
        }
    }

    #[test]
    fn the_default_time_shows_the_most_shapes() {
        let at =
            |spheres: &dyn Fn(usize) -> usize| time_with_most_shapes(&Spheres(std::array::from_fn(spheres))).unwrap();
        assert_eq!(at(&|time| 3 + usize::from(time == 7)), 7.0);
        // The same number at all times: selects the middle, not the start, at which nothing has happened yet.
        assert_eq!((at(&|_| 3), at(&|_| 0)), (12.0, 12.0));
        // The middle of the times from 10 to 20.
        assert_eq!(at(&|time| usize::from((10..=20).contains(&time))), 15.0);
    }

    #[test]
    fn intervals_have_units() {
        for (text, expected) in [("10s", 10.0), ("5min", 300.0), ("1h", 3600.0), ("0.5", 0.5), ("2 s", 2.0)] {
            assert_eq!(interval(text, TimeUnit::Seconds), Some(expected), "{text}");
        }
        for text in ["", "0s", "-1s", "s", "NaN", "inf", "10m"] {
            assert_eq!(interval(text, TimeUnit::TimeOfDay), None, "{text}");
        }
        assert_eq!(interval("3", TimeUnit::Steps("move")), Some(3.0));
        assert_eq!(interval("3s", TimeUnit::Steps("move")), None);
    }

    #[test]
    fn the_last_frame_is_not_lost_to_rounding() {
        let axis = TimeAxis { first: 0.0, last: 0.7, step: 0.1, unit: TimeUnit::Seconds };
        let mut flags = Flags::default();
        assert_eq!(frame_times(&flags, &axis).unwrap().len(), 8);
        flags.add("every", "0.1");
        flags.add("to", "0.3");
        let times = frame_times(&flags, &axis).unwrap();
        assert!(times.len() == 4 && times[3] == 0.3, "{times:?}");
    }

    #[test]
    fn times_are_within_the_run() {
        let axis = TimeAxis { first: 25_200.0, last: 36_000.0, step: 1.0, unit: TimeUnit::TimeOfDay };
        let at = |text: &str| {
            let mut flags = Flags::default();
            flags.add("at", text);
            time(&flags, "at", &axis).map_err(|error| error.to_string())
        };
        assert_eq!(at("08:00"), Ok(Some(28_800.0)));
        let expected = "--at: \"06:00\"\n    give a time from 07:00:00 to 10:00:00";
        assert_eq!(at("06:00"), Err(expected.to_owned()));
        assert!(at("eight").is_err());
    }
}
