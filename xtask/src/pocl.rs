//! pocl, which runs OpenCL on the CPU, for the kernels that the local-memory planner has rewritten.

use throng_testing::has_pocl;

use crate::packages;

/// The packages of Debian and Ubuntu with pocl and OpenCL's loader.
const PACKAGES: [&str; 2] = ["pocl-opencl-icd", "ocl-icd-libopencl1"];

/// Sees to it that there is pocl, and says what it found. Where it cannot be installed, it names the command.
pub(crate) fn install() -> String {
    if has_pocl() {
        return "pocl: it is installed; rewritten kernels of OpenCL run on the CPU".to_owned();
    }
    if packages::install(&PACKAGES, "pocl") && has_pocl() {
        return format!("pocl: {} were installed; rewritten kernels of OpenCL run on the CPU", PACKAGES.join(" and "));
    }
    format!("skipped: kernels of OpenCL, there is no pocl; as root: {}", packages::command(&PACKAGES))
}
