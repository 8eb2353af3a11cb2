//! Distributions of values over runs, along an x axis or side by side: quantiles, means and single runs.

use super::axis::{Axis, is_drawable};
use super::legend::{Legend, Sample};
use super::plot::{Plot, XAxis};
use super::{Graphic, colour, push};

/// The distribution over several runs at one x position. Values that are not finite are not drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Position on the x axis.
    pub x: f64,
    /// The 10 %, 25 %, 50 %, 75 % and 90 % quantiles.
    pub quantiles: [f64; 5],
    /// Lower end of the confidence interval of the mean, the mean, and the upper end.
    pub mean: [f64; 3],
}

/// Display style of the bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BandStyle {
    /// Areas and lines, from each position to the next.
    #[default]
    Areas,
    /// At each position, a thin column, a thick column and a mark for the median, with the mean beside them.
    Columns,
}

/// A chart of distributions over runs. The y axis covers the data and does not necessarily start at zero.
///
/// ```
/// use throng_output::svg::{Axis, Band, BandChart, Graphic};
/// let band = Band { x: 0.0, quantiles: [1.0, 2.0, 3.0, 4.0, 5.0], mean: [2.0, 2.5, 3.0] };
/// let chart = BandChart { y: Axis::new("level", "m"), bands: vec![band; 2], ..BandChart::default() };
/// assert!(chart.render().starts_with("<svg") && chart.render().contains("level, m"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct BandChart {
    /// Alternative text.
    pub label: String,
    /// X axis.
    pub x: Axis,
    /// Y axis.
    pub y: Axis,
    /// Range of the y axis, if it must cover more than this chart, so that several charts can be compared.
    pub y_range: Option<(f64, f64)>,
    /// Display style of the bands.
    pub style: BandStyle,
    /// Labels below the columns, in order; if empty, the x axis shows numbers. Ignored for areas.
    pub x_labels: Vec<String>,
    /// Bands in ascending order of x.
    pub bands: Vec<Band>,
    /// Single runs as (x, y): one point per value beside columns, one line per run among areas.
    pub runs: Vec<Vec<(f64, f64)>>,
}

