//! What a day delivers to tables of many runs.

use throng_model::{Figure, Measured, Quantity, Series};

use super::analysis::Day;
use super::summary::RunSummary;

/// The figures of a day and, if its events were analysed, agents under way over the day. There is no state hash without
/// `--hash-every`.
pub(super) fn measured(summary: &RunSummary, day: Option<&Day>) -> Measured {
    let count = |name: &str, meaning: &str, value: u64| Figure::new(name, "", meaning, value as f64);
    let mut figures = vec![
        count("events", "events of the day", summary.stats.events),
        count("legs_ended", "legs that ended at their destination", summary.stats.arrivals),
        count("stuck", "agents that were aborted", summary.stuck()),
        count("pushed", "vehicles pushed onto full links after the stuck time", summary.stats.stuck_pushed),
    ];
    let Some(day) = day else { return Measured { figures, ..Measured::default() } };
    figures.extend([
        count("trips", "trips that were finished", summary.trips),
        Figure::new("mean_trip", "s", "mean travel time of finished trips", summary.mean_trip_s),
        Figure::new("network_distance", "m", "distance driven on the network", summary.network_distance_m),
        Figure::new("network_speed", "km/h", "mean speed on the network", summary.network_speed_kmh),
        Figure::new("last_event", "s", "time of the last event", summary.last_event),
    ]);
    Measured { hash: None, figures, series: under_way(day) }
}

/// Departures, arrivals, and agents under way, of all modes, in each bin of the leg histogram.
fn under_way(day: &Day) -> Series {
    let mut rows: Vec<(f64, Vec<f64>)> = Vec::new();
    for mode in day.leg_histogram.modes() {
        for (bin, row) in day.leg_histogram.rows(mode).into_iter().enumerate() {
            if rows.len() <= bin {
                rows.push((row.time, vec![0.0; 3]));
            }
            let of_mode = [f64::from(row.counts.departures), f64::from(row.counts.arrivals), row.en_route as f64];
            for (sum, value) in rows[bin].1.iter_mut().zip(of_mode) {
                *sum += value;
            }
        }
    }
    let quantity = |name: &str, meaning: &str| Quantity::new(name, "", meaning);
    Series {
        over: Quantity::new("time", "s", "start of five minutes, seconds of the day"),
        quantities: vec![
            quantity("departures", "legs that began in five minutes"),
            quantity("arrivals", "legs that ended in five minutes"),
            quantity("en_route", "legs under way at the end of five minutes"),
        ],
        rows,
    }
}
