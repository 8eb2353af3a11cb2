//! Figures that describe a city.

use super::assignment::Volumes;
use super::settling::Day;
use throng_traffic_scenario::{ModeId, Network, PlanElement, Population, RouteKind};

pub use super::assignment::Congestion;

/// Figures that describe a city. All counts refer to the sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of links.
    pub links: usize,
    /// Total length of all links, kilometres.
    pub road_km: f64,
    /// Median length of a link, metres.
    pub median_link_m: f64,
    /// Number of persons.
    pub persons: usize,
    /// Number of trips of all modes.
    pub trips: usize,
    /// Number of trips by car.
    pub car_trips: usize,
    /// Mean distance of a car trip, metres.
    pub mean_trip_m: f64,
    /// Median distance of a car trip, metres.
    pub median_trip_m: f64,
    /// Mean distance of a car trip from home to work, metres.
    pub mean_work_trip_m: f64,
    /// Median distance of a car trip from home to work, metres.
    pub median_work_trip_m: f64,
    /// Mean number of links of a car trip, including the start link.
    pub mean_trip_links: f64,
    /// Traffic as estimated from the volumes.
    pub congestion: Congestion,
    /// The last simulated day, if any was simulated.
    pub day: Option<Day>,
}

impl Facts {
    pub(super) fn new(
        network: &Network,
        population: &Population,
        car: ModeId,
        volumes: &Volumes,
        day: Option<Day>,
    ) -> Self {
        let legs = &population.legs;
        let driven = |leg: usize| legs.mode[leg] == car && legs.route[leg] == RouteKind::Links;
        let mut all: Vec<f32> = (0..legs.mode.len()).filter(|&l| driven(l)).map(|l| legs.distance[l] as f32).collect();
        let mut work: Vec<f32> =
            work_legs(population).filter(|&l| driven(l)).map(|l| legs.distance[l] as f32).collect();
        let links: u64 = legs.route_len.iter().map(|&len| u64::from(len)).sum();
        let mut lengths = network.length_m.clone();
        lengths.sort_unstable_by(f64::total_cmp);
        Self {
            nodes: network.nodes(),
            links: network.links(),
            road_km: network.length_m.iter().sum::<f64>() / 1000.0,
            median_link_m: lengths.get(lengths.len() / 2).copied().unwrap_or(0.0),
            persons: population.persons(),
            trips: legs.mode.len(),
            car_trips: all.len(),
            mean_trip_m: mean(&all),
            median_trip_m: median(&mut all),
            mean_work_trip_m: mean(&work),
            median_work_trip_m: median(&mut work),
            mean_trip_links: links as f64 / all.len().max(1) as f64,
            congestion: volumes.summary(network),
            day,
        }
    }
}

/// Returns the legs that lead from home to work.
fn work_legs(population: &Population) -> impl Iterator<Item = usize> + '_ {
    let work = population.activity_types.get("work");
    (0..population.persons() as u32).filter_map(move |person| {
        let mut plan = population.plan(person).skip(1);
        let (leg, next) = (plan.next()?, plan.next()?);
        match (leg, next) {
            (PlanElement::Leg(leg), PlanElement::Activity(a)) => {
                (Some(population.activities.kind[a as usize]) == work).then_some(leg as usize)
            }
            _ => None,
        }
    })
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64
}

fn median(values: &mut [f32]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { f64::from(*values.select_nth_unstable_by(middle, f32::total_cmp).1) }
}
