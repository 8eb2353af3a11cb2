//! Tiles searched on a device.

use throng_device::{Device, DeviceError, Element, Gpu};
use throng_games::kalah::rules::word::Word;
use throng_games::kalah::rules::{Position, Variant};

use super::kernels::search_tiles;
use super::layers::Tiles;
use super::tree_array::{PLIES, level_width};

/// Tiles searched on a device, one cube per tile. Boards are copied to the device, values back.
#[derive(Debug)]
pub struct DeviceTiles<'d> {
    /// The device that searches the tiles.
    pub device: &'d Device,
    /// Rules of the game.
    pub variant: Variant,
}

impl<W: Word + Element> Tiles<W> for DeviceTiles<'_> {
    type Error = DeviceError;

    fn values(&mut self, boards: &[Position<W>]) -> Result<Vec<i32>, DeviceError> {
        let (device, variant) = (self.device, self.variant);
        let own = device.upload("own pits", &boards.iter().map(|board| board.own).collect::<Vec<_>>())?;
        let other = device.upload("opponent's pits", &boards.iter().map(|board| board.other).collect::<Vec<_>>())?;
        let scores = device.upload("scores", &boards.iter().map(|board| board.score).collect::<Vec<_>>())?;
        let values = device.empty::<i32>("values", boards.len())?;
        let (tiles, units) = (boards.len() as u32, level_width(variant.pits, PLIES));
        device.launch_cubes("kloosterman: tiles", tiles, units, |client, cubes, dim| {
            let (own, other, scores, values) = (own.arg(), other.arg(), scores.arg(), values.arg());
            search_tiles::launch::<W, Gpu>(client, cubes, dim, own, other, scores, values, tiles, variant);
        })?;
        let mut values = device.read(&values)?;
        values.truncate(boards.len());
        Ok(values)
    }
}
