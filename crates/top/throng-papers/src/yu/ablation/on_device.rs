//! The runs of the ablation.

use std::time::Instant;

use throng_device::{Device, Pending};
use throng_model::Failure;

use super::{AblationProgram, AblationTask, Measured};
use crate::experiment::{Row, Times, defect};
use crate::yu::cases::Options;
use crate::yu::device::DeviceStoredFields;
use crate::yu::method::Method;
use crate::yu::reproduce::{is_too_large, timed};
use crate::yu::running::run_stored;

impl AblationTask<'_> {
    /// Measures programs in turns, all with equal numbers of ticks. The first one makes as many as fit into the time of
    /// a run.
    pub(super) fn measure(
        &self,
        device: &Device,
        programs: &[AblationProgram],
        options: &Options,
    ) -> Result<Measured, Failure> {
        let (mut runnable, mut refused) = (Vec::new(), Vec::new());
        // The kernels of each program are compiled in an untimed tick.
        for &program in programs {
            match self.start(device, program).and_then(|mut started| run(&mut started, device, program, 1)) {
                Ok(_) => runnable.push((program, Vec::new())),
                Err(failure) if is_too_large(&failure) => refused.push(failure.to_string()),
                Err(failure) => return Err(failure),
            }
        }
        let Some(&(first, _)) = runnable.first() else { return Ok((Vec::new(), refused)) };
        let mut started = self.start(device, first)?;
        let run_first = |ticks| run(&mut started, device, first, ticks);
        let (ticks, _) = timed(run_first, Method::Second(options.sums), options.ticks, options.seconds)?;
        let mut expected = self.setting.start(Method::Device, &self.state, 0)?;
        expected.run(ticks)?;
        let expected = expected.pedestrians()?.hash();
        for _ in 0..options.repeat {
            for (program, seconds) in &mut runnable {
                let mut started = self.start(device, *program)?;
                seconds.push(run(&mut started, device, *program, ticks)?);
                if started.pedestrians(device)?.hash() != expected {
                    let message = format!("{program:?} ends in another state than Throng, device: {}", self.case);
                    return Err(defect(message));
                }
            }
        }
        let case = self.case.side;
        let row = |(program, seconds)| Row { case, program, times: Times::of(seconds), figures: ticks };
        Ok((runnable.into_iter().map(row).collect(), refused))
    }

    fn start(&self, device: &Device, program: AblationProgram) -> Result<DeviceStoredFields, Failure> {
        self.setting.stored_on(device, program.variant, &self.state, 0)
    }
}

/// Makes ticks, and returns the seconds elapsed.
fn run(
    started: &mut DeviceStoredFields,
    device: &Device,
    program: AblationProgram,
    ticks: u32,
) -> Result<f64, Failure> {
    if program.counts_moves { run_counting(started, device, ticks) } else { run_stored(started, device, ticks) }
}

/// Makes ticks, in each of which the host counts the pedestrians that moved: those of the last tick while the device
/// computes the next one, or, without [`Technique::Concurrency`](crate::yu::Technique::Concurrency), before it starts
/// the next one.
fn run_counting(started: &mut DeviceStoredFields, device: &Device, ticks: u32) -> Result<f64, Failure> {
    let mut before = started.positions(device)?.wait()?;
    let mut moves = 0;
    let mut count = |positions: Pending<u32>| -> Result<(), Failure> {
        let now = positions.wait()?;
        moves += before.iter().zip(&now).filter(|(before, now)| before != now).count();
        before = now;
        Ok(())
    };
    device.synchronize("ticks")?;
    let since = Instant::now();
    let mut pending = None;
    for _ in 0..ticks {
        started.step(device)?;
        let positions = started.positions(device)?;
        device.flush()?;
        if !started.overlaps() {
            count(positions)?;
        } else if let Some(earlier) = pending.replace(positions) {
            count(earlier)?;
        }
    }
    if let Some(last) = pending {
        count(last)?;
    }
    let seconds = since.elapsed().as_secs_f64();
    // The compiler must not omit the count.
    std::hint::black_box(moves);
    Ok(seconds)
}
