//! From entities to a field: the value of a cell is the sum of the contributions of all entities at its sampled point,
//! in their order.
//!
//! * [`every_pair`] is the definition, and slow.
//! * [`by_tiles`] is the same to the last bit. A [`MovingField`] updates it, [`combined`] makes one field of
//!   several layers.
//! * [`by_convolution`] and [`by_separable`] are for many large discs of one profile. Their errors are at most
//!   [`convolution::error_bound`] and [`separable::error_bound`]. On devices they are `gpu::DeviceConvolution` and
//!   `gpu::DeviceTwoPasses`.
//! * [`Windows`] are many small fields at once, of which only the best cells are kept.
//! * [`create`] uses the method with the shortest estimated time, and its [`Plan`] gives the reason.

mod arithmetic;
mod cell_distances;
mod charges;
mod choice;
mod combined;
pub mod convolution;
mod costs;
mod every_pair;
mod figures;
mod fixed_point;
mod fourier;
mod gathering;
mod impulses;
mod kept;
mod lanes;
pub(crate) mod line_transform;
mod loss;
mod memory;
mod moving;
mod numbers;
mod plan;
mod polygon;
pub mod separable;
mod spans;
mod stamped;
mod sums;
mod tiles;
mod window;
mod windows;

pub(crate) use arithmetic::Arithmetic;
pub use choice::{Method, Options, create};
pub use combined::combined;
pub use convolution::by_convolution;
pub use every_pair::every_pair;
pub use fixed_point::FixedPoint;
pub(crate) use fixed_point::Room;
#[cfg(feature = "gpu")]
pub(crate) use fourier::{Transform, check_lines, quarter};
pub(crate) use gathering::items;
#[cfg(feature = "gpu")]
pub(crate) use impulses::{ImpulseList, Impulses, common_profile};
pub(crate) use kept::Kept;
pub use moving::MovingField;
pub(crate) use plan::Available;
pub use plan::Plan;
pub use separable::by_separable;
#[cfg(feature = "gpu")]
pub(crate) use separable::{common_bell, taps};
pub(crate) use sums::{Item, Steps, Sum};
pub(crate) use tiles::sum;
pub use tiles::{TILE, by_tiles};
pub use windows::Windows;
