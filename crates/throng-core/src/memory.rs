//! How much memory this machine has left.

/// Bytes that this process may still allocate, as reported by Linux and its containers; `None` where nothing is
/// reported.
///
/// ```
/// if let Some(bytes) = throng_core::available_memory() {
///     assert!(bytes > 1 << 20);
/// }
/// ```
pub fn available_memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    available(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max"), &read("/sys/fs/cgroup/memory.current"))
}

fn available(meminfo: &str, limit: &str, used: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib: Option<u64> = line.and_then(|value| value.trim().strip_suffix("kB")?.trim().parse().ok());
    let of_machine = kib.map(|kib| kib * 1024);
    let of_container: Option<u64> = limit.trim().parse().ok().map(|limit: u64| {
        // The file cache counts as used, although the system frees it on demand: only the limit is certain.
        let used = used.trim().parse().unwrap_or(0);
        limit.saturating_sub(used).max(limit / 2)
    });
    of_machine.into_iter().chain(of_container).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_machine_and_container_counts() {
        let meminfo = "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:    8000000 kB\n";
        assert_eq!(available(meminfo, "max\n", ""), Some(8_192_000_000));
        assert_eq!(available(meminfo, "4000000000\n", "1000000000\n"), Some(3_000_000_000));
        assert_eq!(available(meminfo, "4000000000\n", "3900000000\n"), Some(2_000_000_000));
        assert_eq!((available("", "", ""), available("MemAvailable: much", "5000", "")), (None, Some(5000)));
    }
}
