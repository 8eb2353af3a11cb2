//! Creation in two passes on a device.

use throng_device::{Buffer, Device, DeviceError, KernelParameter};

use super::convolution::check_use;
use super::error::GpuError;
use super::field::DeviceField;
use super::kernels::{PASS_HEIGHT, PASS_ROWS, PASS_WIDTH, Passes, UNITS, spread_across, spread_down};
use crate::creation::{ImpulseList, Impulses, common_bell, common_profile, taps};
use crate::entities::{Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::memory::room;
use crate::profile::Profile;

/// Creation in two passes with one Gaussian profile on a device: as
/// [`creation::by_separable`](crate::creation::by_separable), with the same
/// [error bound](crate::creation::separable::error_bound). The values differ from those of the CPU by roundings.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceField, DeviceTwoPasses, GpuError};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), GpuError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let profile = Profile::gaussian(3.0, 12.0)?;
/// let passes = DeviceTwoPasses::new(&device, &grid, &profile)?;
/// let field = DeviceField::new(&device, &grid)?;
/// passes.create(&device, &[Entity::new([20.5, 20.5], profile)], &field)?;
/// // 3 cells across and 3 down: exp(-(9 + 9) / 18).
/// let value = field.read(&device)?.at(23, 17).unwrap();
/// assert!((value - (-1.0f32).exp()).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceTwoPasses {
    grid: Grid,
    profile: Profile,
    /// Without the number of rows with impulses.
    by: Passes,
    taps: Buffer<f32>,
    /// Rows with impulses, spread across the grid.
    spread: Buffer<f32>,
}

impl DeviceTwoPasses {
    /// Copies the bell to the device.
    ///
    /// Memory on the device: 4 bytes for each cell of the grid, and of its surroundings within reach above and below.
    ///
    /// # Errors
    /// When the profile has a number that is invalid on the grid, or is not Gaussian; when the grid with its
    /// surroundings within reach is too large; or when the device has too little memory.
    pub fn new(device: &Device, grid: &Grid, profile: &Profile) -> Result<Self, GpuError> {
        let entity = [Entity::new(grid.origin(), profile.clone())];
        check_all(grid, &entity)?;
        common_bell(&entity)?;
        let (_, rows, pad) = Impulses::size(grid, profile)?;
        // Zeros at both ends, so that all rows of a unit take the same steps.
        let zeros = [0.0; PASS_ROWS as usize - 1];
        let taps = [&zeros[..], &taps(grid, profile, pad), &zeros].concat();
        let columns = grid.columns();
        let by = Passes {
            columns,
            rows: grid.rows(),
            pad: pad as u32,
            listed: 0,
            cube_columns: columns.div_ceil(PASS_WIDTH),
        };
        Ok(Self {
            grid: *grid,
            profile: profile.clone(),
            by,
            taps: device.upload("two passes: bell", &taps)?,
            spread: device.empty("two passes: rows", rows * columns as usize)?,
        })
    }

    /// Computes the field of discs of the profile.
    ///
    /// The host distributes charges to points, and this returns once the work is submitted. Cost: sorting four points
    /// for each entity, and cells times the rows within reach that have charges.
    ///
    /// # Errors
    /// As for [`creation::by_separable`](crate::creation::by_separable); and when the profile of the entities is not
    /// that of the passes, the field has another grid, or the device fails.
    pub fn create(&self, device: &Device, entities: &[Entity], field: &DeviceField) -> Result<(), GpuError> {
        check_all(&self.grid, entities)?;
        common_bell(entities)?;
        let common = common_profile(entities)?;
        check_use(&self.grid, &self.profile, "passes", common, field)?;
        if common.is_none() {
            return field.clear(device);
        }
        let impulses = ImpulseList::new(&self.grid, entities, &self.profile)?;
        let rows = Listed::of(&impulses)?;
        let by = Passes { listed: rows.rows.len() as u32, ..self.by };
        if by.listed == 0 {
            // All are out of reach.
            return field.clear(device);
        }
        self.across(device, by, &rows, &impulses)?;
        Ok(self.down(device, by, &rows, field.values())?)
    }

