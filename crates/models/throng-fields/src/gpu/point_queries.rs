//! Queries to a field on its device: best cells of windows, values and slopes at points. The answers stay on the
//! device.

use std::sync::Arc;

use throng_core::InputError;
use throng_device::{Buffer, Device, Error, KernelParameter};
use throng_fields_core::NEGATIVE_ZERO;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::field::Field;
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::dynamic_field::DynamicFieldOnDevice;
use super::kernels::{
    self, Around, BEST_WORDS, BLOCK_WORDS, PointsBuffers, Raster, TILE_COLUMNS, UNIT_ROWS, UNITS, sample_points,
    slopes_at_points,
};
use super::windows::best_of_tiles;
use crate::live::{Deferred, Window};

/// Rows of cells that each unit reads, chosen so that tiles are squares.
const ROWS: u32 = TILE_COLUMNS / UNIT_ROWS;

/// The tiles of all windows, grouped by window.
struct Blocks {
    words: Vec<u32>,
    /// The first tile of each window, plus one entry for the end.
    first: Vec<usize>,
    /// Number of best cells that each tile returns.
    of_tile: u32,
}

impl Blocks {
    fn new(grid: &Grid, windows: &[Window], wanted: usize) -> Self {
        let (mut words, mut first) = (Vec::new(), vec![0]);
        let mut largest = 0;
        for window in windows {
            if let Some(cells) = window.cells_on(grid) {
                let (counted, layers) = window.layers().map_or((0, 0), |layers| (1, layers));
                for top in (cells.rows.0..cells.rows.1).step_by(TILE_COLUMNS as usize) {
                    for left in (cells.columns.0..cells.columns.1).step_by(TILE_COLUMNS as usize) {
                        let (right, bottom) =
                            ((left + TILE_COLUMNS).min(cells.columns.1), (top + TILE_COLUMNS).min(cells.rows.1));
                        largest = largest.max((right - left) * (bottom - top));
                        words.extend([left, top, right, bottom, counted, layers]);
                    }
                }
            }
            first.push(words.len() / BLOCK_WORDS as usize);
        }
        // A tile has no more cells than `largest`.
        let of_tile = u32::try_from(wanted).unwrap_or(u32::MAX).min(largest);
        Self { words, first, of_tile }
    }

    fn count(&self) -> usize {
        self.words.len() / BLOCK_WORDS as usize
    }
}

/// Finds the best cells of windows.
pub(crate) fn best_in(
    device: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    windows: &[Window],
    wanted: usize,
) -> Result<Deferred<Vec<Vec<Best>>>, Error> {
    let blocks = Blocks::new(kept.grid(), windows, wanted);
    let best = best_in_blocks(device, kept, windows, &blocks)?;
    let (columns, Blocks { first, of_tile, .. }) = (kept.grid().columns(), blocks);
    let decode = move |words: &[u32]| best_of_tiles(words, &first, (of_tile as usize, wanted), |_| columns);
    Ok(Deferred::on_device(device, best, decode))
}

#[allow(unsafe_code)]
fn best_in_blocks(
    device: &Device,
    kept: &DynamicFieldOnDevice,
    windows: &[Window],
    blocks: &Blocks,
) -> Result<Buffer<u32>, Error> {
    let (grid, entities) = (kept.grid(), kept.entities());
    let (tiles, wanted) = (blocks.count(), blocks.of_tile);
    let words = tiles as u64 * u64::from(wanted) * u64::from(BEST_WORDS);
    if words > u64::from(u32::MAX) || blocks.words.len() as u64 > u64::from(u32::MAX) {
        let remedy =
            format!("fewer than 2^31 fit into one result of {tiles} tiles: request fewer cells or windows at a time");
        return Err(InputError::one("windows, best cells of each tile", wanted, remedy).into());
    }
    let best = device.empty("best cells", words as usize)?;
    if words == 0 {
        return Ok(best);
    }
    let block_words = device.upload("windows", &blocks.words)?;
    let how = entities.how(device, ROWS, windows.iter().any(|window| window.layers().is_some()));
    let raster = Raster {
        columns: grid.columns(),
        rows: grid.rows(),
        // Tiles of windows do not form rows.
        tile_columns: 0,
        tiles: tiles as u32,
        step: entities.fixed_point.map_or(0.0, FixedPoint::step),
        zero: NEGATIVE_ZERO,
    };
    device.launch_cubes("best cells", tiles as u32, UNITS, |client, cubes, dim| {
        // SAFETY: the kernel reads tiles below their number, which their buffers contain, and all entities, with tables
        // at offsets that were packed with them. It reads only those cells of the field that are in tiles, which are
        // within the grid. It writes at most as many cells per tile as there is room for.
        unsafe {
            kernels::best_in_blocks::launch_unchecked(
                client,
                cubes,
                dim,
                entities.arg(),
                kernels::FieldBlocksBuffers { field: kept.values(), words: &block_words }.arg(),
                best.arg(),
                raster.arg(),
                wanted,
                how,
            );
        };
    })?;
    Ok(best)
}

