//! `report.html`: the day on one page.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use throng_core::clock;
use throng_model::report::Report;
use throng_output::html::{Page, Table, duration, grouped, wall_time};
use throng_output::svg::{Axis, BarChart, Chart, Series, Style};

use super::analysis::{BusyLink, CallCounts, Day, LEG_BIN_S, LegRow, TransitDay};
use super::counts_comparison::Compared;
use super::geojson::LINKS_GEOJSON;
use super::speed_map::{MAX_LINKS, speed_map};
use super::summary::{DURATION_CLASS_S, RunSummary};
use throng_traffic_scenario::Scenario;

/// Number of links in the table of the busiest links.
const BUSIEST: usize = 12;
/// Maximum number of areas in the chart of modes; the last one is the sum of all further modes if there are more.
const MODES: usize = 6;

/// Builds the report of a day of a scenario that the user named `name`. `simulated_s` and `simulation_s` are the length
/// of the day and the wall-clock time that it took, seconds.
pub(super) fn report(
    name: &str,
    scenario: Arc<Scenario>,
    summary: RunSummary,
    day: Day,
    [simulated_s, simulation_s]: [f64; 2],
) -> Report {
    let (links, persons) = (scenario.network.links() as f64, summary.persons as f64);
    let qsim = &scenario.settings.qsim;
    let rows = vec![
        ("Time step".to_owned(), format!("{} s", qsim.time_step_s)),
        (
            "Capacity factors".to_owned(),
            format!("flow {}, storage {}", qsim.flow_capacity_factor, qsim.storage_capacity_factor),
        ),
    ];
    Report {
        title: title(name),
        subtitle: format!("Traffic simulation of {} persons on {} links", grouped(persons, 0), grouped(links, 0)),
        rows,
        body: Box::new(move |page, _| {
            figures(page, [simulated_s, simulation_s], &summary);
            over_the_day(page, &scenario, &summary, &day);
            map(page, &scenario, &day);
            trips(page, &summary);
            public_transport(page, &scenario, &summary, &day);
            counts(page, &scenario, &summary, &day);
            busiest_links(page, &scenario, &summary, &day);
            stuck(page, &scenario, &summary, &day);
        }),
    }
}

fn figures(page: &mut Page, [simulated_s, simulation_s]: [f64; 2], summary: &RunSummary) {
    let factor = simulated_s / simulation_s;
    let share = if summary.has_drivers {
        "drivers of public transport included".to_owned()
    } else {
        format!("{} % of persons", grouped(100.0 * summary.stuck() as f64 / summary.persons as f64, 1))
    };
    page.figures(&[
        ("Trips finished", grouped(summary.trips as f64, 0), format!("{} persons", grouped(summary.persons as f64, 0))),
        ("Mean trip", duration(summary.mean_trip_s), "door to door".into()),
        (
            "Mean network speed",
            format!("{} km/h", grouped(summary.network_speed_kmh, 1)),
            format!("{} km driven", grouped(summary.network_distance_m / 1000.0, 0)),
        ),
        ("Stuck agents", grouped(summary.stuck() as f64, 0), share),
        (
            "Real-time factor",
            if factor.is_finite() {
                format!("{}×", grouped(in_three_digits(factor), 0))
            } else {
                grouped(f64::NAN, 0)
            },
            format!("{} in {}", duration(simulated_s), wall_time(simulation_s)),
        ),
        ("Events", grouped(summary.stats.events as f64, 0), span(summary)),
    ]);
}

/// Rounds a measured factor to three significant digits; further digits are noise.
fn in_three_digits(factor: f64) -> f64 {
    let mut unit = 1.0;
    while factor >= 1000.0 * unit {
        unit *= 10.0;
    }
    (factor / unit).round() * unit
}

