//! `throng doctor`: lists the devices and resources of this machine, and anything missing.

use std::fmt::Write as _;
use std::fs;

use throng_device::{DeviceChoice, IS_CPU_ONLY, Inventory, inventory};

use throng::model::{Failure, Model};
use throng::output::utc_text;

use crate::args::DoctorArgs;
use crate::cache_folder::{costs_file, measured_costs};
use crate::commands::measure;
use crate::outcome::Outcome;
use crate::report;
use crate::version::VERSION;

pub(crate) fn run(models: &[&'static dyn Model], args: &DoctorArgs) -> Result<Outcome, Failure> {
    let (machine, devices, costs) = (machine(), devices(&inventory(), models), costs());
    report::print(&format!("{machine}\n\nexecutors  cpu: ready\n{devices}costs      {costs}\n"))?;
    if args.measure { measure::run(models) } else { Ok(Outcome::Done) }
}

/// Returns which costs of models the expected times are based on.
fn costs() -> String {
    let file = costs_file().filter(|_| !measured_costs(DeviceChoice::Auto).models.is_empty());
    let measured = file.and_then(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)));
    match measured {
        Some((time, path)) => format!("measured {}: {}", utc_text(time), path.display()),
        None => "typical; `throng doctor --measure` measures those of this machine".to_owned(),
    }
}

/// Returns a line each about program, system, processor and memory.
pub(super) fn machine() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let (cpuinfo, meminfo) = (read("/proc/cpuinfo"), read("/proc/meminfo"));
    let cores = cores(&cpuinfo).map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    let threads = match std::thread::available_parallelism() {
        Ok(threads) => format!("{threads} usable by this process"),
        Err(error) => format!("unknown: {error}"),
    };
    format!(
        "throng     {}\nsystem     {} {}\nprocessor  {}\ncores      {cores}\nthreads    {threads}\nmemory     {}",
        VERSION,
        std::env::consts::OS,
        std::env::consts::ARCH,
        cpu_model(&cpuinfo).unwrap_or("unknown model"),
        memory(&meminfo, &read("/sys/fs/cgroup/memory.max")),
    )
}

/// Returns a line per device, with one per model that it cannot simulate, and a line per backend without devices.
fn devices(all: &Inventory, models: &[&dyn Model]) -> String {
    let mut text = String::new();
    if IS_CPU_ONLY {
        text.push_str("           this build has no GPU support: it computes on the CPU only\n");
    }
    for device in &all.devices {
        let memory = device.memory_bytes.map_or_else(String::new, |bytes| format!(", {}", gib(bytes)));
        let class = device.class.name();
        let _ = writeln!(text, "           {}: {}, {class}{memory}; {}", device.id, device.name, device.driver);
        for (name, why) in models.iter().filter_map(|model| Some((model.name(), model.unsuitable(device)?))) {
            let _ = writeln!(text, "             not for {name}: {why}");
        }
    }
    for missing in &all.missing {
        let _ = writeln!(text, "           {}: none; {}", missing.backend.name(), missing.reason);
    }
    text
}

/// Returns the value of the first line `key : value`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == key).then_some(value.trim())
    })
}

/// Returns the name of the processor.
pub(super) fn cpu_model(cpuinfo: &str) -> Option<&str> {
    ["model name", "Model", "Hardware"].into_iter().find_map(|key| value(cpuinfo, key))
}

/// Returns the number of physical cores, as distinct pairs of package and core; if the system does not report them, the
/// number of its processors.
fn cores(cpuinfo: &str) -> Option<usize> {
    let mut pairs = Vec::new();
    let mut processors = 0;
    for block in cpuinfo.split("\n\n") {
        processors += usize::from(value(block, "processor").is_some());
        pairs.extend(value(block, "core id").map(|core| (value(block, "physical id"), core)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    [pairs.len(), processors].into_iter().find(|n| *n > 0)
}

/// Returns total and available memory and, in a container, the limit.
fn memory(meminfo: &str, container_limit: &str) -> String {
    let kib = |key| value(meminfo, key).and_then(|v| v.strip_suffix("kB")?.trim().parse::<u64>().ok());
    let (Some(total), Some(available)) = (kib("MemTotal"), kib("MemAvailable")) else { return "unknown".to_owned() };
    let text = format!("{} in total, {} available", gib(total * 1024), gib(available * 1024));
    match container_limit.trim().parse::<u64>().ok().filter(|limit| *limit < total * 1024) {
        Some(limit) => format!("{text}, limited to {} for this container", gib(limit)),
        None => text,
    }
}

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_and_memory_are_parsed_from_linux_files() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Fast CPU\nphysical id\t: 0\ncore id\t\t: 0\n\n\
                       processor\t: 1\nmodel name\t: Fast CPU\nphysical id\t: 0\ncore id\t\t: 0\n\n\
                       processor\t: 2\nphysical id\t: 0\ncore id\t\t: 1\n";
        assert_eq!(cpu_model(cpuinfo), Some("Fast CPU"));
        assert_eq!(cores(cpuinfo), Some(2));
        assert_eq!(cores("processor : 0\n\nprocessor : 1\n"), Some(2));
        assert_eq!(cores(""), None);
        let meminfo = "MemTotal:        8388608 kB\nMemFree: 1 kB\nMemAvailable:    4194304 kB\n";
        assert_eq!(memory(meminfo, "max\n"), "8.0 GiB in total, 4.0 GiB available");
        assert_eq!(
            memory(meminfo, "2147483648\n"),
            "8.0 GiB in total, 4.0 GiB available, limited to 2.0 GiB for this container"
        );
        assert_eq!(memory("", ""), "unknown");
    }
}
