//! Progress reports of long computations; the command line draws the bar.

/// Receives progress. All methods have empty defaults, so an implementation overrides only the methods for reports that
/// it shows.
pub trait Progress: Send + Sync {
    /// Shows a warning at once, for example about an unsuitable device.
    fn warn(&self, text: &str) {
        let _ = text;
    }
    /// Shows information at once, for example the chosen device.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// Begins a phase, for example `reading plans.xml.gz`; `total` is its size in `unit`, if known.
    fn begin(&self, phase: &str, total: Option<u64>, unit: &'static str) {
        let _ = (phase, total, unit);
    }
    /// Reports that `done` of the total of the current phase is complete; `note` is shown after the bar.
    fn at(&self, done: u64, note: &str) {
        let _ = (done, note);
    }
    /// Ends the phase.
    fn end(&self) {}
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