fn over_the_day(page: &mut Page, scenario: &Scenario, summary: &RunSummary, day: &Day) {
    let histogram = &day.leg_histogram;
    let mut by_mode: Vec<(String, Vec<_>)> = histogram
        .modes()
        .into_iter()
        .map(|mode| (scenario.modes.name(mode).to_owned(), histogram.rows(mode)))
        .collect();
    // The largest mode is at the bottom of the stack, where its shape is easiest to read.
    by_mode.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.iter().map(|row| row.en_route).sum::<i64>()));

    // All modes have the same bins.
    let times: Vec<f64> = by_mode.first().map_or_else(Vec::new, |(_, rows)| rows.iter().map(|row| row.time).collect());
    let sums = |modes: &[(String, Vec<LegRow>)], value: fn(&LegRow) -> f64| -> Vec<f64> {
        (0..times.len()).map(|i| modes.iter().map(|(_, rows)| value(&rows[i])).sum()).collect()
    };
    let mut series: Vec<Series> = Vec::new();
    let own = if by_mode.len() > MODES { MODES - 1 } else { by_mode.len() };
    let mut add = |name: &str, modes: &[(String, Vec<LegRow>)]| {
        series.push(Series {
            name: name.to_owned(),
            points: course_of_level(&times, &sums(modes, |row| row.en_route as f64)),
        });
    };
    for mode in by_mode[..own].chunks(1) {
        add(&mode[0].0, mode);
    }
    if by_mode.len() > own {
        add("other", &by_mode[own..]);
    }
    page.section("Agents under way");
    let chart = Chart {
        label: "Agents under way over the day, by mode".into(),
        x: Axis::time_of_day("time of day"),
        y: Axis::count("legs"),
        style: Style::StackedArea,
        series,
        ..Chart::default()
    };
    page.chart(&chart, "Legs that have begun and not yet ended, by mode; every five minutes.");

    page.section("Departures and arrivals");
    let line = |name: &str, value: fn(&LegRow) -> f64| Series {
        name: name.into(),
        points: course_of_counts(&times, &sums(&by_mode, value)),
    };
    let chart = Chart {
        label: "Departures and arrivals per five minutes".into(),
        x: Axis::time_of_day("time of day"),
        y: Axis::count("legs in five minutes"),
        style: Style::Line,
        series: vec![
            line("departures", |row| f64::from(row.counts.departures)),
            line("arrivals", |row| f64::from(row.counts.arrivals)),
        ],
        ..Chart::default()
    };
    let table = summary.file_name("leg_histogram.csv");
    page.chart(&chart, &format!("All modes. The numbers by mode are in {table}."));

    page.section("Speed on the network");
    let chart = Chart {
        label: "Mean speed on the network over the day".into(),
        x: Axis::time_of_day("time of day"),
        y: Axis::new("mean speed", "km/h"),
        style: Style::Line,
        series: vec![Series { name: "speed".into(), points: day.links.speed_over_day() }],
        ..Chart::default()
    };
    let note = "Distance over time of all link traversals that ended within five minutes. Vehicles that stand in a \
                queue count when they leave it.";
    page.chart(&chart, note);
}

/// Returns the course of a level that is known at the end of bins, and constant between bins that are not adjacent.
fn course_of_level(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (&time, &value) in times.iter().zip(values) {
        let level = points.last().map_or(0.0, |last| last.1);
        points.extend(points.last().is_none_or(|last| last.0 < time).then_some((time, level)));
        points.push((time + LEG_BIN_S, value));
    }
    points
}

/// Returns the course of counts per bin, which are 0 between bins that are not adjacent.
fn course_of_counts(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (&time, &value) in times.iter().zip(values) {
        let [first, last] = [points.last().map_or(time, |last| last.0 + LEG_BIN_S), time - LEG_BIN_S];
        points.extend((first <= last).then_some((first, 0.0)));
        points.extend((first < last).then_some((last, 0.0)));
        points.push((time, value));
    }
    points
}

