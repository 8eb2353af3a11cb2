//! The options of a run, and what an executor returns.

use throng_core::{NoProgress, Progress};

use throng_traffic_scenario::{HashAt, RunStats, VolumeBin};

/// How to run a scenario, apart from its settings.
pub struct RunOptions<'a> {
    /// Threads, at least 1. The result does not depend on it.
    pub threads: usize,
    /// Stop after this many steps, counted with those that are skipped because nothing is due.
    pub max_steps: Option<u64>,
    /// Hand the state hash of every this many steps to the sink; 0 never.
    pub hash_every: u64,
    /// Count the vehicles that leave each link in bins of so many seconds, which costs far less than events. Where that is
    /// not above 0, in one bin for the whole run.
    pub volume_bin_s: Option<f64>,
    /// Told how far the run is.
    pub progress: &'a dyn Progress,
    /// Visit each link that is not empty in every step, as MATSim does, instead of letting it sleep until something is
    /// due. The result is the same; for tests.
    pub eager: bool,
    /// How a device shares out a step. The result is the same; for tests.
    pub device_threads: DeviceThreads,
    /// Share out even steps in which there is so little to do that one thread alone is faster. The result is the same;
    /// for tests.
    pub always_shared: bool,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            threads: 1,
            max_steps: None,
            hash_every: 0,
            volume_bin_s: None,
            progress: &NoProgress,
            eager: false,
            device_threads: DeviceThreads::Automatic,
            always_shared: false,
        }
    }
}

/// How a device shares out the work of a step among its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceThreads {
    /// As is fastest: many steps in one launch where many cubes run at once, otherwise a launch for each half of a step,
    /// on devices in software with a few threads.
    #[default]
    Automatic,
    /// A launch for each half of a step, with a thread for each node and link, on devices in software too.
    PerEntity,
    /// Many steps in one launch, by as many cubes as surely run at once, even if that is one.
    Persistent,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// Counters.
    pub stats: RunStats,
    /// Threads that were used.
    pub threads: usize,
    /// Why fewer threads than asked for were used.
    pub threads_note: Option<&'static str>,
    /// Wall-clock seconds before the first step: on a device packing and copying the scenario and compiling kernels.
    pub preparation_s: f64,
    /// Time of the first step, seconds of the day.
    pub start_time: f64,
    /// Time of the last step, seconds of the day.
    pub end_time: f64,
    /// The last of the state hashes that the sink has got, where they were asked for.
    pub last_hash: Option<HashAt>,
    /// Link volumes by time bin, where they were asked for; bins without any are left out.
    pub link_volumes: Vec<VolumeBin>,
    /// Agents who would have waited for ever: for a vehicle that never came, or behind a link without capacity.
    pub waiting_for_ever: u64,
}
