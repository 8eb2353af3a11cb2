//! The options of a run and the result of an executor.

use throng_core::{NoProgress, Progress};

use throng_traffic_scenario::{HashAt, RunStats, VolumeBin};

/// Options of a run, apart from the settings of the scenario.
pub struct RunOptions<'a> {
    /// Number of threads, at least 1. The result does not depend on it.
    pub threads: usize,
    /// Maximum number of steps, including those that are skipped because nothing is due.
    pub max_steps: Option<u64>,
    /// Interval, in steps, at which a state hash is delivered to the sink; 0 for never.
    pub hash_every: u64,
    /// Bin length, in seconds, for counting the vehicles that leave each link, which costs far less than events. If it
    /// is not positive, there is one bin for the whole run.
    pub volume_bin_s: Option<f64>,
    /// Receives progress reports.
    pub progress: &'a dyn Progress,
    /// In every step, visit each link that is not empty, as MATSim does, instead of letting links sleep until something
    /// is due. The result is the same; for tests.
    pub eager: bool,
    /// How a device distributes a step. The result is the same; for tests.
    pub device_threads: DeviceThreads,
    /// Use all threads even in steps with so little work that a single thread is faster. The result is the same; for
    /// tests.
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

/// How a device distributes the work of a step among its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceThreads {
    /// The fastest way: a persistent kernel with many steps per launch if many cubes run concurrently, else one launch
    /// for each half of a step, with few threads on software devices.
    #[default]
    Automatic,
    /// One launch for each half of a step, with one thread per node and link, even on software devices.
    PerEntity,
    /// A persistent kernel with many steps per launch. It uses as many cubes as are guaranteed to run concurrently,
    /// even if that is only one.
    Persistent,
}

/// Counters, times and link volumes of a finished run.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// Counters.
    pub stats: RunStats,
    /// Number of threads used.
    pub threads: usize,
    /// The reason if fewer threads were used than requested.
    pub threads_note: Option<&'static str>,
    /// Wall-clock seconds before the first step; on a device, for packing and copying the scenario and compiling
    /// kernels.
    pub preparation_s: f64,
    /// Time of the first step, seconds of the day.
    pub start_time: f64,
    /// Time of the last step, seconds of the day.
    pub end_time: f64,
    /// The last state hash delivered to the sink, if hashes were requested.
    pub last_hash: Option<HashAt>,
    /// Link volumes by time bin, if they were requested; empty bins are omitted.
    pub link_volumes: Vec<VolumeBin>,
    /// Number of agents who would wait forever, e.g. for a vehicle that never comes or behind a link without capacity.
    pub waiting_for_ever: u64,
    /// Number of passengers in vehicles of public transport at the end of the run, and of such vehicles at stops beside
    /// the road. As in MATSim, they have no event.
    pub unreported: [u64; 2],
}
