//! Formats the summary that is printed at the end of a run.

use std::fmt::Write as _;

use throng_core::{clock, counted};
use throng_output::WrittenFile;
use throng_queue::RunOutcome;

use crate::results::RunSummary;
use crate::results::analysis::{CallCounts, TransitDay};

/// Returns names and values in the order in which they are printed. `files` are those of the run, and `hashes` is the
/// name of the log of state hashes.
pub(crate) fn lines(
    summary: &RunSummary,
    outcome: &RunOutcome,
    simulation_s: f64,
    (files, hashes): (&[WrittenFile], &str),
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
    if let Some(TransitDay { calls, .. }) = &summary.transit {
        let CallCounts { planned, served, boarded, denied, .. } = calls;
        let delay = if *served == 0 { String::new() } else { format!(", mean delay {:.0} s", calls.mean_delay_s()) };
        let denied = denied.map_or_else(String::new, |denied| format!(", {denied} denied"));
        lines.push((
            "transit",
            format!("{served} of {planned} departures from stops{delay}; {boarded} boardings{denied}"),
        ));
    }
    if let Some(counts) = &summary.counts {
        lines.push(("counts", format!("{} of {} values with GEH below 5", counts.close, counts.values)));
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
    lines.push(("written", written(files)));
    if let Some(last) = outcome.last_hash {
        lines.push(("state hash", format!("{:016x} after step {}; all in {hashes}", last.hash, last.step)));
    }
    lines
}

/// Total size in bytes from which the settings that omit files are listed.
const LARGE: u64 = 100_000_000;

/// Kinds of files: parts of the names, label, and the setting without which they are not written.
const KINDS: [(&[&str], &str, &str); 8] = [
    (&["output_events.parquet"], "events for analysis", "throng.eventsParquet=false"),
    (&["output_events.xml"], "events for MATSim", "controller.writeEventsInterval=0"),
    (&["output_plans"], "plans", "controller.writePlansInterval=0"),
    (&["experienced_plans"], "experienced plans", "scoring.writeExperiencedPlans=false"),
    (
        &["output_network", "output_vehicles", "output_facilities", "output_transit"],
        "inputs in effect",
        "controller.dumpDataAtEnd=false",
    ),
    (&["link_volumes"], "link volumes", "leaving out --link-volumes"),
    (&["state_hashes"], "state hashes", "leaving out --hash-every"),
    (&[""], "tables", "throng.analysis=false"),
];

/// Returns number and size of the files; if they are large, also by kind, with the settings that omit them.
fn written(files: &[WrittenFile]) -> String {
    let total: u64 = files.iter().map(|file| file.bytes).sum();
    let mut text = format!("{} in {}", size(total), counted(files.len() as u64, "file"));
    if total < LARGE {
        return text;
    }
    let mut of_kind = [0; KINDS.len()];
    // No setting omits the settings in effect.
    for file in files.iter().filter(|file| !file.name.contains("output_config")) {
        // The last kind has all names. A run id may precede the name.
        let kind = KINDS
            .iter()
            .position(|(names, ..)| names.iter().any(|name| file.name.contains(name)))
            .unwrap_or(KINDS.len() - 1);
        of_kind[kind] += file.bytes;
    }
    let mut separator = ": ";
    for ((_, label, setting), bytes) in KINDS.iter().zip(of_kind).filter(|(_, bytes)| *bytes > 0) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}{label} {} ({setting} omits them)", size(bytes));
        separator = "; ";
    }
    text
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_omit_large_files_are_listed() {
        let file = |name: &str, bytes: u64| WrittenFile { name: name.to_owned(), bytes };
        assert_eq!(written(&[file("a.csv", 1400), file("b.csv", 99_000)]), "100 kB in 2 files");
        let large = [
            file("run.output_events.xml.gz", 2_000_000_000),
            file("run.output_events.parquet", 900_000_000),
            file("run.output_trips.csv.gz", 5_000_000),
            file("run.legs.csv", 1_000_000),
            file("run.output_config.xml", 400_000),
        ];
        assert_eq!(
            written(&large),
            "2.91 GB in 5 files: events for analysis 900.0 MB (throng.eventsParquet=false omits them); events for MATSim \
             2.00 GB (controller.writeEventsInterval=0 omits them); tables 6.0 MB (throng.analysis=false omits them)"
        );
    }
}
