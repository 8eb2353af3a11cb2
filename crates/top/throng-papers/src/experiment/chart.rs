//! Charts of measurements.

use throng_output::svg::{Axis, Chart, Graphic, Series};

/// A line through the points with known values.
pub(crate) fn line<X: Copy>(name: impl Into<String>, xs: &[X], point: impl Fn(X) -> Option<(f64, f64)>) -> Series {
    Series { name: name.into(), points: xs.iter().filter_map(|&x| point(x)).collect() }
}

/// A chart of all lines that have points; `powers_of_ten` selects a logarithmic y axis.
pub(crate) fn chart(label: impl Into<String>, x: Axis, y: Axis, powers_of_ten: bool, lines: Vec<Series>) -> Chart {
    let mut series: Vec<Series> = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
    if powers_of_ten {
        series.iter_mut().flat_map(|line| &mut line.points).for_each(|point| point.1 = libm::log10(point.1));
    }
    let y = if powers_of_ten { y.in_powers_of_ten() } else { y };
    Chart { label: label.into(), x, y, series, ..Chart::default() }
}

/// The chart as a file, or `None` if there is too little to draw.
pub(crate) fn chart_file(name: impl Into<String>, chart: &Chart) -> Option<(String, Vec<u8>)> {
    chart.is_worth_drawing().then(|| (name.into(), chart.render().into_bytes()))
}
