//! Tests of layouts: with any data, no text leaves its image or covers another text.

use super::text::width;
use super::*;

/// Left, right, top and bottom.
type Box = [f64; 4];

fn attribute(element: &str, name: &str) -> f64 {
    let value = element.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name}: {element}")).1;
    value.split('"').next().unwrap().parse().unwrap()
}

/// Returns the boxes of all labels with their text, and the boxes of the legend samples; in image units, with a width
/// of 860.
fn boxes(svg: &str) -> (Vec<(Box, String)>, Vec<Box>) {
    let units = view_box(svg)[0] / WIDTH;
    let texts = svg.split("<text ").skip(1).map(|rest| {
        let element = format!(" {}", rest.split_once("</text>").unwrap().0);
        let shown = element.rsplit_once('>').unwrap().1;
        let shown = shown
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&");
        let ([x, y], wide) = (["x", "y"].map(|name| attribute(&element, name) / units), width(&shown));
        let left = match element.split("text-anchor=\"").nth(1).map_or("start", |rest| rest.split('"').next().unwrap())
        {
            "end" => x - wide,
            "middle" => x - wide / 2.0,
            _ => x,
        };
        ([left, left + wide, y - 0.75 * FONT, y + 0.2 * FONT], shown)
    });
    let samples = svg.split("<path class=\"sample\"").skip(1).map(|rest| {
        let (left, y) = rest.split_once(" d=\"M").unwrap().1.split_once('h').unwrap().0.split_once(' ').unwrap();
        let [left, y]: [f64; 2] = [left, y].map(|number| number.parse().unwrap());
        [left, left + 22.0, y - 3.0, y + 3.0]
    });
    let areas = svg.split("<rect class=\"sample\"").skip(1).map(|rest| {
        let [x, y, wide, high] = ["x", "y", "width", "height"].map(|name| attribute(rest, name));
        [x, x + wide, y, y + high]
    });
    (texts.collect(), samples.chain(areas).collect())
}

fn view_box(svg: &str) -> [f64; 2] {
    let numbers: Vec<f64> = svg
        .split("viewBox=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    [numbers[2], numbers[3]]
}

fn overlap(a: &Box, b: &Box) -> bool {
    // Coordinates are written with one decimal.
    let slack = 0.2;
    a[0] + slack < b[1] && b[0] + slack < a[1] && a[2] + slack < b[3] && b[2] + slack < a[3]
}

/// Checks that every text is inside the image, and covers neither another text nor a legend sample.
pub(super) fn check_texts(svg: &str) {
    let ([wide, high], (texts, samples)) = (view_box(svg), boxes(svg));
    let (high, inside) = (high * WIDTH / wide, |b: &Box| b[0] >= -0.2 && b[1] <= WIDTH + 0.2 && b[2] >= 0.0);
    for (at, (text_box, text)) in texts.iter().enumerate() {
        assert!(inside(text_box) && text_box[3] <= high, "\"{text}\" leaves the image: {text_box:?} in {high}");
        if svg.contains("role=\"img\"") {
            let other = texts[at + 1..].iter().find(|(other, _)| overlap(text_box, other));
            assert!(other.is_none(), "\"{text}\" {text_box:?} covers {other:?}");
        }
        let sample = samples.iter().find(|sample| overlap(text_box, sample));
        assert!(sample.is_none(), "\"{text}\" {text_box:?} covers the sample {sample:?}");
    }
    assert!(samples.iter().all(inside), "{samples:?}");
}

/// Checks the labels of a chart, and that it contains only finite numbers.
fn check(chart: &dyn Graphic) {
    let svg = chart.render();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("inf "), "{svg}");
    check_texts(&svg);
}

/// Returns a name that is short, long, in another script, full of special characters, or empty.
fn name(number: usize) -> String {
    match number % 6 {
        0 => "car".to_owned(),
        1 => format!("those who passed the {number}. door of the western stairs, from north to south"),
        2 => "WWWWW WWWWW".to_owned(),
        3 => "<b>\"left\" & 'right'</b>".to_owned(),
        4 => "行人 と 車".to_owned(),
        _ => String::new(),
    }
}

/// Returns data of every kind: ordinary, none, one point, large and small numbers, gaps.
fn data() -> Vec<Vec<(f64, f64)>> {
    let usual = (0..50).map(|i| (f64::from(i), f64::from(i * i))).collect();
    let large = (0..20).map(|i| (1e9 * f64::from(i), 123_456_789.0 * f64::from(i))).collect();
    let huge = vec![(0.0, 1e299), (1e18, -1e299), (2e18, f64::MAX)];
    let small = vec![(1e-9, 1e-12), (2e-9, -1e-12), (3e-9, 0.0)];
    let gaps = vec![(0.0, f64::NAN), (1.0, 2.0), (f64::INFINITY, 3.0), (4.0, 12_345_678.9)];
    vec![usual, Vec::new(), vec![(3.0, 7.0)], large, huge, small, gaps]
}

