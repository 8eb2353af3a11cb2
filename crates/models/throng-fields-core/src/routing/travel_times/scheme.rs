//! The schemes by which travel times are computed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::metric::Metric;

/// The order of the scheme by which Euclidean travel times are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Godunov's scheme, with an error that decreases as `h ln(1 / h)` with the side length `h` of cells.
    First,
    /// Second-order differences where the next two cells towards a goal along each axis are open, corrected near goals.
    /// Takes 1.2 to 2 times as long.
    #[default]
    Second,
}

/// How travel times are computed: the metric of path lengths and, for the Euclidean one, the order of the scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// The eikonal equation: paths at any angle.
    Euclidean(Order),
    /// Steps along the axes: a cell takes its own time more than the lowest of four neighbours.
    Manhattan,
    /// Steps of equal length to eight neighbours; to a diagonal one only if both cells beside the step are open.
    Chebyshev,
}

impl Scheme {
    /// The metric of path lengths.
    pub fn metric(self) -> Metric {
        match self {
            Self::Euclidean(_) => Metric::Euclidean,
            Self::Manhattan => Metric::Manhattan,
            Self::Chebyshev => Metric::Chebyshev,
        }
    }
}

impl Default for Scheme {
    fn default() -> Self {
        Self::Euclidean(Order::default())
    }
}

impl From<Order> for Scheme {
    fn from(order: Order) -> Self {
        Self::Euclidean(order)
    }
}
