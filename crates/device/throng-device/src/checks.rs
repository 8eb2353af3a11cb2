//! Checked access to arrays: reports the launch, source line and index of an access out of bounds.
//!
//! In kernels launched with checks, `CubeCL` silently skips accesses out of bounds. Its mode `Validate` prints them
//! from the kernel, but only with CUDA, and the host does not see them. Kernels that need a report take [`Checks`].

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use cubecl::prelude::*;

use crate::runtime::Gpu;
use crate::{Buffer, Device, DeviceError};

/// A kernel argument for reading and writing arrays, which turns an index out of bounds into an error of the launch.
///
/// [`Device::launch_checked`] creates it. If the device [checks indices](Device::check_indices), a read out of bounds
/// returns the last element, a write is ignored, and the launch fails with [`DeviceError::OutOfBounds`]. If there are
/// several such accesses, the error is the one that a loop over the units in order would meet first. If the device does
/// not check indices, accesses are plain array accesses at no cost.
///
/// The last argument of an access is its source line, `comptime!(line!())`, because `#[cube]` gives the expanded call
/// the location of the attribute.
#[derive(CubeType, CubeLaunch)]
pub struct Checks {
    /// The lowest unit with a fault, followed by the first fault of each unit.
    faults: Array<Atomic<u32>>,
    #[cube(comptime)]
    on: bool,
}

/// Words per fault: line, file, index and length.
const FAULT_WORDS: usize = 4;

impl Checks {
    /// Returns `array[index]`.
    pub fn read<T: CubePrimitive>(&mut self, array: &Array<T>, index: usize, line: u32) -> T {
        let _ = (array, index, line);
        unreachable!("kernels are expanded, not called")
    }

    /// Sets `array[index] = value`.
    pub fn write<T: CubePrimitive>(&mut self, array: &mut Array<T>, index: usize, value: T, line: u32) {
        let _ = (array, index, value, line);
        unreachable!("kernels are expanded, not called")
    }
}

impl ChecksExpand {
    /// [`Checks::read`] in kernels.
    #[doc(hidden)]
    #[track_caller]
    pub fn __expand_read_method<T: CubePrimitive>(
        self,
        scope: &mut Scope,
        array: NativeExpand<Array<T>>,
        index: NativeExpand<usize>,
        line: u32,
    ) -> NativeExpand<T> {
        read::expand::<T>(scope, self, array, index, Place { line, file: key_of(Location::caller().file()) })
    }

    /// [`Checks::write`] in kernels.
    #[doc(hidden)]
    #[track_caller]
    pub fn __expand_write_method<T: CubePrimitive>(
        self,
        scope: &mut Scope,
        array: NativeExpand<Array<T>>,
        index: NativeExpand<usize>,
        value: NativeExpand<T>,
        line: u32,
    ) {
        let place = Place { line, file: key_of(Location::caller().file()) };
        write::expand::<T>(scope, self, array, index, value, place);
    }
}

#[cube]
fn read<T: CubePrimitive>(checks: &mut Checks, array: &Array<T>, index: usize, #[comptime] place: Place) -> T {
    if comptime!(checks.on) {
        if index >= array.len() {
            record(checks, index, array.len(), place);
        }
        array[min(index, array.len() - 1)]
    } else {
        array[index]
    }
}

#[cube]
fn write<T: CubePrimitive>(
    checks: &mut Checks,
    array: &mut Array<T>,
    index: usize,
    value: T,
    #[comptime] place: Place,
) {
    if comptime!(checks.on) {
        if index < array.len() {
            array[index] = value;
        } else {
            record(checks, index, array.len(), place);
        }
    } else {
        array[index] = value;
    }
}

/// Records the first fault of this unit, in words that no other unit writes.
#[cube]
fn record(checks: &mut Checks, index: usize, len: usize, #[comptime] place: Place) {
    let own = 1 + ABSOLUTE_POS * FAULT_WORDS;
    if checks.faults[own].load() == 0u32 {
        checks.faults[own].store(comptime!(place.line));
        checks.faults[own + 1].store(comptime!(place.file));
        checks.faults[own + 2].store(index as u32);
        checks.faults[own + 3].store(len as u32);
        checks.faults[0].fetch_min(ABSOLUTE_POS as u32);
    }
}

/// Location of an access in the source of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    line: u32,
    /// Key of the file name in [`FILES`].
    file: u32,
}

/// File names by hash, so that a compiled kernel can be cached. A kernel that comes from the cache is not expanded in
/// this process, so its file name may be missing.
static FILES: Mutex<BTreeMap<u32, &'static str>> = Mutex::new(BTreeMap::new());

