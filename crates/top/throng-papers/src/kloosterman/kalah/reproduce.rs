//! Measures all programs at all depths in one run.

use std::time::Instant;

use throng_core::{InputError, Progress};
use throng_device::{Device, with_kernels};
use throng_games::kalah::rules::word::Word;
use throng_games::kalah::rules::{Position, Variant};
use throng_games::kalah::{Board, Game, Side, unpruned};
use throng_model::Failure;
use throng_model::flags::Flags;

#[cfg(feature = "gpu")]
use super::device::DeviceTiles;
use super::layers::{MAX_BATCH, Split, Tiles, search};
use super::method::Method;
use super::published::{SPLIT_DEPTH, SPLITS};
use super::sequential::{parallel, sequential};
use super::tile::CpuTiles;
use super::tree_array::PLIES;
use crate::experiment::flags::{number, numbers, runs, threads};
use crate::experiment::{MIN_RUNS, Row, Rows, Times, defect, label, options, repeated};

/// A search with a run longer than this makes only three runs, seconds.
const LONG_S: f64 = 10.0;

options! {
    /// Options of the experiment.
    Options, FLAGS {
        depths: Vec<u32> = (4..=13).collect(); quick (4..=8).collect(),
            list "depths" "N,..." "Depths of the search [default: 4,5,...,13]" depths;
        split_depth: u32 = SPLIT_DEPTH; quick 9,
            new "split-depth" "N" "Depth of the table of splits; 0 leaves the table out [default: 13]" split_depth;
        longest_s: f64 = 120.0,
            new "longest" "S"
            "Seconds after which a program is not measured at greater depths or with more spheres [default: 120]"
            number(0.0..=86_400.0);
        repeat: usize = 5; quick 3,
            new "repeat" "N"
            "Runs of each search; reports the median. Searches that take over 10 s run at most three times [default: 5]" runs;
        threads: usize = 1, new "threads" "N" "Threads of the CPU [default: all]" threads;
    }
    also {}
    fixed {}
}

/// Maximum search depth, with about 45 billion boards.
const MAX_DEPTH: u32 = 15;

fn depths(flags: &Flags, name: &str, default: Vec<u32>) -> Result<Vec<u32>, InputError> {
    let mut depths = numbers(4..=MAX_DEPTH)(flags, name, default)?;
    depths.sort_unstable();
    Ok(depths)
}

fn split_depth(flags: &Flags, name: &str, default: u32) -> Result<u32, InputError> {
    let depth = number(0..=MAX_DEPTH)(flags, name, default)?;
    if (1..4).contains(&depth) {
        let remedy = format!("give 0 for no table, or a depth from 4 to {MAX_DEPTH}");
        return Err(InputError::one("--split-depth", depth.to_string(), remedy));
    }
    Ok(depth)
}

/// Seconds spent in tiles in the median run, `None` for programs without tiles; the two traversals take the rest
/// of the time.
pub type InTiles = Option<f64>;

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct KalahMeasurements {
    /// The requested options.
    pub options: Options,
    /// Id and name of the device; `None` without one.
    pub device: Option<String>,
    /// Pairs of a depth and the number of boards in the whole tree.
    pub nodes: Vec<(u32, u64)>,
    /// Measurements, by depth.
    pub rows: Rows<u32, Method, InTiles>,
    /// Measurements of the layered search with other splits; the flag is whether tiles are searched on the device.
    pub splits: Rows<Split, bool>,
}

impl KalahMeasurements {
    /// Fraction of the time of the layered search at a depth that is spent in tiles.
    pub fn share_in_tiles(&self, depth: u32, method: Method) -> Option<f64> {
        let row = self.rows.row(depth, method)?;
        Some(row.figures? / row.times.median())
    }

    /// Number of boards in the whole tree of a depth.
    pub fn nodes(&self, depth: u32) -> Option<u64> {
        self.nodes.iter().find(|(of, _)| *of == depth).map(|(_, nodes)| *nodes)
    }
}

/// The result of a search (the value for the upper player and the pit), and its seconds in tiles.
type Run = ((i32, Option<u32>), InTiles);

/// Accumulates the time spent in tiles.
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

/// Runs the layered search from the initial board.
fn layered<T: Tiles<u32>>(start: &Board, split: Split, variant: Variant, tiles: T) -> Result<Run, T::Error> {
    let mut tiles = Timed { tiles, seconds: 0.0 };
    let (value, pit) = search::<u32, _>(start.packed(variant), split, MAX_BATCH, variant, &mut tiles)?;
    Ok(((value * start.to_move().sign(), pit), Some(tiles.seconds)))
}

