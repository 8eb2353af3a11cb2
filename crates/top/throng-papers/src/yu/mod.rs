//! The programs of Yu, Zhu, Wu and Zhang, *Improved OpenCL-based Implementation of Social Field Pedestrian Model*, and
//! their experiment.
//!
//! Pedestrians on a grid surround themselves with fields. The paper stores the sums of all fields in every space unit,
//! and updates them where pedestrians move: a tick has five kernels, which clear temporary storage, let pedestrians
//! decide, let space units vote, carry out the moves, and write the changes of the fields back. Between the last two the
//! changes wait in a cache, so that no atomic operations are needed. The paper has two caches ([`Caching`]):
//!
//! * one step: a slot for each centre whose field changes a number, as many as the *strength fan-out*;
//! * multi-step: a few partial sums, whatever the size of a field.
//!
//! [`StoredFields`] is this program on one thread, also without a cache, which is the paper's CPU model;
//! [`DeviceStoredFields`] is the program on devices.
//!
//! **The paper's** are the five kernels, enrolment stations with eight places, both caches, padding with zero strengths,
//! the sort of eight keys in 21 exchanges, strengths `k * r^alpha`, and that fields are attractive (DA), repulsive (DR)
//! and recurrent repulsive (RR).
//! **Throng's** are the rules (`throng_pedestrians`): the formula of a decision and its weights, what DA and DR
//! mean, the sector map, priorities of the vote, and strengths as whole numbers. The paper refers to an earlier one for the
//! first two, and prints the others in part. So every program ends each tick in the state of
//! [`Reference`](throng_pedestrians::Reference), bit for bit.
//!
//! [`Numbers`] says what is stored, and how this differs from the paper's eight numbers for each category.

mod cache;
mod caching;
mod cases;
#[cfg(feature = "gpu")]
mod device;
mod fan_out;
#[cfg(feature = "gpu")]
mod kernels;
mod memory;
mod method;
mod numbers;
mod paper;
mod program;
mod published;
mod ratios;
mod report;
mod reproduce;
mod running;
mod slots;
mod sorting;
mod table;
mod verification;

pub use caching::{Caching, PARTIAL_SUMS, bytes, published_bytes};
pub use cases::{Case, Options};
#[cfg(feature = "gpu")]
pub use device::{DeviceStoredFields, check_cache};
pub use fan_out::{Hits, TABLE_I, TABLE_II, hits};
pub use memory::MemoryRow;
pub use method::Method;
pub use numbers::Numbers;
pub use paper::YU;
pub use program::StoredFields;
pub use ratios::Ratios;
pub use report::files;
pub use reproduce::{Made, Refused, YuMeasurements, reproduce};
pub use slots::{Slot, Slots};
pub use table::table;
