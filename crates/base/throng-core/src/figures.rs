//! Numbers for human readers.

/// Formats a number with about three significant digits, enough to compare measurements, and at most four decimal
/// places.
///
/// ```
/// use throng_core::three_figures;
///
/// assert_eq!([0.0123, 0.1234, 1.234, 12.34, 123.4].map(three_figures), ["0.0123", "0.123", "1.23", "12.3", "123"]);
/// assert_eq!([0.0, -0.1234, -1234.0].map(three_figures), ["0.0000", "-0.123", "-1234"]);
/// ```
pub fn three_figures(value: f64) -> String {
    match value.abs() {
        size if size < 0.1 => format!("{value:.4}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Formats a number, in millions if it is large.
///
/// ```
/// use throng_core::in_millions;
///
/// assert_eq!([6000.4, 99_999.0, 2.04e6, 1.25e9].map(in_millions), ["6000", "99999", "2.0 million", "1250.0 million"]);
/// ```
pub fn in_millions(value: f64) -> String {
    if value.abs() < 1e5 { format!("{value:.0}") } else { format!("{:.1} million", value / 1e6) }
}
