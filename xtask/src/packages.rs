//! Packages of Debian and Ubuntu that tests need.

use std::process::Command;

/// The command that installs packages, for messages.
pub(crate) fn command(packages: &[&str]) -> String {
    format!("apt-get install -y --no-install-recommends {}", packages.join(" "))
}

/// Installs packages where that asks for no password. Whether it worked is for the caller to see.
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
