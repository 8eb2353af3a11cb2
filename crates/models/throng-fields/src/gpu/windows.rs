//! Many small fields at once, returning only their best cells.

use throng_core::InputError;
use throng_device::{Buffer, Device, DeviceError, Error, KernelParameter};
use throng_fields_core::NEGATIVE_ZERO;
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::entities::DeviceEntities;
use super::kernels::{
    self, BEST_WORDS, TILE_COLUMNS, TILE_REALS, TILE_WORDS, UNIT_ROWS, UNITS, WindowNumbers, WindowTilesBuffers,
    best_in_tiles,
};

/// Rows of cells that each unit computes, chosen so that tiles are squares.
const ROWS: u32 = TILE_COLUMNS / UNIT_ROWS;

/// Windows on a device: small grids anywhere in the world, for example one around each agent. One launch computes the
/// fields of all windows, and only their best cells are ever copied from the device.
///
/// Entities must be created by [`DeviceEntities::in_world`], and sums are in floating point.
/// [`creation::Windows`](throng_fields_core::creation::Windows) is the equivalent on the CPU.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceEntities, Windows};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let fruit = [[12.5, 3.5], [90.5, 40.5]].map(|at| Profile::linear(6.0).map(|profile| Entity::new(at, profile)));
/// let fruit = fruit.into_iter().collect::<Result<Vec<_>, _>>()?;
/// // The surroundings of two agents, 10 x 10 cells each.
/// let around = [Grid::new([8.0, 0.0], 1.0, 10, 10)?, Grid::new([80.0, 35.0], 1.0, 10, 10)?];
/// let entities = DeviceEntities::in_world(&device, &fruit)?;
/// let best = Windows::new(&device, &around)?.best(&device, &entities, 1)?;
/// // The first agent is next to its fruit, and the fruit of the second is just out of sight.
/// let cells: Vec<_> = best.iter().map(|cells| (cells[0].column, cells[0].row)).collect();
/// assert_eq!(cells, [(4, 3), (9, 5)]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Windows {
    /// Number of columns of each window.
    columns: Vec<u32>,
    /// The first tile of each window, plus one entry for the end.
    first: Vec<usize>,
    reals: Buffer<f32>,
    words: Buffer<u32>,
    layers: Option<u32>,
}

impl Windows {
    /// Copies the positions of windows to a device.
    ///
    /// # Errors
    /// When coordinates of a window have [no resolution in single precision](Grid::check_single_precision), which
    /// devices use for positions in the world, or the device has too little memory.
    pub fn new(device: &Device, windows: &[Grid]) -> Result<Self, Error> {
        let (mut reals, mut words, mut first) = (Vec::new(), Vec::new(), vec![0]);
        for (i, window) in windows.iter().enumerate() {
            window.check_single_precision().map_err(|error| error.within(&format!("window {i}")))?;
            for top in (0..window.rows()).step_by(TILE_COLUMNS as usize) {
                for left in (0..window.columns()).step_by(TILE_COLUMNS as usize) {
                    let [x, y] = window.point(left, top).map(|at| at as f32);
                    reals.extend([x, y, window.cell()]);
                    words.extend([left, top, window.columns(), window.rows()]);
                }
            }
            first.push(reals.len() / TILE_REALS as usize);
        }
        debug_assert_eq!(words.len(), first[windows.len()] * TILE_WORDS as usize);
        Ok(Self {
            columns: windows.iter().map(Grid::columns).collect(),
            first,
            reals: device.upload("windows: positions", &reals)?,
            words: device.upload("windows: cells", &words)?,
            layers: None,
        })
    }

    /// Uses only entities in one of these layers, one bit each.
    pub fn in_layers(self, layers: u32) -> Self {
        Self { layers: Some(layers), ..self }
    }

    /// The `wanted` best cells of each window, best first; ties go to the lower index. Windows with fewer cells return
    /// all of them.
    ///
    /// # Errors
    /// When the entities were copied for a grid or in fixed point, when 2^31 or more cells are requested in total,
    /// counted per tile of 64 x 64 cells, or when the device fails.
    pub fn best(&self, device: &Device, entities: &DeviceEntities, wanted: u32) -> Result<Vec<Vec<Best>>, Error> {
        self.find(device, entities, wanted)?.read(device)
    }

