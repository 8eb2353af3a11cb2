//! Routes many trips at given travel times.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use throng_core::Philox;

use super::Trip;
use super::periods::PERIODS;
use super::skeleton::{RoutePart, Skeleton};
use super::volumes::{Counts, Volumes};
use crate::draws::{Draws, Purpose};
use crate::options::CityOptions;
use throng_traffic_scenario::routing::{Edge, Graph, Landmarks, Search, SearchSpace};
use throng_traffic_scenario::{Network, Population, RouteKind};

/// Number of trips that one task routes: enough to amortise the cost of a task, few enough for many threads.
const CHUNK: usize = 512;

/// Number of tasks whose routes wait in memory until they are stored in order: enough to keep the threads busy.
const TASKS: usize = 512;

/// The network with the travel times of each period.
pub(crate) struct Priced {
    skeleton: Skeleton,
    periods: Vec<(Graph, Landmarks)>,
}

impl Priced {
    pub(super) fn new(network: &Network, volumes: &Volumes) -> Self {
        let mut priced = Self::unpriced(network);
        priced.reprice(network, volumes);
        priced
    }

    /// Creates the network without travel times, which must be set before anything is routed.
    pub(crate) fn unpriced(network: &Network) -> Self {
        let skeleton = Skeleton::new(network);
        let graph = skeleton.graph();
        let periods = (0..PERIODS).map(|_| (graph.clone(), Landmarks::default())).collect();
        Self { skeleton, periods }
    }

    /// Sets the travel times that follow from `volumes`.
    pub(super) fn reprice(&mut self, network: &Network, volumes: &Volumes) {
        self.reprice_by(|period, link| volumes.cost_ns(network, period, link));
    }

    /// Sets the travel times, nanoseconds, from a function of period and link.
    pub(crate) fn reprice_by(&mut self, cost_ns: impl Fn(usize, usize) -> u64 + Sync) {
        let Self { skeleton, periods } = self;
        periods.par_iter_mut().enumerate().for_each(|(period, (graph, landmarks))| {
            let cost_of = |chain| skeleton.chain(chain).iter().map(|&link| cost_ns(period, link as usize)).sum();
            let cost_ns: Vec<u64> = (0..skeleton.chains() as u32).map(cost_of).collect();
            graph.reprice(&cost_ns);
            *landmarks = Landmarks::new(graph);
        });
    }
}

/// The routes of one chunk of trips, concatenated.
#[derive(Default)]
struct Routes {
    links: Vec<u32>,
    trips: Vec<Routed>,
}

/// Length, free-flow time and distance of a newly found route.
struct Routed {
    /// Number of links.
    len: u32,
    /// Free-flow time over the links between both ends, as computed by MATSim's router, seconds.
    seconds: f64,
    metres: f64,
}

impl Routed {
    fn new(network: &Network, links: &[u32]) -> Self {
        let between = &links[1..links.len() - 1];
        let seconds: f64 =
            between.iter().map(|&l| network.length_m[l as usize] / network.freespeed_mps[l as usize]).sum();
        let metres: f64 = links[1..].iter().map(|&l| network.length_m[l as usize]).sum();
        Self { len: links.len() as u32, seconds: seconds.round(), metres: (metres * 100.0).round() / 100.0 }
    }
}

/// Routes `trips` and counts vehicles by period and link. If `keep`, the routes are stored in `population`.
pub(crate) fn load(
    options: &CityOptions,
    network: &Network,
    priced: &Priced,
    population: &mut Population,
    mut trips: Vec<Trip>,
    keep: bool,
) -> Counts {
    // Neighbouring searches at the same time of day use the same part of the memory, which makes them a third faster.
    trips.par_sort_by_cached_key(|t| (t.period, population.legs.start_link[t.leg as usize], t.leg));
    let counts: Vec<AtomicU32> = (0..network.links() * PERIODS).map(|_| AtomicU32::new(0)).collect();
    let tastes = Tastes::new(options, priced.skeleton.chains());
    let route_chunk = |population: &Population, memory: &mut Memory, chunk: &[Trip]| {
        let mut routes = Routes::default();
        for trip in chunk {
            let first = routes.links.len();
            route(priced, &tastes, population, memory, trip, &mut routes.links);
            // A trip uses the capacity at the end of each link that it leaves: all but the last. The order does not
            // matter for sums of integers.
            for &link in &routes.links[first..routes.links.len() - 1] {
                counts[trip.period as usize * network.links() + link as usize].fetch_add(1, Ordering::Relaxed);
            }
            if keep {
                routes.trips.push(Routed::new(network, &routes.links[first..]));
            } else {
                routes.links.clear();
            }
        }
        routes
    };
    let spare = Mutex::new(Vec::new());
    for block in trips.chunks(CHUNK * TASKS) {
        let routes: Vec<Routes> = {
            let population = &*population;
            let with = |memory: &mut Borrowed<'_>, chunk: &[Trip]| route_chunk(population, &mut memory.memory, chunk);
            block.par_chunks(CHUNK).map_init(|| Borrowed::from(&spare), with).collect()
        };
        if keep {
            let mut trips = block.iter();
            for chunk in &routes {
                store(population, chunk, &mut trips);
            }
        }
    }
    counts.into_iter().map(AtomicU32::into_inner).collect()
}

