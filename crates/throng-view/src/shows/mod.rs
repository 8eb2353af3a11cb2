//! What Throng shows in pages: scene files and stored runs, drawn by the ray tracer on the CPU.

mod refining;
mod run;
mod scene;

pub use run::RunShow;
pub use scene::SceneShow;

use std::sync::Arc;

use rayon::ThreadPool;
use throng_core::{InputError, NoThread};

/// The threads that draw, for all pages together.
#[derive(Clone)]
pub(crate) struct Threads(Arc<ThreadPool>);

impl Threads {
    /// So many threads.
    pub fn new(threads: usize) -> Result<Self, InputError> {
        let failed = |error: NoThread| InputError::one("--threads", error.to_string(), "give fewer");
        Ok(Self(Arc::new(throng_core::thread_pool(threads).map_err(failed)?)))
    }

    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(work)
    }
}
