//! The device in software on which kernels are tested where there is no other.

use std::process::Command;

use throng_testing::has_vulkan_driver;

/// The packages of Debian and Ubuntu with a Vulkan device in software, on which kernels are tested.
const PACKAGES: [&str; 2] = ["libvulkan1", "mesa-vulkan-drivers"];

/// Sees to it that there is a Vulkan device, if need be one in software, and says what it found. Installs packages only
/// where that asks for no password; otherwise it names them.
pub(crate) fn software_device() -> String {
    if has_vulkan_driver() {
        return "Vulkan: a driver is installed; kernels are tested on every device here".to_owned();
    }
    let command = format!("apt-get install -y --no-install-recommends {}", PACKAGES.join(" "));
    let as_root = ["", "sudo -n "].iter().any(|prefix| {
        let all = format!("{prefix}apt-get update -q && {prefix}{command}");
        println!("installing a Vulkan device in software: {all}");
        Command::new("sh")
            .args(["-c", &all])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status()
            .is_ok_and(|s| s.success())
    });
    if as_root && has_vulkan_driver() {
        return format!("Vulkan: {} were installed; kernels are tested in software", PACKAGES.join(" and "));
    }
    format!("skipped: tests of kernels, there is no Vulkan driver; as root: {command}")
}
