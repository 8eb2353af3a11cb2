//! Numbers formatted like Java's `Double.toString`, so that files match MATSim's exactly.

use std::fmt::Write as _;

/// Appends `value` to `out`: `21510.0`, `1.0E7`, `4623842.290032917`, `NaN`, `Infinity`.
///
/// Java uses plain decimals from 1e-3 up to 1e7 and scientific notation outside that range. The digits are the shortest
/// that parse to the same number (as in Java 19 and later; earlier versions sometimes wrote one digit more).
///
/// ```
/// let mut text = String::new();
/// throng_core::java_double::push(&mut text, 1.0e7);
/// assert_eq!(text, "1.0E7");
/// ```
pub fn push(out: &mut String, value: f64) {
    if value.is_nan() {
        out.push_str("NaN");
        return;
    }
    if value.is_infinite() {
        out.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
        return;
    }
    let magnitude = value.abs();
    let written = if magnitude != 0.0 && !(1e-3..1e7).contains(&magnitude) {
        push_scientific(out, value)
    } else if value.fract() == 0.0 {
        // By far the most common case: whole seconds and metres. Integers are formatted faster than floats.
        let sign = if value.is_sign_negative() { "-" } else { "" };
        write!(out, "{sign}{}.0", magnitude as u64)
    } else {
        write!(out, "{value}")
    };
    written.expect("writing to a String cannot fail");
}

/// Returns `value` as a new string; see [`push`].
pub fn text(value: f64) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push_scientific(out: &mut String, value: f64) -> std::fmt::Result {
    let start = out.len();
    write!(out, "{value:E}")?;
    // Rust writes 1E7 where Java writes 1.0E7.
    if !out[start..].contains('.') {
        let exponent = out[start..].find('E').map_or(out.len(), |at| start + at);
        out.insert_str(exponent, ".0");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn numbers_are_formatted_as_in_java() {
        for (value, expected) in [
            (21510.0, "21510.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-15050.0, "-15050.0"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.234e10, "1.234E10"),
            (4_623_842.290_032_917, "4623842.290032917"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn formatted_numbers_are_parsed_back_unchanged(value in proptest::num::f64::NORMAL) {
            proptest::prop_assert_eq!(text(value).parse::<f64>().unwrap(), value);
        }
    }
}
