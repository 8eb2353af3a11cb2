//! Memory that this process may still allocate.

use std::fmt::Arguments;

use crate::InputError;

/// Returns the bytes that this process may still allocate, according to Linux, its containers and the process limits
/// (`ulimit -v` and `ulimit -d`); `None` if nothing is reported.
///
/// ```
/// if let Some(bytes) = throng_core::available_memory() {
///     assert!(bytes > 1 << 20);
/// }
/// ```
pub fn available_memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let of_machine =
        available(&read("/proc/meminfo"), &read("/sys/fs/cgroup/memory.max"), &read("/sys/fs/cgroup/memory.current"));
    of_machine.into_iter().chain(within_limits(&read("/proc/self/limits"), &read("/proc/self/status"))).min()
}

/// Requests below this size, in bytes, are not checked.
const MIN_CHECKED_BYTES: u64 = 1 << 20;

/// Rejects data that need more memory than is available, before any of it is allocated. `place` is the input that
/// determines the size, `data` describes the data, and `remedy` is a way to need less.
///
/// # Errors
/// [`InputError::out_of_memory`], with the number of bytes.
pub fn check_memory(bytes: u64, place: &str, data: Arguments<'_>, remedy: &str) -> Result<(), InputError> {
    if bytes < MIN_CHECKED_BYTES { Ok(()) } else { check_memory_within(available_memory(), bytes, place, data, remedy) }
}

/// Like [`check_memory`], with the `available` bytes given by the caller (`None` if unknown): for successive checks and
/// for tests.
///
/// # Errors
/// As for [`check_memory`].
pub fn check_memory_within(
    available: Option<u64>,
    bytes: u64,
    place: &str,
    data: Arguments<'_>,
    remedy: &str,
) -> Result<(), InputError> {
    match available {
        Some(available) if bytes > available => {
            let message = format!("{data} take {}", with_unit(bytes));
            Err(InputError::out_of_memory(place, message, format!("{} are available: {remedy}", with_unit(available))))
        }
        _ => Ok(()),
    }
}

/// Formats bytes as a plain number and in MiB or GiB.
fn with_unit(bytes: u64) -> String {
    let (unit, size) = if bytes < 1 << 30 { ("MiB", 1u32 << 20) } else { ("GiB", 1 << 30) };
    format!("{bytes} bytes ({:.1} {unit})", bytes as f64 / f64::from(size))
}

/// Returns a vector of `count` equal values. If the system refuses the memory, it returns an error, where `vec!` would
/// abort the program. `place` is the input that determines `count`.
///
/// # Errors
/// [`InputError::out_of_memory`], with the number of bytes and the remedy.
pub fn filled<T: Clone>(place: &str, value: T, count: usize, remedy: &str) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    if values.try_reserve_exact(count).is_err() {
        let bytes = count.saturating_mul(size_of::<T>());
        return Err(InputError::out_of_memory(place, format!("the system refuses {bytes} bytes of memory"), remedy));
    }
    values.resize(count, value);
    Ok(values)
}

/// Bytes left within the process limits.
fn within_limits(limits: &str, status: &str) -> Option<u64> {
    let limit =
        |name: &str| limits.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok();
    let left = |limit: Option<u64>, used: Option<u64>| Some(limit?.saturating_sub(used?));
    let address_space = left(limit("Max address space"), bytes_of(status, "VmSize:"));
    let data = left(limit("Max data size"), bytes_of(status, "VmData:"));
    address_space.into_iter().chain(data).min()
}

/// Returns the value of a line in KiB, such as `VmSize: 1000 kB`, in bytes.
fn bytes_of(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn available(meminfo: &str, limit: &str, used: &str) -> Option<u64> {
    let of_machine = bytes_of(meminfo, "MemAvailable:");
    let of_container: Option<u64> = limit.trim().parse().ok().map(|limit: u64| {
        // The file cache counts as used although the system frees it on demand, so only the limit is certain.
        let used = used.trim().parse().unwrap_or(0);
        limit.saturating_sub(used).max(limit / 2)
    });
    of_machine.into_iter().chain(of_container).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_the_minimum_of_machine_and_container() {
        let meminfo = "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:    8000000 kB\n";
        assert_eq!(available(meminfo, "max\n", ""), Some(8_192_000_000));
        assert_eq!(available(meminfo, "4000000000\n", "1000000000\n"), Some(3_000_000_000));
        assert_eq!(available(meminfo, "4000000000\n", "3900000000\n"), Some(2_000_000_000));
        assert_eq!((available("", "", ""), available("MemAvailable: much", "5000", "")), (None, Some(5000)));
    }

    #[test]
    fn process_limits_reduce_the_available_memory() {
        let limits = |data: &str, space: &str| {
            format!(
                "Limit  Soft Limit  Hard Limit  Units\nMax data size  {data}  unlimited  bytes\nMax address space  {space}  9  bytes\n"
            )
        };
        let status = "VmPeak:\t 9 kB\nVmSize:\t    3000 kB\nVmData:\t    1000 kB\n";
        assert_eq!(within_limits(&limits("unlimited", "unlimited"), status), None);
        assert_eq!(within_limits(&limits("unlimited", "4096000"), status), Some(1_024_000));
        assert_eq!(within_limits(&limits("1025000", "4096000"), status), Some(1000));
        assert_eq!((within_limits(&limits("1", "1"), status), within_limits("", status)), (Some(0), None));
    }

    #[test]
    fn impossible_allocations_are_errors() {
        assert_eq!(filled("width", 7u8, 3, ""), Ok(vec![7; 3]));
        let error = filled("width", [0.0; 2], 1 << 58, "give a smaller picture").unwrap_err();
        let expected = "width: the system refuses 4611686018427387904 bytes of memory\n    give a smaller picture";
        assert_eq!(error.kind(), crate::InputErrorKind::OutOfMemory);
        assert!(error.to_string() == expected, "{error}");
    }

    #[test]
    fn data_larger_than_memory_are_refused_with_their_size() {
        assert!(check_memory(1 << 10, "world", format_args!("2 cells"), "use less").is_ok());
        if available_memory().is_some() {
            let error = check_memory(1 << 60, "world", format_args!("2 cells"), "use larger cells").unwrap_err();
            assert_eq!(error.kind(), crate::InputErrorKind::OutOfMemory);
            let text = error.to_string();
            let start = "world: 2 cells take 1152921504606846976 bytes (1073741824.0 GiB)\n    ";
            assert!(text.starts_with(start) && text.ends_with(" are available: use larger cells"), "{text}");
        }
    }
}