fn map(page: &mut Page, scenario: &Scenario, day: &Day) {
    let minutes = grouped(day.links.bin_s() / 60.0, 0);
    page.section("Where it was slow");
    let links = scenario.network.links();
    let drawn = if links > MAX_LINKS {
        format!(" The {MAX_LINKS} links with the most vehicles, of {links}.")
    } else {
        String::new()
    };
    let note = format!(
        "Each link by its lowest mean speed in any {minutes} minutes, compared with that of an unobstructed vehicle.{drawn}"
    );
    page.chart(&speed_map(&scenario.network, &day.links), &note);
    match &day.without_geojson {
        None => page.paragraph(&format!("{LINKS_GEOJSON} has all links with their volumes and speeds for other maps.")),
        Some(reason) => page.paragraph(&format!("There is no {LINKS_GEOJSON}. {reason}.")),
    };
}

fn trips(page: &mut Page, summary: &RunSummary) {
    page.section("Trips by mode");
    if summary.modes.is_empty() {
        page.paragraph("No trip was finished.");
        return;
    }
    let mut table =
        Table::new(&["Main mode", "#Trips", "#Share", "#Mean time", "#95 % of trips within", "#Mean distance"]);
    for mode in &summary.modes {
        let share = 100.0 * mode.trips as f64 / summary.trips as f64;
        table.rows.push(vec![
            mode.mode.clone(),
            grouped(mode.trips as f64, 0),
            format!("{} %", grouped(share, 1)),
            duration(mode.mean_s),
            duration(mode.percentile_95_s),
            kilometres(mode.mean_distance_m),
        ]);
    }
    page.table(&table);

    let mut shown = summary.durations.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
    shown = shown.max(2);
    let class_min = DURATION_CLASS_S / 60.0;
    let count = |i: usize| summary.durations.get(i).copied().unwrap_or(0) as f64;
    let chart = Chart {
        label: "Number of trips by duration".into(),
        x: Axis::new("trip duration", "minutes"),
        y: Axis::count("trips in a class of five minutes"),
        style: Style::Histogram,
        // One more point than classes, because a column reaches from its point to the next.
        series: vec![Series {
            name: "trips".into(),
            points: (0..=shown).map(|i| (i as f64 * class_min, count(i))).collect(),
        }],
        ..Chart::default()
    };
    let open_class = (summary.durations.len().max(1) - 1) as f64 * class_min;
    let longer = summary.durations.last().copied().unwrap_or(0);
    let note = if longer > 0 {
        format!("The last column holds all trips of {open_class} min or more.")
    } else {
        String::new()
    };
    page.chart(&chart, &note);
}

