//! PedPy, the Python package with which tests open trajectories.

use std::process::Command;

use throng_testing::{PEDPY, PEDPY_VERSION, has_pedpy};

use crate::root;

/// Sees to it that there is PedPy, in a virtual environment in the folder of builds, where it stays as long as they do,
/// and says what it found. Where it cannot be installed, it names the commands.
pub(crate) fn install() -> String {
    if has_pedpy() {
        return format!("PedPy: {PEDPY_VERSION} is in {PEDPY}; it opens the trajectories of tests");
    }
    // An environment that is there is one of another version, or that an interruption has left.
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
