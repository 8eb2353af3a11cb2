//! Convolution: rows are transformed, columns are transformed, multiplied and transformed back, and rows again.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl};

use super::fourier::{Complex, Lines, place, transform, transform_back};
use super::sums::UNITS;

/// The points that are transformed. Those of the upper half of a grid are the real parts, those of the lower half the
/// imaginary ones.
#[derive(Debug, CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Plane {
    /// Points along x.
    pub columns: u32,
    /// Rows with impulses: half of the grid, and the padding.
    pub rows: u32,
    /// Rows of the upper half of the grid.
    pub half: u32,
    /// Points beyond the grid on each side.
    pub pad: u32,
    pub grid_columns: u32,
    pub grid_rows: u32,
}

/// The lines of a cube.
#[derive(CubeType)]
struct Strip {
    re: SharedMemory<f32>,
    im: SharedMemory<f32>,
}

#[cube]
fn strip(#[comptime] lines: Lines) -> Strip {
    Strip {
        re: SharedMemory::<f32>::new(comptime!(lines.places() as usize)),
        im: SharedMemory::<f32>::new(comptime!(lines.places() as usize)),
    }
}

/// Copies a line to the plane.
#[cube]
fn store_row(strip: &Strip, to: &mut Array<Complex>, row: u32, #[comptime] lines: Lines) {
    let first = row as usize * comptime!(lines.points as usize);
    let mut x = UNIT_POS;
    while x < comptime!(lines.points) {
        let at = place(x, lines) as usize;
        let mut value = Complex::empty();
        value[0] = strip.re[at];
        value[1] = strip.im[at];
        to[first + x as usize] = value;
        x += UNITS;
    }
}

/// Transforms rows of impulses: a cube for each row of the plane.
#[cube(launch_unchecked)]
pub fn transform_impulses(
    starts: &Array<u32>,
    columns: &Array<u32>,
    charges: &Array<f32>,
    roots: &Array<Complex>,
    to: &mut Array<Complex>,
    plane: &Plane,
    #[comptime] lines: Lines,
) {
    let mut strip = strip(lines);
    let row = CUBE_POS as u32;
    if row < plane.rows {
        let mut x = UNIT_POS;
        while x < comptime!(lines.places()) {
            strip.re[x as usize] = 0.0f32;
            strip.im[x as usize] = 0.0f32;
            x += UNITS;
        }
        sync_cube();
        let mut i = starts[row as usize] + UNIT_POS;
        let upper_end = starts[(row + 1u32) as usize];
        while i < upper_end {
            let at = place(columns[i as usize], lines) as usize;
            strip.re[at] = charges[i as usize];
            i += UNITS;
        }
        // With an odd number of rows, the lower half is shorter.
        let lower = u32::min(row + plane.half, plane.grid_rows + 2u32 * plane.pad);
        let lower_end = u32::min(lower + 1u32, plane.grid_rows + 2u32 * plane.pad);
        let mut i = starts[lower as usize] + UNIT_POS;
        let lower_end = starts[lower_end as usize];
        while i < lower_end {
            let at = place(columns[i as usize], lines) as usize;
            strip.im[at] = charges[i as usize];
            i += UNITS;
        }
        sync_cube();
        // The transform of zeros is zeros. The same for all units of a cube.
        if starts[row as usize] < upper_end || starts[lower as usize] < lower_end {
            transform(&mut strip.re, &mut strip.im, roots, lines);
        }
        store_row(&strip, to, row, lines);
    }
}

/// Transforms rows of a profile, of which there is a quarter: a cube for each row from 0 to the padding.
#[cube(launch_unchecked)]
pub fn transform_profile(
    quarter: &Array<f32>,
    roots: &Array<Complex>,
    to: &mut Array<Complex>,
    pad: u32,
    #[comptime] lines: Lines,
) {
    let mut strip = strip(lines);
    let row = CUBE_POS as u32;
    if row <= pad {
        let mut x = UNIT_POS;
        while x < comptime!(lines.points) {
            // To the left of the first column is the last one.
            let distance = u32::min(x, comptime!(lines.points) - x);
            let mut value = 0.0f32;
            if distance <= pad {
                value = quarter[row as usize * (pad as usize + 1) + distance as usize];
            }
            let at = place(x, lines) as usize;
            strip.re[at] = value;
            strip.im[at] = 0.0f32;
            x += UNITS;
        }
        sync_cube();
        transform(&mut strip.re, &mut strip.im, roots, lines);
        store_row(&strip, to, row, lines);
    }
}