/// Opacities of the outer and the inner band.
const OPACITIES: [&str; 2] = ["0.2", "0.45"];
/// Opacity of the confidence interval of the mean.
const INTERVAL_OPACITY: &str = "0.3";

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
    /// Returns the smallest and the largest value; `None` if no value is finite.
    pub fn range(&self) -> Option<(f64, f64)> {
        let of_bands = self.shown().flat_map(|band| band.quantiles.into_iter().chain(band.mean));
        let of_runs = self.runs.iter().flatten().map(|point| point.1);
        of_bands.chain(of_runs).filter(|&value| is_drawable(value)).fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        })
    }

    fn shown(&self) -> impl Iterator<Item = &Band> {
        let has_value = |band: &&Band| band.quantiles.iter().chain(&band.mean).any(|&value| is_drawable(value));
        self.bands.iter().filter(|band| is_drawable(band.x)).filter(has_value)
    }

    fn plot(&self) -> Plot {
        let (low, high) = self.y_range.or_else(|| self.range()).unwrap_or((0.0, 1.0));
        let y_range = if low < high { (low, high) } else { around(low) };
        let places = || self.shown().map(|band| band.x).chain(self.runs.iter().flatten().map(|point| point.0));
        let (x_low, x_high) = (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max));
        let x_axis = if self.style == BandStyle::Columns && !self.x_labels.is_empty() {
            let labelled = self.bands.iter().zip(&self.x_labels).filter(|(band, _)| is_drawable(band.x));
            let labels = labelled.map(|(band, label)| (band.x, label.clone())).collect();
            XAxis::Columns(&self.x, (x_low, x_high), labels)
        } else {
            // The first and the last column need space too.
            let margin = if self.style == BandStyle::Columns { 0.02 * (x_high - x_low) } else { 0.0 };
            XAxis::Range(&self.x, (x_low - margin, x_high + margin))
        };
        Plot::new(x_axis, (&self.y, y_range), self.legend())
    }

    /// Legend of the elements that occur in the chart.
    fn legend(&self) -> Legend {
        let mut legend = Legend::default();
        let [of_runs, of_means] = [colour(0), colour(1)];
        let has = |quantiles: &[usize]| {
            self.shown().any(|band| quantiles.iter().all(|&quantile| is_drawable(band.quantiles[quantile])))
        };
        let is_column = self.style == BandStyle::Columns;
        let thin = || Sample::Line { width: 1.5, dashes: "", has_edge: false };
        if has(&[2]) {
            legend.add(Sample::Line { width: 3.0, dashes: "", has_edge: false }, &of_runs, "median");
        }
        if has(&[1, 3]) {
            legend.add(Sample::Area { opacity: OPACITIES[1] }, &of_runs, "half of the runs (25 % to 75 %)");
        }
        if has(&[0, 4]) {
            let outer = if is_column { thin() } else { Sample::Area { opacity: OPACITIES[0] } };
            legend.add(outer, &of_runs, "80 % of the runs (10 % to 90 %)");
        }
        if self.runs.iter().any(|run| !run.is_empty()) {
            legend.add(if is_column { Sample::Dot } else { thin() }, &of_runs, "single runs");
        }
        if self.shown().any(|band| interval(band).is_some()) {
            let sample = if is_column { Sample::Dot } else { Sample::Area { opacity: INTERVAL_OPACITY } };
            legend.add(sample, &of_means, "mean with its 95 % confidence interval");
        }
        legend
    }

    fn areas(&self, out: &mut String, plot: &Plot) {
        let [of_runs, of_means] = [colour(0), colour(1)];
        for ([low, high], opacity) in [[0, 4], [1, 3]].into_iter().zip(OPACITIES) {
            self.area(out, plot, |band| Some([band.quantiles[low], band.quantiles[high]]), (&of_runs, opacity));
        }
        self.area(out, plot, |band| interval(band).map(|[low, _, high]| [low, high]), (&of_means, INTERVAL_OPACITY));
        let line = |out: &mut String, points: &mut dyn Iterator<Item = (f64, f64)>, stroke: &str, width: &str| {
            let path = path_through(points.map(|(x, y)| (plot.x.pixel(x), plot.y.pixel(y))));
            push(
                out,
                format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
                ),
            );
        };
        for run in &self.runs {
            for part in run.split(|&(x, y)| !(is_drawable(x) && is_drawable(y))).filter(|part| !part.is_empty()) {
                line(out, &mut part.iter().copied(), &of_runs, "1");
            }
        }
        for (value, stroke) in [(1, &of_means), (2, &of_runs)] {
            let value = |band: &Band| {
                if value == 1 { interval(band).map_or(f64::NAN, |mean| mean[1]) } else { band.quantiles[2] }
            };
            for part in self.parts(|band| is_drawable(value(band))) {
                line(out, &mut part.iter().map(|band| (band.x, value(band))), stroke, "2");
            }
        }
    }

    /// Draws the area between two values, interrupted at bands that lack either.
    fn area(
        &self,
        out: &mut String,
        Plot { x, y, .. }: &Plot,
        ends: impl Fn(&Band) -> Option<[f64; 2]>,
        (fill, opacity): (&str, &str),
    ) {
        let drawn = |band: &Band| ends(band).filter(|ends| ends.iter().all(|&end| is_drawable(end)));
        for part in self.parts(|band| drawn(band).is_some()) {
            let places: Vec<(f64, [f64; 2])> = part.iter().filter_map(|band| Some((band.x, drawn(band)?))).collect();
            let upper = places.iter().map(|(at, [_, high])| (x.pixel(*at), y.pixel(*high)));
            let lower = places.iter().rev().map(|(at, [low, _])| (x.pixel(*at), y.pixel(*low)));
            let path = path_through(upper.chain(lower));
            push(out, format_args!("<path d=\"{path}Z\" fill=\"{fill}\" fill-opacity=\"{opacity}\"/>"));
        }
    }

    /// Splits the bands at those that lack a value, which interrupt areas and lines.
    fn parts(&self, has: impl Fn(&Band) -> bool) -> impl Iterator<Item = &[Band]> {
        self.bands.split(move |band| !(is_drawable(band.x) && has(band))).filter(|part| !part.is_empty())
    }

    fn columns(&self, out: &mut String, Plot { x, y, .. }: &Plot) {
        let [of_runs, of_means] = [colour(0), colour(1)];
        let places: Vec<f64> = self.shown().map(|band| x.pixel(band.x)).collect();
        let apart = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let width = (0.5 * apart).clamp(1.5, 14.0);
        let vertical = |out: &mut String, at: f64, [low, high]: [f64; 2], stroke: &str| {
            if is_drawable(low) && is_drawable(high) {
                let (low, high) = (y.pixel(low), y.pixel(high));
                push(
                    out,
                    format_args!("<path d=\"M{at:.1} {low:.1}V{high:.1}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>"),
                );
            }
        };
        let dot = |out: &mut String, [at, value]: [f64; 2], radius: f64, fill: &str| {
            let value = y.pixel(value);
            push(out, format_args!("<circle cx=\"{at:.1}\" cy=\"{value:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>"));
        };
        for band in self.shown() {
            let (at, left) = (x.pixel(band.x), x.pixel(band.x) - width / 2.0);
            let [low, quarter, median, three_quarters, high] = band.quantiles;
            vertical(out, at, [low, high], &of_runs);
            if is_drawable(quarter) && is_drawable(three_quarters) {
                let (top, height) = (y.pixel(three_quarters), y.pixel(quarter) - y.pixel(three_quarters));
                push(
                    out,
                    format_args!(
                        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{of_runs}\" \
                         fill-opacity=\"{}\"/>",
                        OPACITIES[1]
                    ),
                );
            }
            if is_drawable(median) {
                let median = y.pixel(median);
                push(
                    out,
                    format_args!(
                        "<path d=\"M{left:.1} {median:.1}h{width:.1}\" stroke=\"{of_runs}\" stroke-width=\"3\"/>"
                    ),
                );
            }
            if let Some([low, mean, high]) = interval(band) {
                // Beside the column, where it covers nothing.
                let beside = at + 0.75 * width;
                vertical(out, beside, [low, high], &of_means);
                dot(out, [beside, mean], (0.25 * width).clamp(1.0, 3.0), &of_means);
            }
        }
        for &(place, value) in self.runs.iter().flatten().filter(|(x, y)| is_drawable(*x) && is_drawable(*y)) {
            dot(out, [x.pixel(place), value], (0.25 * width).clamp(1.0, 2.5), &of_runs);
        }
    }
}

