//! PedPy, the Python package with which tests open trajectories.

use std::process::Command;

use throng_testing::{PEDPY, PEDPY_VERSION, has_pedpy};

use crate::root;

/// Installs PedPy in a virtual environment in the build folder if it is missing, and returns a message with the result.
/// If it cannot be installed, the message names the commands.
pub(crate) fn install() -> String {
    if has_pedpy() {
        return format!("PedPy: {PEDPY_VERSION} is in {PEDPY}; it opens the trajectories of tests");
    }
    // An existing environment has another version, or is left over from an interrupted installation.
    let commands = format!(
        "python3 -m venv --clear {PEDPY} && \
         {PEDPY}/bin/python -m pip install --quiet --retries 2 pedpy=={PEDPY_VERSION}"
    );
    println!("installing PedPy: {commands}");
    let status = Command::new("sh").args(["-c", &commands]).current_dir(root()).status();
    if status.is_ok_and(|status| status.success()) && has_pedpy() {
        return format!("PedPy: {PEDPY_VERSION} was installed in {PEDPY}; it opens the trajectories of tests");
    }
    format!("skipped: tests with PedPy, which cannot be installed; with Python and a network: {commands}")
}
