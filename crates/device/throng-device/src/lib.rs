//! Executors of simulations: the threads of the CPU, and devices with their buffers, launches, limits, timings and
//! parallel primitives. This crate contains no model.
//!
//! * An [`Executor`] stands for the threads of the CPU or an open device. The builders of all models take one.
//! * A [`DeviceChoice`] is the executor requested by the user: `auto`, `cpu`, or a device such as `cuda:0`.
//! * A [`Device`] is an open device, which has buffers and launches kernels.
//!
//! ```
//! use throng_device::prelude::*;
//! use throng_device::{DeviceChoice, DeviceError, Executor, inventory};
//!
//! /// A rule: the same source on the CPU and in kernels.
//! #[cube]
//! fn halved(sum: i32) -> i32 {
//!     exact::abs(sum) / 2
//! }
//!
//! # fn main() -> Result<(), DeviceError> {
//! for device in inventory().gpus() {
//!     println!("{}: double precision: {}", device.label(), device.has_f64);
//! }
//! let executor = Executor::open(DeviceChoice::Auto)?;
//! println!("{}: {}", executor.label(), executor.reason());
//! assert_eq!([-7, 8].map(halved), [3, 4]);
//! executor.wait()?;
//! # Ok(())
//! # }
//! ```
//!
//! # Kernels
//! The implementation of a model puts its state into `Buffer`s of a device, and launches kernels by label:
//!
#![cfg_attr(feature = "gpu", doc = "```")]
#![cfg_attr(not(feature = "gpu"), doc = "```ignore")]
//! use cubecl::prelude::*;
//! use throng_device::{Backend, Device, DeviceError, DeviceId, open};
//!
//! #[cube(launch)]
//! fn double(values: &mut Array<u32>) {
//!     let i = ABSOLUTE_POS;
//!     if i < values.len() {
//!         values[i] *= 2;
//!     }
//! }
//!
//! fn doubled(device: &Device, values: &[u32]) -> Result<Vec<u32>, DeviceError> {
//!     let buffer = device.upload("values", values)?;
//!     device.launch("double", values.len(), |client, cubes, dim| double::launch(client, cubes, dim, buffer.arg()))?;
//!     device.read(&buffer)
//! }
//!
//! # fn main() -> Result<(), DeviceError> {
//! // Software Vulkan, if there is no GPU.
//! let Ok(device) = open(DeviceId { backend: Backend::Vulkan, index: 0 }) else { return Ok(()) };
//! assert_eq!(doubled(&device, &[1, 2, 3])?, [2, 4, 6]);
//! # Ok(())
//! # }
//! ```
//!
//! CubeCL's types appear in signatures only in this crate and in kernels.
//!
//! # Features
//! `cuda`, `vulkan` and `host` are the backends; each implies `gpu`, which adds CubeCL. Without them, no part of CubeCL is
//! built and there are no devices: [`inventory()`] and [`open`] report the reason, and [`Device`] has no values.
//! Buffers and launches exist only with `gpu`. The backend of a [`Device`] is selected when it is opened, so code that
//! uses devices is not generic.
//!
//! A crate with kernels has features of the same names, which forward to these. Functions that take a [`Device`] exist
//! in all builds of such a crate; without kernels they return [`Device::no_kernels`]. Rules that a CPU executor calls
//! and kernels inline compile in all builds: without CubeCL, `cubecl::prelude` has macros and functions that leave them
//! as plain Rust, and the derive macros [`KernelParameter`] and `KernelArrays` add nothing. Examples are [`angles`],
//! [`exact`], [`philox`], [`mwc64x`] and the CPU part of [`neighbours`].

#![deny(clippy::print_stderr, clippy::print_stdout)]

#[cfg(all(feature = "gpu", not(any(feature = "cuda", feature = "vulkan", feature = "host"))))]
compile_error!("the feature `gpu` needs a backend: build with `cuda`, `vulkan` or `host`, which imply it");

