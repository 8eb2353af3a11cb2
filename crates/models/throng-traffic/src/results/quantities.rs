//! Quantities of a day for tables of many runs.

use throng_model::{Figure, Measured, Quantity, Series};

use super::analysis::{Day, LEG_BIN_S};
use super::summary::RunSummary;

const EVENTS: Quantity = Quantity::count("events", "events", "events of the day");
const LEGS_ENDED: Quantity = Quantity::count("legs_ended", "legs ended", "legs that ended at their destination");
const STUCK: Quantity = Quantity::count("stuck", "stuck agents", "agents that were aborted");
const PUSHED: Quantity =
    Quantity::count("pushed", "vehicles pushed", "vehicles pushed onto full links after the stuck time");
const TRIPS: Quantity = Quantity::count("trips", "trips finished", "trips that were finished");
const MEAN_TRIP: Quantity =
    Quantity::real("mean_trip", "mean travel time", "s", "mean travel time of finished trips, door to door");
const NETWORK_DISTANCE: Quantity =
    Quantity::real("network_distance", "distance driven", "m", "distance driven on the network");
const NETWORK_SPEED: Quantity =
    Quantity::real("network_speed", "mean network speed", "km/h", "mean speed on the network");
const LAST_EVENT: Quantity = Quantity::time_of_day("last_event", "last event", "time of the last event");
const TIME: Quantity = Quantity::time_of_day("time", "time of day", "start of five minutes, seconds of the day");
const DEPARTURES: Quantity =
    Quantity::count("departures", "departures in five minutes", "legs that began in five minutes");
const ARRIVALS: Quantity = Quantity::count("arrivals", "arrivals in five minutes", "legs that ended in five minutes");
const EN_ROUTE: Quantity = Quantity::count("en_route", "legs under way", "legs under way at the end of five minutes");

/// Returns the figures of a day and, if its events were analysed, the number of agents under way over the day. There is
/// no state hash without `--hash-every`.
pub(super) fn measured(summary: &RunSummary, day: Option<&Day>) -> Measured {
    let mut figures = vec![
        Figure::new(EVENTS, summary.stats.events as f64),
        Figure::new(LEGS_ENDED, summary.stats.arrivals as f64),
        Figure::new(STUCK, summary.stuck() as f64),
        Figure::new(PUSHED, summary.stats.stuck_pushed as f64),
    ];
    let Some(day) = day else { return Measured { figures, ..Measured::default() } };
    figures.extend([
        Figure::new(TRIPS, summary.trips as f64),
        Figure::new(MEAN_TRIP, summary.mean_trip_s),
        Figure::new(NETWORK_DISTANCE, summary.network_distance_m),
        Figure::new(NETWORK_SPEED, summary.network_speed_kmh),
        Figure::new(LAST_EVENT, summary.last_event),
    ]);
    Measured { hash: None, figures, series: under_way(day) }
}

/// Returns departures, arrivals, and agents under way, summed over all modes, for each bin of the leg histogram.
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
    Series { over: TIME, quantities: vec![DEPARTURES, ARRIVALS, EN_ROUTE], rows: with_gaps(rows) }
}

/// Maximum number of bins, a hundred days, of a series without gaps.
const MAX_BINS: f64 = 28_800.0;

/// Adds the bins in which no leg began or ended, so that series of several days have the same bins.
fn with_gaps(rows: Vec<(f64, Vec<f64>)>) -> Vec<(f64, Vec<f64>)> {
    let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { return rows };
    if (last - first) / LEG_BIN_S >= MAX_BINS {
        return rows;
    }
    let mut all: Vec<(f64, Vec<f64>)> = Vec::new();
    for row in rows {
        while let Some((time, values)) = all.last().filter(|last| last.0 + LEG_BIN_S < row.0) {
            all.push((time + LEG_BIN_S, vec![0.0, 0.0, values[2]]));
        }
        all.push(row);
    }
    all
}
