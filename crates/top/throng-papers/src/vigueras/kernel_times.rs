//! Times of the kernels of a program, as in the paper's figures 3 and 6.

use super::method::Method;
use crate::experiment::Times;

/// Times of the kernels of a program, each launch timed on its own: the time on the host until it ends, without that
/// of an empty launch with a small upload. It underestimates short kernels and sorts of many launches.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTimes {
    /// The program.
    pub method: Method,
    /// Name of each kernel and its seconds per move in each run, the most time-consuming first. All launches of a sort
    /// are one kernel; drawing wishes and moving are not included, nor is the time between launches.
    pub kernels: Vec<(&'static str, Vec<f64>)>,
}

impl KernelTimes {
    /// Seconds per move of all kernels with these names together; `None` if one did not run.
    pub fn times(&self, names: &[&str]) -> Option<Times> {
        let of_kernel = |name: &&str| Some(&self.kernels.iter().find(|(kernel, _)| kernel == name)?.1);
        let of_kernels = names.iter().map(of_kernel).collect::<Option<Vec<_>>>()?;
        let runs = of_kernels.first()?.len();
        Some(Times::of((0..runs).map(|run| of_kernels.iter().map(|seconds| seconds[run]).sum()).collect()))
    }

    /// Time of a kernel as a fraction of the sum over all kernels, from medians.
    pub fn share(&self, kernel: &str) -> Option<f64> {
        let median = |name: &str| Some(self.times(&[name])?.median());
        let total: f64 = self.kernels.iter().filter_map(|(name, _)| median(name)).sum();
        Some(median(kernel)? / total)
    }
}

#[cfg(feature = "gpu")]
pub(super) use on_device::measure;

#[cfg(feature = "gpu")]
mod on_device {
    use std::collections::BTreeMap;

    use throng_device::Device;
    use throng_model::Failure;

    use super::{KernelTimes, Method, Times};
    use crate::vigueras::cases::Options;
    use crate::vigueras::crowd::{Crowd, Moves};
    use crate::vigueras::device::DeviceCrowd;

    /// Times every launch of a program in several runs. The first step, which compiles the kernels, is not timed.
    ///
    /// # Errors
    /// If the device fails or the crowd does not fit.
    pub fn measure(
        device: &Device,
        crowd: &Crowd,
        moves: Moves,
        options: &Options,
        method: Method,
    ) -> Result<KernelTimes, Failure> {
        // Another handle of the device, so that the launches of other programs are not timed.
        let mut timed = device.info().open()?;
        timed.time_launches(1)?;
        let mut crowd = DeviceCrowd::new(&timed, crowd, moves, options.seed, method)?;
        crowd.run(1)?;
        let mut runs: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
        for run in 0..options.repeat {
            let before = timed.ledger();
            crowd.run(options.moves)?;
            for (label, phase) in timed.ledger().phases {
                let earlier = before.phases.get(label).copied().unwrap_or_default();
                if phase.timed == earlier.timed {
                    continue;
                }
                if let Some(kernel) = kernel_of(label) {
                    let seconds =
                        phase.timed_for.saturating_sub(earlier.timed_for).as_secs_f64() / f64::from(options.moves);
                    runs.entry(kernel).or_insert_with(|| vec![0.0; options.repeat])[run] += seconds;
                }
            }
        }
        let mut kernels: Vec<_> = runs.into_iter().collect();
        let median = |seconds: &[f64]| Times::of(seconds.to_vec()).median();
        kernels.sort_by(|(_, a), (_, b)| median(b).total_cmp(&median(a)));
        Ok(KernelTimes { method, kernels })
    }

    /// The kernel to which a launch belongs; `None` if it is not part of a check.
    fn kernel_of(label: &'static str) -> Option<&'static str> {
        match label.split_once(": ")? {
            ("vigueras", "wish" | "move") => None,
            ("vigueras", kernel) => Some(kernel),
            ("sort" | "scan", _) => Some("sort"),
            _ => None,
        }
    }

    #[cfg(test)]
    mod tests {
        use throng_testing_devices::devices;

        use super::*;
        use crate::vigueras::method::OPTIMISED;

        #[test]
        fn all_launches_of_a_sort_are_one_kernel() {
            let labels =
                ["vigueras: wish", "vigueras: move", "timing", "vigueras: find cells", "sort: split", "scan: write"];
            assert_eq!(labels.map(kernel_of), [None, None, None, Some("find cells"), Some("sort"), Some("sort")]);
        }

        #[test]
        fn all_kernels_of_a_check_are_timed_in_each_run() {
            let crowd = Crowd::new(700, 0.3, 1).unwrap();
            let options = Options { moves: 3, repeat: 2, ..Options::default() };
            for device in devices() {
                for (method, expected) in [
                    (Method::Baseline, vec!["check", "clear cells", "find cells", "hash", "reorder", "sort"]),
                    (OPTIMISED, vec!["check", "clear cells", "hash", "reorder and find cells", "sort"]),
                    (Method::AtomicGrid, vec!["check", "clear cells", "insert"]),
                ] {
                    let found = measure(device, &crowd, crowd.moves(1_024), &options, method).unwrap();
                    let mut names: Vec<&str> = found.kernels.iter().map(|(name, _)| *name).collect();
                    names.sort_unstable();
                    assert_eq!(names, expected);
                    assert!(found.kernels.iter().all(|(_, seconds)| seconds.len() == 2));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_sum_of_all_kernels() {
        let kernels = vec![("check", vec![3.0, 1.0, 9.0]), ("sort", vec![1.0, 2.0, 0.5])];
        let found = KernelTimes { method: Method::Baseline, kernels };
        assert_eq!((found.share("sort"), found.share("check"), found.share("hash")), (Some(0.25), Some(0.75), None));
        assert_eq!(found.times(&["check", "sort"]), Some(Times::of(vec![3.0, 4.0, 9.5])));
        assert_eq!(found.times(&["check", "hash"]), None);
    }
}
