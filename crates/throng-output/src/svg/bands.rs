//! Bands of quantiles: how values spread, over time or side by side.

use super::axis::{Axis, is_drawable};
use super::legend::{Legend, Sample};
use super::plot::{Plot, XAxis};
use super::{Graphic, colour, push};

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
/// use throng_output::svg::{Axis, Band, BandChart, Graphic};
/// let chart = BandChart {
///     y: Axis::new("level", "m"),
///     bands: vec![Band { x: 0.0, quantiles: [1.0, 2.0, 3.0, 4.0, 5.0] }; 2],
///     ..BandChart::default()
/// };
/// assert!(chart.render().starts_with("<svg") && chart.render().contains("level, m"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct BandChart {
    /// Text for screen readers.
    pub label: String,
    /// The x axis.
    pub x: Axis,
    /// The y axis.
    pub y: Axis,
    /// The range of the y axis, if it must cover more than this chart: charts with equal ranges can be compared.
    pub y_range: Option<(f64, f64)>,
    /// How the bands are shown.
    pub style: BandStyle,
    /// What is written below the columns, in their order; without labels the x axis has numbers. Not used for areas.
    pub x_labels: Vec<String>,
    /// The bands, ordered by x.
    pub bands: Vec<Band>,
}

/// Opacities of the outer and the inner band.
const OPACITIES: [&str; 2] = ["0.2", "0.45"];

impl Graphic for BandChart {
    fn render(&self) -> String {
        let plot = self.plot();
        let mut out = plot.open(&self.label);
        match self.style {
            BandStyle::Areas => self.areas(&mut out, &plot),
            BandStyle::Columns => self.columns(&mut out, &plot),
        }
        out.push_str("</svg>");
        out
    }

    fn points(&self) -> usize {
        self.shown().count()
    }
}

impl BandChart {
    /// The lowest and the highest quantile; `None` without finite ones.
    pub fn range(&self) -> Option<(f64, f64)> {
        let all = self.shown().flat_map(|band| band.quantiles);
        all.fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        })
    }

    fn shown(&self) -> impl Iterator<Item = &Band> {
        self.bands.iter().filter(|band| can_be_drawn(band))
    }

    fn plot(&self) -> Plot {
        let (low, high) = self.y_range.or_else(|| self.range()).unwrap_or((0.0, 1.0));
        let y_range = if low < high { (low, high) } else { around(low) };
        let x_low = self.shown().map(|band| band.x).fold(f64::INFINITY, f64::min);
        let x_high = self.shown().map(|band| band.x).fold(f64::NEG_INFINITY, f64::max);
        let x_axis = if self.style == BandStyle::Columns && !self.x_labels.is_empty() {
            let labelled = self.bands.iter().zip(&self.x_labels).filter(|(band, _)| is_drawable(band.x));
            let labels = labelled.map(|(band, label)| (band.x, label.clone())).collect();
            XAxis::Columns(&self.x, (x_low, x_high), labels)
        } else {
            // Columns have a width, also the first and the last one.
            let margin = if self.style == BandStyle::Columns { 0.02 * (x_high - x_low) } else { 0.0 };
            XAxis::Range(&self.x, (x_low - margin, x_high + margin))
        };
        Plot::new(x_axis, (&self.y, y_range), self.legend())
    }

    fn legend(&self) -> Legend {
        let mut legend = Legend::default();
        let fill = colour(0);
        legend.add(Sample::Line { width: 3.0, dashes: "", has_edge: false }, &fill, "median");
        legend.add(Sample::Area { opacity: OPACITIES[1] }, &fill, "half of the runs (25 % to 75 %)");
        let outer = match self.style {
            BandStyle::Areas => Sample::Area { opacity: OPACITIES[0] },
            BandStyle::Columns => Sample::Line { width: 1.5, dashes: "", has_edge: false },
        };
        legend.add(outer, &fill, "four in five (10 % to 90 %)");
        legend
    }

    fn areas(&self, out: &mut String, Plot { x, y, .. }: &Plot) {
        let fill = colour(0);
        for run in self.bands.split(|band| !can_be_drawn(band)).filter(|run| !run.is_empty()) {
            for ([low, high], opacity) in [[0, 4], [1, 3]].into_iter().zip(OPACITIES) {
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

    fn columns(&self, out: &mut String, Plot { x, y, .. }: &Plot) {
        let fill = colour(0);
        let places: Vec<f64> = self.shown().map(|band| x.pixel(band.x)).collect();
        let apart = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let width = (0.5 * apart).clamp(1.5, 14.0);
        for band in self.shown() {
            let at = x.pixel(band.x);
            let [low, quarter, median, three_quarters, high] = band.quantiles.map(|value| y.pixel(value));
            push(out, format_args!("<path d=\"M{at:.1} {low:.1}V{high:.1}\" stroke=\"{fill}\" stroke-width=\"1.5\"/>"));
            let (left, height) = (at - width / 2.0, quarter - three_quarters);
            push(
                out,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{three_quarters:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                     fill=\"{fill}\" fill-opacity=\"{}\"/>",
                    OPACITIES[1]
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

fn can_be_drawn(band: &Band) -> bool {
    is_drawable(band.x) && band.quantiles.iter().all(|&value| is_drawable(value))
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
        // And one in the legend.
        assert_eq!(text.matches("fill-opacity=\"0.2\"").count(), 3);
        assert!(!text.contains("NaN"), "{text}");
    }

    #[test]
    fn each_band_has_a_column() {
        let text = chart(BandStyle::Columns).render();
        assert_eq!(text.matches("<rect").count() - text.matches("<rect class=\"sample\"").count(), 3);
        assert_eq!(chart(BandStyle::Columns).range(), Some((1.0, 8.0)));
        assert_eq!([chart(BandStyle::Columns).points(), BandChart::default().points()], [3, 0]);
    }

    /// The texts of a chart, in their order.
    fn texts(chart: &BandChart) -> Vec<String> {
        let text = chart.render();
        let after = text.split("<text ").skip(1).filter_map(|part| part.split_once('>')?.1.split_once('<'));
        after.map(|(text, _)| text.to_owned()).collect()
    }

    #[test]
    fn columns_have_their_labels() {
        let x_labels = ["0.1", "wide < open", "", "4"].map(str::to_owned).to_vec();
        let found = texts(&BandChart { x_labels, ..chart(BandStyle::Columns) });
        assert!(["0.1", "wide &lt; open", "4"].iter().all(|label| found.contains(&(*label).to_owned())), "{found:?}");
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
