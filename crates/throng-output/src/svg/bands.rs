//! Bands of quantiles: how values spread, over time or side by side.

use super::plot::Plot;
use super::{Scale, Unit, colour, open, push};
use crate::html::grouped;

/// Five quantiles at a place of the x axis. A band with a quantile that is not finite is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The place.
    pub x: f64,
    /// The quantiles of 10, 25, 50, 75 and 90 %.
    pub quantiles: [f64; 5],
}

/// How a chart shows its bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BandStyle {
    /// Two areas and a line for the median, from each place to the next.
    #[default]
    Areas,
    /// A thin column, a thick one and a mark for the median at each place.
    Columns,
}

/// A chart of bands of quantiles; the y axis covers the data and need not begin at zero.
///
/// ```
/// use throng_output::svg::{Band, BandChart};
/// let chart = BandChart {
///     y_title: "level, m".to_owned(),
///     bands: vec![Band { x: 0.0, quantiles: [1.0, 2.0, 3.0, 4.0, 5.0] }; 2],
///     ..BandChart::default()
/// };
/// assert!(chart.render().starts_with("<svg") && chart.render().contains("level, m"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct BandChart {
    /// Text for screen readers.
    pub label: String,
    /// Title of the x axis, with its unit.
    pub x_title: String,
    /// Title of the y axis, with its unit.
    pub y_title: String,
    /// The range of the y axis, if it must cover more than this chart: charts with equal ranges can be compared.
    pub y_range: Option<(f64, f64)>,
    /// How the bands are shown.
    pub style: BandStyle,
    /// What is written below the columns, in their order; without labels their places, as whole numbers. Not used for
    /// areas.
    pub x_labels: Vec<String>,
    /// The bands, ordered by x.
    pub bands: Vec<Band>,
}

const PLOT: Plot = Plot { left: 76.0, height: 260.0 };

impl BandChart {
    /// The lowest and the highest quantile; `None` without finite ones.
    pub fn range(&self) -> Option<(f64, f64)> {
        let all = self.shown().flat_map(|band| band.quantiles);
        all.fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        })
    }

    /// The chart as SVG text.
    pub fn render(&self) -> String {
        let mut out = String::new();
        open(&mut out, PLOT.height, &self.label);
        let (x, y) = self.scales();
        self.frame(&mut out, &x, &y);
        match self.style {
            BandStyle::Areas => self.areas(&mut out, &x, &y),
            BandStyle::Columns => self.columns(&mut out, &x, &y),
        }
        out.push_str("</svg>");
        out
    }

    fn shown(&self) -> impl Iterator<Item = &Band> {
        self.bands.iter().filter(|band| is_finite(band))
    }

    fn scales(&self) -> (Scale, Scale) {
        // Columns stand apart from both ends of the axis.
        let margin = if self.style == BandStyle::Columns { 0.5 } else { 0.0 };
        let x_low = self.shown().map(|band| band.x).fold(f64::INFINITY, f64::min) - margin;
        let x_high = self.shown().map(|band| band.x).fold(f64::NEG_INFINITY, f64::max) + margin;
        let (low, high) = self.y_range.or_else(|| self.range()).unwrap_or((0.0, 1.0));
        let (low, high) = if low < high { (low, high) } else { around(low) };
        let x = Scale::tight(Unit::Number, (x_low, x_high), PLOT.across(), 12);
        (x, Scale::new(Unit::Number, (low, high), PLOT.upwards(), 5))
    }

    fn frame(&self, out: &mut String, x: &Scale, y: &Scale) {
        let x_ticks: Vec<(f64, String)> = match self.style {
            BandStyle::Areas => x.ticks.iter().map(|&tick| (tick, x.label(tick))).collect(),
            BandStyle::Columns if !self.x_labels.is_empty() => {
                self.bands.iter().zip(&self.x_labels).map(|(band, label)| (band.x, label.clone())).collect()
            }
            // Columns are numbered: there is nothing between two of them.
            BandStyle::Columns => {
                let whole = x.ticks.iter().copied().filter(|&tick| tick == tick.round());
                whole.map(|tick| (tick, grouped(tick, 0))).collect()
            }
        };
        PLOT.frame(out, (x, &self.x_title), x_ticks, (y, &self.y_title));
    }

    fn areas(&self, out: &mut String, x: &Scale, y: &Scale) {
        let fill = colour(0);
        for run in self.bands.split(|band| !is_finite(band)).filter(|run| !run.is_empty()) {
            for ([low, high], opacity) in [([0, 4], "0.18"), ([1, 3], "0.32")] {
                let upper = run.iter().map(|band| (x.pixel(band.x), y.pixel(band.quantiles[high])));
                let lower = run.iter().rev().map(|band| (x.pixel(band.x), y.pixel(band.quantiles[low])));
                let path = path_through(upper.chain(lower));
                push(out, format_args!("<path d=\"{path}Z\" fill=\"{fill}\" fill-opacity=\"{opacity}\"/>"));
            }
            let path = path_through(run.iter().map(|band| (x.pixel(band.x), y.pixel(band.quantiles[2]))));
            push(
                out,
                format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
                ),
            );
        }
    }

    fn columns(&self, out: &mut String, x: &Scale, y: &Scale) {
        let fill = colour(0);
        let width = (0.5 * (x.pixel(1.0) - x.pixel(0.0))).clamp(1.5, 14.0);
        for band in self.shown() {
            let at = x.pixel(band.x);
            let [low, quarter, median, three_quarters, high] = band.quantiles.map(|value| y.pixel(value));
            push(out, format_args!("<path d=\"M{at:.1} {low:.1}V{high:.1}\" stroke=\"{fill}\" stroke-width=\"1.5\"/>"));
            let (left, height) = (at - width / 2.0, quarter - three_quarters);
            push(
                out,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{three_quarters:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                     fill=\"{fill}\" fill-opacity=\"0.45\"/>"
                ),
            );
            push(
                out,
                format_args!("<path d=\"M{left:.1} {median:.1}h{width:.1}\" stroke=\"{fill}\" stroke-width=\"3\"/>"),
            );
        }
    }
}

