//! The baselines on a device.

use throng_device::primitives::{Sorted, sort_by_key};
use throng_device::{DeviceError, KernelParameter};

use super::bitwise_sort::sort_bit_by_bit;
use super::{DeviceCrowd, Grid};
use crate::vigueras::baseline::SORTED_CELL;
use crate::vigueras::kernels::NONE;
use crate::vigueras::kernels::sorted::{
    OrderBuffers, ReorderedBuffers, SortedDiscsBuffers, SortedGrid, check_sorted, find_cells, hash, reorder,
    reorder_and_find_cells,
};
use crate::vigueras::kernels::tiles::{check_tiles, tile_units};
use crate::vigueras::method::{Method, Tile};

impl DeviceCrowd<'_> {
    pub(super) fn sorted_grid(&self) -> SortedGrid {
        let [columns, rows] = self.world.size().map(|size| ((size - 1) / SORTED_CELL + 1) as u32);
        SortedGrid { discs: self.discs as u32, columns, rows, tile_columns: columns.div_ceil(self.tile().max(1)) }
    }

    /// Side length of the tiles by which cells are numbered; 0 if they are numbered row by row.
    fn tile(&self) -> u32 {
        match self.method {
            Method::OptimisedBaseline(tile) => tile.side(),
            _ => 0,
        }
    }

    fn tiles(&self, side: u32) -> u32 {
        let grid = self.sorted_grid();
        grid.tile_columns * grid.rows.div_ceil(side)
    }

    /// Number of cells of the sorted grid; the optimised baseline pads it to complete tiles.
    pub(super) fn sorted_cells(&self) -> usize {
        let grid = self.sorted_grid();
        match self.tile() {
            0 => grid.columns as usize * grid.rows as usize,
            side => self.tiles(side) as usize * (side * side) as usize,
        }
    }

    pub(super) fn hash(&self) -> Result<(), DeviceError> {
        let Grid::Sorted { keys, .. } = &self.grid else { return Ok(()) };
        let (grid, tile) = (self.sorted_grid(), self.tile());
        self.device.launch("vigueras: hash", self.discs, |client, cubes, dim| {
            hash::launch(client, cubes, dim, self.to.arg(), keys.arg(), grid.arg(), tile);
        })
    }

    pub(super) fn sort(&self) -> Result<Option<Sorted<u32>>, DeviceError> {
        let Grid::Sorted { keys, .. } = &self.grid else { return Ok(None) };
        let bits = usize::BITS - (self.sorted_cells() - 1).leading_zeros();
        let sorted = match self.method {
            Method::Baseline => sort_bit_by_bit(self.device, keys, self.discs, bits),
            _ => sort_by_key(self.device, &keys.keys, &keys.ids, self.discs, bits),
        };
        sorted.map(Some)
    }

    pub(super) fn baseline(&self) -> Result<(), DeviceError> {
        self.hash()?;
        let (Some(sorted), Grid::Sorted { wishes, cells, .. }) = (self.sort()?, &self.grid) else {
            return Ok(());
        };
        let (device, grid) = (self.device, self.sorted_grid());
        device.launch("vigueras: reorder", self.discs, |client, cubes, dim| {
            let order = OrderBuffers { to: &self.to, ids: &sorted.payload };
            reorder::launch(client, cubes, dim, order.arg(), wishes.arg(), grid.arg());
        })?;
        self.fill("vigueras: clear cells", &cells.begins, NONE)?;
        device.launch("vigueras: find cells", self.discs, |client, cubes, dim| {
            find_cells::launch(client, cubes, dim, sorted.keys.arg(), cells.arg(), grid.arg());
        })?;
        device.launch("vigueras: check", self.discs, |client, cubes, dim| {
            let discs = SortedDiscsBuffers { wishes, ids: &sorted.payload, cells };
            check_sorted::launch(client, cubes, dim, discs.arg(), self.answers.arg(), grid.arg(), self.counts);
        })
    }

    pub(super) fn optimised_baseline(&self, tile: Tile) -> Result<(), DeviceError> {
        self.hash()?;
        let (Some(sorted), Grid::Sorted { wishes, cells, .. }) = (self.sort()?, &self.grid) else {
            return Ok(());
        };
        let (device, grid, side) = (self.device, self.sorted_grid(), tile.side());
        self.fill("vigueras: clear cells", &cells.begins, NONE)?;
        device.launch("vigueras: reorder and find cells", self.discs, |client, cubes, dim| {
            let order = OrderBuffers { to: &self.to, ids: &sorted.payload };
            let (keys, reordered) = (sorted.keys.arg(), ReorderedBuffers { wishes, cells }.arg());
            reorder_and_find_cells::launch(client, cubes, dim, order.arg(), keys, reordered, grid.arg());
        })?;
        device.launch_cubes("vigueras: check", self.tiles(side), tile_units(side), |client, cubes, dim| {
            let discs = SortedDiscsBuffers { wishes, ids: &sorted.payload, cells };
            check_tiles::launch(client, cubes, dim, discs.arg(), self.answers.arg(), grid.arg(), side, self.counts);
        })
    }
}