    /// Finds the best cells and leaves them on the device; this returns once the work is submitted. [`Windows::best`]
    /// also reads them.
    ///
    /// # Errors
    /// As for [`Windows::best`].
    pub fn find(&self, device: &Device, entities: &DeviceEntities, wanted: u32) -> Result<DeviceBest<'_>, Error> {
        if !entities.is_of_world() {
            let remedy = "copy the entities to the device with DeviceEntities::in_world";
            return Err(InputError::one("entities", "copied for a grid", remedy).into());
        }
        let tiles = self.first[self.columns.len()];
        // A tile has no more cells than this.
        let of_tile = wanted.min(TILE_COLUMNS * TILE_COLUMNS);
        let best = |words| DeviceBest { windows: self, words, of_tile: of_tile as usize, wanted: wanted as usize };
        if tiles == 0 || wanted == 0 {
            return Ok(best(None));
        }
        let words = tiles as u64 * u64::from(of_tile) * u64::from(BEST_WORDS);
        if words > u64::from(u32::MAX) {
            let most = u32::MAX as usize / BEST_WORDS as usize / tiles;
            let remedy = format!("request at most {most} cells of each, or fewer windows at a time");
            return Err(InputError::one("windows, best cells", of_tile, remedy).into());
        }
        let words = device.empty("windows: best cells", words as usize)?;
        let layers = self.layers.unwrap_or(0);
        let numbers = WindowNumbers { tiles: tiles as u32, wanted: of_tile, layers, zero: NEGATIVE_ZERO };
        self.launch(device, entities, &words, numbers)?;
        Ok(best(Some(words)))
    }

    #[allow(unsafe_code)]
    fn launch(
        &self,
        device: &Device,
        entities: &DeviceEntities,
        best: &Buffer<u32>,
        numbers: WindowNumbers,
    ) -> Result<(), DeviceError> {
        let how = entities.how(device, ROWS, self.layers.is_some());
        device.launch_cubes("windows", numbers.tiles, UNITS, |client, cubes, dim| {
            // SAFETY: the kernel reads tiles below their number and all entities, which their buffers contain, and
            // tables at offsets that were packed with these entities. It writes at most as many cells per tile as there
            // is room for.
            unsafe {
                best_in_tiles::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    entities.arg(),
                    WindowTilesBuffers { reals: &self.reals, words: &self.words }.arg(),
                    best.arg(),
                    numbers.arg(),
                    how,
                );
            };
        })
    }
}

/// Best cells of windows on a device.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceEntities, Windows};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let fruit = [Entity::new([12.5, 3.5], Profile::linear(6.0)?)];
/// let [morning, noon] = [8.0, 10.0].map(|x| Grid::new([x, 0.0], 1.0, 10, 10));
/// let entities = DeviceEntities::in_world(&device, &fruit)?;
/// let [morning, noon] = [Windows::new(&device, &[morning?])?, Windows::new(&device, &[noon?])?];
/// // The device works on both windows before the host waits for the first.
/// let (first, second) = (morning.find(&device, &entities, 1)?, noon.find(&device, &entities, 1)?);
/// assert_eq!((first.read(&device)?[0][0].column, second.read(&device)?[0][0].column), (4, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceBest<'w> {
    windows: &'w Windows,
    /// `None` if no cells were requested.
    words: Option<Buffer<u32>>,
    /// Number of best cells that each tile returned.
    of_tile: usize,
    wanted: usize,
}

impl DeviceBest<'_> {
    /// Copies the best cells of each window from the device, in the format of [`Windows::best`].
    ///
    /// # Errors
    /// When the device failed.
    pub fn read(&self, device: &Device) -> Result<Vec<Vec<Best>>, Error> {
        let Windows { columns, first, .. } = self.windows;
        let words = self.words.as_ref().map_or(Ok(Vec::new()), |words| device.read(words))?;
        Ok(best_of_tiles(&words, first, (self.of_tile, self.wanted), |window| columns[window]))
    }
}

/// The best cells of windows, from the output of a device: `of_tile` cells per tile, or [`kernels::NONE`]. `first`
/// holds the first tile of each window, plus one entry for the end.
pub(super) fn best_of_tiles(
    words: &[u32],
    first: &[usize],
    (of_tile, wanted): (usize, usize),
    columns: impl Fn(usize) -> u32,
) -> Vec<Vec<Best>> {
    let of_window = |(window, range): (usize, &[usize])| {
        let words_of_tile = of_tile * BEST_WORDS as usize;
        let sent = words.get(range[0] * words_of_tile..range[1] * words_of_tile).unwrap_or_default();
        let cells = sent.chunks_exact(BEST_WORDS as usize).map(|best| (f32::from_bits(best[0]), best[1]));
        let mut found: Vec<(f32, u32)> = cells.filter(|(_, cell)| *cell != kernels::NONE).collect();
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(wanted);
        let columns = columns(window);
        found.iter().map(|&(value, cell)| Best { column: cell % columns, row: cell / columns, value }).collect()
    };
    first.windows(2).enumerate().map(of_window).collect()
}
