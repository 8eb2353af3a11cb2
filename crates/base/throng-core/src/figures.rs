//! Numbers for human readers.

/// Formats a number with about three significant digits, enough to compare measurements; below 1, four decimal places.
///
/// ```
/// use throng_core::three_figures;
///
/// assert_eq!([0.0123, 1.234, 12.34, 123.4].map(three_figures), ["0.0123", "1.23", "12.3", "123"]);
/// ```
pub fn three_figures(value: f64) -> String {
    match value {
        value if value < 1.0 => format!("{value:.4}"),
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}
