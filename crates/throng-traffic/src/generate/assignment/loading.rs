//! Routing many trips at given travel times.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use throng_core::Philox;

use super::Trip;
use super::periods::PERIODS;
use super::volumes::{Counts, Volumes};
use crate::generate::draws::{Draws, Purpose};
use crate::generate::options::CityOptions;
use crate::routing::{Graph, Landmarks, Search, SearchSpace};
use crate::scenario::{Network, Population, RouteKind};

/// Trips that one task routes: enough to forget the cost of a task, few enough for many threads.
const CHUNK: usize = 1024;

/// The network with the travel times of each period.
pub(super) struct Priced {
    periods: Vec<(Graph, Landmarks)>,
}

impl Priced {
    pub(super) fn new(graph: Graph) -> Self {
        let period = || {
            let graph = graph.clone();
            let landmarks = Landmarks::new(&graph);
            (graph, landmarks)
        };
        Self { periods: (0..PERIODS).map(|_| period()).collect() }
    }

    /// Sets the travel times that follow from `volumes`.
    pub(super) fn reprice(&mut self, network: &Network, volumes: &Volumes) {
        self.periods.par_iter_mut().enumerate().for_each(|(period, (graph, landmarks))| {
            let cost_ns: Vec<u64> = (0..network.links()).map(|l| volumes.cost_ns(network, period, l)).collect();
            graph.reprice(&cost_ns);
            *landmarks = Landmarks::new(graph);
        });
    }
}

/// The routes of one chunk of trips, one after the other.
#[derive(Default)]
struct Routes {
    links: Vec<u32>,
    /// Length of the route and planned time for each trip.
    trips: Vec<(u32, f64)>,
}

/// Routes `trips` and counts vehicles by period and link; with `keep`, the routes are stored in `population`.
pub(super) fn load(
    options: &CityOptions,
    network: &Network,
    priced: &Priced,
    population: &mut Population,
    mut trips: Vec<Trip>,
    keep: bool,
) -> Counts {
    // Neighbouring searches at the same time of day use the same part of the memory: a third faster.
    trips.sort_by_key(|t| (t.period, population.legs.start_link[t.leg as usize], t.leg));
    let counts: Vec<AtomicU32> = (0..network.links() * PERIODS).map(|_| AtomicU32::new(0)).collect();
    let tastes = Tastes::new(options, network);
    let route_chunk = |population: &Population, space: &mut SearchSpace, chunk: &[Trip]| {
        let mut routes = Routes::default();
        for trip in chunk {
            let first = routes.links.len();
            let time_s = route(network, priced, &tastes, population, space, trip, &mut routes.links);
            // The start link is not driven; order does not matter to sums of integers.
            for &link in &routes.links[first + 1..] {
                counts[trip.period as usize * network.links() + link as usize].fetch_add(1, Ordering::Relaxed);
            }
            if keep {
                routes.trips.push(((routes.links.len() - first) as u32, time_s));
            } else {
                routes.links.clear();
            }
        }
        routes
    };
    // As many chunks at a time as keep the threads busy: routes wait in memory until they are stored in order.
    for block in trips.chunks(CHUNK * 64) {
        let routes: Vec<Routes> = {
            let population = &*population;
            let with = |space: &mut SearchSpace, chunk: &[Trip]| route_chunk(population, space, chunk);
            block.par_chunks(CHUNK).map_init(SearchSpace::default, with).collect()
        };
        if keep {
            let mut trips = block.iter();
            for chunk in &routes {
                store(network, population, chunk, &mut trips);
            }
        }
    }
    counts.into_iter().map(AtomicU32::into_inner).collect()
}

/// Appends the whole route of a trip to `links`; returns the planned time.
fn route(
    network: &Network,
    priced: &Priced,
    tastes: &Tastes,
    population: &Population,
    space: &mut SearchSpace,
    trip: &Trip,
    links: &mut Vec<u32>,
) -> f64 {
    let (graph, landmarks) = &priced.periods[trip.period as usize];
    let start = population.legs.start_link[trip.leg as usize];
    let end = population.legs.end_link[trip.leg as usize];
    let (source, target) = (network.to[start as usize], network.from[end as usize]);
    let taste = tastes.of(trip);
    links.push(start);
    let cost = Search { graph, landmarks }
        .run(space, source, target, |edge| taste.cost_ns(edge.rank, edge.cost_ns), &network.from, links)
        .expect("the city is strongly connected");
    links.push(end);
    // What the trip is planned to take leaves the taste out, on average.
    cost as f64 / 1e9 / (1.0 + tastes.spread as f64 / 131_072.0)
}

fn store<'t>(
    network: &Network,
    population: &mut Population,
    routes: &Routes,
    trips: &mut impl Iterator<Item = &'t Trip>,
) {
    let mut first = 0;
    let mut start = population.route_links.len() as u64;
    population.route_links.extend_from_slice(&routes.links);
    for (&(len, time_s), trip) in routes.trips.iter().zip(trips) {
        let leg = trip.leg as usize;
        let links = &routes.links[first..first + len as usize];
        let legs = &mut population.legs;
        legs.route[leg] = RouteKind::Links;
        legs.route_start[leg] = start;
        legs.route_len[leg] = len;
        legs.travel_time[leg] = time_s.round();
        let metres: f64 = links[1..].iter().map(|&l| network.length_m[l as usize]).sum();
        legs.distance[leg] = (metres * 100.0).round() / 100.0;
        first += len as usize;
        start += u64::from(len);
    }
}

/// Differences in taste: for each traveller, the cost of each link is raised by a random share.
struct Tastes {
    philox: Philox,
    /// The largest share, in units of 1 / 65,536.
    spread: u64,
    /// A random word for every link, by rank.
    links: Vec<u64>,
}

/// The taste of one trip.
struct Taste<'a> {
    tastes: &'a Tastes,
    word: u64,
}

impl Tastes {
    fn new(options: &CityOptions, network: &Network) -> Self {
        let philox = Philox::new(options.seed);
        let links = (0..network.links() as u32).map(|l| Draws::new(philox, l, 0).word(Purpose::LinkTaste, 0)).collect();
        Self { philox, spread: (options.jitter * 65_536.0) as u64, links }
    }

    fn of(&self, trip: &Trip) -> Taste<'_> {
        let word = Draws::new(self.philox, trip.person, u32::from(trip.ordinal)).word(Purpose::Taste, 0);
        Taste { tastes: self, word }
    }
}

impl Taste<'_> {
    /// Never below `cost_ns`, so that landmarks stay valid.
    #[inline]
    fn cost_ns(&self, rank: u32, cost_ns: u64) -> u64 {
        // Two random words and a multiplication instead of a full draw for each pair of traveller and link, of which
        // there are billions.
        let mixed = (self.tastes.links[rank as usize] ^ self.word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
        cost_ns + (cost_ns >> 16) * (mixed * self.tastes.spread >> 16)
    }
}