/// Counts vehicles by period and link on the current routes of `trips`, in the same way as [`load`] counts new routes.
pub(crate) fn count_current_routes(network: &Network, population: &Population, trips: &[Trip]) -> Counts {
    let mut counts = vec![0; network.links() * PERIODS];
    for trip in trips {
        let first = usize::from(trip.period) * network.links();
        if let [links @ .., _] = population.route(trip.leg) {
            for &link in links {
                counts[first + link as usize] += 1;
            }
        }
    }
    counts
}

/// Memory that one search needs, reused by later searches.
#[derive(Default)]
struct Memory {
    space: SearchSpace,
    chains: Vec<u32>,
}

/// Scratch memory that is returned to a pool for the next task. It grows with the network, and there are many more
/// tasks than threads.
struct Borrowed<'a> {
    memory: Memory,
    spare: &'a Mutex<Vec<Memory>>,
}

impl<'a> From<&'a Mutex<Vec<Memory>>> for Borrowed<'a> {
    fn from(spare: &'a Mutex<Vec<Memory>>) -> Self {
        let memory = spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        Self { memory, spare }
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(std::mem::take(&mut self.memory));
        }
    }
}

/// Appends the whole route of a trip to `links`.
fn route(
    priced: &Priced,
    tastes: &Tastes,
    population: &Population,
    memory: &mut Memory,
    trip: &Trip,
    links: &mut Vec<u32>,
) {
    let Priced { skeleton, periods } = priced;
    let (graph, landmarks) = &periods[trip.period as usize];
    let start = population.legs.start_link[trip.leg as usize];
    let end = population.legs.end_link[trip.leg as usize];
    links.push(start);
    match skeleton.route_part(start, end) {
        RoutePart::Straight(from, to) => links.extend_from_slice(skeleton.between((from, to))),
        RoutePart::Search { before, source, target, after } => {
            let Memory { space, chains } = memory;
            chains.clear();
            let taste = tastes.of(trip);
            let cost = |edge: &Edge| taste.cost_ns(edge.rank, edge.cost_ns);
            Search { graph, landmarks }
                .run(space, source, target, cost, &skeleton.from, chains)
                .expect("the city is strongly connected");
            links.extend_from_slice(skeleton.between(before));
            for &chain in &*chains {
                links.extend_from_slice(skeleton.chain(chain));
            }
            links.extend_from_slice(skeleton.between(after));
        }
    }
    links.push(end);
}

fn store<'t>(population: &mut Population, routes: &Routes, trips: &mut impl Iterator<Item = &'t Trip>) {
    let mut start = population.route_links.len() as u64;
    population.route_links.extend_from_slice(&routes.links);
    for (routed, trip) in routes.trips.iter().zip(trips) {
        let leg = trip.leg as usize;
        let legs = &mut population.legs;
        legs.route[leg] = RouteKind::Links;
        legs.route_start[leg] = start;
        legs.route_len[leg] = routed.len;
        legs.travel_time[leg] = routed.seconds;
        legs.distance[leg] = routed.metres;
        start += u64::from(routed.len);
    }
}

/// Differences between travellers: each one perceives the cost of each chain of links as higher by a random fraction.
struct Tastes {
    philox: Philox,
    /// Maximum of this fraction, in units of 1 / 65,536.
    spread: u64,
    /// A random word per chain of links.
    chains: Vec<u64>,
}

/// Link costs as perceived by the traveller of one trip.
struct Taste<'a> {
    tastes: &'a Tastes,
    word: u64,
}

impl Tastes {
    fn new(options: &CityOptions, chains: usize) -> Self {
        let philox = Philox::new(options.seed);
        let chains = (0..chains as u32).map(|c| Draws::new(philox, c, 0).word(Purpose::LinkTaste, 0)).collect();
        Self { philox, spread: (options.jitter * 65_536.0) as u64, chains }
    }

    fn of(&self, trip: &Trip) -> Taste<'_> {
        let word = Draws::new(self.philox, trip.person, u32::from(trip.ordinal)).word(Purpose::Taste, 0);
        Taste { tastes: self, word }
    }
}

impl Taste<'_> {
    /// Returns the perceived cost, which is never below `cost_ns`, so that landmarks stay valid.
    #[inline]
    fn cost_ns(&self, chain: u32, cost_ns: u64) -> u64 {
        // Combines two random words by a multiplication, because there are billions of pairs of travellers and chains,
        // too many for a full draw each.
        let mixed = (self.tastes.chains[chain as usize] ^ self.word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
        cost_ns + (cost_ns >> 16) * ((mixed * self.tastes.spread) >> 16)
    }
}
