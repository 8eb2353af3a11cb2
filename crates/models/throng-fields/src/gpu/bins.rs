//! For each tile the entities that may reach it, if there are too many entities for each tile to test all of them.

use throng_device::{Buffer, Device, DeviceError, KernelParameter, primitives};

use super::entities::DeviceEntities;
use super::kernels::{TileRaster, count_tiles, find_starts, list_tiles};
use super::tiles::Tiles;

/// The entities of each tile, in their order.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    /// Where the list of each tile begins, and one entry more.
    pub first: Buffer<u32>,
    pub members: Buffer<u32>,
}

/// From this number of tests whether an entity reaches a tile, making lists is faster.
const WORTH_BINS: u64 = 1 << 27;

impl Bins {
    /// Lists, if they pay off for this number of tiles.
    pub fn where_worth(
        device: &Device,
        entities: &DeviceEntities,
        tiles: Tiles,
        made: u32,
    ) -> Result<Option<Self>, DeviceError> {
        let questions = entities.count as u64 * u64::from(made);
        (questions >= WORTH_BINS).then(|| Self::new(device, entities, tiles)).transpose()
    }

    /// Counts the tiles that each entity touches, writes them in order of the entities, and sorts by tile, which keeps
    /// that order. Lists have the counted sizes, so none can overflow.
    pub fn new(device: &Device, entities: &DeviceEntities, tiles: Tiles) -> Result<Self, DeviceError> {
        let raster = TileRaster { columns: tiles.columns, rows: tiles.rows };
        let counts = device.empty("bins: tiles of entities", entities.count)?;
        device.launch("bins: count", entities.count, |client, cubes, dim| {
            let (figures, rows) = (entities.figures, tiles.unit_rows);
            count_tiles::launch(client, cubes, dim, entities.arg(), counts.arg(), raster.arg(), figures, rows);
        })?;
        let in_all = primitives::sum(device, &counts, entities.count)?;
        let in_all = device.read(&in_all)?.first().copied().unwrap_or(0);
        // As keys and payload, both twice during sorting.
        device.check_memory("lists of tiles", in_all * 16)?;
        if in_all >= MAX_PAIRS {
            let lacks = format!("entities reach {in_all} tiles in all, and lists have room for {MAX_PAIRS}");
            return Err(DeviceError::Unsuitable { device: device.label(), lacks });
        }
        let len = in_all as usize;
        let places = primitives::exclusive_scan(device, &counts, entities.count)?.sums;
        let listed = device.empty::<u32>("bins: tiles", len)?;
        let members = device.empty("bins: entities", len)?;
        device.launch("bins: list", entities.count, |client, cubes, dim| {
            let (figures, rows) = (entities.figures, tiles.unit_rows);
            let (entities, places) = (entities.arg(), places.arg());
            let (listed, members, raster) = (listed.arg(), members.arg(), raster.arg());
            list_tiles::launch(client, cubes, dim, entities, places, listed, members, raster, figures, rows);
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

/// The largest number of entries of all lists: the range of 32 bits, with room for the last cube.
const MAX_PAIRS: u64 = (1 << 32) - (1 << 16);
