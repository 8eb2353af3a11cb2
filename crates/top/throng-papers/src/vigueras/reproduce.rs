//! Measures all methods in all cases in one run.

use std::sync::Arc;
use std::time::Instant;

use throng_core::{Philox, Progress, StateHash};
use throng_device::{Device, with_kernels};
use throng_model::Failure;

use super::cases::{Case, Options};
use super::crowd::{Crowd, Moves};
use super::defects::{Defects, count_defects};
use super::kernel_times::KernelTimes;
use super::method::Method;
use super::overlaps::overlapping_pairs;
#[cfg(feature = "gpu")]
use super::{
    device::DeviceCrowd, first_step::differing, kernel_times::measure as measure_kernels, sequential::DeviceSequential,
};
use crate::experiment::{Row, Rows, Times, defect, never_enough, repeated};

/// The results after all moves of all agents.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResults {
    /// Moves per agent.
    pub moves: u32,
    /// Total time in seconds if, in each step, wishes are copied to the device and flags back.
    pub with_copies: Option<f64>,
    /// Total time of sorting, seconds.
    pub sort: Option<f64>,
    /// Number of comparisons of a disc with another one, counted in a separate run.
    pub tests: Option<u64>,
    /// Fraction of wishes that were granted.
    pub moved: f64,
    /// Pairs of discs that overlap after the last move; `None` where all discs pass through each other.
    pub pairs: Option<usize>,
    /// A hash of all positions after the last move.
    pub positions: u64,
}

/// The measurement of a check in a crowd. Wishes are drawn, checked and carried out where the check runs.
pub type Measured = Row<Case, Method, CheckResults>;

impl Measured {
    /// Nanoseconds per move of an agent.
    pub fn ns_per_move(&self) -> f64 {
        self.times.median() * 1e9 / (f64::from(self.case.agents.max(1)) * f64::from(self.figures.moves.max(1)))
    }

    /// Number of wishes.
    pub fn wishes(&self) -> f64 {
        f64::from(self.case.agents) * f64::from(self.figures.moves)
    }

    /// Sorting time as a fraction of the total time.
    pub fn sort_share(&self) -> Option<f64> {
        Some(self.figures.sort? / self.times.median())
    }
}

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ViguerasMeasurements {
    /// The requested options.
    pub options: Options,
    /// Measurements, by case.
    pub rows: Rows<Case, Method, CheckResults>,
    /// Overlapping pairs, by case.
    pub defects: Vec<Defects>,
    /// Times of the kernels of the paper's programs, in the case of its ratios.
    pub kernels: Vec<KernelTimes>,
}

impl ViguerasMeasurements {
    /// Median time of a check in a case without drawing and moving, seconds; `None` if that is not measurable.
    pub fn check_seconds(&self, case: Case, method: Method) -> Option<f64> {
        let seconds = self.rows.median(case, method)? - self.rows.median(case, Method::NoCheck)?;
        (seconds > 0.0).then_some(seconds)
    }

    /// Time of a check relative to that of another one.
    pub fn relative_time(&self, case: Case, method: Method, to: Method) -> Option<f64> {
        Some(self.check_seconds(case, method)? / self.check_seconds(case, to)?)
    }
}

/// Measures all methods. The paper's device programs are compared with the CPU first, and the sequential rule last.
///
/// # Errors
/// If an option cannot be used, the device fails, or a program is wrong.
pub fn reproduce(
    device: Option<&Arc<Device>>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<ViguerasMeasurements, Failure> {
    let pool = throng_core::thread_pool(options.threads)?;
    let cases = options.cases();
    let (mut rows, mut kernels): (Vec<Measured>, Vec<KernelTimes>) = (Vec::new(), Vec::new());
    progress.begin("all checks in all cases", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &format!("{} agents, area {}, steps of {} cells", case.agents, case.area, case.step));
        let crowd = pool.install(|| Crowd::new(case.agents as usize, case.area, options.seed))?;
        let task = Task { case, options, moves: crowd.moves(case.length()), crowd: &crowd };
        let on_cpu = pool.install(|| task.sequential())?;
        if let Some(device) = device {
            let on_device: Result<Vec<Measured>, Failure> =
                with_kernels!("throng-papers", device, |device| pool.install(|| task.on_device(device)));
            let on_device = on_device?;
            check_same(on_device.last(), &on_cpu)?;
            check_baselines(&on_device)?;
            rows.extend(on_device);
            if options.published_case() == Some(case) {
                let of_case: Result<Vec<KernelTimes>, Failure> =
                    with_kernels!("throng-papers", device, |device| task.kernels(device));
                kernels = of_case?;
            }
        }
        rows.push(on_cpu);
    }
    progress.end();
    let defects = pool.install(|| count_defects(options, progress))?;
    Ok(ViguerasMeasurements { options: options.clone(), rows: Rows(rows), defects, kernels })
}

