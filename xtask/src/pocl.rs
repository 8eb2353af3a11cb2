//! pocl, which runs OpenCL on the CPU, for kernels rewritten by the local-memory planner.

use throng_testing::has_pocl;

use crate::packages;

/// Debian and Ubuntu packages with pocl and OpenCL's loader.
const PACKAGES: [&str; 2] = ["pocl-opencl-icd", "ocl-icd-libopencl1"];

/// Installs pocl if it is missing, and returns a message with the result. If it cannot be installed, the message names
/// the command.
pub(crate) fn install() -> String {
    if has_pocl() {
        return "pocl: it is installed; rewritten OpenCL kernels run on the CPU".to_owned();
    }
    if packages::install(&PACKAGES, "pocl") && has_pocl() {
        return format!("pocl: {} were installed; rewritten OpenCL kernels run on the CPU", PACKAGES.join(" and "));
    }
    format!("skipped: OpenCL kernels, because there is no pocl; as root: {}", packages::command(&PACKAGES))
}
