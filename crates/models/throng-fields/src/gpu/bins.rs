//! Lists of the entities that may reach each tile, for when there are too many entities for every tile to test all of
//! them.

use throng_device::{Buffer, Device, DeviceError, KernelParameter, primitives};

use super::entities::DeviceEntities;
use super::kernels::{TileListBuffers, TileRaster, count_tiles, find_starts, list_tiles};
use super::tiles::Tiles;

/// The entities that may reach each tile, in ascending index.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    /// Start of each tile's list in `members`, plus one entry for the end.
    pub first: Buffer<u32>,
    pub members: Buffer<u32>,
}

/// Minimum number of entity-tile tests from which building lists is faster than testing every pair.
const WORTH_BINS: u64 = 1 << 27;

impl Bins {
    /// Builds the lists if they save time when `made` tiles are computed.
    pub fn if_worthwhile(
        device: &Device,
        entities: &DeviceEntities,
        tiles: Tiles,
        made: u32,
    ) -> Result<Option<Self>, DeviceError> {
        let tests = entities.count as u64 * u64::from(made);
        (tests >= WORTH_BINS).then(|| Self::new(device, entities, tiles)).transpose()
    }

    /// Counts the tiles that each entity touches, writes them in entity order, and sorts by tile with a stable sort.
    /// The lists have exactly the counted sizes, so none can overflow.
    pub fn new(device: &Device, entities: &DeviceEntities, tiles: Tiles) -> Result<Self, DeviceError> {
        let raster = TileRaster { columns: tiles.columns, rows: tiles.rows };
        let counts = device.empty("bins: tiles of entities", entities.count)?;
        device.launch("bins: count", entities.count, |client, cubes, dim| {
            let (figures, rows) = (entities.figures, tiles.unit_rows);
            count_tiles::launch(client, cubes, dim, entities.arg(), counts.arg(), raster.arg(), figures, rows);
        })?;
        let in_all = primitives::sum(device, &counts, entities.count)?;
        let in_all = device.read(&in_all)?.first().copied().unwrap_or(0);
        // 16 bytes per pair: a 4-byte key and a 4-byte payload, each double-buffered during sorting.
        device.check_memory("lists of tiles", in_all * 16)?;
        if in_all >= MAX_PAIRS {
            let lacks = format!("entities reach {in_all} tiles in all, and lists have room for {MAX_PAIRS}");
            return Err(DeviceError::Unsuitable { device: device.label(), lacks });
        }
        let len = in_all as usize;
        let places = primitives::exclusive_scan(device, &counts, entities.count)?.sums;
        let listed = device.empty::<u32>("bins: tiles", len)?;
        let members = device.empty("bins: entities", len)?;
        let list = TileListBuffers { listed: &listed, members: &members };
        device.launch("bins: list", entities.count, |client, cubes, dim| {
            let (figures, rows) = (entities.figures, tiles.unit_rows);
            let (entities, places) = (entities.arg(), places.arg());
            let (list, raster) = (list.arg(), raster.arg());
            list_tiles::launch(client, cubes, dim, entities, places, list, raster, figures, rows);
        })?;
        let bits = u32::BITS - (tiles.count() - 1).leading_zeros();
        let sorted = primitives::sort_by_key(device, &listed, &members, len, bits)?;
        let first = device.empty("bins: starts", tiles.count() as usize + 1)?;
        device.launch("bins: starts", len + 1, |client, cubes, dim| {
            find_starts::launch(client, cubes, dim, sorted.keys.arg(), len as u32, first.arg(), tiles.count());
        })?;
        Ok(Self { first, members: sorted.payload })
    }
}

/// Maximum total number of list entries: the range of 32 bits, less room for the last cube.
const MAX_PAIRS: u64 = (1 << 32) - (1 << 16);
