//! Parses the devices listed by `throng doctor`.

/// A device to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Device {
    /// Device id for `--device`.
    pub(super) id: String,
    /// Whether it is a software device on the CPU.
    pub(super) is_software: bool,
}

/// Parses the output of `throng doctor`, which has a line per device, such as `vulkan:0: name, kind; driver`.
pub(super) fn parse(doctor: &str) -> Vec<Device> {
    let of_line = |line: &str| {
        let line = line.trim_start_matches("executors").trim_start();
        let (backend, rest) = line.split_once(':')?;
        let (index, about) = rest.split_once(": ")?;
        let is_device = ["cuda", "vulkan"].contains(&backend) && index.parse::<u32>().is_ok();
        let is_software = about.split(';').next().is_some_and(|kind| kind.ends_with("software on the CPU"));
        is_device.then(|| Device { id: format!("{backend}:{index}"), is_software })
    };
    doctor.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_parsed_from_doctor_output() {
        let doctor = "memory     23.5 GiB in total\n\n\
                      executors  cuda:0: NVIDIA H200, discrete GPU; NVIDIA, compute capability 9.0\n           \
                      cpu: ready\n           \
                      vulkan:1: llvmpipe (LLVM 15.0.6, 256 bits), software on the CPU; llvmpipe Mesa 22.3.6\n           \
                      vulkan: none; no loader\n";
        let device = |id: &str, is_software| Device { id: id.to_owned(), is_software };
        assert_eq!(parse(doctor), [device("cuda:0", false), device("vulkan:1", true)]);
    }
}
