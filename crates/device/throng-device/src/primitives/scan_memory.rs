//! Prefix sums with reused memory, for computations that scan in every step.

use super::scan::{MAX_SERIAL_TILES, scan_in_one_cube, sum_tiles, write_sums};
use super::tile::{SUM_WORDS, TILE_WORDS, UNITS, check_cube, tiles};
use crate::{Buffer, Device, DeviceError};

/// Temporary memory for scans of one length.
#[derive(Debug)]
pub(crate) struct ScanMemory {
    len: usize,
    total: Buffer<u32>,
    /// The sums of tiles, then of tiles of those sums, and so on, each with their prefix sums.
    levels: Vec<[Buffer<u32>; 2]>,
}

impl ScanMemory {
    /// Allocates memory for scans of `len` values.
    pub fn new(device: &Device, len: usize) -> Result<Self, DeviceError> {
        check_cube(device, TILE_WORDS + SUM_WORDS)?;
        let mut levels = Vec::new();
        let mut left = len;
        while tiles(left) > MAX_SERIAL_TILES {
            left = tiles(left);
            levels.push([device.empty("sums of tiles", left)?, device.empty("prefix sums of tiles", left)?]);
        }
        Ok(Self { len, total: device.empty("total", 1)?, levels })
    }

    /// Like [`exclusive_scan`](super::exclusive_scan), but writes to `sums`.
    pub fn exclusive_scan(&self, device: &Device, values: &Buffer<u32>, sums: &Buffer<u32>) -> Result<(), DeviceError> {
        super::check_len("values", values, self.len);
        super::check_len("sums", sums, self.len);
        self.scan_level(device, values, sums, self.len, &self.levels)
    }

    fn scan_level(
        &self,
        device: &Device,
        values: &Buffer<u32>,
        sums: &Buffer<u32>,
        len: usize,
        levels: &[[Buffer<u32>; 2]],
    ) -> Result<(), DeviceError> {
        let Some(([of_tiles, before], above)) = levels.split_first() else {
            return device.launch_cubes("scan: alone", 1, UNITS as u32, |client, cubes, dim| {
                let (values, sums, total) = (values.arg(), sums.arg(), self.total.arg());
                scan_in_one_cube::launch(client, cubes, dim, values, sums, total, len as u32);
            });
        };
        let tiles = of_tiles.len();
        device.launch_cubes("scan: sums of tiles", tiles as u32, UNITS as u32, |client, cubes, dim| {
            sum_tiles::launch(client, cubes, dim, values.arg(), of_tiles.arg(), len as u32, false);
        })?;
        self.scan_level(device, of_tiles, before, tiles, above)?;
        device.launch_cubes("scan: write", tiles as u32, UNITS as u32, |client, cubes, dim| {
            write_sums::launch(client, cubes, dim, values.arg(), before.arg(), sums.arg(), len as u32);
        })
    }
}
