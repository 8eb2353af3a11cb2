//! The four steps on a device.

use throng_collision::CELL;
use throng_device::{DeviceError, KernelParameter};

use super::{DeviceCrowd, Grid};
use crate::vigueras::grid::id_bits;
use crate::vigueras::kernels::crowd::fill;
use crate::vigueras::kernels::four_steps::{
    COLLIDES, CellSlotsBuffers, DiscsBuffers, NotifiedBuffers, RestoredBuffers, SharedCellSlotsBuffers, StepParameters,
    calc_hash, check_collisions, claim, leave, notify, restore,
};
use crate::vigueras::kernels::{TILE, TILE_CELLS};
use crate::vigueras::published::Restore;

impl DeviceCrowd<'_> {
    /// Runs the four steps; if `how` is `None`, the variant with atomic operations.
    pub(super) fn four_steps(&mut self, how: Option<Restore>) -> Result<(), DeviceError> {
        let Grid::Slots { stamp, last_stamp, .. } = &mut self.grid else { return Ok(()) };
        let is_last = stamp == last_stamp;
        *stamp = if is_last { 1 } else { *stamp + 1 };
        let Grid::Slots { slots, stamp, .. } = &self.grid else { return Ok(()) };
        if is_last {
            self.fill("vigueras: clear", &slots.source, 0)?;
            self.fill("vigueras: clear", &slots.target, 0)?;
        }
        let Self { device, at, to, answers, counts, .. } = self;
        let (response, counts) = (&answers.response, *counts);
        let of_discs = DiscsBuffers { at, to };
        let CellSlotsBuffers { source, target } = slots;
        let [columns, rows] = self.world.size().map(|size| ((size - 1) / CELL + 1) as u32);
        let by =
            StepParameters { discs: self.discs as u32, columns, rows, stamp: *stamp, id_bits: id_bits(self.discs) };
        let (discs, tiles) = (self.discs, columns.div_ceil(TILE) * rows.div_ceil(TILE));
        device.launch("vigueras: 1 init", discs, |client, cubes, dim| {
            fill::launch(client, cubes, dim, response.arg(), COLLIDES);
        })?;
        if how.is_none() {
            device.launch("vigueras: 2 and 3 claim", discs, |client, cubes, dim| {
                let slots = SharedCellSlotsBuffers { source, target };
                claim::launch(client, cubes, dim, of_discs.arg(), slots.arg(), response.arg(), by.arg());
            })?;
        } else {
            device.launch("vigueras: 2 calcHash", discs, |client, cubes, dim| {
                calc_hash::launch(client, cubes, dim, of_discs.arg(), slots.arg(), by.arg());
            })?;
        }
        if how == Some(Restore::Immediate) {
            device.launch("vigueras: 3 restore", discs, |client, cubes, dim| {
                let restored = RestoredBuffers { source, response };
                restore::launch(client, cubes, dim, of_discs.arg(), target.arg(), restored.arg(), by.arg());
            })?;
        } else if let Some(how) = how {
            device.launch("vigueras: 3 notify", discs, |client, cubes, dim| {
                let (of_discs, full_walk) = (of_discs.arg(), how == Restore::FullWalk);
                notify::launch(client, cubes, dim, of_discs, slots.arg(), response.arg(), by.arg(), full_walk);
            })?;
            device.launch("vigueras: 3 leave", discs, |client, cubes, dim| {
                let notified = NotifiedBuffers { target, response };
                leave::launch(client, cubes, dim, of_discs.arg(), notified.arg(), source.arg(), by.arg());
            })?;
        }
        device.launch_cubes("vigueras: 4 check", tiles, TILE_CELLS, |client, cubes, dim| {
            let (of_discs, atomic) = (of_discs.arg(), how.is_none());
            let (slots, answers) = (slots.arg(), answers.arg());
            check_collisions::launch(client, cubes, dim, of_discs, slots, answers, by.arg(), atomic, counts);
        })
    }
}