/// Measures all programs. The value and move of each are compared with Throng's search on the CPU.
///
/// # Errors
/// If the device fails, threads cannot be created, or a program is wrong.
pub fn reproduce(
    device: Option<&Device>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<KalahMeasurements, Failure> {
    let start = &Game::new(6, 4).expect("a game of these sizes exists").start(Side::Top);
    let pool = throng_core::thread_pool(options.threads)?;
    let (mut nodes, mut rows, mut splits) = (Vec::new(), Rows::default(), Rows::default());
    progress.begin("all programs at all depths", Some(options.depths.len() as u64), "depths");
    for (i, &depth) in options.depths.iter().enumerate() {
        let Some(split) = Split::of_depth(depth) else { continue };
        progress.at(i as u64, &format!("depth {depth}"));
        let found = pool.install(|| unpruned::search_on_cpu(start, depth));
        nodes.push((depth, found.nodes));
        let task = Task { start, depth, expected: (found.value, found.pit), pool: &pool, device };
        for method in Method::ALL.into_iter().filter(|method| device.is_some() || !method.is_on_device()) {
            if rows.is_too_slow(method, options.longest_s) {
                continue;
            }
            let (times, figures) = task.timed(options.repeat, method.name(), method, split)?;
            rows.0.push(Row { case: depth, program: method, times, figures });
        }
    }
    progress.end();
    let depth = options.split_depth;
    if let Some(below) = depth.checked_sub(PLIES).filter(|&below| below > 0) {
        let found = pool.install(|| unpruned::search_on_cpu(start, depth));
        let task = Task { start, depth, expected: (found.value, found.pit), pool: &pool, device };
        let method = if device.is_some() { Method::DeviceTiles } else { Method::CpuTiles };
        progress.begin("splits", Some(SPLITS.len() as u64), "splits");
        for (i, (pre, ..)) in SPLITS.into_iter().enumerate() {
            progress.at(i as u64, "");
            let Some(split) = below.checked_sub(pre).and_then(|seq| Split::new(pre, seq)) else { continue };
            let (times, _) = task.timed(options.repeat, "the layered search", method, split)?;
            splits.0.push(Row { case: split, program: device.is_some(), times, figures: () });
        }
        progress.end();
    }
    Ok(KalahMeasurements { options: options.clone(), device: label(device), nodes, rows, splits })
}

/// A depth, and the result expected of every program.
struct Task<'a> {
    start: &'a Board,
    depth: u32,
    expected: (i32, Option<u32>),
    pool: &'a rayon::ThreadPool,
    device: Option<&'a Device>,
}

impl Task<'_> {
    /// Returns the times of a program, and the seconds in tiles of the median run. On a device, an untimed run first
    /// compiles the kernels.
    fn timed(&self, repeat: usize, name: &str, method: Method, split: Split) -> Result<(Times, InTiles), Failure> {
        if method.is_on_device() {
            self.run(method, split)?;
        }
        let mut runs = Vec::new();
        let times = repeated(
            repeat,
            |seconds| seconds[0] > LONG_S && seconds.len() >= MIN_RUNS,
            || {
                let since = Instant::now();
                let (found, in_tiles_s) = self.run(method, split)?;
                let seconds = since.elapsed().as_secs_f64();
                if found != self.expected {
                    let [found, expected] = [found, self.expected].map(|(value, pit)| format!("{value}, pit {pit:?}"));
                    return Err(defect(format!("{name} finds {found} at depth {}, and not {expected}", self.depth)));
                }
                runs.push((seconds, in_tiles_s));
                Ok(seconds)
            },
        )?;
        let of_median = runs.iter().find(|(seconds, _)| *seconds == times.median());
        let in_tiles_s = of_median.and_then(|(_, in_tiles_s)| *in_tiles_s);
        Ok((times, in_tiles_s))
    }

    fn run(&self, method: Method, split: Split) -> Result<Run, Failure> {
        let Self { start, depth, .. } = *self;
        let variant = start.game().narrow(5);
        match (method, self.device) {
            (Method::Sequential, _) => Ok((sequential(start, depth), None)),
            (Method::Parallel, _) => Ok((self.pool.install(|| parallel(start, depth)), None)),
            (Method::CpuTiles, _) => {
                let Ok(run) = self.pool.install(|| layered(start, split, variant, CpuTiles { variant }));
                Ok(run)
            }
            (Method::Cpu, _) => {
                let found = self.pool.install(|| unpruned::search_on_cpu(start, depth));
                Ok(((found.value, found.pit), None))
            }
            (_, Some(device)) => with_kernels!("throng-papers", device, |device| {
                if method == Method::DeviceTiles {
                    return Ok(layered(start, split, variant, DeviceTiles { device, variant })?);
                }
                let found = unpruned::search_on_device(device, start, depth)?;
                Ok(((found.value, found.pit), None))
            }),
            (_, None) => Err(Failure::input("device", method.name(), "this program needs a device")),
        }
    }
}
