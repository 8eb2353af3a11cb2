//! Creation by convolution on a device.

use throng_device::{Buffer, Device, DeviceError, KernelParameter};

use super::error::GpuError;
use super::field::DeviceField;
use super::kernels::{
    Lines, Plane, UNITS, filter_columns, finish_response, finish_rows, transform_impulses, transform_profile,
};
use crate::creation::{ImpulseList, Impulses, Transform, check_lines, common_profile, quarter};
use crate::entities::{Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::memory::room;
use crate::profile::Profile;

/// Creation by convolution with one profile on a device: as
/// [`creation::by_convolution`](crate::creation::by_convolution), with the same
/// [error bound](crate::creation::convolution::error_bound). The values differ from those of the CPU by roundings.
///
/// A field takes three launches, whatever the number and the reach of the entities.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceConvolution, DeviceField, GpuError};
/// use throng_fields::{Entity, Grid, Profile};
///
/// # fn main() -> Result<(), GpuError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let profile = Profile::linear(8.0)?;
/// let convolution = DeviceConvolution::new(&device, &grid, &profile)?;
/// let field = DeviceField::new(&device, &grid)?;
/// for x in [20.5, 30.5] {
///     convolution.create(&device, &[Entity::new([x, 20.5], profile.clone())], &field)?;
///     // A quarter of the reach away.
///     let value = field.read(&device)?.at(x as u32 + 2, 20).unwrap();
///     assert!((value - 0.75).abs() < 1e-5);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceConvolution {
    grid: Grid,
    profile: Profile,
    plane: Plane,
    rows: Line,
    columns: Line,
    /// The transform of the profile, divided by the number of points: real.
    response: Buffer<f32>,
    /// Complex numbers: the rows of the plane.
    values: Buffer<f32>,
}

/// The transform of lines.
#[derive(Debug)]
struct Line {
    lines: Lines,
    roots: Buffer<f32>,
}

impl Line {
    fn new(device: &Device, lines: Lines) -> Result<Self, DeviceError> {
        Ok(Self { lines, roots: device.upload("roots of unity", &roots_of(lines))? })
    }
}

impl DeviceConvolution {
    /// Computes the transform of a profile, and keeps it.
    ///
    /// Memory on the device: 12 bytes for each point of the transforms, which are those of half of the grid and of its
    /// surroundings within reach. Cost: as for a field, and the values of the profile within reach.
    ///
    /// # Errors
    /// When the profile has a number that is invalid on the grid, the grid with its surroundings within reach is too
    /// large, or its lines are longer than the device can transform: 4,096 points with 32 KB of shared memory, 29,056
    /// with the 227 KB of an NVIDIA H100. And when the device has too little memory.
    pub fn new(device: &Device, grid: &Grid, profile: &Profile) -> Result<Self, GpuError> {
        check_all(grid, &[Entity::new(grid.origin(), profile.clone())])?;
        let (_, _, pad) = Impulses::size(grid, profile)?;
        let size = Transform::size(grid, pad);
        let [rows, columns] = lines(size, device.shared_bytes())?;
        let (rows, columns) = (Line::new(device, rows)?, Line::new(device, columns)?);
        let half = grid.rows().div_ceil(2);
        let plane = Plane {
            columns: size[0] as u32,
            rows: half + 2 * pad as u32,
            half,
            pad: pad as u32,
            grid_columns: grid.columns(),
            grid_rows: grid.rows(),
        };
        room::<f32>("values of a profile", (pad + 1) * (pad + 1))?;
        let quarter = device.upload("convolution: profile", &quarter(grid, profile, pad))?;
        let convolution = Self {
            grid: *grid,
            profile: profile.clone(),
            plane,
            rows,
            columns,
            response: device.empty("convolution: transform of the profile", size[0] * size[1])?,
            values: device.empty("convolution: points", 2 * size[0] * plane.rows as usize)?,
        };
        convolution.respond(device, &quarter)?;
        Ok(convolution)
    }

    /// Computes the field of discs of the profile.
    ///
    /// The host distributes charges to points, and this returns once the work is submitted. Cost: sorting four points
    /// for each entity, and transforms of the plane.
    ///
    /// # Errors
    /// As for [`creation::by_convolution`](crate::creation::by_convolution); and when the profile of the entities is
    /// not that of the convolution, the field has another grid, or the device fails.
    pub fn create(&self, device: &Device, entities: &[Entity], field: &DeviceField) -> Result<(), GpuError> {
        check_all(&self.grid, entities)?;
        let common = common_profile(entities)?;
        check_use(&self.grid, &self.profile, "convolution", common, field)?;
        if common.is_none() {
            return field.clear(device);
        }
        let impulses = ImpulseList::new(&self.grid, entities, &self.profile)?;
        self.transform(device, &impulses)?;
        self.filter(device)?;
        Ok(self.finish(device, field.values())?)
    }

