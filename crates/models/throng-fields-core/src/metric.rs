//! How distances are measured: along straight lines, along the axes, or by the larger of both coordinates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A distance between two points that differ by `x` and `y` along the axes of the map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The length of the straight line, `sqrt(x^2 + y^2)`.
    #[default]
    Euclidean,
    /// The length of a path along the axes, `|x| + |y|`.
    Manhattan,
    /// The larger of both parts, `max(|x|, |y|)`: the number of steps to one of eight neighbours.
    Chebyshev,
}

impl Metric {
    /// The metric's name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Euclidean => "euclidean",
            Self::Manhattan => "manhattan",
            Self::Chebyshev => "chebyshev",
        }
    }

    /// The distance between two points that differ by `x` and `y`.
    pub fn distance(self, [x, y]: [f64; 2]) -> f64 {
        match self {
            Self::Euclidean => libm::hypot(x, y),
            Self::Manhattan => x.abs() + y.abs(),
            Self::Chebyshev => x.abs().max(y.abs()),
        }
    }
}
