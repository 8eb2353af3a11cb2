//! Times of day as MATSim writes them: `HH:MM:SS`, `HH:MM`, plain seconds, or `undefined`.

use thiserror::Error;

use crate::java_double;

/// Text that is not a time of day.
#[derive(Clone, PartialEq, Eq, Error)]
#[error(
    "\"{0}\" is not a time; expected HH:MM:SS, HH:MM, seconds or undefined, with minutes and seconds below 60 and not \
     more than {MAX_SECONDS:.0} seconds"
)]
pub struct BadTime(pub String);

crate::debug_is_message!(BadTime);

/// Maximum accepted time before or after midnight, in seconds (31 years). The simulation counts steps, and beyond 2^53
/// steps a sum of seconds no longer grows.
pub const MAX_SECONDS: f64 = 1e9;

/// Parses a time of day in seconds; `Ok(None)` for empty text or `undefined`.
///
/// Hours may exceed 24 (the next day), and a leading `-` is allowed. Text without a colon is a number of seconds.
///
/// # Errors
/// [`BadTime`] if minutes or seconds are 60 or more, the time exceeds [`MAX_SECONDS`], or the text is not a time at
/// all.
///
/// ```
/// use throng_core::clock;
/// assert_eq!(clock::parse("07:30"), Ok(Some(27000.0)));
/// assert_eq!(clock::parse("25:00:01.5"), Ok(Some(90001.5)));
/// assert_eq!(clock::parse("undefined"), Ok(None));
/// assert!(clock::parse("25:61:00").is_err());
/// ```
pub fn parse(text: &str) -> Result<Option<f64>, BadTime> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "undefined" || trimmed == "-undefined" {
        return Ok(None);
    }
    match seconds_of(trimmed) {
        Some(seconds) if seconds.abs() <= MAX_SECONDS => Ok(Some(seconds)),
        _ => Err(BadTime(text.to_owned())),
    }
}

fn seconds_of(text: &str) -> Option<f64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let Some((hours, after)) = rest.split_once(':') else {
        let seconds: f64 = rest.parse().ok()?;
        return (seconds.is_finite() && seconds >= 0.0).then_some(sign * seconds);
    };
    let hours = f64::from(digits(hours)?);
    let (minutes, seconds) = match after.split_once(':') {
        None => (after, 0.0),
        Some((minutes, seconds)) => {
            if !seconds.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            (minutes, seconds.parse::<f64>().ok()?)
        }
    };
    let minutes = f64::from(digits(minutes)?);
    if minutes >= 60.0 || !(0.0..60.0).contains(&seconds) {
        return None;
    }
    Some(sign * (hours * 3600.0 + minutes * 60.0 + seconds))
}

fn digits(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 6 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Formats seconds like [`format()`], except that a time with a fraction becomes plain seconds, so that [`parse`]
/// returns it exactly. MATSim reads this form too, but not `HH:MM:SS.s`.
///
/// ```
/// use throng_core::clock;
/// assert_eq!(clock::exact(27000.0), "07:30:00");
/// assert_eq!(clock::exact(27000.25), "27000.25");
/// assert_eq!(clock::parse(&clock::exact(-0.1)), Ok(Some(-0.1)));
/// ```
pub fn exact(seconds: f64) -> String {
    if seconds.is_finite() && seconds.fract() != 0.0 { java_double::text(seconds) } else { format(seconds) }
}

/// Formats seconds as `HH:MM:SS`; fractions of a second are truncated, as in MATSim.
///
/// ```
/// assert_eq!(throng_core::clock::format(27000.9), "07:30:00");
/// assert_eq!(throng_core::clock::format(-60.0), "-00:01:00");
/// assert_eq!(throng_core::clock::format(360_000.0), "100:00:00");
/// ```
pub fn format(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "undefined".to_owned();
    }
    let whole = seconds.abs() as u64;
    let sign = if seconds < 0.0 { "-" } else { "" };
    format!("{sign}{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// Formats seconds as `HH:MM`, truncated to minutes; empty if they are not finite.
///
/// ```
/// assert_eq!(throng_core::clock::minutes(97_259.0), "27:00");
/// ```
pub fn minutes(seconds: f64) -> String {
    format(seconds).rsplit_once(':').map_or_else(String::new, |(minute, _)| minute.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_forms_are_parsed() {
        for (text, seconds) in [
            ("00:00:00", 0.0),
            ("06:00", 21600.0),
            ("5:58:30", 21510.0),
            ("30:00:00", 108_000.0),
            ("-00:10:00", -600.0),
            ("21600", 21600.0),
            ("21600.5", 21600.5),
            (" 07:30 ", 27000.0),
        ] {
            assert_eq!(parse(text), Ok(Some(seconds)), "{text}");
        }
        assert_eq!(parse(""), Ok(None));
    }

    #[test]
    fn invalid_forms_are_refused() {
        for text in ["25:61:00", "07:30:60", "7h", "NaN", "inf", "a:b", "1:2:3:4", "07:-1:00", "07:30:NaN", "--5", ":"]
        {
            assert_eq!(parse(text), Err(BadTime(text.into())));
        }
    }

    #[test]
    fn out_of_range_times_are_refused() {
        assert_eq!(parse("1e9"), Ok(Some(1e9)));
        assert_eq!(parse("-1000000000"), Ok(Some(-1e9)));
        for text in ["1e17", "1000000001", "-1000000000.5", "-1.1e9", "999999:00:00"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("not more than 1000000000 seconds"), "{error}");
        }
    }

    #[test]
    fn fractional_seconds_are_parsed_back_unchanged() {
        for seconds in [0.0, 0.5, -0.25, 1e-3, 86_399.999, 1e8 + 0.1, -3600.0, 0.1 + 0.2] {
            assert_eq!(parse(&exact(seconds)), Ok(Some(seconds)));
        }
        assert_eq!(exact(f64::NAN), "undefined");
    }
}
