//! All programs on all cases, in one run.

#[cfg(feature = "gpu")]
mod on_device;

use std::time::Instant;

use thiserror::Error;
use throng_core::Progress;
use throng_device::Device;

use super::cases::{Case, Options};
use super::circles::Circles;
use super::program::Program;
use throng_device::GpuError;
use throng_fields::Field;
use throng_fields::ValueError;
use throng_fields::creation;
use throng_model::Failure;

#[cfg(feature = "gpu")]
use on_device::on_device;

/// What can go wrong with the experiment.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ElmirError {
    /// The options cannot be used, or the device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// No threads could be started.
    #[error(transparent)]
    NoThread(#[from] throng_core::NoThread),
    /// A program is wrong.
    #[error("{program} gives another field than ours: {difference} apart with {case:?}")]
    Differs {
        /// Which one.
        program: &'static str,
        /// Where.
        case: Case,
        /// The largest difference of a cell.
        difference: f32,
    },
}

impl From<ElmirError> for Failure {
    fn from(error: ElmirError) -> Self {
        match error {
            ElmirError::Gpu(error) => error.into(),
            ElmirError::NoThread(error) => error.into(),
            error @ ElmirError::Differs { .. } => {
                Self::resource(error.to_string(), "this is a defect of the program or of the device")
            }
        }
    }
}

impl From<ValueError> for ElmirError {
    fn from(error: ValueError) -> Self {
        Self::Gpu(error.into())
    }
}

/// A measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What was computed.
    pub case: Case,
    /// By whom.
    pub program: Program,
    /// Seconds of each run, ascending.
    pub seconds: Vec<f64>,
}

impl Row {
    /// The median of the runs, seconds.
    pub fn median_s(&self) -> f64 {
        self.seconds[self.seconds.len() / 2]
    }

    /// The fastest and the slowest run, seconds.
    pub fn spread_s(&self) -> (f64, f64) {
        (self.seconds[0], self.seconds[self.seconds.len() - 1])
    }
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// What was asked for.
    pub options: Options,
    /// Id and name of the device, where there is one.
    pub device: Option<String>,
    /// Case by case.
    pub rows: Vec<Row>,
}

impl Measurements {
    /// The median of a program in a case, seconds.
    pub fn median_s(&self, case: Case, program: Program) -> Option<f64> {
        self.rows.iter().find(|row| row.case == case && row.program == program).map(Row::median_s)
    }
}

/// Beyond this, a run is not repeated, seconds.
const LONG_S: f64 = 1.0;

/// Measures all programs, on one thread and, where there are more, on all. Each one's field is compared with that of ours.
///
/// # Errors
/// When an option cannot be used, the device fails, or a program is wrong.
pub fn reproduce(
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Measurements, ElmirError> {
    let pool = throng_core::thread_pool(options.threads)?;
    let one = throng_core::thread_pool(1)?;
    let cases = options.cases();
    let mut rows = Vec::new();
    progress.begin("all programs on all cases", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &format!("r {}, {}², {} circles", case.radius, case.resolution, case.count));
        let circles = case.circles(options.seed)?;
        let task = Task { case, options, circles: &circles, ours: one.install(|| creation(&circles))? };
        rows.extend(task.on_cpu(&one, &pool)?);
        if let Some(device) = device {
            rows.extend(on_device(&task, device)?);
        }
    }
    progress.end();
    Ok(Measurements { options: options.clone(), device: device.map(|device| device.info().label()), rows })
}

fn creation(circles: &Circles) -> Result<Field, ValueError> {
    creation::by_tiles(circles.grid(), &circles.entities()?)
}

/// The programs of a device, which this build does not have.
#[cfg(not(feature = "gpu"))]
fn on_device(_task: &Task<'_>, device: &Device) -> Result<Vec<Row>, ElmirError> {
    Err(GpuError::from(device.no_kernels("throng-papers")).into())
}

/// A case, and what has to come out.
struct Task<'a> {
    case: Case,
    options: &'a Options,
    circles: &'a Circles,
    ours: Field,
}

impl Task<'_> {
    fn on_cpu(&self, one: &rayon::ThreadPool, all: &rayon::ThreadPool) -> Result<Vec<Row>, ElmirError> {
        let mut rows = Vec::new();
        if self.case.pairs() <= self.options.most_naive_pairs {
            rows.push(self.timed(Program::CpuNaive, || Ok(self.circles.naive()))?);
        }
        rows.push(self.timed(Program::CpuCopy, || Ok(self.circles.memory_copy()))?);
        let entities = self.circles.entities()?;
        let mut ways = vec![(one, Program::CpuCopyByRows, Program::OursOneThread)];
        if self.options.threads > 1 {
            ways.push((all, Program::CpuCopyByRowsAllThreads, Program::OursAllThreads));
        }
        for (pool, copy, ours) in ways {
            rows.push(pool.install(|| self.timed(copy, || Ok(self.circles.copy_by_rows())))?);
            rows.push(pool.install(|| self.timed(ours, || Ok(creation::by_tiles(self.circles.grid(), &entities)?)))?);
        }
        Ok(rows)
    }

    /// Runs and checks a program of the CPU.
    fn timed(&self, program: Program, run: impl Fn() -> Result<Field, ElmirError>) -> Result<Row, ElmirError> {
        let once = || {
            let since = Instant::now();
            let field = run()?;
            Ok::<_, ElmirError>((field, since.elapsed().as_secs_f64()))
        };
        let (field, first) = once()?;
        self.check(program, &field)?;
        drop(field);
        let mut seconds = vec![first];
        while seconds.len() < self.options.repeat && first < LONG_S {
            seconds.push(once()?.1);
        }
        Ok(self.row(program, seconds))
    }

    fn row(&self, program: Program, mut seconds: Vec<f64>) -> Row {
        seconds.sort_unstable_by(f64::total_cmp);
        Row { case: self.case, program, seconds }
    }

    fn check(&self, program: Program, field: &Field) -> Result<(), ElmirError> {
        let difference = field.largest_difference(&self.ours)?;
        let highest = self.ours.values().iter().copied().fold(0.0, f32::max);
        // A copy loses the place of a circle within its cell: the slope of the charge times the diagonal of a cell, for
        // each circle that reaches the cell.
        let copied = std::f32::consts::SQRT_2 * self.circles.grid().cell() / self.case.radius;
        let allowed = match program {
            Program::CpuCopy | Program::CpuCopyByRows | Program::CpuCopyByRowsAllThreads => {
                copied * most_reaching(self.circles)
            }
            _ => 1e-4 * highest.max(1.0),
        };
        // Also refuses what is no number.
        if difference <= allowed {
            return Ok(());
        }
        Err(ElmirError::Differs { program: program.name(), case: self.case, difference })
    }
}

/// A bound for the circles that reach one point: those that reach the same square of the world as large as a circle.
fn most_reaching(circles: &Circles) -> f32 {
    let side = 2.0 * circles.radius();
    let mut squares = std::collections::BTreeMap::<(i32, i32), u32>::new();
    for &[x, y] in circles.centres() {
        *squares.entry(((x / side).floor() as i32, (y / side).floor() as i32)).or_default() += 1;
    }
    // A circle that reaches a point has its centre in one of four squares.
    4.0 * squares.values().copied().max().unwrap_or(0) as f32
}
