//! Formats the summary that is printed at the end of a run.

use throng_core::clock;
use throng_queue::RunOutcome;

use crate::results::RunSummary;

/// Returns names and values in the order in which they are printed. `hashes` is the name of the log of state hashes.
pub(crate) fn lines(
    summary: &RunSummary,
    outcome: &RunOutcome,
    simulation_s: f64,
    hashes: &str,
) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let factor = (outcome.end_time - outcome.start_time) / simulation_s.max(1e-9);
    lines.push((
        "simulated",
        format!(
            "{} to {} in {simulation_s:.2} s{}",
            clock::format(outcome.start_time),
            clock::format(outcome.end_time),
            // Below a tenth of a second the resolution of the clock dominates the quotient.
            if simulation_s < 0.1 { String::new() } else { format!(", {factor:.0} x real time") }
        ),
    ));
    let rate = |count: u64| format!("{count} ({:.2} M/s)", count as f64 / simulation_s / 1e6);
    lines.push(("moves", format!("{} of vehicles over nodes", rate(outcome.stats.moves))));
    if outcome.stats.events > 0 {
        lines.push(("events", rate(outcome.stats.events)));
    }
    if summary.analysed && summary.trips > 0 {
        let mean = clock::format(summary.mean_trip_s);
        let trips = format!("{} finished, mean duration {mean}; {} agents stuck", summary.trips, summary.stuck());
        lines.push(("trips", trips));
    } else {
        lines.push(("legs", format!("{} ended, {} agents stuck", outcome.stats.arrivals, summary.stuck())));
    }
    if summary.endless_stays.persons > 0 {
        let persons = summary.endless_stays.persons;
        let staying = format!("{persons} at an activity without an end; the rest of their plans was not executed");
        lines.push(("staying", staying));
    }
    if outcome.stats.stuck_pushed > 0 {
        let pushed = format!("{} vehicles onto full links after the stuck time", outcome.stats.stuck_pushed);
        lines.push(("pushed", pushed));
    }
    if let Some(last) = outcome.last_hash {
        lines.push(("state hash", format!("{:016x} after step {}; all in {hashes}", last.hash, last.step)));
    }
    lines
}
