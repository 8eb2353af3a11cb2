//! Everything that files with rules and kernels need, in one import: `use throng::device::prelude::*`. It includes
//! CubeCL's own prelude and the name `cubecl`, which the attribute `#[cube]` needs.
//!
//! ```
//! use throng_device::prelude::*;
//!
//! #[cube]
//! fn halved(sum: i32) -> i32 {
//!     exact::abs(sum) / 2
//! }
//!
//! # fn main() {
//! assert_eq!(halved(-7), 3);
//! # }
//! ```

pub use crate::cubecl::{self, prelude::*};
pub use crate::neighbours::{AgentColumns, Meeting, NeighbourRules, ReadColumns, UniformGrid, WriteColumns};
#[cfg(feature = "gpu")]
pub use crate::neighbours::{DeviceCellLists, NeighbourRulesExpand, Neighbours, ReadColumnsExpand, WriteColumnsExpand};
#[cfg(feature = "gpu")]
pub use crate::{Buffer, Checks, Columns, Device, DeviceError, LaunchSize, kernel};
pub use crate::{KernelArrays, KernelParameter, exact};
