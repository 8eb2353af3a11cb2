//! Measures all programs in all cases in one run.

use std::time::Instant;

use throng_core::Progress;
use throng_device::{Device, with_kernels};
use throng_fields::{Field, creation};
use throng_model::Failure;

use super::cases::{Case, Options};
use super::circles::Circles;
#[cfg(feature = "gpu")]
use super::device::DeviceCircles;
use super::program::Program;
use crate::experiment::{Row, Rows, Times, defect, repeated, runs_are_long};

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ElmirMeasurements {
    /// The requested options.
    pub options: Options,
    /// Measurements, by case.
    pub rows: Rows<Case, Program>,
}

/// A measurement with these run times, in seconds.
#[cfg(test)]
pub(super) fn measured(case: Case, program: Program, seconds: &[f64]) -> Row<Case, Program> {
    Row { case, program, times: Times::of(seconds.to_vec()), figures: () }
}

/// Measures all programs; those for several threads run on one and on all. Each program's field is compared with
/// Throng's.
///
/// # Errors
/// If an option cannot be used, the device fails, or a program is wrong.
pub fn reproduce(
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<ElmirMeasurements, Failure> {
    let pool = throng_core::thread_pool(options.threads)?;
    let one = throng_core::thread_pool(1)?;
    let cases = options.cases();
    let mut rows = Rows::default();
    progress.begin("all programs on all cases", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &format!("r {}, {}², {} circles", case.radius, case.resolution, case.count));
        let circles = case.circles(options.seed)?;
        let ours = one.install(|| creation::by_tiles(circles.grid(), &circles.entities()?))?;
        let mut task = Task { case, options, circles: &circles, ours, rows: &mut rows };
        task.on_cpu(&one, &pool)?;
        if let Some(device) = device {
            let done: Result<(), Failure> = with_kernels!("throng-papers", device, |device| task.on_device(device));
            done?;
        }
    }
    progress.end();
    Ok(ElmirMeasurements { options: options.clone(), rows })
}

/// A case, and its expected result.
struct Task<'a> {
    case: Case,
    options: &'a Options,
    circles: &'a Circles,
    ours: Field,
    rows: &'a mut Rows<Case, Program>,
}

impl Task<'_> {
    fn on_cpu(&mut self, one: &rayon::ThreadPool, all: &rayon::ThreadPool) -> Result<(), Failure> {
        let circles = self.circles;
        if self.case.pairs() <= self.options.most_naive_pairs {
            self.timed(Program::CpuNaive, || Ok(circles.naive()))?;
        }
        self.timed(Program::CpuCopy, || Ok(circles.memory_copy()))?;
        let entities = circles.entities()?;
        let mut variants = vec![(one, Program::CpuCopyByRows, Program::OursOneThread)];
        if self.options.threads > 1 {
            variants.push((all, Program::CpuCopyByRowsAllThreads, Program::OursAllThreads));
        }
        for (pool, copy, ours) in variants {
            pool.install(|| self.timed(copy, || Ok(circles.copy_by_rows())))?;
            pool.install(|| self.timed(ours, || Ok(creation::by_tiles(circles.grid(), &entities)?)))?;
        }
        Ok(())
    }

    /// Times a CPU program, and checks its first field.
    fn timed(&mut self, program: Program, run: impl Fn() -> Result<Field, Failure>) -> Result<(), Failure> {
        let mut is_checked = false;
        let times = repeated(self.options.repeat, runs_are_long, || {
            let since = Instant::now();
            let field = run()?;
            let seconds = since.elapsed().as_secs_f64();
            if !is_checked {
                self.check(program, &field)?;
                is_checked = true;
            }
            Ok::<_, Failure>(seconds)
        })?;
        self.push(program, times);
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn on_device(&mut self, device: &Device) -> Result<(), Failure> {
        let circles = DeviceCircles::new(device, self.circles)?;
        for program in Program::ALL.into_iter().filter(|program| program.is_on_device()) {
            // The first call also compiles the kernels.
            self.check(program, &circles.create(program)?)?;
            self.push(program, repeated(self.options.repeat, runs_are_long, || circles.time(program))?);
        }
        Ok(())
    }

    fn push(&mut self, program: Program, times: Times) {
        self.rows.0.push(Row { case: self.case, program, times, figures: () });
    }

    fn check(&self, program: Program, field: &Field) -> Result<(), Failure> {
        let difference = field.largest_difference(&self.ours)?;
        let highest = self.ours.values().iter().copied().fold(0.0, f32::max);
        // A copy loses the position of a circle within its cell, which allows a difference of the slope of the charge
        // times the cell diagonal for each circle that reaches the cell.
        let copied = std::f32::consts::SQRT_2 * self.circles.grid().cell() / self.case.radius;
        let allowed = match program {
            Program::CpuCopy | Program::CpuCopyByRows | Program::CpuCopyByRowsAllThreads => {
                copied * most_reaching(self.circles)
            }
            _ => 1e-4 * highest.max(1.0),
        };
        // The comparison also rejects NaN.
        if difference <= allowed {
            return Ok(());
        }
        let (program, case) = (program.name(), self.case);
        Err(defect(format!("{program} gives a different field from ours: they differ by {difference} for {case:?}")))
    }
}

/// Upper bound for the number of circles that reach a point, from counts of centres in squares as wide as a circle.
fn most_reaching(circles: &Circles) -> f32 {
    let side = 2.0 * circles.radius();
    let mut squares = std::collections::BTreeMap::<(i32, i32), u32>::new();
    for &[x, y] in circles.centres() {
        *squares.entry(((x / side).floor() as i32, (y / side).floor() as i32)).or_default() += 1;
    }
    // A circle that reaches a point has its centre in one of four such squares.
    4.0 * squares.values().copied().max().unwrap_or(0) as f32
}
