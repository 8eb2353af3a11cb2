//! The shapes of formations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of a formation: the slots of its agents around a reference point, which is their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormationShape {
    /// One rank, side by side.
    Line,
    /// One behind the other.
    Column,
    /// Two arms at 45 degrees behind a tip.
    Wedge,
    /// Ranks of equal length, the last one centred.
    Box,
    /// Around a circle.
    Circle,
}

impl FormationShape {
    /// Returns the slots of `count` agents, as distances ahead and to the left of the reference point, from the first
    /// rank to the last and from left to right. The unit is the spacing: the distance between neighbours in a rank, in
    /// a file, on an arm, or on a circle, and between the ranks of a box.
    ///
    /// With `n` agents, before their mean is subtracted: in a line, slot `i` is at `(0, (n - 1) / 2 - i)`; in a column
    /// at `(-i, 0)`; in a wedge at `(-r, r) / sqrt(2)` and `(-r, -r) / sqrt(2)` for `r` = 0, 1, 2 and so on; in a box
    /// of ranks with `k` = `ceil(sqrt(n))` agents at `(-i / k, (k - 1) / 2 - i % k)`, where the last rank may have a
    /// smaller `k` in the second part; on a circle at an angle of `2 pi i / n` from the front, with a radius of
    /// `1 / (2 sin(pi / n))`.
    ///
    /// ```
    /// use throng_fields_core::routing::FormationShape;
    ///
    /// assert_eq!(FormationShape::Line.slots(3), [[0.0, 1.0], [0.0, 0.0], [0.0, -1.0]]);
    /// assert_eq!(FormationShape::Box.slots(5)[3..], [[-0.6, 0.5], [-0.6, -0.5]]);
    /// ```
    pub fn slots(self, count: usize) -> Vec<[f32; 2]> {
        let last = count.saturating_sub(1) as f32;
        let mut slots: Vec<[f32; 2]> = match self {
            Self::Line => (0..count).map(|i| [0.0, 0.5 * last - i as f32]).collect(),
            Self::Column => (0..count).map(|i| [-(i as f32), 0.0]).collect(),
            Self::Wedge => {
                let arm = |i: usize| std::f32::consts::FRAC_1_SQRT_2 * i.div_ceil(2) as f32;
                (0..count).map(|i| [-arm(i), if i % 2 == 1 { arm(i) } else { -arm(i) }]).collect()
            }
            Self::Box => {
                let side = count.isqrt() + usize::from(count.isqrt().pow(2) < count);
                let rank = |i: usize| {
                    let length = side.min(count - i / side * side);
                    [-((i / side) as f32), 0.5 * (length - 1) as f32 - (i % side) as f32]
                };
                (0..count).map(rank).collect()
            }
            Self::Circle => {
                let turn = std::f32::consts::PI / count as f32;
                let radius = if count < 2 { 0.0 } else { 0.5 / libm::sinf(turn) };
                // Both of a rank have the same distance ahead, bit for bit.
                let slot = |i: usize| {
                    let (sin, cos) = libm::sincosf(2.0 * turn * i.div_ceil(2) as f32);
                    let is_alone = i == 0 || (i + 1 == count && i % 2 == 1);
                    let left = if is_alone { 0.0 } else { radius * sin };
                    [radius * cos, if i % 2 == 1 { left } else { -left }]
                };
                (0..count).map(slot).collect()
            }
        };
        let mean = slots.iter().map(|slot| f64::from(slot[0])).sum::<f64>() / count.max(1) as f64;
        for slot in &mut slots {
            slot[0] = (f64::from(slot[0]) - mean) as f32;
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [FormationShape; 5] = [
        FormationShape::Line,
        FormationShape::Column,
        FormationShape::Wedge,
        FormationShape::Box,
        FormationShape::Circle,
    ];

    #[test]
    fn neighbours_are_one_spacing_apart_and_the_mean_is_the_reference_point() {
        for shape in ALL {
            for count in 0..60 {
                let slots = shape.slots(count);
                assert_eq!(slots.len(), count);
                for axis in [0, 1] {
                    let mean = slots.iter().map(|slot| slot[axis]).sum::<f32>() / count.max(1) as f32;
                    // The arms of a wedge differ in length by one.
                    let most = if shape == FormationShape::Wedge && axis == 1 { 0.5 } else { 1e-4 };
                    assert!(mean.abs() <= most, "{shape:?} {count}: {mean}");
                }
                for (i, a) in slots.iter().enumerate() {
                    let others = slots.iter().enumerate().filter(|(j, _)| *j != i);
                    let nearest = others.map(|(_, b)| libm::hypotf(a[0] - b[0], a[1] - b[1])).fold(f32::MAX, f32::min);
                    // In a box, the last rank may stand between the files of the others.
                    let most = if shape == FormationShape::Box { 1.25f32.sqrt() } else { 1.0 };
                    let is_next = (1.0 - 1e-3..most + 1e-3).contains(&nearest);
                    assert!(count < 2 || is_next, "{shape:?} {count}, slot {i}: {nearest}");
                }
                // From the first rank to the last, and from left to right.
                let in_order = |pair: &[[f32; 2]]| (-pair[0][0], -pair[0][1]) < (-pair[1][0], -pair[1][1]);
                assert!(slots.windows(2).all(in_order), "{shape:?} {count}: {slots:?}");
            }
        }
    }

    #[test]
    fn shapes_of_few_agents_are_as_computed_by_hand() {
        let near = |shape: FormationShape, count: usize, expected: &[[f32; 2]]| {
            let slots = shape.slots(count);
            let differs = |(a, b): (&[f32; 2], &[f32; 2])| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 1e-5;
            assert!(slots.len() == expected.len() && !slots.iter().zip(expected).any(differs), "{shape:?}: {slots:?}");
        };
        near(FormationShape::Column, 3, &[[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]]);
        // A tip, and an arm of length 1 on each side: ahead 0, -0.7071 and -0.7071, with a mean of -0.4714.
        let half = 0.5f32.sqrt();
        near(FormationShape::Wedge, 3, &[[0.471_405, 0.0], [-0.235_702, half], [-0.235_702, -half]]);
        near(FormationShape::Box, 3, &[[1.0 / 3.0, 0.5], [1.0 / 3.0, -0.5], [-2.0 / 3.0, 0.0]]);
        // A square with sides of 1 on a circle of radius 1 / sqrt(2).
        near(FormationShape::Circle, 4, &[[half, 0.0], [0.0, half], [0.0, -half], [-half, 0.0]]);
        near(FormationShape::Circle, 1, &[[0.0, 0.0]]);
    }
}
