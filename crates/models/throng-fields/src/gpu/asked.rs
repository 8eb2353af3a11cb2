//! Queries to a field on its device: best cells of blocks, values and slopes at points. Answers stay on the device.

use throng_core::ValueError;
use throng_device::{Backend, Buffer, Device, DeviceError, GpuError, KernelParameter};
use throng_fields_core::NEGATIVE_ZERO;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::kept::KeptOnDevice;
use super::kernels::{
    self, Around, BEST_WORDS, BLOCK_WORDS, How, Raster, TILE_COLUMNS, UNIT_ROWS, UNITS, sample_points, slopes_at_points,
};
use crate::live::{Places, Window};

/// Rows of cells that each unit reads: tiles are squares.
const ROWS: u32 = TILE_COLUMNS / UNIT_ROWS;

/// Tiles of windows, and which of them belong to each window.
pub(crate) struct Blocks {
    words: Vec<u32>,
    /// The first tile of each window, and one entry more.
    first: Vec<usize>,
    /// Cells that each tile finds.
    of_tile: u32,
    wanted: usize,
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
        // A tile has no more.
        let of_tile = u32::try_from(wanted).unwrap_or(u32::MAX).min(largest);
        Self { words, first, of_tile, wanted }
    }

    fn count(&self) -> usize {
        self.words.len() / BLOCK_WORDS as usize
    }

    /// The best cells of each window, from the words of a device for its tiles.
    pub fn decode(&self, grid: &Grid, words: &[u32]) -> Vec<Vec<Best>> {
        let of_window = |range: &[usize]| {
            let of_tile = self.of_tile as usize * BEST_WORDS as usize;
            let sent = words.get(range[0] * of_tile..range[1] * of_tile).unwrap_or_default();
            let cells = sent.chunks_exact(BEST_WORDS as usize).map(|best| (f32::from_bits(best[0]), best[1]));
            let mut found: Vec<(f32, u32)> = cells.filter(|(_, cell)| *cell != kernels::NONE).collect();
            found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            found.truncate(self.wanted);
            let best = |&(value, cell): &(f32, u32)| {
                let (column, row) = grid.place(cell as usize);
                Best { column, row, value }
            };
            found.iter().map(best).collect()
        };
        self.first.windows(2).map(of_window).collect()
    }
}

/// Finds the best cells of windows. Returns the words on the device and their meaning.
#[allow(unsafe_code)]
pub(crate) fn best_in_blocks(
    device: &Device,
    kept: &KeptOnDevice,
    windows: &[Window],
    wanted: usize,
) -> Result<(Buffer<u32>, Blocks), GpuError> {
    let (grid, entities) = (kept.grid(), kept.entities());
    let blocks = Blocks::new(grid, windows, wanted);
    let (tiles, wanted) = (blocks.count(), blocks.of_tile);
    let words = tiles as u64 * u64::from(wanted) * u64::from(BEST_WORDS);
    if words > u64::from(u32::MAX) || blocks.words.len() as u64 > u64::from(u32::MAX) {
        let remedy =
            format!("at most 2^31 fit into one answer of {tiles} tiles: ask for fewer cells or windows at a time");
        return Err(ValueError::new("windows, best cells of each tile", wanted, remedy).into());
    }
    let best = device.empty("best cells", words as usize)?;
    if words == 0 {
        return Ok((best, blocks));
    }
    let there = device.upload("windows", &blocks.words)?;
    let how = How {
        figures: entities.figures,
        fixed: entities.fixed_point.is_some(),
        rows: ROWS,
        listed: false,
        binned: false,
        layered: windows.iter().any(|window| window.layers().is_some()),
        cuda: device.info().id.backend == Backend::Cuda,
    };
    let raster = Raster {
        columns: grid.columns(),
        rows: grid.rows(),
        // The tiles of windows do not form rows.
        tile_columns: 0,
        tiles: tiles as u32,
        step: entities.fixed_point.map_or(0.0, FixedPoint::step),
        zero: NEGATIVE_ZERO,
    };
    device.launch_cubes("best cells", tiles as u32, UNITS, |client, cubes, dim| {
        // SAFETY: the kernel reads tiles below their number, which their buffers contain, and all entities, with
        // tables at places that were packed with them; of the field, cells of tiles, which are within the grid. It writes as
        // many cells per tile as there is room for.
        unsafe {
            kernels::best_in_blocks::launch_unchecked(
                client,
                cubes,
                dim,
                entities.arg(),
                kept.values().arg(),
                there.arg(),
                best.arg(),
                raster.arg(),
                wanted,
                how,
            );
        };
    })?;
    Ok((best, blocks))
}

/// Points on a device.
struct PlacesThere {
    cells: Buffer<u32>,
    shares: Buffer<f32>,
    around: Around,
}

impl PlacesThere {
    fn new(device: &Device, grid: &Grid, places: &Places) -> Result<Self, DeviceError> {
        Ok(Self {
            cells: device.upload("points: cells", places.cells())?,
            shares: device.upload("points: shares", places.shares())?,
            around: Around {
                right: u32::from(grid.columns() > 1),
                down: if grid.rows() > 1 { grid.columns() } else { 0 },
                count: places.cells().len() as u32,
                zero: NEGATIVE_ZERO,
            },
        })
    }

    fn count(&self) -> usize {
        self.around.count as usize
    }
}

/// The values at points.
pub(crate) fn sample(device: &Device, kept: &KeptOnDevice, places: &Places) -> Result<Buffer<f32>, DeviceError> {
    let points = PlacesThere::new(device, kept.grid(), places)?;
    let samples = device.empty("samples", points.count())?;
    device.launch("samples", points.count(), |client, cubes, dim| {
        let (field, samples) = (kept.values().arg(), samples.arg());
        let (cells, shares) = (points.cells.arg(), points.shares.arg());
        sample_points::launch(client, cubes, dim, field, cells, shares, samples, points.around.arg());
    })?;
    Ok(samples)
}

/// The slopes at points, per cell along x and y, two for each.
pub(crate) fn slopes(device: &Device, kept: &KeptOnDevice, places: &Places) -> Result<Buffer<f32>, DeviceError> {
    let points = PlacesThere::new(device, kept.grid(), places)?;
    let slopes = device.empty("slopes", 2 * points.count())?;
    device.launch("slopes", points.count(), |client, cubes, dim| {
        let (field, slopes) = (kept.values().arg(), slopes.arg());
        let (cells, shares) = (points.cells.arg(), points.shares.arg());
        slopes_at_points::launch(client, cubes, dim, field, cells, shares, slopes, points.around.arg());
    })?;
    Ok(slopes)
}
