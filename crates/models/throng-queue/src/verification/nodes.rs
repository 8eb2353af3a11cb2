//! Verifies how merging roads divide the capacity of the road downstream.

use throng_core::Finding;

use super::executor::CaseExecutor;
use super::roads::{network, trip};
use crate::RunError;
use throng_traffic_scenario::ScenarioBuilder;
use throng_traffic_scenario::events::EventKind as E;
use throng_traffic_scenario::settings::NodeTransition;

pub(super) fn merging_by_draws(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    share_of_the_larger_road(on, NodeTransition::EmptyBufferDontBlockNode, 0.04)
}

pub(super) fn merging_by_priorities(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    share_of_the_larger_road(on, NodeTransition::DeterministicPriorities, 0.01)
}

/// Fraction of the crossings that the larger of two jammed roads gets. The roads merge into one of far smaller
/// capacity; with 36,000 and 12,000 vehicles per hour, both always have a vehicle at the end.
fn share_of_the_larger_road(
    on: &dyn CaseExecutor,
    transition: NodeTransition,
    tolerance: f64,
) -> Result<Finding, RunError> {
    let roads = [
        ("large", "0", "2", 1000.0, 25.0, 36_000.0, 1.0),
        ("small", "1", "2", 1000.0, 25.0, 12_000.0, 1.0),
        // This link holds a single car, so cars enter one at a time.
        ("neck", "2", "3", 7.5, 7.5, 1600.0, 1.0),
        ("out", "3", "4", 1000.0, 25.0, 3600.0, 1.0),
    ];
    let builder = ScenarioBuilder::new(network(&roads)).settings(|settings| {
        settings.qsim.node_transition = transition;
        settings.qsim.stuck_time_s = 1e6;
        settings.qsim.end_time = Some(60.0 + 3600.0);
    });
    let builder = (0..1600).fold(builder, |builder, i| {
        let route: &[&str] = if i % 2 == 0 { &["large", "neck", "out"] } else { &["small", "neck", "out"] };
        builder.person(&format!("{i:04}"), trip(60.0, route))
    });
    let trace = on.run(builder.build().expect("ids of the case are distinct"))?;
    // Crossings are counted while both jams last.
    let (large, small) = (trace.event_times(E::LeftLink, "large"), trace.event_times(E::LeftLink, "small"));
    let until = large.last().copied().unwrap_or(0.0).min(small.last().copied().unwrap_or(0.0));
    let crossed = |event_times: &[f64]| event_times.iter().filter(|&&time| time <= until).count() as f64;
    let share = crossed(&large) / (crossed(&large) + crossed(&small));
    let Finding { expected, found, holds } = Finding::close(0.75, share, tolerance);
    // All cars of the larger road cross within the hour, because the neck lets 1,600 cars per hour through.
    let all = large.len();
    Ok(Finding { expected: format!("{expected}; 800"), found: format!("{found}; {all}"), holds: holds && all == 800 })
}
