//! The executor that draws the images of all pages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use throng_core::{InputError, NoThread};
use throng_device::{Device, DeviceError, Executor, Needs, On};
use throng_model::Failure;
use throng_render::{PackedScene, Settings, compile_kernels};
use throng_scene::Scene;

use super::pace::Pace;

/// Draws the images of all pages, on a device or on threads of the CPU. If the device fails, the CPU takes over for
/// good. A clone shares the executor.
#[derive(Clone)]
pub(super) struct Engine {
    /// The threads of the CPU, which also build scenes.
    threads: Arc<ThreadPool>,
    active: Arc<Mutex<Arc<ActiveExecutor>>>,
}

/// The executor that is in use, and its speed.
pub(super) struct ActiveExecutor {
    pub executor: Executor,
    /// Name shown in pages.
    pub name: String,
    pub pace: Pace,
    /// The threads that call the executor. A device has a single one, which serves pages in the order of their calls.
    callers: Arc<ThreadPool>,
}

impl ActiveExecutor {
    /// Calls the executor, after all earlier calls if it is a device.
    pub fn call<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.callers.install(work)
    }
}

impl Engine {
    /// Opens the executor, starts `threads` threads, and compiles the kernels of a device for images with these
    /// settings. [`DeviceChoice::Auto`](throng_device::DeviceChoice) skips devices that cannot draw.
    ///
    /// # Errors
    /// If a chosen device cannot be used, or the threads cannot be started.
    pub fn new(on: impl Into<On>, threads: usize, settings: &Settings) -> Result<Self, Failure> {
        let scene = PackedScene::new(&Scene::default())?;
        let can_draw = |device: &Device| compile_kernels(device, &scene, settings);
        let executor = on.into().executor(&Needs { check: &can_draw, ..Needs::default() })?;
        let failed = |error: NoThread| InputError::one("--threads", error.to_string(), "give fewer");
        let threads = Arc::new(throng_core::thread_pool(threads).map_err(failed)?);
        let callers = match executor.device() {
            Some(_) => Arc::new(throng_core::thread_pool(1)?),
            None => threads.clone(),
        };
        let active = ActiveExecutor { name: executor.label(), executor, pace: Pace::default(), callers };
        Ok(Self { threads, active: Arc::new(Mutex::new(Arc::new(active))) })
    }

    /// Runs parallel loops on the threads of the CPU.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.threads.install(work)
    }

    /// The executor that draws images now.
    pub fn active(&self) -> Arc<ActiveExecutor> {
        self.lock().clone()
    }

    /// Replaces a device that has failed with the CPU. Returns the message for the page.
    pub fn replace(&self, failed: &Arc<ActiveExecutor>, error: &DeviceError) -> InputError {
        let mut active = self.lock();
        // Several pages may report the same failure.
        if Arc::ptr_eq(&active, failed) {
            let name = format!("cpu, because {} failed", failed.name);
            let (executor, callers) = (Executor::cpu(), self.threads.clone());
            *active = Arc::new(ActiveExecutor { executor, name, pace: Pace::default(), callers });
        }
        InputError::one("device", error, "images are drawn on the CPU from now on; restart the server to use it again")
    }

    /// Ignores poisoning, because the executor is always complete.
    fn lock(&self) -> MutexGuard<'_, Arc<ActiveExecutor>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
