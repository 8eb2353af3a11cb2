//! Times of day as MATSim writes them: `HH:MM:SS`, `HH:MM`, plain seconds, or `undefined`.

use thiserror::Error;

/// A text that is not a time of day.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{0}\" is not a time; expected HH:MM:SS, HH:MM, seconds or undefined, with minutes and seconds below 60")]
pub struct BadTime(pub String);

/// Reads a time of day in seconds; `Ok(None)` for an empty text or `undefined`.
///
/// Hours may exceed 24 (the day after), a leading `-` is allowed. Without a colon the text is a number of seconds.
///
/// # Errors
/// [`BadTime`] when minutes or seconds are 60 or more, or the text is no time at all.
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
        Some(seconds) => Ok(Some(seconds)),
        None => Err(BadTime(text.to_owned())),
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

/// Writes seconds as `HH:MM:SS`; fractions of a second are cut off, as MATSim does.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_forms() {
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
    fn rejected_forms() {
        for text in ["25:61:00", "07:30:60", "7h", "NaN", "inf", "a:b", "1:2:3:4", "07:-1:00", "07:30:NaN", "--5", ":"]
        {
            assert_eq!(parse(text), Err(BadTime(text.into())));
        }
    }
}