/// Checks that the sequential rule has the same result on the device and on the CPU.
fn check_same(on_device: Option<&Measured>, on_cpu: &Measured) -> Result<(), Failure> {
    let ends = |row: &Measured| (row.figures.moved, row.figures.positions);
    let Some(row) = on_device.filter(|row| row.program == Method::SequentialOnDevice && ends(row) != ends(on_cpu))
    else {
        return Ok(());
    };
    let ((moved, positions), (moved_on_cpu, positions_on_cpu)) = (ends(row), ends(on_cpu));
    Err(defect(format!(
        "the sequential rule grants a fraction {moved} of all wishes and ends with positions {positions:016x}; \
         on the CPU, {moved_on_cpu} and {positions_on_cpu:016x}"
    )))
}

/// Checks that all programs that compare wishes with wishes end with the same positions after the same tests.
fn check_baselines(rows: &[Measured]) -> Result<(), Failure> {
    let ends = |row: &Measured| (row.figures.positions, row.figures.tests);
    let mut baselines = rows.iter().filter(|row| row.program.compares_wishes());
    let Some(first) = baselines.next() else { return Ok(()) };
    let Some(row) = baselines.find(|row| ends(row) != ends(first)) else { return Ok(()) };
    let describe = |row: &Measured| {
        let (positions, tests) = ends(row);
        format!("{} ends with positions {positions:016x} after {} tests", row.program.name(), tests.unwrap_or(0))
    };
    Err(defect(format!("{}; {}", describe(row), describe(first))))
}

/// A case to measure.
struct Task<'a> {
    case: Case,
    options: &'a Options,
    crowd: &'a Crowd,
    moves: Moves,
}

impl Task<'_> {
    /// Runs the sequential rule on the CPU.
    fn sequential(&self) -> Result<Measured, Failure> {
        let Options { moves, seed, repeat, .. } = *self.options;
        let (draws, mut last) = (Philox::new(seed), None);
        let times = repeated(repeat, never_enough, || {
            let (mut check, mut moved) = (self.crowd.sequential(&self.moves, seed)?, 0);
            let since = Instant::now();
            for step in 0..moves {
                let at = check.positions()?;
                let [xs, ys] = self.moves.wishes(draws, step, [&at[0], &at[1]]);
                moved += check.step([&xs, &ys])? as u64;
            }
            let seconds = since.elapsed().as_secs_f64();
            last = Some((check, moved));
            Ok::<_, Failure>(seconds)
        })?;
        let (check, moved) = last.expect("a program runs at least once");
        self.row(Method::SequentialOnCpu, times, moved, &*check.positions()?)
    }

    /// Builds a row, without the figures that only some methods have.
    fn row(&self, program: Method, times: Times, moved: u64, at: &[Vec<i32>; 2]) -> Result<Measured, Failure> {
        let (case, moves) = (self.case, self.options.moves);
        let wishes = f64::from(case.agents.max(1)) * f64::from(moves.max(1));
        let pairs = match program {
            Method::NoCheck => None,
            _ => Some(overlapping_pairs(&self.crowd.world, [&at[0], &at[1]])?),
        };
        let mut hash = StateHash::new();
        for (disc, (&x, &y)) in at[0].iter().zip(&at[1]).enumerate() {
            hash.add(disc as u64, &[x as u64, y as u64]);
        }
        let (moved, positions) = (moved as f64 / wishes, hash.finish());
        let figures = CheckResults { moves, with_copies: None, sort: None, tests: None, moved, pairs, positions };
        Ok(Row { case, program, times, figures })
    }
}

