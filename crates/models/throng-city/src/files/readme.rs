//! A description of the folder for human readers.

use std::fmt::Write as _;

use throng_core::clock;
use throng_output::Codec;

use super::CityFiles;
use crate::{City, Day, RoadClass};

pub(super) fn text(city: &City, codec: Codec, what: CityFiles) -> String {
    let (o, f) = (&city.options, &city.facts);
    let suffix = codec.suffix();
    let mut out = format!(
        "# A made-up city\n\n\
         ![Road network](city.svg)\n\n\
         Made by `throng generate city` with seed {}, {} links and {} persons requested; sample {}{}. {}\n\n",
        o.seed,
        o.links,
        o.persons,
        o.sample,
        if o.spike { "; all trips to work at 06:00:00 and home at 16:00:00" } else { "" },
        files(suffix, what),
    );
    let mut table = |name: &str, value: String| {
        let _ = writeln!(out, "| {name} | {value} |");
    };
    table("figure", "value".into());
    table("---", "---".into());
    table("nodes", f.nodes.to_string());
    table("links", f.links.to_string());
    for class in RoadClass::ALL {
        let count = city.classes.iter().filter(|&&c| c == class).count();
        table(&format!("links: {}", class.name()), count.to_string());
    }
    table("length of all links", format!("{:.0} km", f.road_km));
    table("median length of a link", format!("{:.0} m", f.median_link_m));
    table("persons", f.persons.to_string());
    table("trips", f.trips.to_string());
    table("trips by car", f.car_trips.to_string());
    table("distance of a car trip: mean, median", kilometres(f.mean_trip_m, f.median_trip_m));
    table("distance from home to work by car: mean, median", kilometres(f.mean_work_trip_m, f.median_work_trip_m));
    table("links of a car trip: mean", format!("{:.1}", f.mean_trip_links));
    if let Some(day) = &f.day {
        out.push_str(&simulated(day));
    }
    let _ = write!(
        out,
        "\nEstimated from the volumes (the simulation may differ): {:.0} vehicle kilometres, travel time \
         {:.2} times that of the empty network over the day and {:.2} times from 06:45 to 08:15, {:.1} % of the links \
         above nine tenths of their capacity then.\n\n\
         Assignment: {} trial rounds of {:.0} % of the trips, {} batches, jitter {}; {} days of simulation, {} of them \
         followed by new routes.\n",
        f.congestion.vehicle_km,
        f.congestion.delay_ratio,
        f.congestion.morning_delay_ratio,
        f.congestion.full_links * 100.0,
        o.rounds,
        o.round_share * 100.0,
        o.batches,
        o.jitter,
        o.days,
        o.days.saturating_sub(1),
    );
    out
}

/// Returns a summary of the last simulated day.
fn simulated(day: &Day) -> String {
    let who = if day.share < 1.0 {
        format!("a sample of {:.0} % of these persons (queues are longer in a sample than with all)", day.share * 100.0)
    } else {
        "all of these persons".to_owned()
    };
    format!(
        "\nThe last simulated day, with {who}: trips that arrived took {:.2} times as long as on the same routes in an empty \
         city, those that began from 07:00 to 08:30 {:.2} times; {:.1} % of the links above nine tenths of their \
         capacity in a quarter of an hour then, {:.2} vehicles pushed onto full links per hundred trips, last arrival at \
         {}.\n",
        day.delay_ratio,
        day.morning_delay_ratio,
        day.full_links * 100.0,
        day.pushes_per_trip * 100.0,
        clock::format(day.last_arrival_s),
    )
}

fn files(suffix: &str, what: CityFiles) -> String {
    let network = format!("In MATSim's formats: `network.xml{suffix}` (version 2)");
    let cache = "`scenario.throng` holds the loaded scenario for Throng (`throng.scenarioCache`)";
    match what {
        CityFiles::Matsim => format!("{network}, `plans.xml{suffix}` (version 6, with routes), `config.xml`."),
        CityFiles::All => format!("{network}, `plans.xml{suffix}` (version 6, with routes), `config.xml`. {cache}."),
        CityFiles::CacheOnly => format!("{network}, `config.xml`. {cache}; no other file holds the plans."),
    }
}

fn kilometres(mean_m: f64, median_m: f64) -> String {
    format!("{:.1} km, {:.1} km", mean_m / 1000.0, median_m / 1000.0)
}