    /// Transforms the profile.
    #[allow(unsafe_code)]
    fn respond(&self, device: &Device, quarter: &Buffer<f32>) -> Result<(), DeviceError> {
        let Plane { columns, pad, .. } = self.plane;
        device.launch_cubes("convolution: profile", pad + 1, UNITS, |client, cubes, dim| {
            let (quarter, roots, values) = (quarter.arg(), self.rows.roots.arg(), self.values.arg());
            // SAFETY: as for impulses; distances up to `pad`, for which there is a quarter of the profile.
            unsafe {
                transform_profile::launch_unchecked(client, cubes, dim, quarter, roots, values, pad, self.rows.lines);
            };
        })?;
        let lines = self.columns.lines;
        let scale = 1.0 / (f64::from(columns) * f64::from(lines.points));
        device.launch_cubes("convolution: response", self.strips(), UNITS, |client, cubes, dim| {
            let (values, roots, response) = (self.values.arg(), self.columns.roots.arg(), self.response.arg());
            // SAFETY: the kernel reads points in rows up to `pad`, which are fewer than those of the plane, and writes
            // those of all rows of the transform, for which the response has room; all in columns below their number.
            unsafe {
                finish_response::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    values,
                    roots,
                    response,
                    columns,
                    pad,
                    scale as f32,
                    lines,
                );
            };
        })
    }

    /// Transforms rows of impulses.
    #[allow(unsafe_code)]
    fn transform(&self, device: &Device, impulses: &ImpulseList) -> Result<(), DeviceError> {
        let starts = device.upload("impulses: rows", &impulses.starts)?;
        let columns = device.upload("impulses: columns", &impulses.columns)?;
        let charges = device.upload("impulses: charges", &impulses.charges)?;
        device.launch_cubes("convolution: rows", self.plane.rows, UNITS, |client, cubes, dim| {
            let (starts, columns, charges) = (starts.arg(), columns.arg(), charges.arg());
            let (roots, values, plane) = (self.rows.roots.arg(), self.values.arg(), self.plane.arg());
            // SAFETY: rows of the upper half are below the number of rows of all impulses, and those of the lower half
            // are clamped to it; starts have one entry more. They lead to impulses that exist, whose columns are fewer
            // than the points of a row. The plane has room for `plane.rows` of these; there are as many roots as the
            // steps of a transform read, see `roots_of`.
            unsafe {
                transform_impulses::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    starts,
                    columns,
                    charges,
                    roots,
                    values,
                    plane,
                    self.rows.lines,
                );
            };
        })
    }

    /// Multiplies by the transform of the profile.
    #[allow(unsafe_code)]
    fn filter(&self, device: &Device) -> Result<(), DeviceError> {
        device.launch_cubes("convolution: columns", self.strips(), UNITS, |client, cubes, dim| {
            let (values, response, roots) = (self.values.arg(), self.response.arg(), self.columns.roots.arg());
            // SAFETY: the kernel reads and writes points in columns below their number and in rows of the plane, and
            // reads the response in all rows of the transform; roots as for rows.
            unsafe {
                filter_columns::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    values,
                    response,
                    roots,
                    self.plane.arg(),
                    self.columns.lines,
                );
            };
        })
    }

    /// Transforms rows back.
    #[allow(unsafe_code)]
    fn finish(&self, device: &Device, field: &Buffer<f32>) -> Result<(), DeviceError> {
        device.launch_cubes("convolution: rows back", self.plane.half, UNITS, |client, cubes, dim| {
            let (values, roots, field) = (self.values.arg(), self.rows.roots.arg(), field.arg());
            // SAFETY: the kernel reads rows of the plane, and writes cells whose column and row are those of the grid,
            // for which the field has room; roots as for impulses.
            unsafe {
                finish_rows::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    values,
                    roots,
                    field,
                    self.plane.arg(),
                    self.rows.lines,
                );
            };
        })
    }

    /// Cubes for all columns.
    fn strips(&self) -> u32 {
        self.plane.columns.div_ceil(self.columns.lines.count)
    }
}

/// The field of discs of one profile: as [`creation::by_convolution`](crate::creation::by_convolution).
///
/// # Errors
/// As for [`DeviceConvolution::new`] and [`DeviceConvolution::create`].
pub(crate) fn by_convolution(device: &Device, grid: &Grid, entities: &[Entity]) -> Result<Field, GpuError> {
    check_all(grid, entities)?;
    let field = DeviceField::new(device, grid)?;
    match common_profile(entities)? {
        Some(profile) => DeviceConvolution::new(device, grid, profile)?.create(device, entities, &field)?,
        None => field.clear(device)?,
    }
    field.read(device)
}

