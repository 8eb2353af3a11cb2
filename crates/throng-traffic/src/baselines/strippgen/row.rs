//! One measurement.

use std::time::Duration;

use super::state::State;

/// Who computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// One thread of the processor.
    Cpu,
    /// The device.
    Device,
    /// The device, over the whole day.
    DeviceAllDay,
    /// Throng's own model, over the whole day.
    FullModel,
}

impl Machine {
    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Device => "device",
            Self::DeviceAllDay => "device, whole day",
            Self::FullModel => "full model, whole day",
        }
    }
}

/// A program, a sample, a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Who computed.
    pub machine: Machine,
    /// What: a variant, or a way to run the full model.
    pub program: String,
    /// Sample of the population, percent.
    pub percent: f64,
    /// Agents who drive in the sample.
    pub agents: usize,
    /// Simulated seconds of the day before the first step.
    pub from_s: f64,
    /// Simulated seconds.
    pub simulated_s: f64,
    /// Runs; [`Row::wall_s`] is their median.
    pub runs: usize,
    /// Wall-clock seconds of the steps alone.
    pub wall_s: f64,
    /// Kernels per step.
    pub launches_per_step: Option<u32>,
    /// Legs that ended until the last step, since the day began.
    pub legs_ended: u64,
    /// Vehicles on the road after the last step.
    pub in_traffic: Option<usize>,
    /// Hash of the state after the last step.
    pub hash: Option<u64>,
}

impl Row {
    /// Simulated seconds per second.
    pub fn real_time_factor(&self) -> f64 {
        self.simulated_s / self.wall_s.max(1e-9)
    }
}

/// A state and the median of the times that it took to get there.
#[derive(Debug)]
pub(super) struct Timed {
    pub state: State,
    pub runs: usize,
    pub wall_s: f64,
}

/// Beyond this, a run is not repeated: the noise of the clock no longer matters, and the table should come today.
const LONG: Duration = Duration::from_secs(1);

/// Runs `once` up to `repeat` times.
pub(super) fn timed<E>(repeat: usize, mut once: impl FnMut() -> Result<(State, Duration), E>) -> Result<Timed, E> {
    let (mut state, wall) = once()?;
    let mut walls = vec![wall];
    while walls.len() < repeat && wall < LONG {
        let again = once()?;
        state = again.0;
        walls.push(again.1);
    }
    walls.sort_unstable();
    Ok(Timed { state, runs: walls.len(), wall_s: walls[walls.len() / 2].as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::strippgen::testing::{star, state_after};

    #[test]
    fn the_median_counts_and_long_runs_are_made_once() {
        let state = state_after(&star(2, 1), 1);
        let run = |millis: &[u64]| {
            let mut left = millis.iter();
            let once = || left.next().map(|&ms| (state.clone(), Duration::from_millis(ms))).ok_or(());
            timed(3, once).map(|timed| (timed.runs, timed.wall_s))
        };
        assert_eq!(run(&[300, 100, 200]), Ok((3, 0.2)));
        assert_eq!(run(&[1500]), Ok((1, 1.5)));
        assert_eq!(run(&[300]), Err(()));
    }
}
