//! Requirements of tests that not every machine meets.

use std::fmt;
use std::str::FromStr;

/// A requirement of a test that not every machine meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// MATSim's files, see [`crate::reference_data`].
    Data,
    /// Any device.
    Device,
    /// A CUDA device.
    Cuda,
    /// A Vulkan device.
    Vulkan,
    /// The interpreter of kernels, which a build has with the feature `host`.
    Host,
    /// Devices that are not software, on which large cases would take minutes.
    Hardware,
    /// Devices with double precision.
    DoublePrecision,
    /// A device with a known number of cubes that run at the same time.
    CubesAtOnce,
    /// Two devices, of any backend.
    TwoDevices,
    /// A file system of a limited size that can be filled up.
    Tmpfs,
    /// Python, see [`crate::python`].
    Python,
    /// Python with the packages that open output files, see [`crate::python_tools`].
    PythonTools,
    /// pocl, which runs OpenCL on the CPU, see [`crate::pocl`].
    Pocl,
    /// Chromium, a browser, see [`crate::chromium`].
    Chromium,
    /// `script` of util-linux, which runs programs in a pseudo-terminal.
    Script,
    /// Time for all tests, see [`crate::tries_all`].
    All,
}

impl Needs {
    /// All requirements, in the order of messages and reports.
    pub const ALL: [Self; 16] = [
        Self::Data,
        Self::Device,
        Self::Cuda,
        Self::Vulkan,
        Self::Host,
        Self::Hardware,
        Self::DoublePrecision,
        Self::CubesAtOnce,
        Self::TwoDevices,
        Self::Tmpfs,
        Self::Python,
        Self::PythonTools,
        Self::Pocl,
        Self::Chromium,
        Self::Script,
        Self::All,
    ];

    /// The name in `THRONG_REQUIRE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Device => "device",
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
            Self::Host => "host",
            Self::Hardware => "hardware",
            Self::DoublePrecision => "double-precision",
            Self::CubesAtOnce => "cubes-at-once",
            Self::TwoDevices => "two-devices",
            Self::Tmpfs => "tmpfs",
            Self::Python => "python",
            Self::PythonTools => "python-tools",
            Self::Pocl => "pocl",
            Self::Chromium => "chromium",
            Self::Script => "script",
            Self::All => "all",
        }
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownNeed(String);

impl fmt::Display for UnknownNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Needs::ALL.map(Needs::name).join(", ");
        write!(f, "\"{}\" is not a known requirement of tests; choose from {names} and {FOUND}", self.0)
    }
}

impl std::error::Error for UnknownNeed {}

impl FromStr for Needs {
    type Err = UnknownNeed;

    fn from_str(name: &str) -> Result<Self, UnknownNeed> {
        Self::ALL.into_iter().find(|needs| needs.name() == name).ok_or_else(|| UnknownNeed(name.to_owned()))
    }
}

/// In `THRONG_REQUIRE`: reference data, Vulkan, Python, its tools, pocl and Chromium, each if found on this machine.
pub(crate) const FOUND: &str = "found";
const FINDABLE: [Needs; 6] =
    [Needs::Data, Needs::Vulkan, Needs::Python, Needs::PythonTools, Needs::Pocl, Needs::Chromium];

/// Parses a list such as `data,vulkan`; an empty list has no requirements. [`FOUND`] stands for the requirements for
/// which `is_found` is true.
pub(crate) fn parse_list(list: &str, is_found: impl Fn(Needs) -> bool) -> Result<Vec<Needs>, UnknownNeed> {
    let mut needs = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            FOUND => needs.extend(FINDABLE.into_iter().filter(|needs| is_found(*needs))),
            name => needs.push(name.parse()?),
        }
    }
    Ok(needs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_are_parsed() {
        let parse_list = |list| super::parse_list(list, |_| false);
        assert_eq!(parse_list("data, cubes-at-once,"), Ok(vec![Needs::Data, Needs::CubesAtOnce]));
        assert_eq!(parse_list(""), Ok(vec![]));
        let error = parse_list("data,vulcan").unwrap_err().to_string();
        assert!(error.contains("\"vulcan\"") && error.contains("cuda, vulkan, host, hardware"), "{error}");
        for needs in Needs::ALL {
            assert_eq!(parse_list(needs.name()), Ok(vec![needs]));
        }
        assert_eq!(parse_list("found,cuda"), Ok(vec![Needs::Cuda]));
        let data_is_found = |needs| needs == Needs::Data;
        assert_eq!(super::parse_list("tmpfs, found", data_is_found), Ok(vec![Needs::Tmpfs, Needs::Data]));
    }
}
