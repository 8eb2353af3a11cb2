//! Charts of times over resolutions and numbers of circles, and of speed-ups: the figures of chapter 5.

use throng_output::svg::{Axis, Chart, Series};

use super::cases::{Case, Options};
use super::program::Program;
use super::published;
use super::reproduce::ElmirMeasurements;
use super::three_sigma::{Range, Spread};
use crate::experiment::chart::{chart, line};

/// The programs in the charts of times.
const SHOWN: [Program; 8] = [
    Program::CpuCopy,
    Program::CpuCopyByRows,
    Program::CpuCopyByRowsAllThreads,
    Program::GpuNaive,
    Program::GpuCoalesced,
    Program::GpuShared,
    Program::OursOneThread,
    Program::OursOnDevice,
];

/// A chart of the thesis, for one value of the other parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Figure {
    /// Times over the resolution (figures 5.1 to 5.9).
    OverResolution { radius: f32, count: u32 },
    /// Times over the number of circles (figures 5.10 to 5.18).
    OverCircles { radius: f32, resolution: u32 },
    /// Speed-up of the shared-memory program over the copy (figures 5.20 to 5.22).
    SpeedUp { resolution: u32 },
}

impl Figure {
    /// All figures of an experiment, for the smallest, the middle and the largest resolution and number of circles.
    pub fn all(options: &Options) -> Vec<Self> {
        let (resolutions, counts) = (three_of(&options.resolutions), three_of(&options.counts));
        let mut all = Vec::new();
        for &radius in &options.radii {
            all.extend(counts.iter().map(|&count| Self::OverResolution { radius, count }));
            all.extend(resolutions.iter().map(|&resolution| Self::OverCircles { radius, resolution }));
        }
        all.extend(resolutions.iter().map(|&resolution| Self::SpeedUp { resolution }));
        all
    }

    /// Name of the file.
    pub fn file(self) -> String {
        match self {
            Self::OverResolution { radius, count } => format!("elmir_r{radius}_{count}_circles.svg"),
            Self::OverCircles { radius, resolution } => format!("elmir_r{radius}_{resolution}_cells.svg"),
            Self::SpeedUp { resolution } => format!("elmir_speed_up_{resolution}_cells.svg"),
        }
    }

    pub fn chart(self, measurements: &ElmirMeasurements) -> Chart {
        let options = &measurements.options;
        match self {
            Self::OverResolution { radius, count } => times(
                measurements,
                format!("Time over the resolution, {count} circles of radius {radius}"),
                Axis::count("cells along a side"),
                &options.resolutions,
                |resolution| Case { radius, resolution, count },
            ),
            Self::OverCircles { radius, resolution } => times(
                measurements,
                format!("Time over the number of circles of radius {radius}, {resolution} x {resolution} cells"),
                Axis::count("circles"),
                &options.counts,
                |count| Case { radius, resolution, count },
            ),
            Self::SpeedUp { resolution } => speed_ups(measurements, resolution),
        }
    }
}

/// The smallest, the middle and the largest value, without duplicates.
fn three_of(values: &[u32]) -> Vec<u32> {
    let values = sorted(values);
    let Some(last) = values.len().checked_sub(1) else { return values };
    let mut three = vec![values[0], values[last.div_ceil(2)], values[last]];
    three.dedup();
    three
}

fn sorted(values: &[u32]) -> Vec<u32> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values
}

/// Milliseconds of the thesis' fastest programs and of all programs here, on a logarithmic axis.
fn times(
    measurements: &ElmirMeasurements,
    label: String,
    x: Axis,
    values: &[u32],
    case: impl Fn(u32) -> Case,
) -> Chart {
    let values = sorted(values);
    let of = |name, seconds: &dyn Fn(Case) -> Option<f64>| {
        line(name, &values, |value| Some((f64::from(value), seconds(case(value))? * 1e3)))
    };
    let then = [Program::CpuCopy, Program::GpuShared]
        .map(|program| of(format!("{}, 2013", program.label(1)), &|case| published::seconds(case, program)));
    let now = SHOWN.map(|program| {
        of(program.label(measurements.options.threads), &|case| measurements.rows.median(case, program))
    });
    chart(label, x, Axis::new("time", "ms"), true, then.into_iter().chain(now).collect())
}

