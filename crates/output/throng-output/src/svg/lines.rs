//! Lines, areas, histograms and points over a common x axis.

use std::collections::BTreeSet;

use super::axis::{Axis, is_drawable};
use super::legend::{Legend, Sample};
use super::plot::{Plot, XAxis};
use super::{Graphic, SERIES, TEXT, colour, push};

/// Drawing style of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// A line per series.
    #[default]
    Line,
    /// Areas down to zero, stacked: the upper outline is the sum.
    StackedArea,
    /// A column from each point to the next; series are drawn on top of each other.
    Histogram,
    /// A dot per point; the points need no order. Dashed series are lines.
    Points,
}

/// A named sequence of points, ordered by x. A y that is not finite interrupts a line and counts as 0 in a stack.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// (x, y) of each point.
    pub points: Vec<(f64, f64)>,
}

/// A chart whose y axis includes zero.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// Alternative text.
    pub label: String,
    /// X axis.
    pub x: Axis,
    /// Y axis.
    pub y: Axis,
    /// Drawing style of the series.
    pub style: Style,
    /// Data series.
    pub series: Vec<Series>,
    /// RGB colours of the series, in order; series without a colour use the palette. Lines with a colour given
    /// here get an outline, so that light colours are visible on the page.
    pub colours: Vec<Option<[u8; 3]>>,
    /// Indices of the series drawn with dashed lines.
    pub dashed: Vec<usize>,
}

/// Dashes of the first eight series, of the next eight, and so on, because the colours repeat.
const DASHES: [&str; 4] = ["", "6 5", "2 4", "10 4 2 4"];

impl Graphic for Chart {
    fn render(&self) -> String {
        let layers = self.layers();
        let plot = self.plot(&layers);
        let mut out = plot.open(&self.label);
        for (i, layer) in layers.iter().enumerate() {
            match self.style {
                Style::Line => self.line(&mut out, layer, &plot, i),
                Style::StackedArea => area(&mut out, layer, &plot, &self.colour(i)),
                Style::Histogram => columns(&mut out, layer, &plot, &self.colour(i)),
                Style::Points if self.dashed.contains(&i) => self.line(&mut out, layer, &plot, i),
                Style::Points => dots(&mut out, layer, &plot, &self.colour(i)),
            }
        }
        out.push_str("</svg>");
        out
    }

    fn points(&self) -> usize {
        let layers = self.layers();
        let drawn = layers.iter().flatten().filter(|point| point.is_drawable());
        let mut places: Vec<f64> = drawn.map(|point| point.x).collect();
        places.sort_unstable_by(f64::total_cmp);
        places.dedup();
        // The last point of a histogram only marks the end of its last column.
        places.len() - usize::from(self.style == Style::Histogram && !places.is_empty())
    }
}

impl Chart {
    fn colour(&self, series: usize) -> String {
        match self.colours.get(series) {
            Some(Some([red, green, blue])) => format!("#{red:02x}{green:02x}{blue:02x}"),
            _ => colour(series),
        }
    }

    fn has_own_colour(&self, series: usize) -> bool {
        self.colours.get(series).is_some_and(Option::is_some)
    }

