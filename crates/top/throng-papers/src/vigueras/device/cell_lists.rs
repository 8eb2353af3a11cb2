//! The static grid with atomic operations on a device.

use throng_device::{DeviceError, KernelParameter};

use super::{DeviceCrowd, Grid};
use crate::vigueras::kernels::NONE;
use crate::vigueras::kernels::cell_lists::{HeadsBuffers, ListedBuffers, check_lists, insert};

impl DeviceCrowd<'_> {
    pub(super) fn atomic_grid(&self) -> Result<(), DeviceError> {
        let Grid::Lists { heads, next } = &self.grid else { return Ok(()) };
        let (Self { device, to, answers, counts, .. }, grid) = (self, self.sorted_grid());
        self.fill("vigueras: clear cells", heads, NONE)?;
        device.launch("vigueras: insert", self.discs, |client, cubes, dim| {
            insert::launch(client, cubes, dim, to.arg(), HeadsBuffers { heads, next }.arg(), grid.arg());
        })?;
        device.launch("vigueras: check", self.discs, |client, cubes, dim| {
            let listed = ListedBuffers { heads, next, to };
            check_lists::launch(client, cubes, dim, listed.arg(), answers.arg(), grid.arg(), *counts);
        })
    }
}
