//! Conversion between the text of a parameter and a field of [`Settings`], or of a part of them.

use std::path::{Path, PathBuf};

use throng_core::{clock, java_double};

use super::table::Effect;
use throng_traffic_scenario::ValidRange;
use throng_traffic_scenario::settings::{MIN_DURATION_S, Settings};

/// Maximum number of threads; a larger value is taken for a typing error.
const MAX_THREADS: usize = 4096;

/// Accesses a field of type `T`.
pub(super) type At<T, S = Settings> = fn(&mut S) -> &mut T;

/// A field of [`Settings`], or of a part `S` of them, and its text format.
pub(super) enum Field<S = Settings> {
    /// `true` or `false`.
    Flag(At<bool, S>),
    /// `HH:MM:SS` or seconds; `undefined` for `None`.
    TimeOfDay(At<Option<f64>, S>),
    /// A positive duration in seconds, written as `HH:MM:SS` if whole.
    Step(At<f64, S>),
    /// A positive duration, written as a number of seconds.
    Seconds(At<f64, S>),
    /// `HH:MM:SS` or seconds; `undefined` for 0.
    OptionalDuration(At<f64, S>),
    /// A positive number.
    Positive(At<f64, S>),
    /// A number of 0 or more.
    NotNegative(At<f64, S>),
    /// Any number, possibly infinite.
    Number(At<f64, S>),
    /// As `Number`, or `null`.
    OptionalNumber(At<Option<f64>, S>),
    /// A count of 0 or more.
    Count(At<u32, S>),
    /// The number of an iteration; -1 for `None`.
    Iteration(At<Option<u32>, S>),
    /// A number of threads, at most [`MAX_THREADS`].
    Threads(At<usize, S>),
    /// Any 64-bit integer.
    Seed(At<i64, S>),
    /// A string, possibly empty.
    Text(At<String, S>),
    /// A string; `null` for `None`.
    OptionalText(At<Option<String>, S>),
    /// An optional name of a coordinate reference system.
    System(At<Option<String>, S>),
    /// An optional file name prefix.
    FilePrefix(At<Option<String>, S>),
    /// An input file, relative to the folder of the config file.
    File(At<Option<PathBuf>, S>),
    /// An output folder, relative to the working folder, as in MATSim.
    Folder(At<PathBuf, S>),
    /// Mode names separated by commas.
    Modes(At<Vec<String>, S>),
    /// One of several names.
    Choice(Choice<S>),
}

/// A parameter that takes one of several names.
pub(super) struct Choice<S = Settings> {
    /// Names that are accepted as values.
    pub names: &'static [&'static str],
    /// Names that MATSim supports but Throng does not, each with a remedy.
    pub unsupported: &'static [(&'static str, &'static str)],
    /// The effect of ignoring such a name.
    pub effect: Effect,
    /// Returns the current name.
    pub get: fn(&S) -> &'static str,
    /// Sets the value by name; false if the name is unknown.
    pub set: fn(&mut S, &str) -> bool,
}

