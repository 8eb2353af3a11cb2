//! All programs at all depths, in one run.

use std::time::Instant;

use thiserror::Error;
use throng_core::{NoThread, Progress};
use throng_device::{Device, DeviceError};
use throng_games::kalah::rules::word::Word;
use throng_games::kalah::rules::{Position, Variant};
use throng_games::kalah::{Board, Game, Side, unpruned};
use throng_model::Failure;

use super::super::median::median;
use super::layers::{LARGEST_BATCH, Split, Tiles, search};
use super::method::Method;
use super::published::{SPLIT_DEPTH, SPLITS};
use super::sequential::sequential;
use super::tile::CpuTiles;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Depths of the search.
    pub depths: Vec<u32>,
    /// The depth at which splits are compared; none if it is 0.
    pub split_depth: u32,
    /// Runs of each program; the median counts.
    pub repeat: usize,
    /// A program that took longer at a depth is not measured at greater ones, seconds.
    pub longest_s: f64,
    /// Threads of the CPU.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { depths: (4..=13).collect(), split_depth: SPLIT_DEPTH, repeat: 3, longest_s: 120.0, threads: 1 }
    }
}

/// What can go wrong with the experiment.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum KalahError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// No threads could be started.
    #[error(transparent)]
    NoThread(#[from] NoThread),
    /// A program is wrong.
    #[error("{program} finds {found} at depth {depth}, and not {expected}")]
    Differs {
        /// Which one.
        program: &'static str,
        /// Where.
        depth: u32,
        /// Value and pit that it finds.
        found: String,
        /// Value and pit of the other programs.
        expected: String,
    },
}

impl From<KalahError> for Failure {
    fn from(error: KalahError) -> Self {
        match error {
            KalahError::Device(error) => error.into(),
            KalahError::NoThread(error) => error.into(),
            error @ KalahError::Differs { .. } => {
                Self::resource(error.to_string(), "this is a defect of the program or of the device")
            }
        }
    }
}

/// A measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The depth of the search.
    pub depth: u32,
    /// By which program.
    pub method: Method,
    /// Seconds of each run, ascending.
    pub seconds: Vec<f64>,
    /// Seconds in tiles, of the run with the median; the rest is that of the two traversals. 0 for programs without tiles.
    pub in_tiles_s: f64,
}

/// A measurement of the layered search with another split.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitRow {
    /// Moves by recursion and by the two traversals.
    pub pre: u32,
    /// See `pre`.
    pub seq: u32,
    /// Whether tiles are searched on the device.
    pub on_device: bool,
    /// Seconds of each run, ascending.
    pub seconds: Vec<f64>,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// What was asked for.
    pub options: Options,
    /// Id and name of the device, where there is one.
    pub device: Option<String>,
    /// Boards of the whole tree, by depth.
    pub nodes: Vec<(u32, u64)>,
    /// Depth by depth.
    pub rows: Vec<Row>,
    /// The table of splits.
    pub splits: Vec<SplitRow>,
}

impl Measurements {
    /// The median of a program at a depth, seconds.
    pub fn seconds(&self, depth: u32, method: Method) -> Option<f64> {
        Some(median(&self.row(depth, method)?.seconds))
    }

    /// The measurement of a program at a depth.
    pub fn row(&self, depth: u32, method: Method) -> Option<&Row> {
        self.rows.iter().find(|row| row.depth == depth && row.method == method)
    }

    /// The share of the time of the layered search at a depth that is spent in tiles.
    pub fn share_in_tiles(&self, depth: u32, method: Method) -> Option<f64> {
        let row = self.row(depth, method)?;
        (row.in_tiles_s > 0.0).then(|| row.in_tiles_s / median(&row.seconds))
    }

    /// Boards of the whole tree to a depth.
    pub fn nodes(&self, depth: u32) -> Option<u64> {
        self.nodes.iter().find(|(of, _)| *of == depth).map(|(_, nodes)| *nodes)
    }
}

/// What a search finds: the value for the upper player, and the pit.
type Best = (i32, Option<u32>);

/// A run of a program.
struct Run {
    best: Best,
    in_tiles_s: f64,
}

impl Run {
    /// Of a program without tiles.
    fn whole(best: Best) -> Self {
        Self { best, in_tiles_s: 0.0 }
    }
}

/// Tiles whose time is added up.
struct Timed<T> {
    tiles: T,
    seconds: f64,
}

impl<W: Word, T: Tiles<W>> Tiles<W> for Timed<T> {
    type Error = T::Error;

    fn values(&mut self, boards: &[Position<W>]) -> Result<Vec<i32>, T::Error> {
        let since = Instant::now();
        let values = self.tiles.values(boards);
        self.seconds += since.elapsed().as_secs_f64();
        values
    }
}

/// The layered search from the start.
fn layered<T: Tiles<u32>>(start: &Board, split: Split, variant: Variant, tiles: T) -> Result<Run, T::Error> {
    let mut tiles = Timed { tiles, seconds: 0.0 };
    let (value, pit) = search::<u32, _>(start.packed(variant), split, LARGEST_BATCH, variant, &mut tiles)?;
    Ok(Run { best: (value * start.to_move().sign(), pit), in_tiles_s: tiles.seconds })
}