/// The values at points with finite coordinates.
pub(crate) fn sample(
    device: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    points: &[[f64; 2]],
) -> Result<Deferred<Vec<f32>>, Error> {
    let count = points.len();
    let samples = at_points(device, kept, points, false)?;
    let decode = move |words: &[u32]| words[..count].iter().map(|&word| f32::from_bits(word)).collect();
    Ok(Deferred::on_device(device, samples, decode))
}

/// The slopes at points with finite coordinates.
pub(crate) fn gradients(
    device: &Arc<Device>,
    kept: &DynamicFieldOnDevice,
    points: &[[f64; 2]],
) -> Result<Deferred<Vec<[f32; 2]>>, Error> {
    let (count, cell) = (points.len(), kept.grid().cell());
    let slopes = at_points(device, kept, points, true)?;
    // Divide on the host: devices may round divisions differently from the CPU.
    let decode = move |words: &[u32]| {
        let (slopes, _) = words[..2 * count].as_chunks::<2>();
        slopes.iter().map(|slope| slope.map(|word| f32::from_bits(word) / cell)).collect()
    };
    Ok(Deferred::on_device(device, slopes, decode))
}

/// The values at points, or the slopes per cell along x and y.
fn at_points(
    device: &Device,
    kept: &DynamicFieldOnDevice,
    points: &[[f64; 2]],
    are_slopes: bool,
) -> Result<Buffer<u32>, Error> {
    let (grid, count) = (kept.grid(), points.len());
    let (mut cells, mut shares) = (Vec::with_capacity(count), Vec::with_capacity(2 * count));
    for ([column, row], of_next) in points.iter().filter_map(|&point| grid.between(point)) {
        cells.push(grid.index(column, row) as u32);
        shares.extend(of_next);
    }
    let around = Around {
        right: u32::from(grid.columns() > 1),
        down: if grid.rows() > 1 { grid.columns() } else { 0 },
        count: count as u32,
        zero: NEGATIVE_ZERO,
    };
    let (cells, shares) = (device.upload("points: cells", &cells)?, device.upload("points: shares", &shares)?);
    let label = if are_slopes { "slopes" } else { "samples" };
    let found = device.empty::<f32>(label, if are_slopes { 2 * count } else { count })?;
    let points = PointsBuffers { field: kept.values(), cells: &cells, shares: &shares };
    device.launch(label, count, |client, cubes, dim| {
        let (points, found) = (points.arg(), found.arg());
        if are_slopes {
            slopes_at_points::launch(client, cubes, dim, points, found, around.arg());
        } else {
            sample_points::launch(client, cubes, dim, points, found, around.arg());
        }
    })?;
    Ok(found.words())
}

/// Returns the whole field without waiting for the copy.
pub(crate) fn read_later(device: &Arc<Device>, kept: &DynamicFieldOnDevice) -> Deferred<Field> {
    let grid = *kept.grid();
    let decode = move |words: &[u32]| Field::new(grid, words.iter().map(|&word| f32::from_bits(word)).collect());
    Deferred::on_device(device, kept.values().words(), decode)
}
