//! Counts of vehicles at some places, from a simulated day.

use std::fmt::Write as _;

use throng_core::Philox;
use throng_matsim::formats::counts::HOURS;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::NoEvents;

use crate::draws::{Draws, Purpose};
use crate::{City, CityOptions, RoadClass};

/// Name of the file.
pub(super) const NAME: &str = "counts.xml";

/// Standard deviation of the random errors, as a fraction of the volume.
pub(super) const DEVIATION: f64 = 0.1;

/// Classes of roads with stations.
const MAIN_ROADS: [RoadClass; 4] =
    [RoadClass::Arterial, RoadClass::MajorArterial, RoadClass::Motorway, RoadClass::RingMotorway];

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n\
    <counts xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
    xsi:noNamespaceSchemaLocation=\"http://matsim.org/files/dtd/counts_v1.xsd\" name=\"synthetic city\" \
    desc=\"volumes of a simulated day with random errors\" year=\"2000\">\n";

/// A station on a link.
pub(super) struct Station {
    link: u32,
    /// Id of the link in files.
    link_id: String,
    class: RoadClass,
}

/// Draws the links with a station among the main roads, at most as many as the options request.
pub(super) fn stations(city: &City) -> Vec<Station> {
    let philox = Philox::new(city.options.seed);
    let rank = |link: u32| Draws::new(philox, link, 0).word(Purpose::Count, 0);
    let mut links: Vec<u32> =
        (0..city.network.links() as u32).filter(|&link| MAIN_ROADS.contains(&city.classes[link as usize])).collect();
    links.sort_unstable_by_key(|&link| (rank(link), link));
    links.truncate(city.options.counts as usize);
    links.sort_unstable();
    let station = |link: u32| Station {
        link,
        link_id: city.network.link_ids.name(link).to_owned(),
        class: city.classes[link as usize],
    };
    links.into_iter().map(station).collect()
}

/// Simulates the day of the city and returns the content of the file.
///
/// # Errors
/// If the day cannot be simulated.
pub(super) fn text(options: &CityOptions, scenario: &Scenario, stations: &[Station]) -> Result<String, RunError> {
    let threads = rayon::current_num_threads();
    let run = RunOptions { threads, volume_bin_s: Some(3600.0), ..RunOptions::default() };
    let volumes = simulate(scenario, &mut NoEvents, &run)?.link_volumes;
    let mut out = String::from(HEAD);
    for Station { link, link_id, class } in stations {
        let draws = Draws::new(Philox::new(options.seed), *link, 0);
        let index = scenario.network.link_ids.get(link_id).map(|index| index as usize);
        let _ = writeln!(out, "\t<count loc_id=\"{link_id}\" cs_id=\"{} {link_id}\">", class.name());
        for hour in 0..HOURS {
            let of_hour = volumes.iter().find(|volumes| volumes.bin == hour as i64);
            let vehicles = index.zip(of_hour).map_or(0, |(index, volumes)| volumes.vehicles[index]);
            // The first draw selected the station; a normal draw uses two.
            let factor = draws.normal(Purpose::Count, hour as u32 + 1, 1.0, DEVIATION);
            let counted = (f64::from(vehicles) / options.sample * factor).round();
            let _ = writeln!(out, "\t\t<volume h=\"{}\" val=\"{counted}\"/>", hour + 1);
        }
        out.push_str("\t</count>\n");
    }
    out.push_str("</counts>\n");
    Ok(out)
}
