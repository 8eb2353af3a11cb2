//! The device in software on which kernels are tested where there is no other.

use throng_testing::has_vulkan_driver;

use crate::packages;

/// The packages of Debian and Ubuntu with a Vulkan device in software, on which kernels are tested.
const PACKAGES: [&str; 2] = ["libvulkan1", "mesa-vulkan-drivers"];

/// Sees to it that there is a Vulkan device, if need be one in software, and says what it found. Installs packages only
/// where that asks for no password; otherwise it names them.
pub(crate) fn software_device() -> String {
    if has_vulkan_driver() {
        return "Vulkan: a driver is installed; kernels are tested on every device here".to_owned();
    }
    if packages::install(&PACKAGES, "a Vulkan device in software") && has_vulkan_driver() {
        return format!("Vulkan: {} were installed; kernels are tested in software", PACKAGES.join(" and "));
    }
    format!("skipped: tests of kernels, there is no Vulkan driver; as root: {}", packages::command(&PACKAGES))
}