/// An axis around a single value: it does not go below 0 for one that does not, such as a count.
fn around(value: f64) -> (f64, f64) {
    match value {
        0.0 => (0.0, 1.0),
        above if above > 0.0 => ((above - 0.5).max(0.0), above + 0.5),
        below => (below - 0.5, (below + 0.5).min(0.0)),
    }
}

fn is_finite(band: &Band) -> bool {
    band.x.is_finite() && band.quantiles.iter().all(|value| value.is_finite())
}

fn path_through(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    let mut command = 'M';
    for (x, y) in points {
        push(&mut path, format_args!("{command}{x:.1} {y:.1}"));
        command = 'L';
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(style: BandStyle) -> BandChart {
        let band = |x: f64| Band { x, quantiles: [x, x + 1.0, x + 2.0, x + 3.0, x + 4.0] };
        let gap = Band { x: 3.0, quantiles: [f64::NAN; 5] };
        BandChart { style, bands: vec![band(1.0), band(2.0), gap, band(4.0)], ..BandChart::default() }
    }

    #[test]
    fn gaps_interrupt_areas() {
        let text = chart(BandStyle::Areas).render();
        assert_eq!(text.matches("fill-opacity=\"0.18\"").count(), 2);
        assert!(!text.contains("NaN"), "{text}");
    }

    #[test]
    fn each_band_has_a_column() {
        let text = chart(BandStyle::Columns).render();
        assert_eq!(text.matches("<rect").count(), 3);
        assert_eq!(chart(BandStyle::Columns).range(), Some((1.0, 8.0)));
    }

    /// The texts of a chart, in their order.
    fn texts(chart: &BandChart) -> Vec<String> {
        let text = chart.render();
        let after = text.split("<text ").skip(1).filter_map(|part| part.split_once('>')?.1.split_once('<'));
        after.map(|(text, _)| text.to_owned()).collect()
    }

    #[test]
    fn columns_have_whole_numbers_or_their_labels() {
        let numbered = BandChart { bands: chart(BandStyle::Columns).bands[..2].to_vec(), ..chart(BandStyle::Columns) };
        let found = texts(&numbered);
        assert!(
            found.iter().any(|text| text == "1") && found.iter().all(|text| text != "1.0" && text != "1.5"),
            "{found:?}"
        );
        let named = BandChart { x_labels: ["0.1", "wide < open"].map(str::to_owned).to_vec(), ..numbered };
        let found = texts(&named);
        assert!(
            found.iter().any(|text| text == "0.1") && found.iter().any(|text| text == "wide &lt; open"),
            "{found:?}"
        );
    }

    #[test]
    fn counts_that_are_all_0_have_an_axis_from_0() {
        let flat =
            |value: f64| BandChart { bands: vec![Band { x: 0.0, quantiles: [value; 5] }; 2], ..BandChart::default() };
        let goes_below_0 = |chart: &BandChart| texts(chart).iter().any(|text| text.starts_with('−'));
        assert!(texts(&flat(0.0)).contains(&"1.0".to_owned()), "{:?}", texts(&flat(0.0)));
        // Values below 0 stay in view.
        assert_eq!([0.0, 0.2, -3.0].map(|value| goes_below_0(&flat(value))), [false, false, true]);
        assert_eq!(
            [around(0.0), around(0.2), around(7.0), around(-7.0)],
            [(0.0, 1.0), (0.0, 0.7), (6.5, 7.5), (-7.5, -6.5)]
        );
    }

    #[test]
    fn nothing_to_show_is_an_empty_frame() {
        let text = BandChart::default().render();
        assert!(text.ends_with("</svg>") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
