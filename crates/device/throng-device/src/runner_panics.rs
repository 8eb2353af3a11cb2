//! Panics on CubeCL's threads.
//!
//! CubeCL expands and compiles kernels on one thread per device. If that thread panics, for example in a `comptime!`
//! block of a kernel, CubeCL logs the panic and continues without the launch: the caller would compute with buffers
//! that were not written. A hook records such panics instead, and devices that were open at that time reject all
//! further work.

use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

/// Name prefixes of CubeCL's threads.
const RUNNERS: [&str; 2] = ["DSU-", "DSD-"];

static COUNT: AtomicUsize = AtomicUsize::new(0);
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The panics since a device was opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    seen: usize,
}

impl Watch {
    /// Records panics on CubeCL's threads from now on, instead of printing their messages. Other threads keep the panic
    /// hook of the program.
    pub fn begin() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let others = take_hook();
            set_hook(Box::new(move |panic| if is_runner() { record(panic) } else { others(panic) }));
        });
        Self { seen: COUNT.load(Ordering::Acquire) }
    }

    /// Returns the first panic since [`Watch::begin`], with its location.
    pub fn panic(self) -> Option<String> {
        if COUNT.load(Ordering::Acquire) == self.seen {
            return None;
        }
        MESSAGES.lock().unwrap_or_else(PoisonError::into_inner).get(self.seen).cloned()
    }
}

fn is_runner() -> bool {
    thread::current().name().is_some_and(|name| RUNNERS.iter().any(|runner| name.starts_with(runner)))
}

fn record(panic: &PanicHookInfo<'_>) {
    let text = throng_core::panic_text(panic.payload());
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    MESSAGES.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{text}{place}"));
    COUNT.fetch_add(1, Ordering::Release);
}