    fn dashes(&self, series: usize) -> &'static str {
        let further = if self.dashed.contains(&series) { 1 } else { series / SERIES.len() };
        DASHES[further % DASHES.len()]
    }

    fn line(&self, out: &mut String, points: &[Layered], Plot { x, y, .. }: &Plot, series: usize) {
        let mut path = String::new();
        for run in points.split(|p| !p.is_drawable()).filter(|run| !run.is_empty()) {
            trace(&mut path, run.iter().map(|p| (x.pixel(p.x), y.pixel(p.high))), 'M');
        }
        let dashes = match self.dashes(series) {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        let edge = self.has_own_colour(series).then(|| (TEXT.to_owned(), 3.4));
        for (colour, width) in edge.into_iter().chain([(self.colour(series), 2.0)]) {
            push(
                out,
                format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes} \
                     stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
                ),
            );
        }
    }

    /// Returns the points with their lower edge: zero, or the sum of the series below.
    fn layers(&self) -> Vec<Vec<Layered>> {
        let longest = self.series.iter().map(|s| s.points.len()).max().unwrap_or(0);
        let mut sums = vec![0.0; longest];
        let mut layers = Vec::new();
        for series in &self.series {
            let layer = series.points.iter().zip(&mut sums).map(|(&(x, y), sum)| {
                if self.style == Style::StackedArea {
                    let low = *sum;
                    *sum += if y.is_finite() { y } else { 0.0 };
                    Layered { x, low, high: *sum }
                } else {
                    Layered { x, low: 0.0, high: y }
                }
            });
            layers.push(layer.collect());
        }
        layers
    }

    fn plot(&self, layers: &[Vec<Layered>]) -> Plot {
        let points = || layers.iter().flatten().filter(|point| point.is_drawable());
        let x_low = points().map(|p| p.x).fold(f64::INFINITY, f64::min);
        let x_high = points().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
        let y_low = points().map(|p| p.high).fold(0.0, f64::min);
        let y_high = points().map(|p| p.high).fold(0.0, f64::max);
        Plot::new(XAxis::Range(&self.x, (x_low, x_high)), (&self.y, (y_low, y_high)), self.legend())
    }

    /// Empty for a chart with one series, whose axis title suffices.
    fn legend(&self) -> Legend {
        let mut legend = Legend::default();
        for (i, series) in self.series.iter().enumerate().filter(|_| self.series.len() > 1) {
            let sample = match self.style {
                Style::StackedArea | Style::Histogram => Sample::Area { opacity: "0.85" },
                Style::Points if !self.dashed.contains(&i) => Sample::Dot,
                Style::Line | Style::Points => {
                    Sample::Line { width: 3.0, dashes: self.dashes(i), has_edge: self.has_own_colour(i) }
                }
            };
            legend.add(sample, &self.colour(i), &series.name);
        }
        legend
    }
}

#[derive(Debug, Clone, Copy)]
struct Layered {
    x: f64,
    low: f64,
    high: f64,
}

impl Layered {
    fn is_drawable(&self) -> bool {
        [self.x, self.low, self.high].into_iter().all(is_drawable)
    }
}

fn area(out: &mut String, points: &[Layered], Plot { x, y, .. }: &Plot, colour: &str) {
    let mut path = String::new();
    for run in points.split(|p| !p.is_drawable()).filter(|run| !run.is_empty()) {
        trace(&mut path, run.iter().map(|p| (x.pixel(p.x), y.pixel(p.high))), 'M');
        trace(&mut path, run.iter().rev().map(|p| (x.pixel(p.x), y.pixel(p.low))), 'L');
        path.push('Z');
    }
    push(out, format_args!("<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.85\"/>"));
}

fn columns(out: &mut String, points: &[Layered], Plot { x, y, .. }: &Plot, colour: &str) {
    let mut path = String::new();
    let zero = y.pixel(0.0);
    for pair in points.windows(2) {
        if pair[0].is_drawable() && is_drawable(pair[1].x) && pair[0].high != 0.0 {
            let (left, right, top) = (x.pixel(pair[0].x), x.pixel(pair[1].x), y.pixel(pair[0].high));
            let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
            push(&mut path, format_args!("M{left:.1} {zero:.1}V{top:.1}H{:.1}V{zero:.1}Z", right - gap));
        }
    }
    push(out, format_args!("<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.85\"/>"));
}

/// Draws a dot per point. Points in the same unit of the image share a dot, so that the size of the image is bounded.
fn dots(out: &mut String, points: &[Layered], Plot { x, y, .. }: &Plot, colour: &str) {
    let drawn = points.iter().filter(|p| p.is_drawable());
    let places: BTreeSet<[i64; 2]> =
        drawn.map(|p| [x.pixel(p.x), y.pixel(p.high)].map(|at| at.round() as i64)).collect();
    let mut path = String::new();
    for [px, py] in places {
        push(&mut path, format_args!("M{px} {py}h0"));
    }
    push(
        out,
        format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"4\" stroke-opacity=\"0.6\" \
             stroke-linecap=\"round\"/>"
        ),
    );
}

