//! Fourier transforms of lines in the shared memory of a cube.
//!
//! A transform takes numbers in their order and leaves them in another one, and the transform back takes that order:
//! both work in place, and a product needs no order.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::UNITS;
use crate::creation::line_transform::{self, COS_5, SIN_3, SIN_5};

/// A complex number.
pub type Complex = Vector<f32, Const<2>>;

/// How a cube transforms lines: several of the same length side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lines {
    /// The length, without prime factors above 5.
    pub points: u32,
    /// How many lines.
    pub count: u32,
    /// Whether a place in [`BANKS`] is left out, so that units that read numbers far apart read different banks.
    pub spread: bool,
}

/// Numbers of shared memory that different units read at the same time.
const BANKS: u32 = 32;

impl Lines {
    /// Places that the lines take in shared memory.
    pub fn places(self) -> u32 {
        let numbers = self.points * self.count;
        if self.spread { numbers + numbers / BANKS } else { numbers }
    }

    /// The radix of each step.
    pub fn radices(self) -> Vec<u32> {
        let mut radices = Vec::new();
        let mut left = self.points;
        // 16 is 4 times 4, which takes less than 8 times 2.
        while left.is_multiple_of(8) && left.trailing_zeros() != 4 {
            radices.push(8);
            left /= 8;
        }
        radices.extend(line_transform::radices(left as usize).into_iter().map(|radix| radix as u32));
        radices
    }

    /// How far apart the numbers are that a step combines.
    pub fn apart(self, step: u32) -> u32 {
        let radices = self.radices();
        self.points / radices[..=step as usize].iter().product::<u32>()
    }

    /// Where the roots of unity of a step begin: as many for each number that it combines, but for the first, as these
    /// are apart.
    pub fn roots_before(self, step: u32) -> u32 {
        (0..step).map(|step| (self.radices()[step as usize] - 1) * self.apart(step)).sum()
    }
}

/// Numbers that are combined.
#[derive(CubeType)]
struct Parts {
    re: Array<f32>,
    im: Array<f32>,
}

/// Transforms lines. Units have to be synchronised before, and are afterwards.
#[cube]
pub fn transform(
    re: &mut SharedMemory<f32>,
    im: &mut SharedMemory<f32>,
    roots: &Array<Complex>,
    #[comptime] lines: Lines,
) {
    #[unroll]
    for step in 0..comptime!(lines.radices().len() as u32) {
        combine(re, im, roots, lines, step, false);
    }
}

/// Transforms lines back, but for a factor of their length.
#[cube]
pub fn transform_back(
    re: &mut SharedMemory<f32>,
    im: &mut SharedMemory<f32>,
    roots: &Array<Complex>,
    #[comptime] lines: Lines,
) {
    let steps = comptime!(lines.radices().len() as u32);
    #[unroll]
    for step in 0..steps {
        // With real and imaginary parts exchanged, the roots are the inverse ones.
        combine(im, re, roots, lines, comptime!(steps - 1 - step), true);
    }
}

/// A step: each unit combines as many numbers as the radix, which are equally far apart. They are multiplied by roots
/// of unity afterwards or, in a transform back, before.
#[cube]
fn combine(
    re: &mut SharedMemory<f32>,
    im: &mut SharedMemory<f32>,
    roots: &Array<Complex>,
    #[comptime] lines: Lines,
    #[comptime] step: u32,
    #[comptime] back: bool,
) {
    let radix = comptime!(lines.radices()[step as usize]);
    let apart = comptime!(lines.apart(step));
    let before = comptime!(lines.roots_before(step));
    let mut parts =
        Parts { re: Array::<f32>::new(comptime!(radix as usize)), im: Array::<f32>::new(comptime!(radix as usize)) };
    let mut i = UNIT_POS;
    while i < comptime!(lines.points / radix * lines.count) {
        let line = i % comptime!(lines.count);
        let number = i / comptime!(lines.count);
        let along = number % apart;
        let first = (number - along) * radix + along;
        #[unroll]
        for k in 0..radix {
            let at = place((first + comptime!(k * apart)) * comptime!(lines.count) + line, lines);
            let mut number_re = re[at as usize];
            let mut number_im = im[at as usize];
            if comptime!(back && k > 0 && apart > 1) {
                let root = roots[(comptime!(before + (k.max(1) - 1) * apart) + along) as usize];
                let turned = number_re * root[0] - number_im * root[1];
                number_im = number_re * root[1] + number_im * root[0];
                number_re = turned;
            }
            parts.re[k as usize] = number_re;
            parts.im[k as usize] = number_im;
        }
        transform_parts(&mut parts, radix);
        #[unroll]
        for k in 0..radix {
            let held = comptime!(held_at(radix, k) as usize);
            let mut number_re = parts.re[held];
            let mut number_im = parts.im[held];
            if comptime!(!back && k > 0 && apart > 1) {
                let root = roots[(comptime!(before + (k.max(1) - 1) * apart) + along) as usize];
                let turned = number_re * root[0] - number_im * root[1];
                number_im = number_re * root[1] + number_im * root[0];
                number_re = turned;
            }
            let at = place((first + comptime!(k * apart)) * comptime!(lines.count) + line, lines);
            re[at as usize] = number_re;
            im[at as usize] = number_im;
        }
        i += UNITS;
    }
    sync_cube();
}

/// The place of a number in shared memory.
#[cube]
pub fn place(number: u32, #[comptime] lines: Lines) -> u32 {
    if comptime!(lines.spread) { number + number / BANKS } else { number }
}