/// Reason for rejecting a value.
#[derive(Debug, PartialEq)]
pub(super) enum Rejection {
    /// The text does not have the expected form.
    Malformed,
    /// A value that MATSim supports but Throng does not: the effect of ignoring it, and the remedy.
    Unsupported(Effect, &'static str),
    /// A file that cannot be an input file, with the remedy.
    NotAFile(&'static str),
}

/// Declares a [`Choice`] from the enum it sets: `choice!(s.qsim.link_dynamics: LinkDynamics { Fifo = "FIFO" })`.
macro_rules! choice {
    ($s:ident . $group:ident . $field:ident : $kind:ident { $($variant:ident = $name:literal),+ $(,)? }
        $(unsupported $effect:ident { $($other:literal => $remedy:literal),+ $(,)? })?) => {
        $crate::config::field::Field::Choice($crate::config::field::Choice {
            names: &[$($name),+],
            unsupported: &[$($(($other, $remedy)),+)?],
            effect: {
                let _effect = $crate::config::table::Effect::Result;
                $(let _effect = $crate::config::table::Effect::$effect;)?
                _effect
            },
            get: |$s| match $s.$group.$field { $($kind::$variant => $name),+ },
            set: |$s, name| match name {
                $($name => { $s.$group.$field = $kind::$variant; true })+
                _ => false,
            },
        })
    };
}
pub(super) use choice;

impl<S> Field<S> {
    /// Sets the field from `text`. Input files are relative to `base_dir`; `null` clears an optional field, and leaves
    /// any other unchanged.
    pub(super) fn set(&self, settings: &mut S, text: &str, base_dir: &Path) -> Result<(), Rejection> {
        let trimmed = text.trim();
        let empty = trimmed.is_empty() || trimmed == "null";
        match self {
            Self::TimeOfDay(at) => *at(settings) = if empty { None } else { time_of_day(trimmed)? },
            Self::FilePrefix(at) => {
                // A path separator could lead out of the output folder.
                if trimmed.contains(['/', '\\', '\0']) {
                    return Err(Rejection::Malformed);
                }
                *at(settings) = (!empty).then(|| trimmed.to_owned());
            }
            Self::System(at) | Self::OptionalText(at) => *at(settings) = (!empty).then(|| trimmed.to_owned()),
            Self::File(at) => *at(settings) = if empty { None } else { Some(input_file(trimmed, base_dir)?) },
            Self::OptionalDuration(at) => {
                *at(settings) = if empty { 0.0 } else { time_of_day(trimmed)?.unwrap_or(0.0) };
            }
            Self::OptionalNumber(at) => *at(settings) = if empty { None } else { Some(any_number(trimmed)?) },
            // MATSim writes `null` for values that were never set: keep the default.
            _ if trimmed == "null" => {}
            Self::Text(at) => trimmed.clone_into(at(settings)),
            Self::Modes(at) => {
                *at(settings) =
                    trimmed.split(',').map(str::trim).filter(|m| !m.is_empty()).map(str::to_owned).collect();
            }
            _ if empty => return Err(Rejection::Malformed),
            Self::Folder(at) => *at(settings) = in_home(trimmed)?,
            Self::Flag(at) => {
                *at(settings) = match trimmed.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(Rejection::Malformed),
                }
            }
            Self::Step(at) | Self::Seconds(at) => *at(settings) = seconds(trimmed)?,
            Self::Positive(at) => *at(settings) = number(trimmed, ValidRange::Positive)?,
            Self::NotNegative(at) => *at(settings) = number(trimmed, ValidRange::NotNegativeFinite)?,
            Self::Number(at) => *at(settings) = any_number(trimmed)?,
            Self::Count(at) => *at(settings) = trimmed.parse().map_err(|_| Rejection::Malformed)?,
            Self::Iteration(at) => {
                *at(settings) = match trimmed {
                    "-1" => None,
                    _ => Some(trimmed.parse().map_err(|_| Rejection::Malformed)?),
                }
            }
            Self::Threads(at) => {
                let threads: Option<usize> = trimmed.parse().ok().filter(|n| *n <= MAX_THREADS);
                *at(settings) = threads.ok_or(Rejection::Malformed)?;
            }
            Self::Seed(at) => *at(settings) = trimmed.parse().map_err(|_| Rejection::Malformed)?,
            Self::Choice(choice) => {
                if let Some((_, remedy)) = choice.unsupported.iter().find(|(name, _)| *name == trimmed) {
                    return Err(Rejection::Unsupported(choice.effect, remedy));
                }
                if !(choice.set)(settings, trimmed) {
                    return Err(Rejection::Malformed);
                }
            }
        }
        Ok(())
    }

    /// Returns the current value in the format that [`Field::set`] parses. `settings` is not changed.
    pub(super) fn text(&self, settings: &mut S) -> String {
        let or_null = |value: Option<String>| value.unwrap_or_else(|| "null".to_owned());
        match self {
            Self::Flag(at) => at(settings).to_string(),
            Self::TimeOfDay(at) => at(settings).map_or_else(|| "undefined".to_owned(), clock_text),
            Self::OptionalDuration(at) if *at(settings) == 0.0 => "undefined".to_owned(),
            Self::Step(at) | Self::OptionalDuration(at) => clock_text(*at(settings)),
            Self::Seconds(at) => {
                let seconds = *at(settings);
                if seconds.fract() == 0.0 { format!("{seconds:.0}") } else { java_double::text(seconds) }
            }
            Self::OptionalNumber(at) => or_null(at(settings).map(java_double::text)),
            Self::Positive(at) | Self::NotNegative(at) | Self::Number(at) => java_double::text(*at(settings)),
            Self::Count(at) => at(settings).to_string(),
            Self::Iteration(at) => at(settings).map_or_else(|| "-1".to_owned(), |iteration| iteration.to_string()),
            Self::Threads(at) => at(settings).to_string(),
            Self::Seed(at) => at(settings).to_string(),
            Self::Text(at) => at(settings).clone(),
            Self::System(at) | Self::FilePrefix(at) | Self::OptionalText(at) => or_null(at(settings).clone()),
            Self::File(at) => or_null(at(settings).as_ref().map(|path| path.display().to_string())),
            Self::Folder(at) => at(settings).display().to_string(),
            Self::Modes(at) => at(settings).join(","),
            Self::Choice(choice) => (choice.get)(settings).to_owned(),
        }
    }

    /// Describes the valid values, for messages and the list of parameters.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Flag(_) => "true or false".to_owned(),
            Self::TimeOfDay(_) => "a time of day HH:MM:SS, seconds, or undefined".to_owned(),
            Self::Step(_) | Self::Seconds(_) => {
                format!("a duration of {MIN_DURATION_S} s or more, in seconds or HH:MM:SS")
            }
            Self::OptionalDuration(_) => "a duration in seconds or HH:MM:SS, or undefined".to_owned(),
            Self::Positive(_) => "a finite number above 0".to_owned(),
            Self::NotNegative(_) => "a finite number, 0 or more".to_owned(),
            Self::Number(_) => "a number".to_owned(),
            Self::OptionalNumber(_) => "a number, or null".to_owned(),
            Self::Count(_) => format!("a whole number from 0 to {}", u32::MAX),
            Self::Iteration(_) => format!("a whole number from 0 to {}, or -1", u32::MAX),
            Self::Threads(_) => format!("a whole number from 0 to {MAX_THREADS}"),
            Self::Seed(_) => "a whole number of 64 bits".to_owned(),
            Self::Text(_) => "a text".to_owned(),
            Self::OptionalText(_) => "a text, or null".to_owned(),
            Self::System(_) => "EPSG:code, one of MATSim's names, or null".to_owned(),
            Self::FilePrefix(_) => "the beginning of file names, without / and \\, or null".to_owned(),
            Self::File(_) => "a file name, or null".to_owned(),
            Self::Folder(_) => "a folder name".to_owned(),
            Self::Modes(_) => "mode names separated by commas".to_owned(),
            Self::Choice(choice) => format!("one of: {}", choice.names.join(", ")),
        }
    }
}