/// Transforms columns of a profile, whose rows are transformed: a cube for several. The result is real, since a profile
/// is symmetric.
#[cube(launch_unchecked)]
pub fn finish_response(
    from: &Array<Complex>,
    roots: &Array<Complex>,
    response: &mut Array<f32>,
    columns: u32,
    pad: u32,
    scale: f32,
    #[comptime] lines: Lines,
) {
    let mut strip = strip(lines);
    let first = CUBE_POS as u32 * lines.count;
    if first < columns {
        let mut i = UNIT_POS;
        while i < comptime!(lines.points * lines.count) {
            let x = first + i % comptime!(lines.count);
            let y = i / comptime!(lines.count);
            let distance = u32::min(y, comptime!(lines.points) - y);
            let mut re = 0.0f32;
            let mut im = 0.0f32;
            if x < columns && distance <= pad {
                let value = from[distance as usize * columns as usize + x as usize];
                re = value[0];
                im = value[1];
            }
            let at = place(i, lines) as usize;
            strip.re[at] = re;
            strip.im[at] = im;
            i += UNITS;
        }
        sync_cube();
        transform(&mut strip.re, &mut strip.im, roots, lines);
        let mut i = UNIT_POS;
        while i < comptime!(lines.points * lines.count) {
            let x = first + i % comptime!(lines.count);
            let y = i / comptime!(lines.count);
            if x < columns {
                let at = place(i, lines) as usize;
                response[y as usize * columns as usize + x as usize] = strip.re[at] * scale;
            }
            i += UNITS;
        }
    }
}

/// Transforms columns, multiplies them by the transform of the profile, and transforms them back: a cube for several.
#[cube(launch_unchecked)]
pub fn filter_columns(
    values: &mut Array<Complex>,
    response: &Array<f32>,
    roots: &Array<Complex>,
    plane: &Plane,
    #[comptime] lines: Lines,
) {
    let mut strip = strip(lines);
    let first = CUBE_POS as u32 * lines.count;
    if first < plane.columns {
        let mut i = UNIT_POS;
        while i < comptime!(lines.points * lines.count) {
            let x = first + i % comptime!(lines.count);
            let y = i / comptime!(lines.count);
            let mut re = 0.0f32;
            let mut im = 0.0f32;
            if x < plane.columns && y < plane.rows {
                let value = values[y as usize * plane.columns as usize + x as usize];
                re = value[0];
                im = value[1];
            }
            let at = place(i, lines) as usize;
            strip.re[at] = re;
            strip.im[at] = im;
            i += UNITS;
        }
        sync_cube();
        transform(&mut strip.re, &mut strip.im, roots, lines);
        let mut i = UNIT_POS;
        while i < comptime!(lines.points * lines.count) {
            let x = u32::min(first + i % comptime!(lines.count), plane.columns - 1u32);
            let y = i / comptime!(lines.count);
            let factor = response[y as usize * plane.columns as usize + x as usize];
            let at = place(i, lines) as usize;
            strip.re[at] *= factor;
            strip.im[at] *= factor;
            i += UNITS;
        }
        sync_cube();
        transform_back(&mut strip.re, &mut strip.im, roots, lines);
        // Only rows of the grid are needed.
        let mut i = plane.pad * lines.count + UNIT_POS;
        while i < (plane.pad + plane.half) * lines.count {
            let x = first + i % comptime!(lines.count);
            let y = i / comptime!(lines.count);
            if x < plane.columns {
                let at = place(i, lines) as usize;
                let mut value = Complex::empty();
                value[0] = strip.re[at];
                value[1] = strip.im[at];
                values[y as usize * plane.columns as usize + x as usize] = value;
            }
            i += UNITS;
        }
    }
}

/// Transforms rows back, to cells of the grid: a cube for each row of the upper half.
#[cube(launch_unchecked)]
pub fn finish_rows(
    values: &Array<Complex>,
    roots: &Array<Complex>,
    field: &mut Array<f32>,
    plane: &Plane,
    #[comptime] lines: Lines,
) {
    let mut strip = strip(lines);
    let row = CUBE_POS as u32;
    if row < plane.half {
        let first = (row + plane.pad) as usize * comptime!(lines.points as usize);
        let mut x = UNIT_POS;
        while x < comptime!(lines.points) {
            let value = values[first + x as usize];
            let at = place(x, lines) as usize;
            strip.re[at] = value[0];
            strip.im[at] = value[1];
            x += UNITS;
        }
        sync_cube();
        transform_back(&mut strip.re, &mut strip.im, roots, lines);
        let mut x = UNIT_POS;
        while x < plane.grid_columns {
            let at = place(x + plane.pad, lines) as usize;
            field[row as usize * plane.grid_columns as usize + x as usize] = strip.re[at];
            if row + plane.half < plane.grid_rows {
                field[(row + plane.half) as usize * plane.grid_columns as usize + x as usize] = strip.im[at];
            }
            x += UNITS;
        }
    }
}
