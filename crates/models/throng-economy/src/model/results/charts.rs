//! Charts of the measures over time.

use throng_model::prelude::*;
use throng_output::svg::{Axis, Chart, Series, Style};

use super::super::measures::MEASURES;
use super::Section;
use crate::society::Society;

/// A plot of one or more measures.
struct Plot {
    heading: &'static str,
    caption: &'static str,
    y_title: &'static str,
    style: Style,
    /// Names of measures, and their names in the legend.
    measures: &'static [(&'static str, &'static str)],
}

const PLOTS: [Plot; 6] = [
    Plot {
        heading: "Utility",
        caption: "How well off an agent is: the utility of its stock in the evening, before consumption.",
        y_title: "utility of the stock, mean of agents",
        style: Style::Line,
        measures: &[("utility", "utility")],
    },
    Plot {
        heading: "Units",
        caption: "Units that an agent extracts and barters in a day, and holds in the evening, before consumption.",
        y_title: "units, mean of agents",
        style: Style::Line,
        measures: &[("extracted", "extracted"), ("traded", "traded"), ("held", "held")],
    },
    Plot {
        heading: "Inequality",
        caption: "The Gini coefficient of utility: 0 if all agents have the same. A bump can show that few agents \
                  have a new device.",
        y_title: "Gini coefficient",
        style: Style::Line,
        measures: &[("gini", "Gini")],
    },
    Plot {
        heading: "Specialisation",
        caption: "The Herfindahl-Hirschman index of the extraction of a resource: 1 if one agent extracts all, and \
                  1 / agents if all extract the same. The lines are the quartiles of the resources.",
        y_title: "Herfindahl-Hirschman index",
        style: Style::Line,
        measures: &[("hhi_25", "lower quartile"), ("hhi_50", "median"), ("hhi_75", "upper quartile")],
    },
    Plot {
        heading: "Complexity",
        caption: "Units of resources in the device with which a unit was extracted: 5 in a tool, 30 in a machine, 180 in a \
                  factory, with the standard recipes.",
        y_title: "units of resources in a device, mean of extracted units",
        style: Style::Line,
        measures: &[("complexity", "complexity")],
    },
    Plot {
        heading: "Devices",
        caption: "Devices made in a day, one kind on top of the other.",
        y_title: "devices made, mean of agents",
        style: Style::StackedArea,
        measures: &[
            ("tools", "tools"),
            ("machines", "machines"),
            ("factories", "factories"),
            ("industries", "industries"),
            ("devmachine", "devmachines"),
            ("devfactory", "devfactories"),
        ],
    },
];

/// Creates a section for each plot with any nonzero value.
pub fn of_measures(course: &CompletedSteps<'_, Society>) -> Vec<Section> {
    // Before the first day there is nothing to measure.
    let rows: Vec<&(u64, Vec<f64>)> = course.rows.iter().filter(|(day, _)| *day > 0).collect();
    let points = |name: &str| -> Vec<(f64, f64)> {
        let place = MEASURES.iter().position(|measure| measure.name == name);
        let value = |measures: &[f64]| place.and_then(|place| measures.get(place)).copied().unwrap_or(f64::NAN);
        rows.iter().map(|(day, measures)| (*day as f64, value(measures))).collect()
    };
    let mut sections = Vec::new();
    for Plot { heading, caption, y_title, style, measures } in PLOTS {
        let series = measures.iter().map(|&(measure, name)| Series { name: name.to_owned(), points: points(measure) });
        let series: Vec<Series> = series.filter(|series| series.points.iter().any(|point| point.1 > 0.0)).collect();
        if series.is_empty() {
            continue;
        }
        let chart = Chart {
            label: format!("{heading} over time"),
            x: Axis::count("day"),
            y: Axis::new(y_title, ""),
            style,
            series,
            ..Chart::default()
        };
        sections.push(Section { heading, chart: Box::new(chart), caption });
    }
    sections
}
