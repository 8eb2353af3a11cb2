//! Debian and Ubuntu packages that tests need.

use std::process::Command;

/// Returns the command that installs packages, for messages.
pub(crate) fn command(packages: &[&str]) -> String {
    format!("apt-get install -y --no-install-recommends {}", packages.join(" "))
}

/// Installs packages if that requires no password. The caller must check whether it succeeded.
pub(crate) fn install(packages: &[&str], what: &str) -> bool {
    let command = command(packages);
    ["", "sudo -n "].iter().any(|prefix| {
        let all = format!("{prefix}apt-get update -q && {prefix}{command}");
        println!("installing {what}: {all}");
        Command::new("sh")
            .args(["-c", &all])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status()
            .is_ok_and(|s| s.success())
    })
}
