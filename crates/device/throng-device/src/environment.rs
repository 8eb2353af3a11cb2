//! Suppression of driver messages.

/// Keeps Mesa's drivers from printing `error: XDG_RUNTIME_DIR is invalid or not set in the environment.` on systems
/// without a desktop: they look for a display, which is not needed here. If the variable is missing or not an absolute
/// path, it is set to the folder that a login would create, even if that folder does not exist.
///
/// Call this first in a program. The environment may only be changed while no other thread reads it, so this does
/// nothing in a process that already has several threads, on systems other than Linux, or in builds without Vulkan.
pub fn quiet_drivers() {
    #[cfg(all(target_os = "linux", feature = "vulkan"))]
    linux::set_runtime_folder();
}

#[cfg(all(target_os = "linux", feature = "vulkan"))]
mod linux {
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    const NAME: &str = "XDG_RUNTIME_DIR";

    pub(super) fn set_runtime_folder() {
        let is_set = std::env::var_os(NAME).is_some_and(|folder| Path::new(&folder).is_absolute());
        let Ok(user) = std::fs::metadata("/proc/self").map(|process| process.uid()) else { return };
        if is_set || !has_one_thread() {
            return;
        }
        let folder = format!("/run/user/{user}");
        // SAFETY: this is the only thread of the process, as checked above, and only this thread could start others.
        #[allow(unsafe_code)]
        unsafe {
            std::env::set_var(NAME, folder);
        }
    }

    /// Whether the process has a single thread; false if the number of threads is unknown.
    pub(super) fn has_one_thread() -> bool {
        std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
    }
}

#[cfg(all(test, target_os = "linux", feature = "vulkan"))]
mod tests {
    use super::*;

    #[test]
    fn variables_are_unchanged_in_multithreaded_processes() {
        // The test harness runs each test in a separate thread.
        let before = std::env::var_os("XDG_RUNTIME_DIR");
        assert!(!linux::has_one_thread());
        quiet_drivers();
        assert_eq!(std::env::var_os("XDG_RUNTIME_DIR"), before);
    }
}
