//! Axis-aligned boxes.

use throng_scene::Point;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Bounds {
    /// The box that contains no point.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// A box between two corners, rounded outwards.
    pub fn new(low: Point, high: Point) -> Self {
        Self {
            low: low.map(|part| {
                let single = part as f32;
                if f64::from(single) > part { single.next_down() } else { single }
            }),
            high: high.map(|part| {
                let single = part as f32;
                if f64::from(single) < part { single.next_up() } else { single }
            }),
        }
    }

    /// A box with this center; `reach` is half its edge length along each axis.
    pub fn around(center: Point, reach: Point) -> Self {
        Self::new(std::array::from_fn(|i| center[i] - reach[i]), std::array::from_fn(|i| center[i] + reach[i]))
    }

    /// The smallest box around both.
    pub fn with(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|i| self.low[i].min(other.low[i])),
            high: std::array::from_fn(|i| self.high[i].max(other.high[i])),
        }
    }

    /// Half of the surface area; 0 if the box is empty.
    pub fn half_area(self) -> f32 {
        let [x, y, z] = std::array::from_fn(|i| (self.high[i] - self.low[i]).max(0.0));
        x * y + y * z + z * x
    }

    /// Twice the center along an axis.
    pub fn middle(self, axis: usize) -> f32 {
        self.low[axis] + self.high[axis]
    }

    /// Center and half the edge length of a cube around the box; a point at the origin if the box is empty.
    pub fn cube(self) -> ([f32; 3], f32) {
        if self.low[0] > self.high[0] {
            return ([0.0; 3], 0.0);
        }
        let center = std::array::from_fn(|i| f32::midpoint(self.low[i], self.high[i]));
        let radius = (0..3).map(|i| self.high[i] - center[i]).fold(0.0, f32::max);
        (center, radius)
    }
}