fn public_transport(page: &mut Page, scenario: &Scenario, summary: &RunSummary, day: &Day) {
    let Some(transit) = &day.transit else { return };
    page.section("Public transport");
    let denied = transit.calls.denied.map_or_else(
        || "; with vspExperimental.isGeneratingBoardingDeniedEvent=true, this page also has the denied ones".to_owned(),
        |denied| format!(", {} denied: a person found no place in a vehicle", grouped(denied as f64, 0)),
    );
    page.paragraph(&format!(
        "{} of {} planned departures from stops took place, with a mean delay of {}; {} of them were more than {} minutes \
         late. {} boardings{denied}. All calls at stops are in {}.",
        grouped(transit.calls.served as f64, 0),
        grouped(transit.calls.planned as f64, 0),
        duration(transit.calls.mean_delay_s()),
        grouped(transit.late as f64, 0),
        grouped(TransitDay::LATE_S / 60.0, 0),
        grouped(transit.calls.boarded as f64, 0),
        summary.file_name("stop_calls.csv"),
    ));
    let served = |hour: &CallCounts| hour.served > 0;
    if let (Some(first), Some(last)) =
        (transit.by_hour.iter().position(served), transit.by_hour.iter().rposition(served))
    {
        let delay_s = |hour: usize| {
            let calls = transit.by_hour.get(hour).filter(|calls| served(calls));
            calls.map_or(0.0, CallCounts::mean_delay_s)
        };
        let chart = Chart {
            label: "Mean delay of departures from stops, by hour".into(),
            x: Axis::time_of_day("planned departure"),
            y: Axis::new("mean delay", "s"),
            style: Style::Histogram,
            // One more point than hours, because a column reaches from its point to the next.
            series: vec![Series {
                name: "delay".into(),
                points: (first..=last + 1).map(|hour| (hour as f64 * 3600.0, delay_s(hour))).collect(),
            }],
            ..Chart::default()
        };
        page.chart(&chart, "Mean over the departures of all lines from all stops, by the hour of the plan.");
    }
    let mut columns = vec!["Line", "#Departures", "#Mean delay", "#Largest delay", "At stop", "#Planned", "#Boardings"];
    columns.extend(transit.calls.denied.map(|_| "#Denied"));
    columns.push("#Largest load");
    let mut table = Table::new(&columns);
    for line in &transit.lines {
        let latest = (line.calls.served > 0).then_some((line.latest_stop, line.latest_planned_s));
        let mut row = vec![
            scenario.transit.lines.name(line.line).to_owned(),
            format!("{} of {}", grouped(line.calls.served as f64, 0), grouped(line.calls.planned as f64, 0)),
            duration(line.calls.mean_delay_s()),
            duration(line.largest_delay_s),
            latest.map_or_else(String::new, |(stop, _)| scenario.transit.stops.ids.name(stop).to_owned()),
            latest.map_or_else(String::new, |(_, planned_s)| clock::minutes(planned_s)),
            grouped(line.calls.boarded as f64, 0),
        ];
        row.extend(line.calls.denied.map(|denied| grouped(denied as f64, 0)));
        row.push(format!("{} %", grouped(100.0 * line.largest_load, 0)));
        table.rows.push(row);
    }
    page.table(&table);
    let mut table = Table::new(&["Vehicle", "Line", "From stop", "#At", "#Passengers", "#Places"]);
    for full in &transit.fullest {
        table.rows.push(vec![
            scenario.vehicles.ids.name(full.vehicle).to_owned(),
            scenario.transit.lines.name(full.line).to_owned(),
            scenario.transit.stops.ids.name(full.stop).to_owned(),
            clock::format(full.departure_s),
            grouped(f64::from(full.passengers), 0),
            grouped(f64::from(full.capacity), 0),
        ]);
    }
    if !table.rows.is_empty() {
        page.folded_table("The fullest vehicles", &table);
    }
}

/// Number of stations in the table of counts.
const STATIONS: usize = 12;

fn counts(page: &mut Page, scenario: &Scenario, summary: &RunSummary, day: &Day) {
    let Some(comparison) = &day.counts else { return };
    let all = comparison.summary();
    page.section("Traffic counts");
    page.paragraph(&format!(
        "{} stations counted {} vehicles in {} hours; the simulation has {} in the same hours, with its volumes \
         multiplied by counts.countsScaleFactor, {}. GEH is below 5 in {} % of the hours. All hours are in {}.",
        grouped(all.stations as f64, 0),
        grouped(all.counted, 0),
        grouped(all.values as f64, 0),
        grouped(all.simulated, 0),
        scenario.settings.counts.scale_factor,
        grouped(100.0 * all.close as f64 / all.values.max(1) as f64, 0),
        summary.file_name("countscompare.txt"),
    ));
    let hours: Vec<u8> = comparison.values().map(|(hour, _)| hour).collect::<BTreeSet<_>>().into_iter().collect();
    let of_hour = |hour| Compared::sum(comparison.values().filter(|value| value.0 == hour).map(|value| value.1));
    let line = |name: &str, value: fn(Compared) -> f64| Series {
        name: name.into(),
        points: hours.iter().map(|&hour| (f64::from(hour) * 3600.0, value(of_hour(hour)))).collect(),
    };
    let chart = Chart {
        label: "Counted and simulated vehicles per hour".into(),
        x: Axis::time_of_day("end of the hour"),
        y: Axis::count("vehicles of all stations"),
        style: Style::Line,
        series: vec![line("counted", |value| value.counted), line("simulated", |value| value.simulated)],
        ..Chart::default()
    };
    page.chart(&chart, "Sums over the stations that counted in the hour.");
    let mut stations: Vec<_> = comparison.stations.iter().filter(|(_, values)| !values.is_empty()).collect();
    let total = |values: &[(u8, Compared)]| Compared::sum(values.iter().map(|value| value.1));
    stations.sort_by(|a, b| total(&b.1).counted.total_cmp(&total(&a.1).counted));
    let mut table =
        Table::new(&["Link", "Station", "#Hours", "#Counted", "#Simulated", "#Relative error", "#Mean GEH of hours"]);
    for (station, values) in stations.into_iter().take(STATIONS) {
        let total = total(values);
        table.rows.push(vec![
            scenario.network.link_ids.name(station.link).to_owned(),
            station.name.clone(),
            values.len().to_string(),
            grouped(total.counted, 0),
            grouped(total.simulated, 0),
            format!("{} %", grouped(100.0 * total.relative_error(), 0)),
            grouped(values.iter().map(|value| value.1.geh()).sum::<f64>() / values.len() as f64, 1),
        ]);
    }
    page.table(&table);
}

