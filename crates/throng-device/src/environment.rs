//! What drivers print by themselves.

/// Keeps Mesa's drivers from printing `error: XDG_RUNTIME_DIR is invalid or not set in the environment.` where there is no
/// desktop: they look for a display, which nothing here uses. Where the variable is missing, or is no absolute path, it is set to
/// the folder that a login would have made, whether that exists or not.
///
/// A program calls this first of all. The environment may only be changed while no other thread reads it, so nothing
/// happens in a process that has several threads already, on systems other than Linux, or in builds without Vulkan.
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
        // SAFETY: this is the only thread of the process, as was just counted, and only it could start others.
        #[allow(unsafe_code)]
        unsafe {
            std::env::set_var(NAME, folder);
        }
    }

    /// False also where the system does not tell.
    pub(super) fn has_one_thread() -> bool {
        std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
    }
}

#[cfg(all(test, target_os = "linux", feature = "vulkan"))]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_changed_beside_other_threads() {
        // Tests run in threads of their own, beside the one that started them.
        let before = std::env::var_os("XDG_RUNTIME_DIR");
        assert!(!linux::has_one_thread());
        quiet_drivers();
        assert_eq!(std::env::var_os("XDG_RUNTIME_DIR"), before);
    }
}