/// Parses a number in `range`.
pub(super) fn number(text: &str, range: ValidRange) -> Result<f64, Rejection> {
    let value: f64 = text.parse().map_err(|_| Rejection::Malformed)?;
    // Adding 0.0 turns -0.0 into 0.0: the rules divide by non-negative numbers.
    if range.holds(value) { Ok(value + 0.0) } else { Err(Rejection::Malformed) }
}

/// Parses a number that may be infinite.
pub(super) fn any_number(text: &str) -> Result<f64, Rejection> {
    text.parse().ok().filter(|number: &f64| !number.is_nan()).ok_or(Rejection::Malformed)
}

/// Parses a duration, such as the length of a step, in seconds.
fn seconds(text: &str) -> Result<f64, Rejection> {
    clock::parse(text).ok().flatten().filter(|s| ValidRange::Duration.holds(*s)).ok_or(Rejection::Malformed)
}

fn time_of_day(text: &str) -> Result<Option<f64>, Rejection> {
    match clock::parse(text) {
        Ok(Some(seconds)) if !ValidRange::TimeOfDay.holds(seconds) => Err(Rejection::Malformed),
        Ok(time) => Ok(time),
        Err(_) => Err(Rejection::Malformed),
    }
}

/// Formats whole seconds as `HH:MM:SS`, and others as a plain number because the clock format would truncate the
/// fraction.
fn clock_text(seconds: f64) -> String {
    if seconds.fract() == 0.0 { clock::format(seconds) } else { java_double::text(seconds) }
}

/// Returns the path `text`, in which `~/` stands for the home folder of the user.
fn in_home(text: &str) -> Result<PathBuf, Rejection> {
    let Some(rest) = text.strip_prefix("~/") else { return Ok(PathBuf::from(text)) };
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    Ok(home.ok_or(Rejection::NotAFile("this user has no home folder: write the whole path, without ~"))?.join(rest))
}

