//! Assembles the city: streets, people, routes.

use rayon::prelude::*;
use throng_core::{InputError, Philox, Progress};
use throng_model::Failure;

use super::assignment::{self, Trip};
use super::demand::{Destinations, Kind, Places, people};
use super::facts::Facts;
use super::options::CityOptions;
use super::pieces::{Piece, PlanWriter, in_parts};
use super::settling::settle;
use super::streets::{self, RoadClass};
use super::transit::{self, TransitLines};
use super::vehicles::vehicles;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{Facilities, ModeId, ModeTable, Network, Population, Scenario};

/// Number of persons generated at a time, so that few of them exist twice in memory.
const BLOCK: usize = 1 << 17;

/// A city in memory.
#[derive(Debug)]
pub struct City {
    /// Options from which the city was generated.
    pub options: CityOptions,
    /// Names of the modes that links and legs refer to by index.
    pub modes: ModeTable,
    /// Road network: nodes and links.
    pub network: Network,
    /// Road class of each link, by link index.
    pub classes: Vec<RoadClass>,
    /// The persons with their plans and routes.
    pub population: Population,
    /// Public transport, if the options request it.
    pub lines: TransitLines,
    /// Figures that describe the city.
    pub facts: Facts,
}

/// Generates a city. See the [module](super).
///
/// # Errors
/// If an option is out of its range, a day cannot be simulated, or the ids of the vehicles take too much memory.
pub fn city(options: &CityOptions, progress: &dyn Progress) -> Result<City, Failure> {
    options.check()?;
    let mut modes = ModeTable::default();
    let mut mode = |name| modes.intern(name).expect("three modes fit");
    let [car, walk, pt] = [mode("car"), mode("walk"), mode("pt")];

    progress.begin("streets", None, "links");
    let streets = streets::build(options, car);
    progress.end();

    progress.begin("people", Some(u64::from(options.persons)), "persons");
    let places = Places::new(&streets, Philox::new(options.seed));
    let destinations = Destinations::new(options, &places, &streets.network, car);
    let (mut population, trips) = plans(options, &streets.network, [car, walk, pt], (&places, &destinations), progress);
    progress.end();

    progress.begin("routes", Some(trips.len() as u64), "trips");
    let mut volumes = assignment::assign(options, &streets.network, &mut population, &trips, progress);
    progress.end();
    let (mut network, mut day) = (streets.network, None);
    if options.days > 0 {
        progress.begin("days", Some(u64::from(options.days)), "days");
        let mut scenario = scenario(whole_day(), modes.clone(), network, population)?;
        (volumes, day) = settle(options, &mut scenario, &trips, volumes, progress)?;
        (network, population) = (scenario.network, scenario.population);
        progress.end();
    }
    let mut classes = streets.class;
    let mut lines = TransitLines::default();
    if options.lines > 0 {
        progress.begin("lines", Some(u64::from(options.lines)), "lines");
        let train = modes.intern("train").expect("four modes fit");
        let radius_m = streets.shape.radius;
        lines = transit::lay(options, &places, (&mut network, &mut classes), radius_m, (car, train));
        progress.end();
    }
    let facts = Facts::new(&network, &population, car, &volumes, day);
    Ok(City { options: options.clone(), modes, network, classes, population, lines, facts })
}

impl City {
    /// Converts the city to a scenario, with the vehicles that the loader would create: each driver has a default car
    /// with the same id as the person, parked where the day begins.
    ///
    /// # Errors
    /// If the ids take too much memory, which does not happen for a generated city; or if it has public transport,
    /// which only files of the city contain.
    pub fn into_scenario(self, settings: Settings) -> Result<Scenario, InputError> {
        if !self.lines.routes.is_empty() {
            let message = format!("{} lines of public transport", self.lines.routes.len() / 2);
            return Err(InputError::one("lines", message, "write the city as files, and load those"));
        }
        scenario(settings, self.modes, self.network, self.population)
    }
}

/// Returns settings for a simulation from 00:00 to 36:00, as in a generated city's config: by 36:00 everyone is home.
pub fn whole_day() -> Settings {
    let mut settings = Settings::default();
    settings.qsim.start_time = Some(0.0);
    settings.qsim.end_time = Some(36.0 * 3600.0);
    settings
}

/// See [`City::into_scenario`].
fn scenario(
    settings: Settings,
    modes: ModeTable,
    network: Network,
    mut population: Population,
) -> Result<Scenario, InputError> {
    let vehicles = vehicles(&mut population, modes.get("car"))?;
    let facilities = Facilities::default();
    Ok(Scenario { settings, modes, network, population, vehicles, facilities, ..Scenario::default() })
}

/// Generates the plans of all persons in the sample, and the trips that need a route.
fn plans(
    options: &CityOptions,
    network: &Network,
    modes: [ModeId; 3],
    (places, destinations): (&Places, &Destinations),
    progress: &dyn Progress,
) -> (Population, Vec<Trip>) {
    let mut population = Population::default();
    population.first_element.push(0);
    let kinds = Kind::ALL.map(|kind| population.activity_types.intern(kind.name()).expect("few kinds of activities"));
    let writer = PlanWriter { philox: Philox::new(options.seed), network, modes, kinds };
    let mut trips = Vec::new();
    for first in (0..options.persons).step_by(BLOCK) {
        progress.at(u64::from(first), "");
        let numbers = first..first.saturating_add(BLOCK as u32).min(options.persons);
        let pieces: Vec<Piece> = in_parts(numbers)
            .into_par_iter()
            .map(|numbers| {
                let mut piece = Piece::default();
                for person in people(options, places, destinations, numbers) {
                    writer.add(&mut piece, &person);
                }
                piece
            })
            .collect();
        for piece in pieces {
            piece.append_to(&mut population, &mut trips);
        }
    }
    (population, trips)
}

#[cfg(test)]
#[path = "city_tests.rs"]
mod tests;
