//! Lines, areas and histograms over a common x axis.

use super::plot::Plot;
use super::{Scale, TEXT, Unit, colour, open, push, text_at};

/// How the series of a chart are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// A line per series.
    #[default]
    Line,
    /// Filled down to zero, on top of each other: the outline is the sum.
    StackedArea,
    /// A column from each point to the next; series are drawn over each other.
    Histogram,
}

/// A named sequence of points, ordered by x. A point that is not finite interrupts the line.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// x and y.
    pub points: Vec<(f64, f64)>,
}

/// A chart; the y axis begins at zero.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// Text for screen readers.
    pub label: String,
    /// Kind of the x axis.
    pub x_unit: Unit,
    /// Title of the x axis, with its unit.
    pub x_title: String,
    /// Kind of the y axis.
    pub y_unit: Unit,
    /// Title of the y axis, with its unit.
    pub y_title: String,
    /// How the series are drawn.
    pub style: Style,
    /// The data.
    pub series: Vec<Series>,
    /// Colours of the series, in their order: red, green and blue. The others use the palette. Lines with such a colour have
    /// an edge, with which also light ones can be seen on the page.
    pub colours: Vec<Option<[u8; 3]>>,
    /// The numbers of the series whose lines are dashed.
    pub dashed: Vec<usize>,
}

const PLOT: Plot = Plot { left: 64.0, height: 300.0 };

impl Chart {
    /// The chart as SVG text.
    pub fn render(&self) -> String {
        let layers = self.layers();
        let (x, y) = self.scales(&layers);
        let mut out = String::new();
        open(&mut out, PLOT.height, &self.label);
        self.frame(&mut out, &x, &y);
        for (i, layer) in layers.iter().enumerate() {
            match self.style {
                Style::Line => self.line(&mut out, layer, (&x, &y), i),
                Style::StackedArea => area(&mut out, layer, &x, &y, &self.colour(i)),
                Style::Histogram => columns(&mut out, layer, &x, &y, &self.colour(i)),
            }
        }
        out.push_str("</svg>");
        out
    }

    fn colour(&self, series: usize) -> String {
        match self.colours.get(series) {
            Some(Some([red, green, blue])) => format!("#{red:02x}{green:02x}{blue:02x}"),
            _ => colour(series),
        }
    }

    fn has_own_colour(&self, series: usize) -> bool {
        self.colours.get(series).is_some_and(Option::is_some)
    }

