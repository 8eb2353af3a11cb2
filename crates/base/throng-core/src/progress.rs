//! How a long computation reports its progress; the command line draws the bar.

/// Receives progress. All methods have empty defaults, so a caller implements what it shows.
pub trait Progress: Send + Sync {
    /// A warning that must be shown at once, such as about an unsuitable device.
    fn warn(&self, text: &str) {
        let _ = text;
    }
    /// Information that must be shown at once, such as which device was chosen.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// A phase begins, for example `reading plans.xml.gz`; `total` is its size in `unit`, if known.
    fn begin(&self, phase: &str, total: Option<u64>, unit: &'static str) {
        let _ = (phase, total, unit);
    }
    /// `done` of the total of the current phase; `note` is shown after the bar.
    fn at(&self, done: u64, note: &str) {
        let _ = (done, note);
    }
    /// The phase is over.
    fn end(&self) {}
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