/// Measures all programs. Each one's value and move are compared with those of Throng's search on the CPU.
///
/// # Errors
/// When the device fails, threads are refused, or a program is wrong.
pub fn reproduce(
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Measurements, KalahError> {
    let start = Game::new(6, 4).expect("a game of these sizes exists").start(Side::Top);
    let pool = throng_core::thread_pool(options.threads)?;
    let mut measurements = Measurements {
        options: options.clone(),
        device: device.map(|device| device.info().label()),
        nodes: Vec::new(),
        rows: Vec::new(),
        splits: Vec::new(),
    };
    progress.begin("all programs at all depths", Some(options.depths.len() as u64), "depths");
    for (i, &depth) in options.depths.iter().enumerate() {
        let Some(split) = Split::of_depth(depth) else { continue };
        progress.at(i as u64, &format!("depth {depth}"));
        let found = pool.install(|| unpruned::search(&start, depth));
        measurements.nodes.push((depth, found.nodes));
        let expected = (found.value, found.pit);
        for method in Method::ALL.into_iter().filter(|method| device.is_some() || !method.is_on_device()) {
            let is_too_slow = |row: &Row| row.method == method && median(&row.seconds) > options.longest_s;
            if measurements.rows.iter().any(is_too_slow) {
                continue;
            }
            let run = || match method {
                Method::Sequential => Ok(Run::whole(sequential(&start, depth))),
                Method::CpuTiles => Ok(pool.install(|| on_cpu(&start, split))),
                Method::Cpu => {
                    let found = pool.install(|| unpruned::search(&start, depth));
                    Ok(Run::whole((found.value, found.pit)))
                }
                Method::DeviceTiles => tiles_on(device, &start, split),
                Method::Device => search_on(device, &start, depth),
            };
            let (seconds, in_tiles_s) = timed(options, method.name(), depth, expected, method.is_on_device(), run)?;
            measurements.rows.push(Row { depth, method, seconds, in_tiles_s });
        }
    }
    progress.end();
    measurements.splits = splits(device, options, &start, &pool, progress)?;
    Ok(measurements)
}

/// Seconds of the runs of a program, ascending, and those in tiles of the median one. A run on a device comes first that
/// compiles its kernels.
fn timed(
    options: &Options,
    program: &'static str,
    depth: u32,
    expected: Best,
    warms_up: bool,
    run: impl Fn() -> Result<Run, KalahError>,
) -> Result<(Vec<f64>, f64), KalahError> {
    if warms_up {
        run()?;
    }
    let mut runs = Vec::new();
    for _ in 0..options.repeat {
        let since = Instant::now();
        let Run { best: found, in_tiles_s } = run()?;
        runs.push((since.elapsed().as_secs_f64(), in_tiles_s));
        if found != expected {
            let [found, expected] = [found, expected].map(|(value, pit)| format!("{value}, pit {pit:?}"));
            return Err(KalahError::Differs { program, depth, found, expected });
        }
        if runs[0].0 > 10.0 {
            break;
        }
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let in_tiles_s = runs[runs.len() / 2].1;
    Ok((runs.into_iter().map(|(seconds, _)| seconds).collect(), in_tiles_s))
}

/// The layered search with other splits, all of the same depth.
fn splits(
    device: Option<&Device>,
    options: &Options,
    start: &Board,
    pool: &rayon::ThreadPool,
    progress: &dyn Progress,
) -> Result<Vec<SplitRow>, KalahError> {
    let mut rows = Vec::new();
    let depth = options.split_depth;
    let Some(whole) = Split::of_depth(depth) else { return Ok(rows) };
    let found = pool.install(|| unpruned::search(start, depth));
    let all = SPLITS.map(|(pre, ..)| (pre, (whole.depth() - super::tree_array::PLIES).checked_sub(pre)));
    progress.begin("splits", Some(all.len() as u64), "splits");
    for (i, (pre, seq)) in all.into_iter().enumerate() {
        progress.at(i as u64, "");
        let Some(seq) = seq else { continue };
        let Some(split) = Split::new(pre, seq) else { continue };
        let run = || match device {
            Some(_) => tiles_on(device, start, split),
            None => Ok(pool.install(|| on_cpu(start, split))),
        };
        let expected = (found.value, found.pit);
        let (seconds, _) = timed(options, "the layered search", depth, expected, device.is_some(), run)?;
        rows.push(SplitRow { pre, seq, on_device: device.is_some(), seconds });
    }
    progress.end();
    Ok(rows)
}

/// The layered search with tiles on the CPU.
fn on_cpu(start: &Board, split: Split) -> Run {
    let variant = start.game().narrow(5);
    let Ok(run) = layered(start, split, variant, CpuTiles { variant });
    run
}

#[cfg(feature = "gpu")]
fn tiles_on(device: Option<&Device>, start: &Board, split: Split) -> Result<Run, KalahError> {
    use super::device::DeviceTiles;

    let Some(device) = device else { return Ok(Run::whole((0, None))) };
    let variant = start.game().narrow(5);
    let run = { layered(start, split, variant, DeviceTiles { device, variant }) }?;
    Ok(run)
}

#[cfg(feature = "gpu")]
fn search_on(device: Option<&Device>, start: &Board, depth: u32) -> Result<Run, KalahError> {
    let Some(device) = device else { return Ok(Run::whole((0, None))) };
    let found = unpruned::search_on(device, start, depth)?;
    Ok(Run::whole((found.value, found.pit)))
}

/// The programs of a device, which this build does not have.
#[cfg(not(feature = "gpu"))]
fn tiles_on(device: Option<&Device>, _: &Board, _: Split) -> Result<Run, KalahError> {
    device.map_or(Ok(Run::whole((0, None))), |device| Err(device.no_kernels("throng-papers").into()))
}

#[cfg(not(feature = "gpu"))]
fn search_on(device: Option<&Device>, _: &Board, _: u32) -> Result<Run, KalahError> {
    device.map_or(Ok(Run::whole((0, None))), |device| Err(device.no_kernels("throng-papers").into()))
}
