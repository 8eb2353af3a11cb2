//! The software device on which kernels are tested if there is no other.

use throng_testing::has_vulkan_driver;

use crate::packages;

/// Debian and Ubuntu packages with a software Vulkan device.
const PACKAGES: [&str; 2] = ["libvulkan1", "mesa-vulkan-drivers"];

/// Ensures that there is a Vulkan device, if necessary a software device, and returns a message with the result.
/// Installs packages only if that requires no password; otherwise the message names the command.
pub(crate) fn software_device() -> String {
    if has_vulkan_driver() {
        return "Vulkan: a driver is installed; kernels are tested on every device here".to_owned();
    }
    if packages::install(&PACKAGES, "a Vulkan device in software") && has_vulkan_driver() {
        return format!("Vulkan: {} were installed; kernels are tested in software", PACKAGES.join(" and "));
    }
    format!("skipped: tests of kernels, because there is no Vulkan driver; as root: {}", packages::command(&PACKAGES))
}
