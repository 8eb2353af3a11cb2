//! Throng's shows: scene files and stored runs, drawn by the ray tracer on the CPU.

mod pace;
mod refining;
mod run;
mod scene;

pub use run::RunShow;
pub use scene::SceneShow;

use std::sync::Arc;

use rayon::ThreadPool;
use throng_core::{InputError, NoThread};

use pace::Pace;

/// The drawing threads, shared by all pages, and their speed.
#[derive(Clone)]
pub(crate) struct Threads {
    pool: Arc<ThreadPool>,
    pace: Arc<Pace>,
}

impl Threads {
    /// Starts threads.
    pub fn new(threads: usize) -> Result<Self, InputError> {
        let failed = |error: NoThread| InputError::one("--threads", error.to_string(), "give fewer");
        let pool = Arc::new(throng_core::thread_pool(threads).map_err(failed)?);
        Ok(Self { pool, pace: Arc::default() })
    }

    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }
}
