//! The collision checks of Vigueras et al., *Improving the GPU-based collision check procedure for distributed crowd
//! simulations*, as published, and their experiment.
//!
//! All discs have the same radius and request a move at the same time; the requested position is the disc's *wish*. A
//! check decides which discs may move. The paper compares a check that sorts the discs by cell ([`Baseline`]) with one
//! that neither sorts nor needs atomic operations ([`FourSteps`]). It claims that the crowd stays free of overlaps.
//! Neither check achieves that: [`counterexamples`] has crowds in which discs overlap after one step, and the
//! experiment counts such pairs. The checks are included for comparison only; `throng_collision` has rules under which
//! no two discs ever overlap.
//!
//! All positions are on the integer lattice of [`throng_collision`]: the side length of a cell of the four-step check
//! is [`CELL`](throng_collision::CELL), and all discs have radius [`MIN_RADIUS`](throng_collision::MIN_RADIUS). On this
//! lattice, the paper's condition that the diagonal of a cell equals the diameter of a disc holds without rounding:
//! discs with centres in one cell always overlap.

mod baseline;
mod cases;
pub mod counterexamples;
mod crowd;
mod defects;
#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod first_step;
mod grid;
mod kernel_times;
#[cfg(feature = "gpu")]
mod kernels;
mod method;
mod overlaps;
mod paper;
mod published;
mod published_figures;
mod report;
mod reproduce;
#[cfg(feature = "gpu")]
mod sequential;
mod statements;
mod table;
mod verification;

pub use baseline::Baseline;
pub use cases::{AREA, Case, Options, STEP};
pub use crowd::{Crowd, Moves};
pub use defects::{CheckVariant, Defects, count_defects};
#[cfg(feature = "gpu")]
pub use device::DeviceCrowd;
pub use grid::Stamps;
pub use kernel_times::KernelTimes;
pub use method::{Method, Tile};
pub use overlaps::{DIAMETER, overlapping_pairs};
pub use paper::VIGUERAS;
pub use published::{FourSteps, Restore, Variant};
pub use report::files;
pub use reproduce::{CheckResults, Measured, ViguerasMeasurements, reproduce};
pub use table::table;