#[cfg(feature = "gpu")]
impl Task<'_> {
    /// The checks of this case that run on a device.
    fn methods(&self, device: &Device) -> impl Iterator<Item = Method> {
        let methods = self.options.methods_in(self.case).into_iter();
        methods.filter(|method| method.is_on_device() && method.fits(device))
    }

    fn on_device(&self, device: &Arc<Device>) -> Result<Vec<Measured>, Failure> {
        self.methods(device).map(|method| self.measure(device, method)).collect()
    }

    /// Times the kernels of the paper's programs.
    fn kernels(&self, device: &Device) -> Result<Vec<KernelTimes>, Failure> {
        let methods = self.methods(device).filter(|method| method.is_published());
        methods.map(|method| measure_kernels(device, self.crowd, self.moves, self.options, method)).collect()
    }

    /// Makes a first step, which compiles the kernels, and compares it for the paper's programs. Then measures all.
    fn measure(&self, device: &Arc<Device>, method: Method) -> Result<Measured, Failure> {
        let Options { moves, seed, repeat, .. } = *self.options;
        if method == Method::SequentialOnDevice {
            let begin = || DeviceSequential::new(device, self.crowd, self.moves, seed);
            begin()?.run(1)?;
            let mut last = None;
            let times = repeated(repeat, never_enough, || last.insert(begin()?).run(moves))?;
            let last = last.expect("a program runs at least once");
            let mut row = self.row(method, times, last.moved()?, &last.positions()?)?;
            drop(last);
            row.figures.with_copies = Some(begin()?.run_with_copies(moves)?);
            return Ok(row);
        }
        let differ = differing(device, self.crowd, self.moves, seed, method)?;
        if differ > 0 {
            let (name, case) = (method.name(), self.case);
            return Err(defect(format!("{name} decides differently from the CPU about {differ} discs: {case:?}")));
        }
        let begin = || DeviceCrowd::new(device, self.crowd, self.moves, seed, method);
        let mut last = None;
        let times = repeated(repeat, never_enough, || Ok::<_, Failure>(last.insert(begin()?).run(moves)?))?;
        let last = last.expect("a program runs at least once");
        let mut row = self.row(method, times, last.moved()?, &last.positions()?)?;
        row.figures.sort = last.sort_seconds(moves)?.map(|seconds| seconds * f64::from(moves));
        drop(last);
        if method.is_published() {
            row.figures.tests = Some(begin()?.count_tests(moves)?);
        }
        if !method.is_variant() {
            row.figures.with_copies = Some(begin()?.run_with_copies(moves)?);
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_with_different_final_positions_is_refused() {
        let options = Options { moves: 3, ..Options::default() };
        let case = Case { agents: 50, area: 0.3, step: 1.0 };
        let crowd = Crowd::new(50, case.area, 1).unwrap();
        let task = Task { case, options: &options, moves: crowd.moves(case.length()), crowd: &crowd };
        let on_cpu = task.sequential().unwrap();
        let mut on_device = Row { program: Method::SequentialOnDevice, ..on_cpu.clone() };
        check_same(Some(&on_device), &on_cpu).unwrap();
        on_device.figures.positions ^= 1;
        let error = check_same(Some(&on_device), &on_cpu).unwrap_err().to_string();
        assert!(error.contains(&format!("ends with positions {:016x}", on_device.figures.positions)), "{error}");
        let mut baselines = [Method::Baseline, Method::AtomicGrid].map(|program| Row { program, ..on_cpu.clone() });
        check_baselines(&baselines).unwrap();
        baselines[1].figures.tests = Some(9);
        let error = check_baselines(&baselines).unwrap_err().to_string();
        assert!(
            error.starts_with("static grid, atomic ends with positions ") && error.contains(" after 9 tests; baseline")
        );
    }
}