fn trace(path: &mut String, points: impl Iterator<Item = (f64, f64)>, mut command: char) {
    for (px, py) in points {
        push(path, format_args!("{command}{px:.1} {py:.1}"));
        command = 'L';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(style: Style) -> Chart {
        let series = |name: &str, ys: &[f64]| Series {
            name: name.into(),
            points: ys.iter().enumerate().map(|(i, &y)| (i as f64 * 3600.0, y)).collect(),
        };
        Chart {
            label: "test".into(),
            x: Axis::time_of_day("time of day"),
            style,
            series: vec![series("car & van", &[0.0, 4.0, 10.0]), series("walk", &[2.0, f64::NAN, 5.0])],
            ..Chart::default()
        }
    }

    #[test]
    fn missing_data_interrupts_lines() {
        let svg = chart(Style::Line).render();
        // The second line has two runs; y of 0 and 10 lie on the frame, below a legend of one line.
        assert!(svg.contains("d=\"M40.0 260.0M837.4 185.0\""), "{svg}");
        assert!(svg.contains("d=\"M40.0 310.0L438.7 210.0L837.4 60.0\""), "{svg}");
        assert!(svg.contains(">car &amp; van</text>"));
    }

    #[test]
    fn lines_of_a_chosen_colour_have_an_edge_and_may_be_dashed() {
        let plain = chart(Style::Line).render();
        let chart = Chart { colours: vec![None, Some([255, 255, 51])], dashed: vec![1], ..chart(Style::Line) };
        let svg = chart.render();
        assert_eq!([plain.matches("linejoin").count(), svg.matches("linejoin").count()], [2, 3]);
        // A line and its outline, in the plot and in the legend.
        assert_eq!((plain.matches("\"6 5\"").count(), svg.matches("\"6 5\"").count()), (0, 4));
        assert!(svg.contains("stroke=\"#ffff33\" stroke-width=\"2\""), "{svg}");
    }

    #[test]
    fn areas_are_stacked() {
        let svg = chart(Style::StackedArea).render();
        // 10 + 5 = 15 at the end; the scale also ends at 15.
        assert!(svg.contains("L837.4 60.0L837.4 143.3"), "{svg}");
    }

    #[test]
    fn points_in_one_place_share_a_dot_and_dashed_series_are_lines() {
        let points = vec![(0.0, 10.0), (0.0, 9.99), (7200.0, 5.0), (3600.0, f64::NAN)];
        let all = chart(Style::Points);
        let series = vec![Series { name: "links".into(), points }, all.series[0].clone()];
        let svg = Chart { series, dashed: vec![1], ..all }.render();
        assert!(svg.contains("d=\"M40 60h0M837 185h0\""), "{svg}");
        assert_eq!((svg.matches("h0").count(), svg.matches("linejoin").count()), (2, 1));
        assert_eq!((svg.matches("<circle").count(), svg.matches("\"6 5\"").count()), (1, 2));
    }

    #[test]
    fn an_empty_chart_is_a_valid_image() {
        for style in [Style::Line, Style::StackedArea, Style::Histogram, Style::Points] {
            let svg = Chart { style, ..Chart::default() }.render();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>") && !svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn points_are_counted_by_distinct_x() {
        assert_eq!([Style::Line, Style::StackedArea].map(|style| chart(style).points()), [3, 3]);
        assert_eq!((chart(Style::Histogram).points(), Chart::default().points()), (2, 0));
        let gaps = Chart { series: chart(Style::Line).series.split_off(1), ..Chart::default() };
        assert!(gaps.points() == 2 && !gaps.is_worth_drawing());
    }
}