fn key_of(file: &'static str) -> u32 {
    // FNV-1a hash.
    let key = file.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    FILES.lock().unwrap_or_else(PoisonError::into_inner).insert(key, file);
    key
}

/// Formats a source location for messages.
fn place_text(line: u32, file: u32) -> String {
    match FILES.lock().unwrap_or_else(PoisonError::into_inner).get(&file) {
        Some(name) => format!("{name}:{line}"),
        None => format!("line {line}"),
    }
}

impl Device {
    /// Sets whether [`Device::launch_checked`] checks indices from now on; initially it does not. A checked launch
    /// uploads 16 bytes per unit, waits for the device and reads four bytes back.
    pub fn check_indices(&mut self, on: bool) {
        self.checks_indices = on;
    }

    /// Like [`Device::launch`], for a kernel that takes [`Checks`], which are passed to `launch`.
    ///
    /// # Errors
    /// [`DeviceError::OutOfBounds`] if the device checks indices and an index is out of bounds; otherwise as
    /// [`Device::launch`] and [`Device::upload`].
    ///
    /// ```
    /// use throng_device::prelude::*;
    /// use throng_device::{Checks, DeviceError, DeviceId, open};
    ///
    /// #[cube(launch)]
    /// fn double(values: &mut Array<u32>, checks: &mut Checks) {
    ///     // The guard is missing: there are more units than values.
    ///     let value = checks.read(values, ABSOLUTE_POS, comptime!(line!()));
    ///     checks.write(values, ABSOLUTE_POS, 2 * value, comptime!(line!()));
    /// }
    ///
    /// # fn main() -> Result<(), DeviceError> {
    /// let Ok(mut device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
    /// device.check_indices(true);
    /// let values = device.upload("values", &[1u32, 2, 3])?;
    /// let outcome = device.launch_checked("double", values.len(), |client, cubes, dim, checks| {
    ///     double::launch(client, cubes, dim, values.arg(), checks);
    /// });
    /// let Err(DeviceError::OutOfBounds { kernel, index, len, unit, .. }) = outcome else { panic!("{outcome:?}") };
    /// assert_eq!((kernel.as_str(), index, len, unit), ("double", 3, 3, 3));
    /// # Ok(())
    /// # }
    /// ```
    pub fn launch_checked(
        &self,
        label: &'static str,
        units: usize,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim, ChecksLaunch<Gpu>),
    ) -> Result<(), DeviceError> {
        let cubes = crate::launches::cubes_of(units);
        self.launch_cubes_checked(label, cubes, crate::CUBE_UNITS, launch)
    }

    /// Like [`Device::launch_cubes`], for a kernel that takes [`Checks`].
    ///
    /// # Errors
    /// As [`Device::launch_checked`].
    pub fn launch_cubes_checked(
        &self,
        label: &'static str,
        cubes: u32,
        units: u32,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim, ChecksLaunch<Gpu>),
    ) -> Result<(), DeviceError> {
        let on = self.checks_indices;
        let faults = if on { self.no_faults(cubes, units)? } else { self.empty("checks", 1)? };
        self.launch_cubes(label, cubes, units, |client, cubes, dim| {
            let checks = ChecksLaunch { faults: faults.arg(), on, _phantom_runtime: PhantomData };
            launch(client, cubes, dim, checks);
        })?;
        if on { self.no_fault_in(label, &faults) } else { Ok(()) }
    }

    fn no_faults(&self, cubes: u32, units: u32) -> Result<Buffer<u32>, DeviceError> {
        let launched = crate::launches::launched_cubes(cubes) * units as usize;
        let mut words = vec![0u32; 1 + launched * FAULT_WORDS];
        words[0] = u32::MAX;
        self.upload("checks", &words)
    }

    fn no_fault_in(&self, label: &str, faults: &Buffer<u32>) -> Result<(), DeviceError> {
        let unit = self.read_first(faults, 1)?.wait()?[0];
        if unit == u32::MAX {
            return Ok(());
        }
        let all = self.read(faults)?;
        let &[line, file, index, len] = &all[1 + unit as usize * FAULT_WORDS..][..FAULT_WORDS] else {
            unreachable!("the slice has `FAULT_WORDS` words")
        };
        Err(DeviceError::OutOfBounds {
            device: self.label(),
            kernel: label.to_owned(),
            place: place_text(line, file),
            index,
            len,
            unit,
        })
    }
}