/// Checks the field and the common profile of entities for an executor named `what` that was made for a profile on a
/// grid.
pub(super) fn check_use(
    grid: &Grid,
    profile: &Profile,
    what: &str,
    common: Option<&Profile>,
    field: &DeviceField,
) -> Result<(), FieldError> {
    if field.grid() != grid {
        let remedy = format!("make the field on the grid of the {what}");
        return Err(FieldError::new("field", "on another grid", remedy));
    }
    if common.is_some_and(|common| common != profile) {
        let value = format!("not that of the {what}");
        return Err(FieldError::new("entity 0, profile", value, "make another one for this profile"));
    }
    Ok(())
}

/// Bytes of shared memory with which several cubes run at the same time on each multiprocessor of GPUs.
const COMFORTABLE_BYTES: usize = 48 << 10;

/// How rows and columns of a transform are transformed with so much shared memory.
///
/// # Errors
/// When they are too long.
fn lines([columns, rows]: [usize; 2], shared_bytes: usize) -> Result<[Lines; 2], FieldError> {
    check_lines([columns, rows], longest_line(shared_bytes))?;
    let find = |points: usize, counts: &[(u32, usize)]| {
        let all = counts.iter().flat_map(|&(count, bytes)| {
            let choices = [true, false].map(|spread| Lines { points: points as u32, count, spread });
            choices.map(|lines| (lines, bytes.min(shared_bytes)))
        });
        let found = all.into_iter().find(|(lines, bytes)| lines.places() as usize * POINT_BYTES <= *bytes);
        found.map_or(Lines { points: points as u32, count: 1, spread: false }, |(lines, _)| lines)
    };
    // Four columns are read in whole sectors of 32 bytes.
    let several = [(8, COMFORTABLE_BYTES), (4, usize::MAX), (2, usize::MAX), (1, usize::MAX)];
    Ok([find(columns, &[(1, usize::MAX)]), find(rows, &several)])
}

/// Bytes of a point in shared memory.
const POINT_BYTES: usize = size_of::<[f32; 2]>();

/// The longest line that can be transformed with so much shared memory, points.
pub(crate) fn longest_line(shared_bytes: usize) -> usize {
    shared_bytes / POINT_BYTES
}

/// The roots of unity of all steps of a transform: for each number that a step combines but the first, and for each
/// number before the next one, as real and imaginary part.
fn roots_of(lines: Lines) -> Vec<f32> {
    let mut roots = Vec::new();
    for (step, radix) in (0..).zip(lines.radices()) {
        let apart = lines.apart(step);
        let whole = f64::from(radix) * f64::from(apart);
        for k in 1..radix {
            roots.extend((0..apart).flat_map(|along| {
                let turn = std::f64::consts::TAU * (f64::from(k) * f64::from(along) / whole);
                [libm::cos(turn) as f32, -libm::sin(turn) as f32]
            }));
        }
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_lines_are_transformed_as_fit() {
        let with = |columns, rows, kilobytes: usize| {
            lines([columns, rows], kilobytes << 10).map(|[row, column]| (row.spread, column.count, column.spread))
        };
        assert_eq!(with(2304, 1280, 32), Ok((true, 2, true)));
        assert_eq!(with(2304, 1280, 227), Ok((true, 4, true)));
        assert_eq!(with(640, 640, 227), Ok((true, 8, true)));
        assert_eq!(with(4096, 4096, 32), Ok((false, 1, false)));
        let error = with(4320, 1280, 32).unwrap_err();
        assert_eq!((error.place.as_str(), error.value.as_str()), ("convolution, points of a row", "4320"));
        assert!(error.remedy.contains("at most 4096: use creation::by_convolution"), "{}", error.remedy);
        assert_eq!(with(2304, 5000, 32).unwrap_err().place, "convolution, points of a column");
    }

    #[test]
    fn roots_are_on_the_unit_circle_and_are_as_many_as_steps_read() {
        let lines = Lines { points: 240, count: 1, spread: false };
        let roots = roots_of(lines);
        assert_eq!(roots.len(), 2 * 239);
        assert!(roots.chunks(2).all(|root| (libm::hypotf(root[0], root[1]) - 1.0).abs() < 1e-6));
        // The first step combines 4 numbers that are 60 apart.
        assert_eq!((lines.radices()[0], &roots[..2]), (4, &[1.0, -0.0][..]));
        // The root of the third of these at place 20 is turned by twice 20 of 240 parts of a circle.
        let expected = [0.5, -libm::sqrtf(0.75)];
        let found = &roots[2 * (60 + 20)..][..2];
        assert!((0..2).all(|part| (found[part] - expected[part]).abs() < 1e-6), "{found:?}");
    }
}
