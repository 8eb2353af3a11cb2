//! The walk as a model.

use std::path::PathBuf;

use rayon::prelude::*;
use throng_core::in_millions;
use throng_model::prelude::*;
use throng_output::TrajectoryFile;
use throng_output::html::Page;
use throng_output::svg::{Axis, Chart, Series, Style};

use super::executors::executor;
use super::film::film;
use super::prepared::Prepared;
use super::replay::WalkReplay;
use super::scenario::Scenario;
use super::table::{DISCS, write_discs};
use super::trajectories::{self, TRAJECTORIES};
use super::verification;
use super::walkers::Walkers;

/// Number of bins of the histogram of gaps.
const BINS: usize = 40;

/// The model of discs that walk without ever overlapping.
#[derive(Debug, Clone, Copy, Default)]
pub struct Collision;

impl StepModel for Collision {
    type Scenario = Scenario;
    type State = Walkers;

    const NAME: &str = "collision";
    const ABOUT: &str = "Moving discs that never overlap";
    const STEP: &str = "step";
    const MEASURES: &[Quantity] = &[
        Quantity::fraction(
            "accepted",
            "wishes granted",
            "fraction of the discs whose wish was granted in the last step; a wish to stay is granted",
        ),
        Quantity::real("least_gap", "smallest gap", "m", "smallest gap between two discs"),
        Quantity::real(
            "gap_10",
            "10th percentile of gaps",
            "m",
            "10 % of the discs have at most this gap; gaps are capped at four times the largest radius",
        ),
        Quantity::real("gap_50", "median gap", "m", "half of the discs have at most this gap"),
        Quantity::real("gap_90", "90th percentile of gaps", "m", "90 % of the discs have at most this gap"),
    ];
    const CASES: &[Case] = verification::CASES;
    const PARTS: Parts<Self> = Parts::NONE
        .group("crowd")
        .animation(ANIMATION)
        .input_files()
        .observed()
        .replay(&WalkReplay)
        .calibration(Calibration::files(SMALL, LARGE));

    fn subtitle(scenario: &Scenario) -> String {
        let Scenario { discs, discs_file, width_m, height_m, .. } = scenario;
        let discs = discs_file.as_ref().map_or_else(|| discs.to_string(), |_| "the".to_owned());
        let of = scenario.discs_file.as_ref().map_or_else(String::new, |file| format!(" of {}", file.display()));
        format!("{discs} discs{of} on {width_m} m x {height_m} m")
    }

    fn check(scenario: &Scenario) -> Result<(), InputError> {
        Prepared::of(scenario).map(drop)
    }

    fn warnings(scenario: &Scenario) -> Warnings {
        let mut warnings = Warnings::new();
        if scenario.trajectories && scenario.frame_every == 0 {
            warnings.add_noted(1, "no trajectories are written", "frame_every = 0: they have the frames of the table");
        }
        warnings
    }

    fn units_per_step(scenario: &Scenario) -> Option<f64> {
        Some(scenario.estimated_discs() as f64)
    }

    fn start(scenario: &Scenario) -> Result<Walkers, Failure> {
        Ok(Walkers::start(scenario)?)
    }

    fn executor(on: &Executor, _: &Scenario, walkers: Walkers) -> Result<Box<dyn Steps<State = Walkers>>, Failure> {
        executor(on, walkers)
    }

    fn measure(walkers: &Walkers) -> Vec<f64> {
        let refused = walkers.columns[3].iter().filter(|&&refused| refused == 1).count();
        let discs = walkers.columns[0].len().max(1);
        let mut gaps = gaps_m(walkers);
        gaps.sort_unstable_by(f64::total_cmp);
        let at = |share: usize| gaps.get((gaps.len().max(1) - 1) * share / 100).copied().unwrap_or_default();
        vec![1.0 - refused as f64 / discs as f64, at(0), at(10), at(50), at(90)]
    }
}

const SMALL: &str = "model = \"collision\"\ndiscs = 100\nwidth_m = 30\nheight_m = 30\nsteps = 3000\nframe_every = 0\n";
const LARGE: &str =
    "model = \"collision\"\ndiscs = 50_000\nwidth_m = 400\nheight_m = 400\nsteps = 50\nframe_every = 0\n";

const ANIMATION: AnimationFile<Collision> = AnimationFile {
    name: "collision.png",
    title: "Discs over time",
    caption: "Each disc is a point, coloured by its direction, if any; above 20,000 discs, density is shown instead.",
    film,
};

impl HasInputFiles for Collision {
    fn inputs(scenario: &mut Scenario) -> Vec<&mut PathBuf> {
        scenario.discs_file.iter_mut().collect()
    }
}

impl Observed for Collision {
    const FILES: &[&str] = &[DISCS, TRAJECTORIES];