    #[allow(unsafe_code)]
    fn across(&self, device: &Device, by: Passes, rows: &Listed, impulses: &ImpulseList) -> Result<(), DeviceError> {
        let starts = device.upload("impulses: rows", &rows.starts)?;
        let columns = device.upload("impulses: columns", &impulses.columns)?;
        let charges = device.upload("impulses: charges", &impulses.charges)?;
        let cells = by.listed as usize * by.columns as usize;
        device.launch("two passes: across", cells, |client, cubes, dim| {
            let (starts, columns, charges) = (starts.arg(), columns.arg(), charges.arg());
            let (taps, spread) = (self.taps.arg(), self.spread.arg());
            // SAFETY: the kernel reads the starts of listed rows and the next entry, which exists; these lead to
            // impulses that exist. It reads taps of columns that are at most twice the padding apart, and writes cells
            // of listed rows, which are at most all rows, for which there is room.
            unsafe {
                spread_across::launch_unchecked(client, cubes, dim, starts, columns, charges, taps, spread, by.arg());
            };
        })
    }

    #[allow(unsafe_code)]
    fn down(&self, device: &Device, by: Passes, rows: &Listed, field: &Buffer<f32>) -> Result<(), DeviceError> {
        let listed = device.upload("impulses: listed rows", &rows.rows)?;
        let before = device.upload("impulses: rows before", &rows.before)?;
        let cubes = by.cube_columns * by.rows.div_ceil(PASS_HEIGHT);
        device.launch_cubes("two passes: down", cubes, UNITS, |client, cubes, dim| {
            let (listed, before, taps) = (listed.arg(), before.arg(), self.taps.arg());
            let (spread, field) = (self.spread.arg(), field.arg());
            // SAFETY: rows are clamped to those beyond the grid included, for which `before` has entries and one more;
            // they lead to listed rows, all of which were spread. Taps have zeros at both ends for the rows of a unit.
            // The kernel writes cells whose column and row are those of the grid, for which the field has room.
            unsafe {
                spread_down::launch_unchecked(client, cubes, dim, listed, before, taps, spread, field, by.arg());
            };
        })
    }
}

/// The field of discs of one Gaussian profile: as [`creation::by_separable`](crate::creation::by_separable).
///
/// # Errors
/// As for [`DeviceTwoPasses::new`] and [`DeviceTwoPasses::create`].
pub(crate) fn by_separable(device: &Device, grid: &Grid, entities: &[Entity]) -> Result<Field, GpuError> {
    check_all(grid, entities)?;
    let field = DeviceField::new(device, grid)?;
    match common_bell(entities)? {
        Some((profile, _)) => DeviceTwoPasses::new(device, grid, profile)?.create(device, entities, &field)?,
        None => field.clear(device)?,
    }
    field.read(device)
}

/// The rows that have impulses.
struct Listed {
    rows: Vec<u32>,
    /// Where the impulses of each listed row begin, and the end of those of the last one.
    starts: Vec<u32>,
    /// For each row, and the end: how many listed rows come before it.
    before: Vec<u32>,
}

impl Listed {
    fn of(impulses: &ImpulseList) -> Result<Self, FieldError> {
        room::<[u32; 3]>("rows of impulses", impulses.starts.len())?;
        let (mut rows, mut starts, mut before) = (Vec::new(), vec![0], vec![0]);
        for (row, ends) in (0..).zip(impulses.starts.windows(2)) {
            if ends[0] < ends[1] {
                rows.push(row);
                starts.push(ends[1]);
            }
            before.push(rows.len() as u32);
        }
        Ok(Self { rows, starts, before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_impulses_are_left_out() {
        let list = ImpulseList { starts: vec![0, 0, 2, 2, 2, 5, 5], columns: vec![0; 5], charges: vec![1.0; 5] };
        let Listed { rows, starts, before } = Listed::of(&list).unwrap();
        assert_eq!((rows, starts, before), (vec![1, 4], vec![0, 2, 5], vec![0, 0, 1, 1, 1, 2, 2]));
    }
}