fn axes() -> [Axis; 4] {
    [
        Axis::new("time", "s"),
        Axis::count(
            "persons who have left the building through any of its exits since the alarm, of all who were inside it when it rang",
        ),
        Axis::time_of_day("time of day"),
        Axis::default(),
    ]
}

#[test]
fn labels_of_lines_areas_histograms_and_points_do_not_overlap() {
    for style in [Style::Line, Style::StackedArea, Style::Histogram, Style::Points] {
        for points in data() {
            for (count, axis) in [1, 2, 7, 40].into_iter().zip(axes()) {
                let series = (0..count).map(|i| Series { name: name(i), points: points.clone() }).collect();
                check(&Chart { x: axis.clone(), y: axis, style, series, ..Chart::default() });
            }
        }
    }
    let logarithms = Series { name: String::new(), points: vec![(0.0, -3.0), (1.0, 0.0), (2.0, 7.5)] };
    check(&Chart { y: Axis::new("speed-up", "").in_powers_of_ten(), series: vec![logarithms], ..Chart::default() });
}

#[test]
fn labels_of_bands_do_not_overlap() {
    for style in [BandStyle::Areas, BandStyle::Columns] {
        for points in data() {
            for (labels, axis) in [0, 1, 3, 200].into_iter().zip(axes()) {
                let band = |&(x, y): &(f64, f64)| Band { x, quantiles: [y; 5], mean: [y, y, y + 1.0] };
                let x_labels = (0..labels).map(name).collect();
                check(&BandChart {
                    x: axis.clone(),
                    y: axis,
                    style,
                    x_labels,
                    bands: points.iter().map(band).collect(),
                    runs: vec![points.clone()],
                    ..BandChart::default()
                });
            }
        }
    }
}

#[test]
fn labels_of_bars_do_not_overlap() {
    for values in [vec![], vec![3.0], vec![0.0; 12], vec![1.0, f64::NAN, 123_456_789_012.0]] {
        let bars = values.iter().enumerate().map(|(i, &value)| (name(i), value)).collect();
        check(&BarChart { unit: "vehicles per hour".into(), digits: 2, bars, ..BarChart::default() });
    }
}

#[test]
fn labels_of_matrices_do_not_overlap() {
    for (columns, cells) in [(0, 0), (1, 1), (1, 400), (400, 400), (3, 9), (120, 14_400)] {
        let values = (0..cells).map(|i| 1e7 * f64::from(i)).collect();
        let (x_title, y_title, unit) = (name(1), name(1), name(1));
        check(&HeatMap { columns, values, x_title, y_title, unit, ..HeatMap::default() });
    }
}

#[test]
fn labels_of_maps_do_not_overlap() {
    for lines in [vec![], vec![[(0.0, 0.0), (1.0, 1e6)]], vec![[(0.0, 0.0), (1e6, 1.0)]], vec![[(5.0, 5.0); 2]]] {
        let class = |i| LineClass { name: name(i).repeat(3), colour: "red", width: 40.0, lines: lines.clone() };
        check(&LineMap { classes: (0..9).map(class).collect(), ..LineMap::default() });
    }
}

#[test]
fn the_narrowest_chart_has_legible_text() {
    const { assert!(FONT * MIN_CHART_PX / WIDTH >= 11.0 - 1e-9) };
    let charts: [&dyn Graphic; 5] =
        [&Chart::default(), &BandChart::default(), &BarChart::default(), &HeatMap::default(), &LineMap::default()];
    for chart in charts {
        let svg = chart.render();
        let size = attribute(&svg, "font-size") / view_box(&svg)[0] * MIN_CHART_PX;
        assert!(size >= 11.0 - 1e-9 && svg.matches("font-size").count() == 1, "{size}: {svg}");
    }
}

#[test]
fn the_legend_is_above_the_data() {
    let points: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i), f64::from(i))).collect();
    let series = (0..30).map(|i| Series { name: name(i), points: points.clone() }).collect();
    let svg = Chart { series, ..Chart::default() }.render();
    let lowest = boxes(&svg).1.iter().map(|sample| sample[3]).fold(0.0, f64::max);
    let tops = svg.split("fill=\"none\" stroke").map(|path| path.rsplit_once(" d=\"M").map_or("", |path| path.1));
    let highest = tops
        .flat_map(|path| path.split(['M', 'L']))
        .filter_map(|point| point.split_once(' ')?.1.split('"').next()?.parse().ok());
    let highest: f64 = highest.fold(f64::INFINITY, f64::min);
    assert!(highest.is_finite() && highest > lowest + FONT, "{highest} {lowest}");
}
