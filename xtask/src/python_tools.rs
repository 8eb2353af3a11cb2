//! The Python packages with which tests open output files.

use std::process::Command;

use throng_testing::{PYTHON_PACKAGES, PYTHON_TOOLS, has_python_tools};

use crate::root;

/// Installs the packages in a virtual environment in the build folder if one is missing, and returns a message with the
/// result. If they cannot be installed, the message names the commands.
pub(crate) fn install() -> String {
    let packages = PYTHON_PACKAGES.join(" ");
    if has_python_tools() {
        return format!("Python tools: {PYTHON_TOOLS} has {packages}; they open output files of tests");
    }
    // An existing environment has other versions, or is left over from an interrupted installation.
    // Importing compiles only the modules in use, a third of all.
    let commands = format!(
        "python3 -m venv --clear {PYTHON_TOOLS} && \
         {PYTHON_TOOLS}/bin/python -m pip install --quiet --no-compile --retries 2 {packages} && \
         PYTHONDONTWRITEBYTECODE= {PYTHON_TOOLS}/bin/python -c 'import geopandas, matsim, pedpy, pyarrow.parquet, yaml'"
    );
    println!("installing Python tools: {commands}");
    let status = Command::new("sh").args(["-c", &commands]).current_dir(root()).status();
    if status.is_ok_and(|status| status.success()) && has_python_tools() {
        return format!("Python tools: {packages} were installed in {PYTHON_TOOLS}; they open output files of tests");
    }
    format!("skipped: tests with Python tools, which cannot be installed; with Python and a network: {commands}")
}
