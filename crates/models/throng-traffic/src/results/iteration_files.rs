//! Tables that MATSim writes for an iteration, in its folder `ITERS/it.N`: durations of legs, a histogram of legs, and
//! volumes and travel times of links.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use throng_core::{clock, java_double};
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use super::analysis::{Day, HOURS, HourlyVolumes, LEG_BIN_S, LegHistogram, LegRow, LegTimes};
use throng_evolution::travel_times::{FreeSpeeds, TravelTimeCalculator};
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{PlanElement, Scenario};

/// Returns the names of the files of an iteration, without a compression suffix.
pub fn iteration_file_names(settings: &Settings) -> Vec<String> {
    let texts = ["countscompare.txt", "legdurations.txt", "tripdurations.txt", "legHistogram.txt", "linkstats.txt"];
    let names = texts.into_iter().chain(["experienced_plans.xml"]);
    names.map(|name| path(settings, name)).collect()
}

/// Returns the name of a file of the iteration that is run, in its subfolder.
pub(super) fn path(settings: &Settings, name: &str) -> String {
    let iteration = settings.controller.first_iteration;
    format!("ITERS/it.{iteration}/{iteration}.{name}")
}

/// Writes the tables.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    scenario: &Scenario,
    day: &Day,
    folder: &RunFolder,
    codec: Codec,
) -> Result<Vec<WrittenFile>, OutputError> {
    let settings = &scenario.settings;
    let mut files = Vec::new();
    let durations = leg_durations(scenario, &day.leg_times);
    // Releases before 13 call it `tripdurations`.
    for name in ["legdurations.txt", "tripdurations.txt"] {
        files.push(folder.write(&path(settings, name), durations.as_bytes())?);
    }
    let mut file = TextFile::create(folder, &path(settings, "legHistogram.txt"), Codec::None)?;
    push_leg_histogram(scenario, &day.leg_histogram, &mut file)?;
    files.push(file.finish()?);
    if let (Some(volumes), Some(times)) = (&day.hourly_volumes, &day.travel_times) {
        let mut file = TextFile::create(folder, &path(settings, "linkstats.txt"), codec)?;
        push_link_stats(scenario, volumes, times, &mut file)?;
        files.push(file.finish()?);
    }
    Ok(files)
}

/// Width of a class of durations, seconds.
const CLASS_S: f64 = 300.0;
/// Number of classes; the last one is open.
const CLASSES: usize = 13;

/// Returns the numbers of legs by duration, per pair of activities.
fn leg_durations(scenario: &Scenario, times: &LegTimes) -> String {
    let population = &scenario.population;
    let kind = |activity: u32| population.activity_types.name(population.activities.kind[activity as usize]);
    let mut patterns: BTreeMap<String, [u64; CLASSES]> = BTreeMap::new();
    let (mut sum_s, mut legs) = (0.0, 0u64);
    for person in 0..scenario.travellers() {
        let (mut before, mut last) = (None, None);
        for element in population.plan(person) {
            match element {
                PlanElement::Leg(leg) => last = times.departure(leg).zip(times.arrival(leg)),
                PlanElement::Activity(activity) => {
                    if let (Some(before), Some((departure, arrival))) = (before, last.take()) {
                        let pattern = format!("{}---{}", kind(before), kind(activity));
                        let class = ((arrival - departure) / CLASS_S) as usize;
                        patterns.entry(pattern).or_default()[class.min(CLASSES - 1)] += 1;
                        sum_s += arrival - departure;
                        legs += 1;
                    }
                    before = Some(activity);
                }
            }
        }
    }
    let mut text = String::new();
    if !patterns.is_empty() {
        let classes = (0..CLASSES).map(|class| format!("\t{}+", class as f64 * CLASS_S / 60.0));
        push(&mut text, format_args!("pattern{}\n", classes.collect::<String>()));
    }
    for (pattern, counts) in patterns {
        push(&mut text, format_args!("{pattern}{}\n", counts.map(|count| format!("\t{count}")).concat()));
    }
    let what = if scenario.settings.extensions.compat.is_recent() { "leg" } else { "trip" };
    if legs == 0 {
        push(&mut text, format_args!("\naverage {what} duration: no {what}s!\n"));
    } else {
        let mean_s = sum_s / legs as f64;
        let time = clock::format(mean_s.trunc());
        push(&mut text, format_args!("\naverage {what} duration: {} seconds = {time}\n", java_double::text(mean_s)));
    }
    text
}

/// The end of the histogram of release 13, and of later ones without `qsim.endTime`, seconds of the day.
const HISTOGRAM_S: f64 = 30.0 * 3600.0;
/// The latest end of the histogram, seconds: a hundred days.
const MAX_HISTOGRAM_S: f64 = 100.0 * 86_400.0;