fn busiest_links(page: &mut Page, scenario: &Scenario, summary: &RunSummary, day: &Day) {
    let busiest = day.links.busiest(BUSIEST);
    page.section("Busiest links");
    if busiest.is_empty() {
        page.paragraph("No vehicle passed from one link to another.");
        return;
    }
    let name = |link: &BusyLink| scenario.network.link_ids.name(link.link).to_owned();
    let bars = busiest.iter().map(|link| (name(link), f64::from(link.volume))).collect();
    let chart = BarChart { label: "Vehicles per day on the busiest links".into(), unit: "veh".into(), digits: 0, bars };
    page.chart(&chart, "Vehicles that left the link for the next one during the day.");
    let minutes = grouped(day.links.bin_s() / 60.0, 0);
    let [peak, slowest] = ["Peak", "Slowest"].map(|what| format!("#{what} {minutes} min"));
    let flow_factor = scenario.settings.qsim.flow_capacity_factor;
    let scale = (flow_factor < 1.0).then(|| 1.0 / flow_factor);
    let scaled = scale.map(|scale| format!("#Vehicles × {}", grouped(scale, usize::from(scale < 100.0))));
    let mut columns = vec!["Link", "#Vehicles"];
    columns.extend(scaled.as_deref());
    columns.extend([&*peak, "#Use of capacity", "#Mean speed", &*slowest, "#Free speed"]);
    let mut table = Table::new(&columns);
    if scale.is_some() {
        page.paragraph(&format!(
            "This is a sample: qsim.flowCapacityFactor is {flow_factor}. Volumes on this page and in all tables are \
             those of the sample, except where a factor is given.",
        ));
    }
    for link in &busiest {
        let (network, i) = (&scenario.network, link.link as usize);
        let capacity = network.capacity[i] * scenario.settings.qsim.flow_capacity_factor * day.links.bin_s()
            / network.capacity_period_s;
        let mut row = vec![name(link), grouped(f64::from(link.volume), 0)];
        row.extend(scale.map(|scale| grouped(f64::from(link.volume) * scale, 0)));
        row.extend([
            format!("{} at {}", grouped(f64::from(link.peak_volume), 0), clock::minutes(link.peak_time)),
            // A link without capacity may have some at times.
            if capacity > 0.0 {
                format!("{} %", grouped(100.0 * f64::from(link.peak_volume) / capacity, 0))
            } else {
                "–".to_owned()
            },
            format!("{} km/h", grouped(link.speed_kmh, 1)),
            link.slowest.map_or_else(
                || "–".to_owned(),
                |bin| format!("{} km/h at {}", grouped(bin.speed_kmh, 1), clock::minutes(bin.time)),
            ),
            format!("{} km/h", grouped(network.freespeed_mps[i] * 3.6, 1)),
        ]);
        table.rows.push(row);
    }
    page.table(&table);
    let [parquet, csv] = ["link_stats.parquet", "link_stats.csv"].map(|name| summary.file_name(name));
    page.paragraph(&format!("All links and times are in {parquet} and {csv}."));
}