    fn observer<'r>(scenario: &Scenario, folder: &'r RunFolder) -> Result<Box<dyn Observer<Walkers> + 'r>, Failure> {
        let trajectories = trajectories::begin(scenario, folder)?;
        // Trajectories contain no radii.
        let has_table = scenario.discs_table || trajectories.is_some();
        Ok(Box::new(Results { folder, has_table, every: scenario.frame_every.into(), trajectories }))
    }
}

/// Collects the results of a run.
struct Results<'r> {
    folder: &'r RunFolder,
    has_table: bool,
    every: u64,
    trajectories: Option<TrajectoryFile>,
}

impl Observer<Walkers> for Results<'_> {
    fn see(&mut self, step: u64, walkers: &Walkers) -> Result<(), Failure> {
        match &mut self.trajectories {
            // The last state may be between two frames.
            Some(file) if step.is_multiple_of(self.every) => {
                trajectories::write_frame(file, step / self.every, walkers)
            }
            _ => Ok(()),
        }
    }

    fn finish(self: Box<Self>, course: &CompletedSteps<'_, Walkers>) -> Result<FurtherResults, Failure> {
        let mut files = if self.has_table { vec![write_discs(course.last, self.folder)?] } else { Vec::new() };
        if let Some(trajectories) = self.trajectories {
            files.push(trajectories.finish()?);
        }
        Ok(FurtherResults { files, ..results(course) })
    }
}

/// Returns the results beyond the table: the speed of the steps, the accepted fraction over time, and the distribution
/// of gaps.
fn results(course: &CompletedSteps<'_, Walkers>) -> FurtherResults {
    let discs = course.last.columns[0].len();
    let mut lines = Vec::new();
    if course.steps > 0 && course.stepping_s > 0.0 {
        let checks = in_millions(discs as f64 * course.steps as f64 / course.stepping_s);
        lines.push(("checks", format!("{checks} per second, including wishes and state reads")));
    }
    let series = |name: &str, points: Vec<(f64, f64)>| vec![Series { name: name.to_owned(), points }];
    let measure = &Collision::MEASURES[0];
    let share = |(step, measures): &(u64, Vec<f64>)| {
        (*step as f64, measure.plotted(measures.first().copied().unwrap_or(f64::NAN)))
    };
    let accepted = Chart {
        label: "Wishes granted over time".to_owned(),
        x: Axis::count(Collision::STEP),
        y: measure.axis(),
        series: series("accepted", course.rows.iter().map(share).collect()),
        ..Chart::default()
    };
    let gaps = gaps_m(course.last);
    let widest = f64::from(4 * course.last.prepared.scene.radii.largest()) * course.last.prepared.lattice.metres(1);
    let mut shares = vec![0.0; BINS + 1];
    for gap in &gaps {
        shares[((gap / widest * BINS as f64) as usize).min(BINS - 1)] += 100.0 / gaps.len() as f64;
    }
    let left = |bin: usize| widest * bin as f64 / BINS as f64;
    let distribution = Chart {
        label: "Distribution of gaps".to_owned(),
        x: Axis::new("gap to the nearest other disc", "m"),
        y: Axis::new("discs", "%"),
        style: Style::Histogram,
        series: series("discs", shares.into_iter().enumerate().map(|(bin, share)| (left(bin), share)).collect()),
        ..Chart::default()
    };
    let sections = move |page: &mut Page| {
        page.section("Wishes granted").chart(&accepted, "");
        let caption = "After the last step. Gaps above four times the largest radius are in the last bin.";
        page.section("Gaps between discs").chart(&distribution, caption);
    };
    FurtherResults { lines, sections: Some(Box::new(sections)), ..FurtherResults::default() }
}

/// Returns the gap from each disc to the nearest other disc, m; at most four times the largest radius.
fn gaps_m(walkers: &Walkers) -> Vec<f64> {
    let Walkers { columns: [xs, ys, ..], prepared } = walkers;
    let (world, radii) = (prepared.scene.world, &prepared.scene.radii);
    let farthest = 6 * radii.largest();
    let size = world.size().map(|side| side as u32);
    let grid = UniformGrid::covering([0, 0], size, farthest as u32, world.boundary());
    let Ok(mut lists) = grid.and_then(|grid| CellLists::new(grid, xs.len())) else { return Vec::new() };
    lists.build(&[xs, ys]);
    let gap = |disc: usize| {
        let (x, y) = (xs[disc], ys[disc]);
        let others = lists.around(x, y, 0).map(|other| other as usize).filter(|&other| other != disc);
        let gaps = others.map(|other| {
            let (dx, dy) = (f64::from(world.x.offset(x, xs[other])), f64::from(world.y.offset(y, ys[other])));
            (dx * dx + dy * dy).sqrt() - f64::from(radii.of(disc) + radii.of(other))
        });
        gaps.fold(f64::from(4 * radii.largest()), f64::min) * prepared.lattice.metres(1)
    };
    (0..xs.len()).into_par_iter().map(gap).collect()
}