    fn line(&self, out: &mut String, points: &[Layered], (x, y): (&Scale, &Scale), series: usize) {
        let mut path = String::new();
        for run in points.split(|p| !p.is_finite()).filter(|run| !run.is_empty()) {
            trace(&mut path, run.iter().map(|p| (x.pixel(p.x), y.pixel(p.high))), 'M');
        }
        let dashes = if self.dashed.contains(&series) { " stroke-dasharray=\"6 5\"" } else { "" };
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

    /// The points with their lower edge: zero, or the sum of the series below.
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

    fn scales(&self, layers: &[Vec<Layered>]) -> (Scale, Scale) {
        let points = || layers.iter().flatten().filter(|p| p.x.is_finite() && p.high.is_finite());
        let x_low = points().map(|p| p.x).fold(f64::INFINITY, f64::min);
        let x_high = points().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
        let y_low = points().map(|p| p.high).fold(0.0, f64::min);
        let y_high = points().map(|p| p.high).fold(0.0, f64::max);
        let x = Scale::tight(self.x_unit.clone(), (x_low, x_high), PLOT.across(), 12);
        (x, Scale::new(self.y_unit.clone(), (y_low, y_high), PLOT.upwards(), 5))
    }

    fn frame(&self, out: &mut String, x: &Scale, y: &Scale) {
        let x_ticks = x.ticks.iter().map(|&tick| (tick, x.label(tick)));
        PLOT.frame(out, (x, &self.x_title), x_ticks, (y, &self.y_title));
        if self.series.len() > 1 {
            self.legend(out);
        }
    }

    /// Right-aligned above the plot: placed from the last name to the first.
    fn legend(&self, out: &mut String) {
        let (_, mut at) = PLOT.across();
        for (i, series) in self.series.iter().enumerate().rev() {
            // No font metrics here: 6.6 pixels is a generous mean width of a 12-pixel letter.
            at -= 6.6 * series.name.chars().count() as f64;
            text_at(out, at, 14.0, "start", &series.name);
            at -= 16.0;
            let fill = self.colour(i);
            let edge = if self.has_own_colour(i) { format!(" stroke=\"{TEXT}\"") } else { String::new() };
            // Dashed lines have a sample of two pieces.
            let pieces: &[(f64, f64)] =
                if self.dashed.contains(&i) { &[(0.0, 4.0), (7.0, 4.0)] } else { &[(0.0, 11.0)] };
            for (from, width) in pieces {
                let left = at + from;
                push(
                    out,
                    format_args!(
                        "<rect x=\"{left:.1}\" y=\"4\" width=\"{width}\" height=\"11\" rx=\"2\" fill=\"{fill}\"{edge}/>"
                    ),
                );
            }
            at -= 14.0;
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Layered {
    x: f64,
    low: f64,
    high: f64,
}

impl Layered {
    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.high.is_finite()
    }
}

fn area(out: &mut String, points: &[Layered], x: &Scale, y: &Scale, colour: &str) {
    let mut path = String::new();
    for run in points.split(|p| !p.is_finite()).filter(|run| !run.is_empty()) {
        trace(&mut path, run.iter().map(|p| (x.pixel(p.x), y.pixel(p.high))), 'M');
        trace(&mut path, run.iter().rev().map(|p| (x.pixel(p.x), y.pixel(p.low))), 'L');
        path.push('Z');
    }
    push(out, format_args!("<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.85\"/>"));
}

fn columns(out: &mut String, points: &[Layered], x: &Scale, y: &Scale, colour: &str) {
    let mut path = String::new();
    let zero = y.pixel(0.0);
    for pair in points.windows(2) {
        if pair[0].is_finite() && pair[0].high != 0.0 {
            let (left, right, top) = (x.pixel(pair[0].x), x.pixel(pair[1].x), y.pixel(pair[0].high));
            let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
            push(&mut path, format_args!("M{left:.1} {zero:.1}V{top:.1}H{:.1}V{zero:.1}Z", right - gap));
        }
    }
    push(out, format_args!("<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.85\"/>"));
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
            x_unit: Unit::TimeOfDay,
            style,
            series: vec![series("car & van", &[0.0, 4.0, 10.0]), series("walk", &[2.0, f64::NAN, 5.0])],
            ..Chart::default()
        }
    }

    #[test]
    fn a_line_is_interrupted_where_data_is_missing() {
        let svg = chart(Style::Line).render();
        // The second line has two runs; y of 0 and 10 lie on the frame (256 and 34 pixels).
        assert!(svg.contains("d=\"M64.0 211.6M848.0 145.0\""), "{svg}");
        assert!(svg.contains("d=\"M64.0 256.0L456.0 167.2L848.0 34.0\""), "{svg}");
        assert!(svg.contains(">car &amp; van</text>"));
    }

    #[test]
    fn lines_of_a_chosen_colour_have_an_edge_and_may_be_dashed() {
        let plain = chart(Style::Line).render();
        let chart = Chart { colours: vec![None, Some([255, 255, 51])], dashed: vec![1], ..chart(Style::Line) };
        let svg = chart.render();
        assert_eq!([plain.matches("linejoin").count(), svg.matches("linejoin").count()], [2, 3]);
        assert_eq!((plain.matches("dasharray").count(), svg.matches("dasharray").count()), (0, 2));
        assert!(svg.contains("stroke=\"#ffff33\" stroke-width=\"2\"") && svg.matches("fill=\"#ffff33\"").count() == 2);
    }

    #[test]
    fn areas_are_stacked() {
        let svg = chart(Style::StackedArea).render();
        // 10 + 5 = 15 at the end; the scale goes to 15 as well.
        assert!(svg.contains("L848.0 34.0L848.0 108.0"), "{svg}");
    }

    #[test]
    fn an_empty_chart_is_still_a_chart() {
        for style in [Style::Line, Style::StackedArea, Style::Histogram] {
            let svg = Chart { style, ..Chart::default() }.render();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>") && !svg.contains("NaN"), "{svg}");
        }
    }
}
