//! The programs of Yu, Zhu, Wu and Zhang, *Improved OpenCL-based Implementation of Social Field Pedestrian Model*, and
//! their experiment.
//!
//! Pedestrians on a grid surround themselves with fields. The paper stores the sums of all fields in every space unit,
//! and updates them where pedestrians move. A tick has five kernels: they clear temporary storage, let pedestrians
//! decide, let space units vote, carry out the moves, and write the changes of the fields back. Between the last two
//! kernels, a cache holds the changes, so that no atomic operations are needed. The paper has two caches ([`Caching`]):
//!
//! * one step: a slot for each centre whose field changes a stored number; their count is the *strength fan-out*;
//! * multi-step: a few partial sums, regardless of the field size.
//!
//! [`StoredFields`] is this program on one thread, optionally without a cache, which is our version of the paper's CPU
//! model; [`DeviceStoredFields`] is the program on devices, with any of the paper's [`Techniques`]; without a cache, it
//! adds changes by atomic operations.
//!
//! The **paper** defines the five kernels, enrolment stations with eight slots, both caches, padding with zero
//! strengths, the sort of eight keys in 21 exchanges, strengths `k * r^alpha`, and the attractive (DA), repulsive (DR)
//! and recurrent repulsive (RR) fields. **Throng** provides the rules (`throng_pedestrians`): the formula of a
//! decision and its weights, the meaning of DA and DR, the sector map, priorities of the vote, and integer strengths.
//! For the first two, the paper refers to an earlier paper, and it prints the others only in part. Every program
//! therefore ends each tick in the state of [`Reference`](throng_pedestrians::Reference), bit for bit.
//!
//! [`Numbers`] is the layout of the stored numbers: those of DA and DR depend on the heading, unlike in the paper.

mod ablation;
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
mod statements;
mod table;
mod techniques;
mod verification;

pub use caching::{Caching, PARTIAL_SUMS, bytes, published_bytes};
pub use cases::{Case, Options};
#[cfg(feature = "gpu")]
pub use device::{DeviceStoredFields, check_cache};
pub use fan_out::{Hits, TABLE_I, TABLE_II, hits};
pub use memory::FieldSizeMeasurement;
pub use method::Method;
pub use numbers::Numbers;
pub use paper::YU;
pub use program::StoredFields;
pub use ratios::Ratios;
pub use report::files;
pub use reproduce::{Refused, TickMeasurement, YuMeasurements, reproduce};
pub use slots::{Slot, Slots};
pub use table::table;
pub use techniques::{Technique, Techniques, Variant};