fn push_leg_histogram(scenario: &Scenario, histogram: &LegHistogram, file: &mut TextFile) -> Result<(), OutputError> {
    let modes = histogram.modes();
    let mut rows: Vec<_> = modes.iter().map(|&mode| histogram.rows(mode).into_iter().peekable()).collect();
    let mut text = String::from("time\ttime");
    for mode in std::iter::once("all").chain(modes.iter().map(|&mode| scenario.modes.name(mode))) {
        push(&mut text, format_args!("\tdepartures_{mode}\tarrivals_{mode}\tstuck_{mode}\ten-route_{mode}"));
    }
    text.push('\n');
    let of_qsim = scenario.settings.qsim.end_time.filter(|&end| end > 0.0);
    let is_recent = scenario.settings.extensions.compat.is_recent();
    let end_s = of_qsim.filter(|_| is_recent).map_or(HISTOGRAM_S, |end| end.min(MAX_HISTOGRAM_S));
    // The last bin has all later events.
    let last = (end_s / LEG_BIN_S) as u64 + 1;
    let mut en_route = vec![0i64; modes.len()];
    for bin in 0..=last {
        let is_in_bin = |row: &LegRow| bin == last || (row.time / LEG_BIN_S) as u64 <= bin;
        let mut counts = vec![[0i64; 3]; modes.len()];
        for (mode, rows) in rows.iter_mut().enumerate() {
            while let Some(row) = rows.next_if(is_in_bin) {
                let of_row = [row.counts.departures, row.counts.arrivals, row.counts.stuck];
                for (count, more) in counts[mode].iter_mut().zip(of_row) {
                    *count += i64::from(more);
                }
            }
            en_route[mode] += counts[mode][0] - counts[mode][1] - counts[mode][2];
        }
        let begins = bin as f64 * LEG_BIN_S;
        push(&mut text, format_args!("{}\t{begins}", clock::format(begins)));
        let sum = |column: usize| counts.iter().map(|of_mode| of_mode[column]).sum::<i64>();
        let all = ([sum(0), sum(1), sum(2)], en_route.iter().sum());
        for ([departures, arrivals, stuck], en_route) in
            std::iter::once(all).chain(counts.iter().copied().zip(en_route.iter().copied()))
        {
            push(&mut text, format_args!("\t{departures}\t{arrivals}\t{stuck}\t{en_route}"));
        }
        text.push('\n');
        file.text().extend_from_slice(text.as_bytes());
        file.flush_full()?;
        text.clear();
    }
    Ok(())
}

/// Appends one row per link. Minimum, mean and maximum over iterations are equal, because there is one.
fn push_link_stats(
    scenario: &Scenario,
    volumes: &HourlyVolumes,
    times: &TravelTimeCalculator,
    file: &mut TextFile,
) -> Result<(), OutputError> {
    const OVER_ITERATIONS: [&str; 3] = ["min", "avg", "max"];
    let mut text = String::from("LINK\tORIG_ID\tFROM\tTO\tLENGTH\tFREESPEED\tCAPACITY");
    let hours = |what: &str| -> String {
        let names = (0..HOURS).flat_map(|hour| OVER_ITERATIONS.map(|of| format!("\t{what}{hour}-{}{of}", hour + 1)));
        names.collect()
    };
    let day = OVER_ITERATIONS.map(|of| format!("\tHRS0-{HOURS}{of}")).concat();
    push(&mut text, format_args!("{}{day}{}\n", hours("HRS"), hours("TRAVELTIME")));
    let network = &scenario.network;
    let free = FreeSpeeds::new(network, &scenario.change_events);
    for link in 0..network.links() as u32 {
        let of_link = network.link(link);
        let [from, to] = [of_link.from, of_link.to].map(|node| network.node_ids.name(node));
        push(&mut text, format_args!("{}\t\t{from}\t{to}", network.link_ids.name(link)));
        let mut add = |value: f64| {
            text.push('\t');
            java_double::push(&mut text, value);
        };
        [of_link.length_m, of_link.freespeed_mps, of_link.capacity].into_iter().for_each(&mut add);
        let of_hours = volumes.of_link(link);
        let of_day: u32 = of_hours.iter().sum();
        for &volume in of_hours.iter().chain([&of_day]) {
            [f64::from(volume); 3].into_iter().for_each(&mut add);
        }
        let all: Vec<f64> = times.of_link(link, &free).collect();
        for (hour, &volume) in of_hours.iter().enumerate() {
            let time = all[times.slot_of(hour as f64 * 3600.0) as usize];
            // A mean that is weighted with the volume, rounded as in MATSim.
            let mean = if volume == 0 { time } else { f64::from(volume) * time / f64::from(volume) };
            [time, mean, time].into_iter().for_each(&mut add);
        }
        text.push('\n');
        file.text().extend_from_slice(text.as_bytes());
        file.flush_full()?;
        text.clear();
    }
    Ok(())
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
}
