//! Weighted sums over the neighbourhoods of all units (cells) of a grid, with weights that depend on the offset. The
//! sums are exact and have the same bits on the CPU and on every device.
//!
//! A sum with radius `r` has `(2 r + 1)^2` terms. Transforms need only a few dozen operations per unit for any `r`
//! (convolution theorem). Floating-point Fourier transforms are unsuitable: they round, shaders lack double precision,
//! and single precision is too coarse to recover integer sums. The transforms used here are modulo a prime: each
//! operation is exact, and a sum smaller than the prime is its own residue.
//!
//! * [`Convolution`] computes sums on the CPU, `DeviceConvolution` on a device. Large worlds are divided into tiles.
//! * A [`Pass`] selects the units that are summed, and the units that receive sums.
//!
//! ```
//! use throng_device::convolution::{Convolution, Pass};
//!
//! // A world of 3 x 1 units in a plane with a margin of 1 on all sides; occupied units are marked by 1.
//! let marks = [[0, 0, 0, 0, 0], [0, 1, 0, 1, 1], [0, 0, 0, 0, 0]];
//! // Weights of the western and of the eastern neighbour.
//! let weights = vec![0, 0, 0, 100, 0, 7, 0, 0, 0];
//! let convolution = Convolution::new([3, 1], 1, &[weights]);
//! let mut sums = [9; 3];
//! // Sums for all occupied units. The plane continues beyond the world in the east.
//! convolution.compute_sums(marks.as_flattened(), &[Pass { sources: 1, targets: 1, sums: vec![[0, 0]] }], &mut sums);
//! assert_eq!(sums, [0, 9, 7]);
//! ```

#[cfg(feature = "gpu")]
mod device;
mod host;
#[cfg(feature = "gpu")]
mod kernels;
mod modular;
mod strips;
#[cfg(test)]
mod tests;
mod tiling;

#[cfg(feature = "gpu")]
pub use device::DeviceConvolution;
pub use host::{Convolution, Pass};
pub use modular::PRIME;
pub use tiling::MAX_RADIUS;
