//! One measurement.

/// Who computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// One thread of the processor.
    Cpu,
    /// The device.
    Device,
    /// The device, over the whole day.
    DeviceAllDay,
    /// Throng's own model on the processor, over the whole day.
    FullModel,
    /// The same on the device.
    FullModelOnDevice,
}

impl Machine {
    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Device => "device",
            Self::DeviceAllDay => "device, whole day",
            Self::FullModel | Self::FullModelOnDevice => "full model, whole day",
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
    /// Wall-clock seconds of the steps alone, of each run, the fastest first.
    pub walls_s: Vec<f64>,
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
    /// The median of the runs, wall-clock seconds.
    pub fn wall_s(&self) -> f64 {
        self.walls_s[self.walls_s.len() / 2]
    }

    /// Simulated seconds per second, in the median of the runs.
    pub fn real_time_factor(&self) -> f64 {
        self.factor(self.wall_s())
    }

    /// Simulated seconds per second in the slowest run and in the fastest one, where there was more than one.
    pub fn spread(&self) -> Option<(f64, f64)> {
        let (&fastest, &slowest) = (self.walls_s.first()?, self.walls_s.last()?);
        (self.walls_s.len() > 1).then(|| (self.factor(slowest), self.factor(fastest)))
    }

    fn factor(&self, wall_s: f64) -> f64 {
        self.simulated_s / wall_s.max(1e-9)
    }
}

/// How often a program runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Repeat {
    /// So many times.
    Always(usize),
    /// So many times unless the first run is [`LONG_S`] long: on one thread of the processor the table would take hours.
    WhileShort(usize),
}

const LONG_S: f64 = 1.0;

/// The seconds of each run, in ascending order, and what the last run gave.
#[derive(Debug)]
pub(super) struct Timed<T> {
    pub result: T,
    pub walls_s: Vec<f64>,
}

/// Runs `once`, which gives its result and the wall-clock seconds that count, as often as `repeat` says.
pub(super) fn timed<T, E>(repeat: Repeat, mut once: impl FnMut() -> Result<(T, f64), E>) -> Result<Timed<T>, E> {
    let (mut result, wall_s) = once()?;
    let mut walls_s = vec![wall_s];
    let runs = match repeat {
        Repeat::WhileShort(_) if walls_s[0] >= LONG_S => 1,
        Repeat::WhileShort(runs) | Repeat::Always(runs) => runs,
    };
    while walls_s.len() < runs {
        let again = once()?;
        result = again.0;
        walls_s.push(again.1);
    }
    walls_s.sort_unstable_by(f64::total_cmp);
    Ok(Timed { result, walls_s })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// RINGNODES over a minute from 07:30 on, in runs of these lengths.
    pub(in super::super) fn ring_nodes(machine: Machine, percent: f64, walls_s: &[f64]) -> Row {
        Row {
            machine,
            program: "RINGNODES".into(),
            percent,
            agents: (10.0 * percent) as usize,
            from_s: 27_000.0,
            simulated_s: 60.0,
            walls_s: walls_s.to_vec(),
            launches_per_step: (machine == Machine::Device).then_some(3),
            legs_ended: 5,
            in_traffic: Some(7),
            hash: Some(255),
        }
    }

    #[test]
    fn only_long_runs_of_the_processor_are_made_once() {
        let run = |repeat, walls_s: &[f64]| {
            let mut left = walls_s.iter().zip(1..);
            let once = || left.next().map(|(&wall_s, i)| (i, wall_s)).ok_or(());
            timed(repeat, once).map(|timed| (timed.result, timed.walls_s))
        };
        assert_eq!(run(Repeat::WhileShort(3), &[0.3, 0.1, 0.2]), Ok((3, vec![0.1, 0.2, 0.3])));
        assert_eq!(run(Repeat::WhileShort(3), &[1.5]), Ok((1, vec![1.5])));
        assert_eq!(run(Repeat::Always(2), &[1.5, 1.4]), Ok((2, vec![1.4, 1.5])));
        assert_eq!(run(Repeat::Always(3), &[0.3]), Err(()));
    }

    #[test]
    fn the_median_counts_and_the_spread_goes_from_slow_to_fast() {
        let row = ring_nodes(Machine::Device, 1.0, &[0.1, 0.2, 0.25, 0.3, 0.6]);
        assert_eq!((row.wall_s(), row.real_time_factor(), row.spread()), (0.25, 240.0, Some((100.0, 600.0))));
        assert_eq!(ring_nodes(Machine::Cpu, 1.0, &[0.1]).spread(), None);
    }
}