/// Where [`transform_parts`] leaves the `k`-th number: powers of two come in the order of reversed bits.
fn held_at(radix: u32, k: u32) -> u32 {
    if radix.is_power_of_two() { k.reverse_bits() >> (u32::BITS - radix.ilog2()) } else { k }
}

/// The transform of 2, 3, 4, 5 or 8 numbers.
#[cube]
fn transform_parts(parts: &mut Parts, #[comptime] radix: u32) {
    match radix {
        2 => two(parts, 0u32, 1u32),
        3 => three(parts),
        4 => four(parts, 0u32),
        5 => five(parts),
        _ => {
            #[unroll]
            for k in 0..4u32 {
                two(parts, k, comptime!(k + 4));
            }
            // Turned by an eighth, a quarter and three eighths of a circle.
            let re = parts.re[5];
            let im = parts.im[5];
            parts.re[5] = (re + im) * comptime!(std::f32::consts::FRAC_1_SQRT_2);
            parts.im[5] = (im - re) * comptime!(std::f32::consts::FRAC_1_SQRT_2);
            turn(parts, 6u32);
            let re = parts.re[7];
            let im = parts.im[7];
            parts.re[7] = (im - re) * comptime!(std::f32::consts::FRAC_1_SQRT_2);
            parts.im[7] = (re + im) * comptime!(-std::f32::consts::FRAC_1_SQRT_2);
            four(parts, 0u32);
            four(parts, 4u32);
        }
    }
}

/// Sum and difference.
#[cube]
fn two(parts: &mut Parts, #[comptime] a: u32, #[comptime] b: u32) {
    let re = parts.re[a as usize];
    let im = parts.im[a as usize];
    let other_re = parts.re[b as usize];
    let other_im = parts.im[b as usize];
    parts.re[a as usize] = re + other_re;
    parts.im[a as usize] = im + other_im;
    parts.re[b as usize] = re - other_re;
    parts.im[b as usize] = im - other_im;
}

/// Multiplies by `-i`.
#[cube]
fn turn(parts: &mut Parts, #[comptime] a: u32) {
    let re = parts.re[a as usize];
    parts.re[a as usize] = parts.im[a as usize];
    parts.im[a as usize] = -re;
}

/// Of four numbers from `first` on.
#[cube]
fn four(parts: &mut Parts, #[comptime] first: u32) {
    two(parts, first, comptime!(first + 2));
    two(parts, comptime!(first + 1), comptime!(first + 3));
    turn(parts, comptime!(first + 3));
    two(parts, first, comptime!(first + 1));
    two(parts, comptime!(first + 2), comptime!(first + 3));
}

#[cube]
fn three(parts: &mut Parts) {
    let sum_re = parts.re[1] + parts.re[2];
    let sum_im = parts.im[1] + parts.im[2];
    let across_re = (parts.re[1] - parts.re[2]) * SIN_3;
    let across_im = (parts.im[1] - parts.im[2]) * SIN_3;
    let middle_re = parts.re[0] - 0.5f32 * sum_re;
    let middle_im = parts.im[0] - 0.5f32 * sum_im;
    parts.re[0] += sum_re;
    parts.im[0] += sum_im;
    parts.re[1] = middle_re + across_im;
    parts.im[1] = middle_im - across_re;
    parts.re[2] = middle_re - across_im;
    parts.im[2] = middle_im + across_re;
}

#[cube]
fn five(parts: &mut Parts) {
    let re = parts.re[0];
    let im = parts.im[0];
    let outer_re = parts.re[1] + parts.re[4];
    let outer_im = parts.im[1] + parts.im[4];
    let inner_re = parts.re[2] + parts.re[3];
    let inner_im = parts.im[2] + parts.im[3];
    let across_re = parts.re[1] - parts.re[4];
    let across_im = parts.im[1] - parts.im[4];
    let within_re = parts.re[2] - parts.re[3];
    let within_im = parts.im[2] - parts.im[3];
    parts.re[0] = re + outer_re + inner_re;
    parts.im[0] = im + outer_im + inner_im;
    #[unroll]
    for k in 0..2u32 {
        let near = comptime!(COS_5[k as usize]);
        let far = comptime!(COS_5[1 - k as usize]);
        let steep = comptime!(SIN_5[k as usize]);
        let flat = comptime!(if k == 0 { SIN_5[1] } else { -SIN_5[0] });
        let middle_re = re + near * outer_re + far * inner_re;
        let middle_im = im + near * outer_im + far * inner_im;
        let side_re = steep * across_re + flat * within_re;
        let side_im = steep * across_im + flat * within_im;
        parts.re[comptime!(k as usize + 1)] = middle_re + side_im;
        parts.im[comptime!(k as usize + 1)] = middle_im - side_re;
        parts.re[comptime!(4 - k as usize)] = middle_re - side_im;
        parts.im[comptime!(4 - k as usize)] = middle_im + side_re;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_multiply_to_the_length() {
        for (points, radices) in [
            (1, vec![]),
            (2, vec![2]),
            (16, vec![4, 4]),
            (48, vec![4, 4, 3]),
            (1280, vec![8, 8, 4, 5]),
            (2304, vec![8, 8, 4, 3, 3]),
            (4096, vec![8; 4]),
            (6075, vec![5, 5, 3, 3, 3, 3, 3]),
        ] {
            let lines = Lines { points, count: 4, spread: true };
            assert_eq!(lines.radices(), radices, "{points}");
            assert_eq!(radices.iter().product::<u32>(), points);
            assert!(points == 1 || lines.apart(radices.len() as u32 - 1) == 1);
            // All but the first number of each step, and the lengths of the lines within it.
            assert_eq!(lines.roots_before(radices.len() as u32), points - 1);
        }
    }
}