/// The speed-up over the number of circles for each radius, with the outline of its three-sigma range, dashed.
fn speed_ups(measurements: &ElmirMeasurements, resolution: u32) -> Chart {
    let options = &measurements.options;
    let counts = sorted(&options.counts);
    let (mut lines, mut ranges) = (Vec::<Series>::new(), Vec::new());
    for &radius in &options.radii {
        let range = |count| Some((f64::from(count), measurements.speed_up(Case { radius, resolution, count })?));
        let found: Vec<(f64, Range)> = counts.iter().filter_map(|&count| range(count)).collect();
        let points = |value: fn(&Range) -> f64| found.iter().map(move |(x, range)| (*x, value(range)));
        lines.push(Series { name: format!("radius {radius}"), points: points(|range| range.mean).collect() });
        let outline = points(|range| range.least).chain(points(|range| range.greatest).rev());
        ranges.push(Series {
            name: format!("radius {radius}, three sigma"),
            points: outline.filter(|(_, y)| y.is_finite()).collect(),
        });
    }
    lines.retain(|line| !line.points.is_empty());
    ranges.retain(|line| !line.points.is_empty());
    let dashed = (lines.len()..lines.len() + ranges.len()).collect();
    let label = format!("Speed-up of GPU shared over the copy, {resolution} x {resolution} cells");
    lines.extend(ranges);
    Chart { dashed, ..chart(label, Axis::count("circles"), Axis::count("speed-up"), false, lines) }
}

impl ElmirMeasurements {
    /// The speed-up of the shared-memory program over the memory copy, with its three-sigma range; `None` with fewer
    /// than two runs.
    pub(super) fn speed_up(&self, case: Case) -> Option<Range> {
        let spread = |program| Spread::of(&self.rows.row(case, program)?.times);
        Some(Range::of(spread(Program::CpuCopy)?, spread(Program::GpuShared)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::report::tests::measurements;
    use crate::elmir::reproduce::measured;

    #[test]
    fn an_experiment_has_the_figures_of_the_thesis() {
        let files: Vec<String> = Figure::all(&Options::default()).into_iter().map(Figure::file).collect();
        assert_eq!(files.len(), 9 + 9 + 3);
        assert_eq!(files[0], "elmir_r15_64_circles.svg");
        assert_eq!(files[4], "elmir_r15_1280_cells.svg");
        assert_eq!(files[20], "elmir_speed_up_2048_cells.svg");
        assert_eq!(three_of(&[7]), [7]);
        assert_eq!(three_of(&[9, 7]), [7, 9]);
    }

    #[test]
    fn times_have_a_line_for_each_program_that_ran() {
        let chart = Figure::OverCircles { radius: 15.0, resolution: 2048 }.chart(&measurements());
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(
            names,
            ["CPU memory copy, 1 thread, 2013", "GPU shared, 2013", "CPU memory copy, 1 thread", "GPU shared"]
        );
        assert_eq!(chart.series[2].points, [(2048.0, libm::log10(80.0))]);
    }

    #[test]
    fn speed_ups_have_a_line_and_the_outline_of_their_range() {
        let mut all = measurements();
        all.options.counts = vec![2048, 64];
        let case = Case { radius: 15.0, resolution: 2048, count: 64 };
        all.rows.0.push(measured(case, Program::CpuCopy, &[0.004, 0.004]));
        all.rows.0.push(measured(case, Program::GpuShared, &[0.001, 0.001]));
        let chart = Figure::SpeedUp { resolution: 2048 }.chart(&all);
        assert_eq!((chart.series.len(), chart.dashed.as_slice()), (2, [1].as_slice()));
        assert_eq!(chart.series[0].points[0], (64.0, 4.0));
        assert_eq!((chart.series[1].points[0], chart.series[1].points.last()), ((64.0, 4.0), Some(&(64.0, 4.0))));
    }
}
