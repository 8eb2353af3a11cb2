//! The legend above a chart, on as many lines as it needs.

use std::borrow::Cow;

use super::text::{Anchor, fitted, text_at, width};
use super::{TEXT, WIDTH, push};

/// Height of a line.
const LINE: f64 = 22.0;
/// Width of a sample.
const SAMPLE: f64 = 22.0;
/// Distance between a sample and its name.
const GAP: f64 = 7.0;
/// Distance between a name and the next sample.
const BETWEEN: f64 = 22.0;
/// Space below the last line.
const BELOW: f64 = 8.0;

/// Sample symbol of a legend entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sample {
    /// A line with these dashes (empty for a solid line), and an outline for light colours.
    Line { width: f64, dashes: &'static str, has_edge: bool },
    /// A filled area.
    Area { opacity: &'static str },
    /// A point.
    Dot,
}

/// Sample, colour and name of each entry.
#[derive(Debug, Clone, Default)]
pub(super) struct Legend(Vec<(Sample, String, String)>);

impl Legend {
    pub fn add(&mut self, sample: Sample, colour: &str, name: &str) {
        self.0.push((sample, colour.to_owned(), name.to_owned()));
    }

    /// Returns left end, line and name of each entry; an entry that does not fit starts a new line.
    fn placed(&self) -> Vec<(f64, usize, Cow<'_, str>)> {
        let (mut left, mut line) = (0.0, 0);
        let mut placed = Vec::new();
        for (_, _, name) in &self.0 {
            let name = fitted(name, WIDTH - SAMPLE - GAP);
            let wide = SAMPLE + GAP + width(&name);
            if left > 0.0 && left + wide > WIDTH {
                (left, line) = (0.0, line + 1);
            }
            placed.push((left, line, name));
            left += wide + BETWEEN;
        }
        placed
    }

    /// Returns the height, including the space below.
    pub fn height(&self) -> f64 {
        self.placed().last().map_or(0.0, |(_, line, _)| LINE * (line + 1) as f64 + BELOW)
    }

    /// Draws the legend at the top of the image.
    pub fn draw(&self, out: &mut String) {
        for ((left, line, _), (sample, colour, name)) in self.placed().into_iter().zip(&self.0) {
            let middle = LINE * (line as f64 + 0.5);
            match sample {
                Sample::Line { width, dashes, has_edge } => {
                    let edge = has_edge.then_some((TEXT, width + 2.0));
                    for (colour, width) in edge.into_iter().chain([(colour.as_str(), *width)]) {
                        push(
                            out,
                            format_args!(
                                "<path class=\"sample\" d=\"M{left:.1} {middle:.1}h{SAMPLE}\" stroke=\"{colour}\" \
                                 stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"/>"
                            ),
                        );
                    }
                }
                Sample::Area { opacity } => push(
                    out,
                    format_args!(
                        "<rect class=\"sample\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{SAMPLE}\" height=\"12\" rx=\"2\" \
                         fill=\"{colour}\" fill-opacity=\"{opacity}\"/>",
                        middle - 6.0
                    ),
                ),
                Sample::Dot => {
                    let centre = left + SAMPLE / 2.0;
                    push(
                        out,
                        format_args!(
                            "<circle class=\"sample\" cx=\"{centre:.1}\" cy=\"{middle:.1}\" r=\"3\" fill=\"{colour}\"/>"
                        ),
                    );
                }
            }
            let at = left + SAMPLE + GAP;
            text_at(out, [at, middle + 5.0], Anchor::Start, WIDTH - SAMPLE - GAP, name);
        }
    }
}
