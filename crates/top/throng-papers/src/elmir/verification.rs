//! Verification cases: the programs' fields are the sums that the thesis describes.

use throng_core::{Finding, VerificationCase as Case};
use throng_device::Error;
use throng_device::{Device, with_kernels};
use throng_fields::Field;

use super::Circles;
use super::cases;
use crate::experiment::Trial;

/// Computes the fields of circles by several programs.
type Programs<'a> = dyn Fn(&Circles) -> Result<Vec<Field>, Error> + 'a;

pub(super) const CASES: [Case<Trial>; 2] = [
    Case::new(
        "Elmir's copied circles",
        Trial::OnCpu(|| Ok(copies_are_circles(&|circles| Ok(on_the_cpu(circles)))?)),
        "maximum difference of copies and the naive program from the sums of 1 - d / 15, for circles on cell corners",
    ),
    Case::new(
        "Elmir's device programs",
        Trial::OnDevice(|device| Ok(device_programs_make_the_circles(&|circles| on_device(device, circles))?)),
        "naive, coalesced and shared make the same field, bit for bit: sums of 1 - d / 15, at sizes that are not \
         multiples of the group size",
    ),
];

fn on_the_cpu(circles: &Circles) -> Vec<Field> {
    vec![circles.naive(), circles.memory_copy()]
}

fn on_device(device: &Device, circles: &Circles) -> Result<Vec<Field>, Error> {
    with_kernels!("throng-papers", device, |device| {
        let device_circles = super::DeviceCircles::new(device, circles)?;
        let programs = [super::Program::GpuNaive, super::Program::GpuCoalesced, super::Program::GpuShared];
        programs.into_iter().map(|program| device_circles.create(program)).collect()
    })
}

/// Compares the programs for circles centred on cell corners, where a copy is exact.
fn copies_are_circles(programs: &Programs<'_>) -> Result<Finding, Error> {
    let centres = (0..200u32).map(|i| [i * 367 % 256, i * 593 % 256].map(|at| at as f32)).collect();
    let circles = Circles::new(256, 15.0, centres)?;
    Ok(farthest_off(&circles, &programs(&circles)?))
}

fn device_programs_make_the_circles(programs: &Programs<'_>) -> Result<Finding, Error> {
    // Neither the number of cells nor that of circles is a multiple of a block size.
    let circles = cases::Case { radius: 15.0, resolution: 131, count: 301 }.circles(7)?;
    let fields = programs(&circles)?;
    let differing =
        |a: &Field, b: &Field| a.values().iter().zip(b.values()).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let differ = fields.iter().map(|other| differing(&fields[0], other)).sum();
    let finding = farthest_off(&circles, &fields);
    Ok(if finding.holds { Finding::no_difference("cells", differ) } else { finding })
}

/// The maximum difference of the fields from the sum of `1 - distance / radius` over all circles.
fn farthest_off(circles: &Circles, fields: &[Field]) -> Finding {
    let (grid, radius) = (circles.grid(), f64::from(circles.radius()));
    let mut off = 0.0f64;
    for row in 0..grid.rows() {
        for column in 0..grid.columns() {
            // The thesis evaluates at the corner of a cell.
            let [x, y] = [column, row].map(|at| f64::from(at) * f64::from(grid.cell()));
            let charge = |at: &[f32; 2]| {
                let distance = libm::hypot(f64::from(at[0]) - x, f64::from(at[1]) - y);
                (1.0 - distance / radius).max(0.0)
            };
            let expected: f64 = circles.centres().iter().map(charge).sum();
            let found = fields.iter().map(|field| f64::from(field.at(column, row).unwrap_or(f32::NAN)));
            // `f64::max` ignores NaN, which would count as no difference.
            let difference = |found: f64| if found.is_nan() { f64::INFINITY } else { (found - expected).abs() };
            off = found.map(difference).fold(off, f64::max);
        }
    }
    Finding::at_most(1e-4, off)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of the CPU programs, with each value replaced by `value`, a function of the correct field and the
    /// index of the cell.
    fn wrong(circles: &Circles, value: fn(&[f32], usize) -> f32) -> Vec<Field> {
        let wrong = |field: &Field| {
            let values = (0..field.values().len()).map(|cell| value(field.values(), cell)).collect();
            Field::new(*field.grid(), values)
        };
        on_the_cpu(circles).iter().map(wrong).collect()
    }

    #[test]
    fn each_case_fails_on_programs_that_do_nothing_double_or_are_off_by_one() {
        let mutants: [fn(&[f32], usize) -> f32; 3] =
            [|_, _| 0.0, |right, cell| 2.0 * right[cell], |right, cell| if cell == 0 { 0.0 } else { right[cell - 1] }];
        for (number, mutant) in mutants.into_iter().enumerate() {
            let programs = |circles: &Circles| Ok(wrong(circles, mutant));
            for check in [copies_are_circles, device_programs_make_the_circles] {
                assert!(!check(&programs).unwrap().holds, "mutant {number}");
            }
        }
        assert!(copies_are_circles(&|circles: &Circles| Ok(on_the_cpu(circles))).unwrap().holds);
    }
}
