//! The programs of Elmir's thesis.

use throng_core::Finding;

use super::differing;
use super::executor::Executor;
use crate::baselines::elmir::{Case, Circles};
use crate::field::Field;
use crate::gpu::GpuError;

/// Circles whose centres are corners of cells, so that a copy is no other circle.
pub(super) fn copies_are_circles(on: &dyn Executor) -> Result<Finding, GpuError> {
    let centres = (0..200u32).map(|i| [i * 367 % 256, i * 593 % 256].map(|at| at as f32)).collect();
    let circles = Circles::new(256, 15.0, centres)?;
    Ok(farthest_off(&circles, &on.elmir(&circles)?))
}

pub(super) fn device_programs_make_the_circles(on: &dyn Executor) -> Result<Finding, GpuError> {
    // No multiple of anything.
    let circles = Case { radius: 15.0, resolution: 131, count: 301 }.circles(7)?;
    let fields = on.elmir(&circles)?;
    let differ = fields.iter().map(|other| differing(&fields[0], other)).sum();
    let finding = farthest_off(&circles, &fields);
    Ok(if finding.holds { Finding::no_difference("cells", differ) } else { finding })
}

/// The largest difference of fields from the sum of `1 - distance / radius` over all circles.
fn farthest_off(circles: &Circles, fields: &[Field]) -> Finding {
    let (grid, radius) = (circles.grid(), f64::from(circles.radius()));
    let mut off = 0.0f64;
    for row in 0..grid.rows() {
        for column in 0..grid.columns() {
            // The thesis takes the corner of a cell.
            let [x, y] = [column, row].map(|at| f64::from(at) * f64::from(grid.cell()));
            let charge = |at: &[f32; 2]| {
                let distance = libm::hypot(f64::from(at[0]) - x, f64::from(at[1]) - y);
                (1.0 - distance / radius).max(0.0)
            };
            let expected: f64 = circles.centres().iter().map(charge).sum();
            let found = fields.iter().map(|field| f64::from(field.at(column, row).unwrap_or(f32::NAN)));
            // `f64::max` passes over a NaN, which would then count as no difference.
            let difference = |found: f64| if found.is_nan() { f64::INFINITY } else { (found - expected).abs() };
            off = found.map(difference).fold(off, f64::max);
        }
    }
    Finding::at_most(1e-4, off)
}
