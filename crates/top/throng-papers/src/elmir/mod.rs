//! The programs of Elmir's thesis (2013), and its experiment: circles of one radius on a square world.
//!
//! Where the printed algorithms are wrong, they are mended: algorithm 2 assigns where it must add; algorithm 4 leaves out
//! entities when their number is no multiple of the group, and waits in each turn of its inner loop; no algorithm shows
//! that the field is cleared. The charge of a circle is not printed; here it is `1 - d / r`.

mod beyond;
mod cases;
mod circles;
mod copies;
#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod kernels;
mod paper;
mod program;
mod published;
mod report;
mod reproduce;
mod statements;
mod table;
mod verification;

pub use beyond::{Beyond, Measured, beyond_csv, beyond_table};
pub use cases::{Case, Options};
pub use circles::{Circles, WORLD};
#[cfg(feature = "gpu")]
pub use device::DeviceCircles;
pub use paper::ELMIR;
pub use program::Program;
pub use published::{Published, PublishedRow};
pub use report::files;
pub use reproduce::{ElmirMeasurements, reproduce};
pub use statements::statements;
pub use table::table;
