//! Everything that the files of a step model need, in one import: `use throng::model::prelude::*`. Files with rules and
//! kernels import `throng::device::prelude`.
//!
//! ```
//! use throng_model::prelude::*;
//!
//! step_scenario! {
//!     /// Rivers that rise.
//!     pub struct Rivers(days = 30, frame_every = 1, folder = "output/rivers") {
//!         /// Cubic metres per second.
//!         pub flow: f64 = 2.5,
//!     }
//! }
//!
//! let mut units = WholeUnits::default();
//! assert_eq!(units.of("flow", Rivers::default().flow, 1000, 0.0..=1e6), 2500);
//! units.finish()?;
//! # Ok::<(), InputError>(())
//! ```

pub use throng_core::{Finding, InputError, Philox, Warnings};
pub use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
pub use throng_device::{Device, Executor, with_kernels};
pub use throng_output::{PendingFile, RunFolder};

pub use crate::flags::{Flag, Flags};
pub use crate::step_model::{
    AnimationFile, Case, CompletedSteps, DeviceSupport, Film, FurtherResults, HasFlags, HasInputFiles, JointSimulation,
    Observed, Observer, OnCpu, Parts, Plan, SimulatedTogether, State, StepScenario, Steps, Verify, WholeUnits,
    last_state,
};
pub use crate::{
    Calibration, Costs, Failure, Figure, Flock, Quantity, StepModel, TypicalCosts, step_scenario, verification_cases,
};
