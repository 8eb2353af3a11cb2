//! Device names: `auto`, `cpu`, `cuda:0`, `vulkan:1`, `host`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The programming interface of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// NVIDIA's interface; needs its driver and NVRTC at run time.
    Cuda,
    /// Vulkan through wgpu; Metal or DX12 on systems without Vulkan (macOS, Windows).
    Vulkan,
    /// The interpreter of kernels on the CPU, for debugging.
    Host,
}

impl Backend {
    /// All backends, fastest first.
    pub const ALL: [Self; 3] = [Self::Cuda, Self::Vulkan, Self::Host];

    /// The backends of GPUs, without the kernel interpreter, which is only for debugging.
    pub fn of_gpus() -> impl Iterator<Item = Self> {
        [Self::Cuda, Self::Vulkan].into_iter()
    }

    /// Name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
            Self::Host => "host",
        }
    }

    /// Whether this build supports the backend, through the feature of the same name. Without any backend, no device is
    /// found.
    pub const fn is_built(self) -> bool {
        match self {
            Self::Cuda => cfg!(feature = "cuda"),
            Self::Vulkan => cfg!(feature = "vulkan"),
            Self::Host => cfg!(feature = "host"),
        }
    }

    /// Explains why a backend that is not built has no devices.
    #[cfg(not(all(feature = "cuda", feature = "vulkan", feature = "host")))]
    pub(crate) fn not_built(self) -> String {
        format!("this build has no support for it; build with the feature `{}`", self.name())
    }
}

/// One device of a backend, counted from 0 in the order of `throng doctor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceId {
    /// Backend.
    pub backend: Backend,
    /// Device index within its backend.
    pub index: usize,
}

impl DeviceId {
    /// Parses `cuda`, `cuda:1`, `vulkan:0` or `host`; the index defaults to 0. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, index) = match text.split_once(':') {
            Some((name, index)) => (name, index.parse().ok()?),
            None => (text, 0),
        };
        let backend = Backend::ALL.into_iter().find(|backend| backend.name() == name)?;
        Some(Self { backend, index })
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.backend.name(), self.index)
    }
}

/// The device requested by the user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The fastest executor for the task; the choice and its reason are printed.
    #[default]
    Auto,
    /// The CPU executor.
    Cpu,
    /// One particular device, without fallback to another device.
    Device(DeviceId),
}

/// A text that names no device.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not a device; give auto, cpu, cuda:N, vulkan:N or host")]
pub struct UnknownDevice(pub String);

throng_core::debug_is_message!(UnknownDevice);

impl FromStr for DeviceChoice {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, UnknownDevice> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            other => DeviceId::parse(other).map(Self::Device).ok_or_else(|| UnknownDevice(other.to_owned())),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Device(id) => id.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_are_parsed() {
        let cuda = |index| DeviceChoice::Device(DeviceId { backend: Backend::Cuda, index });
        assert_eq!("cuda".parse(), Ok(cuda(0)));
        assert_eq!("cuda:3".parse(), Ok(cuda(3)));
        assert_eq!("cpu".parse(), Ok(DeviceChoice::Cpu));
        assert_eq!("auto".parse(), Ok(DeviceChoice::Auto));
        assert_eq!(cuda(3).to_string(), "cuda:3");
        for wrong in ["gpu", "cuda:", "cuda:x", "vulkan:-1", ""] {
            assert!(wrong.parse::<DeviceChoice>().unwrap_err().to_string().contains("cuda:N"), "{wrong}");
        }
    }
}