/// Returns the ends of the confidence interval with the mean between them, if all are drawable.
fn interval(band: &Band) -> Option<[f64; 3]> {
    Some(band.mean).filter(|mean| mean.iter().all(|&value| is_drawable(value)))
}

/// Returns an axis range around a single value. It stays non-negative for a non-negative value, such as a count.
fn around(value: f64) -> (f64, f64) {
    match value {
        0.0 => (0.0, 1.0),
        above if above > 0.0 => ((above - 0.5).max(0.0), above + 0.5),
        below => (below - 0.5, (below + 0.5).min(0.0)),
    }
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

    const NO_MEAN: [f64; 3] = [f64::NAN; 3];

    fn chart(style: BandStyle) -> BandChart {
        let band = |x: f64| Band { x, quantiles: [x, x + 1.0, x + 2.0, x + 3.0, x + 4.0], mean: NO_MEAN };
        let gap = Band { x: 3.0, quantiles: [f64::NAN; 5], mean: NO_MEAN };
        BandChart { style, bands: vec![band(1.0), band(2.0), gap, band(4.0)], ..BandChart::default() }
    }

    #[test]
    fn gaps_interrupt_areas() {
        let text = chart(BandStyle::Areas).render();
        // Two in the chart, one in the legend.
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

    /// Returns the labels of a chart, in order.
    fn texts(chart: &BandChart) -> Vec<String> {
        let text = chart.render();
        let after = text.split("<text ").skip(1).filter_map(|part| part.split_once('>')?.1.split_once('<'));
        after.map(|(text, _)| text.to_owned()).collect()
    }

    #[test]
    fn columns_have_labels() {
        let x_labels = ["0.1", "wide < open", "", "4"].map(str::to_owned).to_vec();
        let found = texts(&BandChart { x_labels, ..chart(BandStyle::Columns) });
        assert!(["0.1", "wide &lt; open", "4"].iter().all(|label| found.contains(&(*label).to_owned())), "{found:?}");
    }

    #[test]
    fn axes_of_nonnegative_values_start_at_0() {
        let flat = |value: f64| BandChart {
            bands: vec![Band { x: 0.0, quantiles: [value; 5], mean: [value; 3] }; 2],
            ..BandChart::default()
        };
        let goes_below_0 = |chart: &BandChart| texts(chart).iter().any(|text| text.starts_with('−'));
        assert!(texts(&flat(0.0)).contains(&"1.0".to_owned()), "{:?}", texts(&flat(0.0)));
        // The range includes negative values.
        assert_eq!([0.0, 0.2, -3.0].map(|value| goes_below_0(&flat(value))), [false, false, true]);
        assert_eq!(
            [around(0.0), around(0.2), around(7.0), around(-7.0)],
            [(0.0, 1.0), (0.0, 0.7), (6.5, 7.5), (-7.5, -6.5)]
        );
    }

    #[test]
    fn few_runs_are_drawn_as_points_or_lines_with_their_mean() {
        let band = |x: f64| Band { x, quantiles: [f64::NAN; 5], mean: [x, x + 1.0, x + 2.0] };
        let runs = vec![vec![(0.0, 5.0), (1.0, 9.0)], vec![(0.0, 6.0), (1.0, f64::NAN)]];
        let chart =
            |style| BandChart { style, bands: vec![band(0.0), band(1.0)], runs: runs.clone(), ..BandChart::default() };
        let columns = chart(BandStyle::Columns);
        let (text, circles) = (columns.render(), |chart: &BandChart| chart.render().matches("<circle").count());
        // Three values of runs, two means, and both in the legend.
        assert_eq!((circles(&columns), text.matches("<rect").count()), (3 + 2 + 2, 0), "{text}");
        assert!(texts(&columns).contains(&"single runs".to_owned()) && !texts(&columns).contains(&"median".to_owned()));
        assert_eq!(columns.points(), 2, "positions, not runs");
        assert_eq!(columns.range(), Some((0.0, 9.0)), "means, their intervals and runs are in view");
        let areas = chart(BandStyle::Areas);
        let text = areas.render();
        assert_eq!((circles(&areas), text.matches("stroke-linejoin").count()), (0, 2 + 1), "two runs and their mean");
        assert!(
            text.matches(&format!("fill-opacity=\"{INTERVAL_OPACITY}\"")).count() == 2 && !text.contains("NaN"),
            "{text}"
        );
        let mean_without_interval = BandChart {
            bands: vec![Band { mean: [f64::NAN, 1.0, f64::NAN], ..band(0.0) }],
            runs: Vec::new(),
            ..columns
        };
        assert_eq!(circles(&mean_without_interval), 0, "a mean without an interval does not summarise several runs");
    }

    #[test]
    fn a_chart_without_data_is_an_empty_frame() {
        let text = BandChart::default().render();
        assert!(text.ends_with("</svg>") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