/// Returns the absolute path of an input file, which is relative to `base_dir`.
pub(super) fn input_file(text: &str, base_dir: &Path) -> Result<PathBuf, Rejection> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Err(Rejection::NotAFile("nothing is downloaded during a run: fetch the file first and name the copy"));
    }
    let path = base_dir.join(in_home(text.strip_prefix("file://").unwrap_or(text))?);
    // An absolute path keeps its meaning when the settings are written to another folder.
    std::path::absolute(&path).map_err(|_| Rejection::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Field = Field::Step(|s| &mut s.qsim.time_step_s);
    const END: Field = Field::TimeOfDay(|s| &mut s.qsim.end_time);
    const FLOW: Field = Field::Positive(|s| &mut s.qsim.flow_capacity_factor);
    const MODES: Field = Field::Modes(|s| &mut s.qsim.main_modes);
    const NETWORK: Field = Field::File(|s| &mut s.files.network);
    const OUT: Field = Field::Folder(|s| &mut s.controller.output_directory);
    const RUN: Field = Field::FilePrefix(|s| &mut s.controller.run_id);
    const THREADS: Field = Field::Threads(|s| &mut s.qsim.number_of_threads);
    const FLAG: Field = Field::Flag(|s| &mut s.qsim.remove_stuck_vehicles);

    fn set(field: &Field, text: &str) -> Result<(Settings, String), Rejection> {
        let mut settings = Settings::default();
        field.set(&mut settings, text, Path::new("/base"))?;
        let written = field.text(&mut settings);
        Ok((settings, written))
    }

    #[test]
    fn values_are_read_and_written_back() {
        assert_eq!(set(&STEP, "00:00:10").unwrap().0.qsim.time_step_s, 10.0);
        assert_eq!(set(&STEP, "0.1").unwrap().1, "0.1");
        assert_eq!(set(&STEP, "10").unwrap().1, "00:00:10");
        assert_eq!(set(&THREADS, "0").unwrap().1, "0");
        assert_eq!(set(&END, "30:00:00").unwrap().0.qsim.end_time, Some(108_000.0));
        assert_eq!(set(&END, "undefined").unwrap().1, "undefined");
        assert_eq!(set(&END, "").unwrap().0.qsim.end_time, None);
        assert_eq!(set(&FLOW, "+1e-2").unwrap().1, "0.01");
        assert_eq!(set(&FLOW, "null").unwrap().0.qsim.flow_capacity_factor, 1.0);
        assert_eq!(set(&MODES, " car, truck ,").unwrap().0.qsim.main_modes, ["car", "truck"]);
        assert_eq!(set(&NETWORK, "a/n.xml").unwrap().0.files.network, Some("/base/a/n.xml".into()));
        assert_eq!(set(&NETWORK, "file:///n.xml").unwrap().0.files.network, Some("/n.xml".into()));
        assert_eq!(set(&NETWORK, "null").unwrap().1, "null");
        let home = std::env::home_dir().unwrap();
        assert_eq!(set(&NETWORK, "~/n.xml").unwrap().0.files.network, Some(home.join("n.xml")));
        assert_eq!(set(&NETWORK, "~n.xml").unwrap().0.files.network, Some("/base/~n.xml".into()));
        assert_eq!(set(&OUT, "~/runs").unwrap().0.controller.output_directory, home.join("runs"));
        assert!(set(&FLAG, "True").unwrap().0.qsim.remove_stuck_vehicles);
    }

    #[test]
    fn bad_values_are_refused() {
        for (field, text) in [
            (&STEP, "0"),
            (&STEP, "-1"),
            (&STEP, "undefined"),
            (&STEP, ""),
            (&STEP, "1e-9"),
            (&RUN, "../x"),
            (&RUN, "a\\b"),
            (&END, "25:61:00"),
            (&END, "-00:10:00"),
            (&FLOW, "0"),
            (&FLOW, "NaN"),
            (&FLOW, "inf"),
            (&FLOW, "0,5"),
            (&FLOW, "-1"),
            (&FLOW, ""),
            (&THREADS, "5000"),
            (&THREADS, "1.5"),
            (&FLAG, "yes"),
        ] {
            assert_eq!(set(field, text).unwrap_err(), Rejection::Malformed, "{text}");
        }
        assert!(matches!(set(&NETWORK, "https://x/n.xml"), Err(Rejection::NotAFile(_))));
    }
}