#[cfg(not(feature = "gpu"))]
mod absent;
pub mod angles;
#[cfg(feature = "gpu")]
mod arithmetic;
#[cfg(feature = "gpu")]
mod barrier;
#[cfg(feature = "gpu")]
mod buffer;
#[cfg(feature = "gpu")]
mod checks;
mod choice;
#[cfg(feature = "gpu")]
mod columns;
mod compute_error;
pub mod convolution;
pub mod cube;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "gpu")]
mod cuda_text;
#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod device_lock;
mod environment;
mod error;
pub mod exact;
mod executor;
#[cfg(feature = "gpu")]
mod failure;
#[cfg(feature = "gpu")]
pub mod faults;
#[cfg(feature = "host")]
mod host;
mod inventory;
#[cfg(feature = "gpu")]
mod kernel_arrays;
#[cfg(feature = "gpu")]
mod kernel_parameter;
#[cfg(feature = "gpu")]
mod launches;
mod ledger;
#[cfg(feature = "gpu")]
pub mod loops;
#[cfg(feature = "gpu")]
mod memory;
pub mod mwc64x;
pub mod neighbours;
#[cfg(feature = "gpu")]
mod open;
#[cfg(feature = "gpu")]
mod origin;
pub mod philox;
pub mod prelude;
#[cfg(feature = "gpu")]
pub mod primitives;
#[cfg(feature = "gpu")]
mod roots;
#[cfg(feature = "gpu")]
mod runner_panics;
#[cfg(feature = "gpu")]
mod runtime;
#[cfg(feature = "gpu")]
mod source;
#[cfg(feature = "gpu")]
pub mod state_hash;
pub mod team;
#[cfg(feature = "vulkan")]
mod vulkan;
mod with_kernels;

/// Whether this build has no device support, so that no devices are ever found.
pub const IS_CPU_ONLY: bool = cfg!(not(feature = "gpu"));

#[cfg(not(feature = "gpu"))]
pub use absent::{Device, KernelArrays, KernelParameter, keep_kernels_in, open};
pub use choice::{Backend, DeviceChoice, DeviceId, UnknownDevice};
pub use compute_error::Error;
pub use environment::quiet_drivers;
pub use error::DeviceError;
pub use executor::{CPU, Executor, Needs, On};
pub use inventory::{DeviceClass, DeviceInfo, Inventory, Missing, inventory};
pub use ledger::{Ledger, PhaseTime};

#[cfg(feature = "gpu")]
mod with_devices {
    pub use crate::arithmetic::{Arithmetic, SingleArithmetic};
    pub use crate::barrier::grid_barrier;
    pub use crate::buffer::{Buffer, Element, Pending};
    pub use crate::checks::{Checks, ChecksLaunch};
    pub use crate::columns::Columns;
    pub use crate::cuda_text::relaxed_loads;
    pub use crate::device::Device;
    pub use crate::device_lock::DeviceLock;
    pub use crate::kernel_arrays::KernelArrays;
    pub use crate::kernel_parameter::KernelParameter;
    pub use crate::launches::{CUBE_UNITS, LaunchSize, kernel};
    pub use crate::open::{keep_kernels_in, open};
    pub use crate::roots::quick_roots;
    pub use crate::runtime::Gpu;
    pub use crate::source::{KernelText, SourceArgument, SourceKernel};
}
#[cfg(feature = "gpu")]
pub use with_devices::*;

/// CubeCL, for the kernels of models.
#[cfg(feature = "gpu")]
pub use cubecl;

/// Replaces CubeCL in a build without it: provides everything that rules shared by CPU and devices use, so that they
/// compile as plain Rust.
#[cfg(not(feature = "gpu"))]
pub mod cubecl {
    /// Macros and functions used by rules.
    pub mod prelude {
        pub use std::cmp::{max, min};

        pub use throng_device_macros::{CubeLaunch, CubeType, comptime, cube};

        /// A type of values in rules.
        pub trait CubeType {}

        impl<T> CubeType for T {}

        /// Marks constants that a rule modifies later.
        pub trait IntoRuntime: Sized {
            /// Returns the constant itself.
            #[must_use]
            #[inline(always)]
            fn runtime(self) -> Self {
                self
            }
        }

        impl IntoRuntime for bool {}
        impl IntoRuntime for i32 {}
        impl IntoRuntime for u32 {}
        impl IntoRuntime for f32 {}
        impl IntoRuntime for f64 {}

        /// Integers, for rules that are generic over the integer type.
        pub trait Int:
            Copy
            + Ord
            + std::fmt::Debug
            + std::hash::Hash
            + std::ops::Add<Output = Self>
            + std::ops::Sub<Output = Self>
            + std::ops::Mul<Output = Self>
            + std::ops::Div<Output = Self>
            + std::ops::BitAnd<Output = Self>
            + std::ops::BitOr<Output = Self>
            + std::ops::Shl<Output = Self>
            + std::ops::Shr<Output = Self>
            + std::ops::Not<Output = Self>
        {
            /// Converts a number to this type.
            fn new(value: i64) -> Self;
        }

        impl Int for u32 {
            #[inline(always)]
            fn new(value: i64) -> Self {
                value as Self
            }
        }

        impl Int for u64 {
            #[inline(always)]
            fn new(value: i64) -> Self {
                value as Self
            }
        }

        /// Returns `a` if the condition holds, else `b`; kernels evaluate both.
        #[inline(always)]
        pub fn select<T>(condition: bool, a: T, b: T) -> T {
            if condition { a } else { b }
        }
    }
}
