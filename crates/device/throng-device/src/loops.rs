//! Detection of loops that a driver ends early.
//!
//! Mesa's software renderer (llvmpipe) counts the iterations of all loops of a kernel together. After about 65,500
//! iterations it leaves each loop after one more iteration, without an error: the kernel ends with wrong results. A
//! kernel whose loops can be that long calls [`are_cut()`] when its work is done and reports the result to the host,
//! which rejects the results with [`CUT_LOOPS`].

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

/// Error text for a device whose driver ended loops early.
pub const CUT_LOOPS: &str = "its driver ends the loops of a kernel after about 65,500 passes, too few for this scenario; results would be wrong";

/// Whether the driver ended loops of this kernel early. `two` must be 2 and be passed as a kernel argument: a compiler
/// that knew its value would remove the loop.
#[cube]
pub fn are_cut(two: u32) -> bool {
    let mut passes = 0u32;
    while passes < two {
        passes += 1u32;
    }
    passes < two
}

#[cfg(test)]
mod tests {
    use throng_testing::skip_backend;

    use super::*;
    use crate::choice::{Backend, DeviceId};
    use crate::{Device, Gpu, open};

    /// Counts the iterations of two nested loops.
    #[cube(launch)]
    fn count(outer: u32, inner: u32, two: u32, found: &mut Array<u32>) {
        let mut passes = 0u32;
        for _ in 0..outer {
            for other in 0..inner {
                passes += 1u32 + other / inner;
            }
        }
        found[0] = passes;
        found[1] = select(are_cut(two), 1u32, 0u32);
    }

    #[test]
    fn cut_loops_are_detected() {
        for backend in Backend::of_gpus() {
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => check_detection(&device),
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }

    fn check_detection(device: &Device) {
        for (outer, inner) in [(100, 100), (60, 1000), (70, 1000), (1000, 1000)] {
            let found = device.upload("found", &[0u32; 2]).unwrap();
            let launch = |client: &ComputeClient<Gpu>, cubes, dim| {
                count::launch(client, cubes, dim, outer, inner, 2, found.arg());
            };
            device.launch_cubes("count", 1, 1, launch).unwrap();
            let counts = device.read(&found).unwrap();
            let (passes, is_cut) = (counts[0], counts[1] == 1);
            assert_eq!(passes != outer * inner, is_cut, "{passes} passes of {outer} x {inner}");
            assert!(!is_cut || outer * inner > 65_000, "{passes} passes of {outer} x {inner}");
        }
    }
}
