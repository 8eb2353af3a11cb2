//! Experiments of the papers at a small size.

mod elmir;
mod vigueras;
mod yu;

use throng_model::Check;
use throng_testing_devices::{devices, executors};

/// Asserts that all verification cases of a paper hold: `on_cpu` cases on the CPU, and one per device.
fn verification_cases_hold(paper: &throng_papers::Declaration, on_cpu: usize) {
    let mut cases = 0;
    let mut tell = |verified: throng_core::Verified| {
        assert!(verified.finding.holds, "{verified:?}");
        cases += 1;
    };
    for on in &executors() {
        paper.verify(on, &mut tell);
    }
    assert_eq!(cases, on_cpu + devices().len());
}