fn stuck(page: &mut Page, scenario: &Scenario, summary: &RunSummary, day: &Day) {
    page.section("Stuck agents");
    if summary.endless_stays.persons > 0 {
        page.paragraph(&format!(
            "Persons who stay at an activity without an end, so that the rest of their plan does not take place: {}; for \
             example {}. They do not count as stuck.",
            grouped(summary.endless_stays.persons as f64, 0),
            summary.endless_stays.example(scenario)
        ));
    }
    if summary.stuck() == 0 {
        page.paragraph("None: every agent that set out arrived.");
        return;
    }
    let total = grouped(summary.stuck() as f64, 0);
    page.paragraph(&format!(
        "{total} agents were removed before the end of their plan, because the simulation ended, a vehicle waited too \
         long, or the plan could not be executed. All are listed in {}.",
        summary.file_name("stuck_agents.csv")
    ));
    let mut table = Table::new(&["Link", "#Agents"]);
    for &(link, count) in &day.stuck.links {
        let name = scenario.network.link_ids.name(link).to_owned();
        table.rows.push(vec![name, grouped(f64::from(count), 0)]);
    }
    if !table.rows.is_empty() {
        page.folded_table("Links with the most stuck agents", &table);
    }
}

/// Returns the title of a scenario: its folder if the file has one of the usual names, else the name of the file.
fn title(scenario: &str) -> String {
    let path = Path::new(scenario);
    let usual = matches!(path.file_name().and_then(|name| name.to_str()), Some("config.xml" | "scenario.toml"));
    let named = if usual { path.parent().and_then(Path::file_name) } else { path.file_stem() };
    named.map_or_else(|| "Traffic simulation".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn span(summary: &RunSummary) -> String {
    if summary.first_event.is_finite() {
        format!("{} to {}", clock::minutes(summary.first_event), clock::minutes(summary.last_event))
    } else {
        String::new()
    }
}

fn kilometres(metres: f64) -> String {
    if metres.is_finite() { format!("{} km", grouped(metres / 1000.0, 1)) } else { grouped(metres, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_without_departures_and_arrivals_have_two_points() {
        let times = [300.0, 600.0, 1200.0, 9_000_000.0];
        let level = [(300.0, 0.0), (600.0, 1.0), (900.0, 2.0), (1200.0, 2.0), (1500.0, 1.0), (9_000_000.0, 1.0)];
        assert_eq!(course_of_level(&times, &[1.0, 2.0, 1.0, 0.0]), [&level[..], &[(9_000_300.0, 0.0)]].concat());
        let count = [(300.0, 1.0), (600.0, 1.0), (900.0, 0.0), (1200.0, 1.0), (1500.0, 0.0), (8_999_700.0, 0.0)];
        assert_eq!(course_of_counts(&times, &[1.0; 4]), [&count[..], &[(9_000_000.0, 1.0)]].concat());
    }

    #[test]
    fn factors_have_three_digits() {
        assert_eq!([0.4, 12.0, 999.6, 917_124.0].map(in_three_digits), [0.0, 12.0, 1000.0, 917_000.0]);
    }

    #[test]
    fn scenarios_are_named_after_their_folder_or_file() {
        for (scenario, expected) in [
            ("runs/berlin/config.xml", "berlin"),
            ("examples/city", "city"),
            ("morning.toml", "morning"),
            ("a/berlin-v5.4-1pct.xml", "berlin-v5.4-1pct"),
            ("config.xml", "Traffic simulation"),
            ("", "Traffic simulation"),
        ] {
            assert_eq!(title(scenario), expected, "{scenario}");
        }
    }
}
